"""How a host answers in English: a clause for each kind of fact, and ways to join them."""

from __future__ import annotations

from typing import Final

REPLIES: Final[dict[str, tuple[str, ...]]] = {
    "say.price": ("{it} costs {money}", "{it} is {money}", "{it} goes for {money}"),
    "say.coupon": ("code {code} works on {it}", "you can use the code {code} on {it}", "the coupon for {it} is {code}"),
    "say.coupon_price": ("with {code} {it} costs {money}", "{it} comes down to {money} with the code {code}"),
    "say.coupon_until": ("the coupon on {it} is valid until {day}", "you can use the coupon on {it} until {day}"),
    "say.coupon_percent": ("the coupon {code} takes {percent} % off {it}",),
    "say.InStock": ("{it} is in stock", "{it} is still available"),
    "say.LimitedAvailability": ("{it} is in stock but only a few are left", "{it} is still available, though only a few are left"),
    "say.OutOfStock": ("{it} is sold out", "{it} is sold out at the moment"),
    "say.PreOrder": ("{it} is on pre-order", "{it} can be pre-ordered"),
    "say.left": ("there are {n} left of {it}", "we have {n} left of {it}"),
    "say.left_one": ("there is only 1 left of {it}",),
    "say.variant.InStock": ("{it} is in stock in {variant}", "{it} is available in {variant}"),
    "say.variant.OutOfStock": ("{it} is sold out in {variant}",),
    "say.shipping_time": ("{it} arrives in {low} to {high} days", "delivery of {it} takes {low} to {high} days"),
    "say.shipping_free": ("shipping is free on {it}", "{it} ships for free"),
    "say.shipping_paid": ("shipping for {it} is {money}", "shipping costs {money} for {it}"),
    "say.ship_to": ("we ship {it} to {place}",),
    "say.ship_only": ("we only ship {it} to {places}",),
    "say.return_days": ("you can return {it} within {n} days", "you have {n} days to return {it}"),
    "say.FreeReturn": ("returning {it} is free", "return postage for {it} is free"),
    "say.ReturnFeesCustomerResponsibility": ("return postage for {it} is paid by the buyer",),
    "say.pack": ("the two-pack of {it} is {money}", "two of {it} together cost {money}"),
    "say.gift": ("{it} comes with {gift} as a free gift", "you get {gift} for free with {it}"),
    "say.rating": ("{it} is rated {rating} out of 5", "{it} has {rating} stars"),
    "say.size": ("size {size} is the one for you", "I'd go with size {size}", "take size {size}", "size {size} should fit you"),
    "say.recommend": ("I'd take {ref}", "{ref} is the one for you", "go for {ref}", "that would be {ref}"),
    "answer.yes": ("Yes, {clause}.", "Yes: {clause}.", "Yep, {clause}."),
    "answer.no": ("No, {clause}.", "No, sorry, {clause}.", "Sadly no, {clause}."),
    "answer.plain": ("{clause}.", "{clause}.", "Sure, {clause}.", "Good question: {clause}.", "So, {clause}."),
    "answer.sorry": ("Sorry, {clause}.", "I'm afraid {clause}.", "{clause}."),
    "answer.wrong": ("Actually, {clause}.", "Not quite: {clause}.", "No, let me correct that: {clause}.", "Just to be clear, {clause}."),
    "answer.no_such": (
        "We don't have one like that in this line-up: {clause}.", "There isn't one like that here, {clause}.",
        "Sorry, none of them is like that. For example, {clause}.",
    ),
    "answer.compare": ("{first} and {second}, so {winner} {wins}.", "{winner} {wins}: {first} and {second}."),
    "answer.missing": (
        "The sheet doesn't say that about {it}, so I don't want to guess.", "I don't have that information for {it}, sorry.",
        "That isn't in the information I have on {it}.", "I can't confirm that for {it}, it's not listed.",
    ),
    "answer.missing_part": (
        "The other thing, the {label}, isn't listed, so I can't say.", "I don't have the {label} here, sorry.", "The {label} is not on the sheet, though.",
    ),
    "answer.no_slot": ("I don't have a no. {slot} in front of me, sorry.", "There's no number {slot} in the information I have."),
    "answer.off_topic": (
        "I can't help with that one here.", "That's not something I have information on.", "I only have information on the goods here, sorry.",
        "Ha, I can't answer that one here.",
    ),
    "extra.join": ("And {clause}.", "Also, {clause}.", "By the way, {clause}.", "Good to know: {clause}.", "And one more thing, {clause}.", "Plus, {clause}."),
    "extra.instead": ("What I can tell you: {clause}.", "But {clause}.", "I do know that {clause}.", "What is listed: {clause}."),
    "greeting": ("", "", "", "", "Hi {name}! ", "{name}, ", "Thanks {name}. "),
    "it": ("it",),
    "it_pair": ("this pair",),
    "other.fit": ("for {ref}",),
}  # fmt: skip
