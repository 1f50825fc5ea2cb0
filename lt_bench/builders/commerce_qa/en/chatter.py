"""What else is said in an English-speaking room: the host showing goods, other viewers, names."""

from __future__ import annotations

from typing import Final

CHATTER: Final[dict[str, tuple[str, ...]]] = {
    "host.opening": (
        "Welcome in everyone, get comfortable.", "Good evening, good to see so many of you tonight.",
        "Hi to all who just joined, we have a full table today.", "Thanks for the hearts, keep them coming.",
        "Alright, type the number if you want me to show something again.", "Hello hello, we are live and in a good mood.",
    ),
    "host.show": (
        "Next up is no. {slot}, the {short}.", "Now in my hands: no. {slot}, the {short} {noun}.", "Here we have number {slot}, it's the {short}.",
        "Let me show you no. {slot}. This is the {short}.", "So this is no. {slot}, the {short}, look at that.",
        "Take a look at the {short}, that's no. {slot}.", "Okay, no. {slot} now: the {short} {noun}.",
        "You asked for it, here is number {slot}, the {short}.", "No. {slot} on the table, the {short}.",
        "I'm holding the {short} for you, number {slot}.",
    ),
    "host.shift": (
        "Alright, moving on to no. {slot}, the {short}.", "That was that one, now let's go to number {slot}, the {short}.",
        "Enough of that, let me grab no. {slot}, the {short}.", "Okay putting this away. Now no. {slot}, the {short} {noun}.",
        "Let's switch to number {slot}, the {short}, many of you asked.",
    ),
    "host.back": (
        "Okay, back to no. {slot}, the {short}.", "Now back to the {short}, no. {slot}.", "And here is no. {slot} again, the {short}.",
        "So, no. {slot}, the {short}, that's the one in my hands.",
    ),
    "host.to_other": ("{clause}.", "{clause}.", "For you: {clause}.", "I checked, {clause}.", "Let me see, {clause}."),
    "viewer.small": (
        "111", "1", "hi", "🔥🔥🔥", "😍😍", "hello from Ohio", "love it", "first", "me me me", "so pretty", "nice", "2", "❤️❤️❤️❤️", "hahaha",
        "just ordered", "mine arrived yesterday", "can't hear you", "turn around please", "lag?", "followed!", "wow", "666", "up up",
        "who else is watching from work", "good evening", "too expensive for me lol", "want", "show again pls", "👏👏", "where's the link",
        "hi from Manila", "I got the same one", "is this live", "sold", "+1", "the light is so bright", "louder please",
    ),
    "viewer.price": (
        "how much is no. {slot}?", "price of {slot}?", "no. {slot} price", "what's the price of number {slot}", "{short} how much?", "how much for the {brand}?",
    ),
    "viewer.stock": ("is no. {slot} still there?", "no. {slot} in stock?", "do you still have the {short}?", "{slot} sold out?", "any of no. {slot} left?"),
    "viewer.look": (
        "no. {slot} please", "show {slot} again", "number {slot} pls 🙏", "want to see {short}", "I'd take {slot}", "can we see {slot} next", "{slot} next please",
        "waiting for the {brand}",
    ),
    "names.viewer": (
        "Mia", "tom_92", "j.rivera", "KaiW", "lola", "Ben T", "sunny88", "Priya", "Oleg", "Ana_M", "mr.fox", "Grace", "hana", "DeeDee", "carlos7",
        "Nils", "yuki_o", "Marta", "big.al", "Ines", "Zoe", "samir", "kate_w", "Ravi", "Luca", "bella99", "Owen", "Fatima", "Jo", "peter_pan",
        "Chloe", "dan the man", "Emi", "Viktor", "nora.k", "Hugo", "Tessa", "abby", "Milo", "rosie_b", "Kwame", "Lena", "stefan", "Aiko",
        "PaulH", "Greta", "maxx", "Iris", "Noah", "Selma",
    ),
    "names.host": ("Lily", "Marco", "June", "Dana", "Felix", "Nina", "Theo", "Ruby", "Iva", "Sam", "Elle", "Koji"),
    "place.away": ("Norway", "Japan", "Brazil", "Australia", "Kenya", "India", "Iceland", "Chile"),
    "coupon.name": ("LIVE{percent}", "ROOM{percent}", "HELLO{percent}", "SHOW{percent}", "NIGHT{percent}", "VIP{percent}", "SNAP{percent}", "JOY{percent}"),
    "two_pack": ("two-pack",),
    "unit.days": ("days",),
    "document.faq": ("Frequently asked: {plural}",),
    "document.review": ("Review of {short}",),
    "document.policy": ("Shipping and returns of this shop",),
    "document.faq_text": ("Q: {ask} A: {answer}",),
    "document.review_text": ("{stars} stars. {text}",),
    "document.policy_text": (
        "Orders go out within one working day and arrive in {low} to {high} days; for a pre-order the days on its sheet count. We ship to {places}. "
        "You can return unused goods within {days} days; return postage is {postage}.",
    ),
    "postage.FreeReturn": ("free",),
    "postage.ReturnFeesCustomerResponsibility": ("paid by the buyer",),
}  # fmt: skip
