"""What an English agent says: before the question, and as the reference reply."""

from __future__ import annotations

from typing import Final

AGENT: Final[dict[str, tuple[str, ...]]] = {
    # --- before the question
    "agent.hello": (
        "[Hello|Hi]! How can I help[ you|][ today|]?",
        "[Good day|Welcome]! What can I do for you?",
        "Hi there, what is it about?",
    ),
    "user.hello": (
        "[Hi|Hello|Hey|Good morning][!|.|]",
        "[Hi there|Hello there][!|]",
        "[Is anyone|Anybody] there?",
    ),
    "user.order": (
        "[Can you look at|I have a question about] [order |my order ]{order}[.|]",
        "It's about {order}.",
        "[Do you see|Can you find] {order}?",
    ),
    "agent.order": (
        "I [see it|have it here]: {order} was placed on {placed}, comes to {total} and is {status}.",
        "[Yes|Sure], {order} is {status}. You placed it on {placed}; the total is {total}.",
        "Found it. Placed on {placed}, {total} in total, {status}.",
    ),
    "user.customer": (
        "[My customer number is|I'm customer] {customer}.",
        "[I am registered as|You have me as] {customer}.",
        "{customer} is my account.",
    ),
    "agent.customer": (
        "[Thank you|Thanks], {name}. What can I do for you?",
        "[Welcome back|Nice to hear from you], {name}! How can I help?",
        "I have found you, {name}. Go ahead.",
    ),
    "user.options": (
        "[I'm looking|Looking] for {category}.",
        "[What|Which] {category} do you have?",
        "[Show|Recommend] me some {category}[, please|].",
    ),
    "agent.options": (
        "[These may suit you|Here is what I found]: {goods}.",
        "[I can offer you|There is] {goods}.",
        "How about {goods}?",
    ),
    "agent.option": ("{n}. {product} ({id}), from {price}",),
    "user.open_orders": (
        "I'm {customer}. What do I have on order?",
        "[Which|What] orders of mine are open? {customer}",
        "Look up what's still to come for {customer}, please.",
    ),
    "agent.open_orders": (
        "You have two open orders: {order} of {placed} and {second} of {later}.",
        "Two are being processed, {order} (placed {placed}) and {second} (placed {later}).",
        "I see {order} from {placed} and {second} from {later}, neither is shipped.",
    ),
    "user.cancelled": (
        "[Please cancel|Cancel] {order}, {why}.",
        "{Why}, so call off {order}.",
        "I no longer want {order}. {Why}.",
    ),
    "agent.cancelled": (
        "Done: {order} is cancelled, and {refund} will be refunded.",
        "I have cancelled {order}. You get {refund} back.",
        "{order} is called off, {refund} goes back to you.",
    ),
    "user.track": (
        "[Where is|Track] {order}[, please|]?",
        "When does {order} come?",
        "How far is {order}?",
    ),
    "agent.track": (
        "{order} is with {carrier}, [now|last seen] at {place}; it should arrive on {due}.",
        "{carrier} has the parcel of {order} ({place}). It is due on {due}.",
        "The parcel of {order} comes on {due}. {carrier} brings it; last stop: {place}.",
    ),
    "user.stock": (
        "[Is|Do you have] the {product} in {variant}?",
        "How many {product} in {variant} are there?",
        "Stock of the {product}, {variant}?",
    ),
    "agent.stock": (
        "[Yes|It is], the {product} in {variant} is in stock, {n} pieces.",
        "There are {n} of the {product} in {variant}.",
        "We have {n} left of the {product} in {variant}.",
    ),
    "user.unsure": (
        "[Hm|Well], [I have to think|let me think] about it.",
        "[OK|Alright], I see.",
        "[Good|Fine] to know.",
    ),
    "agent.unsure": (
        "[Take your time|No hurry]. [Just ask|I'm here] if you need anything.",
        "Of course, let me know.",
        "Sure. Is there anything else?",
    ),
    "user.start_cancel": (
        "I [want|would like] to cancel {order}.",
        "Can {order} be cancelled?",
        "Please call off my order {order}.",
    ),
    "agent.ask_reason": (
        "[Of course|I can look into that]. Why would you like to cancel it?",
        "[Sure|OK] - what is the reason?",
        "May I ask for the reason?",
    ),
    "user.never_mind": (
        "[Oh, never mind|Forget it]. {ask}",
        "[Actually no|No, wait], leave it. {ask}",
        "I've changed my mind, keep it. {ask}",
    ),
    # --- replies after tools
    "say.track": (
        "Your order {order} is on its way with {carrier}. It was last seen at {place} and should arrive on {due}.",
    ),
    "say.arrived": ("Order {order} was delivered by {carrier} on {day} ({place}).",),
    "say.not_arrived": (
        "Order {order} has not been delivered yet: {carrier} has it on the way, and it is due on {due}.",
    ),
    "say.not_shipped": ("Order {order} has not left us yet, it is still being processed.",),
    "say.was_cancelled": ("Order {order} was cancelled, so no parcel is on its way.",),
    "say.order": ("Order {order} is {status}. It holds {items} and comes to {total} in total.",),
    "say.unknown_order": ("I can't find an order {order}. Please check the order number.",),
    "say.unknown_coupon": ("There is no coupon {code}, so I can't apply it.",),
    "say.order_is": (
        "I'm sorry, your newest order {order} is {status}, so it can not be cancelled any more.",
    ),
    "say.open_orders": ("These orders are being processed: {orders}.",),
    "say.none_open": ("None of your orders is being processed.",),
    "say.cancelled": ("Order {order} is cancelled. You get {refund} back.",),
    "say.two_cancelled": (
        "Both orders, {order} and {second}, are cancelled. You get {refund} and {more} back.",
    ),
    "say.address": ("Order {order} will now go to {street}, {city} {postcode}.",),
    "say.coupon_on": ("The coupon {code} is on order {order}, which now comes to {total}.",),
    "say.refused": ("I'm sorry, that is not possible: {because}",),
    "say.returned": (
        "The {product} of order {order} can come back. You will be refunded {refund}.",
    ),
    "say.postage": (
        "The {product} of order {order} can come back. After the return postage of {postage} you will be refunded {refund}.",
    ),
    "say.exchanged": (
        "The {product} of order {order} will be exchanged for {variant}. {difference}",
    ),
    "say.changed": ("Your order {order} now has the {product} in {variant}. {difference}",),
    "say.same_price": ("The price stays the same.",),
    "say.to_pay": ("The difference to pay is {amount}.",),
    "say.to_get": ("You get the difference of {amount} back.",),
    "say.placed": (
        "Your order {order} is placed: {pieces} of the {product} in {variant}, {total} in total.",
    ),
    "say.in_stock": ("Yes, the {product} in {variant} is in stock, {n} left.",),
    "say.count": ("There are {n} pieces of the {product} in {variant}.",),
    "say.sold_out": ("I'm sorry, the {product} in {variant} is out of stock.",),
    "say.sold_out_others": (
        "I'm sorry, the {product} in {variant} is out of stock. What we do have: {others}.",
    ),
    "say.not_offered": (
        "I'm sorry, the {product} is not made in {variant}. What there is: {others}.",
    ),
    "say.few": (
        "I'm sorry, only {n} of the {product} in {variant} are left, so {needed} can't be ordered.",
    ),
    "say.price": ("The {product} in {variant} costs {price}.",),
    "say.to_pay_coupon": (
        "{pieces} of the {product} in {variant} come to {amount} with {code}, {off} less than without it.",
    ),
    "say.no_coupon": (
        "{pieces} of the {product} in {variant} come to {amount}. {code} does not help there: {because}",
    ),
    "say.price_wrong": ("Not quite: the {product} in {variant} costs {price}, not {wrong}.",),
    "say.details": (
        "The {product} is made of {material}, weighs {weight} and {warranty}. It is rated {rating} out of 5.",
    ),
    "say.weight": ("{n} g",),
    "say.warranty": ("has {n} months of warranty",),
    "say.no_warranty": ("comes without a warranty",),
    "say.found": ("I found {goods}.",),
    "say.found_one": ("the {product} ({id}) from {price}",),
    "say.none_found": ("I'm sorry, there is nothing like that in stock under {price}.",),
    "say.coupon": (
        "{code} is valid until {expires}. It takes {worth} off, from {minimum} on{scope}.",
    ),
    "say.coupon_over": ("{code} expired on {expires}, it can no longer be used.",),
    "say.coupon_wrong": (
        "No, {code} takes {worth} off, not {wrong}. It is valid until {expires}.",
    ),
    "say.coupon_wrong_over": (
        "No, {code} took {worth} off, not {wrong}, and it expired on {expires}.",
    ),
    "say.scope": (", for {category} only",),
    "say.percent": ("{n} %",),
    "say.two": ("{one} {two}",),
    # --- replies without tools
    "reply.thanks": ("[You're welcome|My pleasure]! Have a nice day.",),
    "reply.robot": (
        "I'm a virtual assistant of this shop, but I'm happy to help you with goods and orders.",
    ),
    "reply.help": (
        "I can look up products, prices, stock and orders, and I can place, change, cancel or return orders for you.",
    ),
    "reply.mood": (
        "Nice to hear from you! If there is anything about our goods or your orders, I'm glad to help.",
    ),
    "reply.shipping": (
        "Shipping costs {shipping}; it is free when the goods less the discount come to {free_from} or more.",
    ),
    "reply.free_from": (
        "Shipping is free once the goods less the discount come to {free_from} or more.",
    ),
    "reply.window": ("You can return or exchange items up to {days} days after delivery.",),
    "reply.postage": (
        "If you simply change your mind, {postage} of return postage is taken off the refund once.",
    ),
    "reply.coupon_one": ("No, an order takes only one coupon.",),
    "reply.quantity": ("An order takes at most {limit} pieces of one variant.",),
    "reply.open_only": (
        "An order can be cancelled or changed only while it is being processed, not once it has been shipped.",
    ),
    "reply.opened": (
        "Some products are not returnable; those go back only if they are defective, damaged or the wrong item.",
    ),
    "reply.once": ("No, each item of an order can be returned or exchanged only once.",),
    "reply.difference": (
        "The variant you take instead costs today's price; the difference is charged or refunded.",
    ),
    "reply.cancel_refund": ("A cancelled order is refunded in full, shipping included.",),
    "reply.coupon_once": (
        "No, a customer can use a coupon only once; cancelled orders do not count.",
    ),
    "reply.two_coupons": (
        "I'm sorry, I can't add {second}: an order takes only one coupon, and {order} has {code} already.",
    ),
    "reply.many": (
        "I'm sorry, that is not possible: an order takes at most {limit} pieces of one variant.",
    ),
    "reply.late": (
        "I'm sorry, I can't take it back: items can be returned only up to {days} days after delivery.",
    ),
    "reply.abroad": ("I'm sorry, we can't send it to {country}: we ship within the country only.",),
    "reply.replace_coupon": (
        "I'm sorry, a coupon that is on an order cannot be replaced, so {code} stays on {order}.",
    ),
    "reply.out": (
        "I'm sorry, I can't do that. I can help you with products, prices, stock and orders of this shop.",
    ),
    "reply.ask_order": ("I'm glad to help. Could you tell me the order number?",),
    "reply.ask_reason": ("I can do that for {order}. What is the reason?",),
    "reply.ask_return_reason": (
        "I can look into the return of the {product}. What is the reason for it?",
    ),
    "reply.ask_address": ("Sure. What is the new address for {order}: street, city and postcode?",),
    "reply.ask_postcode": ("Thank you. Which postcode does {street} in {city} have?",),
    "reply.ask_customer": ("Gladly. Could you tell me your customer number or e-mail address?",),
    "reply.ask_code": ("Gladly. What is the code of the coupon for {order}?",),
    "reply.ask_which": ("Which one do you mean, the {product} or the {second}?",),
    "reply.ask_which_order": ("Which order do you mean, {order} or {second}?",),
    "reply.ask_variant": ("Sure. Which colour or size of the {product} would you like instead?",),
    "reply.ask_variant_color": ("Sure. Which colour of the {product} would you like instead?",),
    "reply.carrier": ("The carrier is {carrier}.",),
    "reply.due": ("It should arrive on {due}.",),
    "reply.total": ("The total is {total}.",),
    "reply.cheaper": ("The {product} is cheaper, from {price}.",),
    "reply.done": ("Yes, order {order} is cancelled already; {refund} will be refunded.",),
    "reply.stock": ("There are {n} pieces of the {product} in {variant}.",),
}
