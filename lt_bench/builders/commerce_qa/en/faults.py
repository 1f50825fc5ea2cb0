"""What a bad host says in English: lies, evasions, guesses and promises that no document holds.

`fault.unit.*` are other units behind the same figure {n}; `fault.faq` are parts of a FAQ answer
and what they are turned into; `fault.polar` is a pattern of questions for yes or no.
"""

from __future__ import annotations

from typing import Final

FAULTS: Final[dict[str, tuple[str, ...]]] = {
    "fault.first": ("{clause}.", "First of all, {clause}.", "One thing first: {clause}.", "Before I forget, {clause}."),
    "fault.courtesy": (
        "Let me know if you have another question!", "Hope that helps!", "Thanks for asking!", "Ask me anything else you like.",
        "Great to have you here tonight.", "I hope that answers it.", "Just shout if something else comes to mind.", "Stay with us, the night is young.",
    ),
    "fault.again": ("So once more, {clause}.", "In other words, {clause}.", "Again: {clause}.", "To sum it up, {clause}."),
    "fault.evasive": (
        "That's a great question, and I'm so glad you asked!", "It really depends on what you have in mind.", "Oh, everybody is asking me that today.",
        "You'll have to see for yourself, I'd say.", "Please have a look at the product page for that.", "Our customer service can tell you more about that.",
        "Well, that depends on a lot of things.", "Let's talk about that a bit later, okay?", "Hmm, what do the others in the chat think?",
        "I could talk about that for hours, there is so much to say.", "Trust me, you will not regret it.", "You should just try it and see.",
    ),
    "fault.off_topic": (
        "I had noodles for lunch today, so good.", "It has been raining here since this morning.", "My cat walked into the studio just before we started, so funny.",
        "Who of you watched the match last night?", "I'm so happy to see all of you tonight, hello to everyone who just joined!",
        "The song in the background is stuck in my head now.", "Next week I'm going on holiday, I can't wait.", "We're in a new studio, do you like the wall behind me?",
    ),
    "fault.refusal": (
        "The sheet doesn't say that, sorry.", "I don't have any information on that.", "That isn't listed, so I can't tell you.",
        "Sorry, I can't find that in the product details.", "I'm afraid I don't know, it isn't mentioned anywhere.", "I can't confirm that, there's nothing about it here.",
    ),
    "fault.agree": (
        "Yes, that's right, {clause}.", "Exactly, {clause}.", "Correct, {clause}.", "Yep, {clause}.", "You're right, {clause}.", "Yes indeed, {clause}.",
    ),
    "fault.agree_bare": ("Yes, that's right!", "Exactly, you got it.", "Yes, that's correct.", "Yep, just as you say."),
    "fault.agree_lineup": ("Sure, that's {ref}: {clause}.", "Yes, {ref} is the one: {clause}.", "Then {ref} is for you, {clause}."),
    "fault.agree_budget": (
        "Sure, {it} is below that.", "Yes, you can get {it} for that money.", "Then take {it}, that fits your budget.", "Good news, {it} costs less than that.",
    ),
    "fault.guess": (
        "The sheet doesn't say, but I'd guess {clause}.", "It isn't listed, but {clause}, I think.", "I don't have that information, but I'm pretty sure {clause}.",
        "That's not on the sheet. Most likely {clause}, though.",
    ),
    "fault.guess_bare": (
        "The sheet doesn't say, but I'd guess yes.", "That isn't listed, but it should be fine.", "I don't see that on the sheet, but most likely yes.",
        "It's not listed, but I'm fairly sure the answer is yes.",
    ),
    "fault.sure": ("Yes, no problem at all.", "Sure, that works.", "Yes, definitely.", "Yes, you can count on that.", "No, sorry.", "No, I'm afraid not."),
    "fault.polar": (r"^(?:does|do|can|is|are|will|has) ",),
    "fault.shipping_low": ("{it} is delivered in {n} days", "delivery of {it} takes {n} days", "{it} gets to you in {n} days"),
    "fault.shipping_low_one": ("{it} is delivered in 1 day", "delivery of {it} takes 1 day", "{it} gets to you the next day"),
    "fault.ship_not": ("we don't ship {it} to {place}", "{it} can't be sent to {place}"),
    "fault.invented": (
        "{it} comes with a lifetime warranty", "{it} is made of recycled ocean plastic", "{it} won a design award last year", "{it} has a built-in GPS tracker",
        "{it} is completely fireproof", "{it} was designed in Sweden", "{it} has a solar panel on the back", "{it} is handmade in Switzerland",
        "{it} is certified by the German TÜV", "{it} comes with free engraving", "{it} was voted product of the year", "{it} glows in the dark",
        "{it} has a fingerprint lock", "{it} is made with titanium", "{it} is antibacterial", "{it} is the best-seller in Denmark",
        "{it} comes with a voucher for your next order", "{it} is recommended by doctors", "{it} comes with accident insurance for two years",
        "you get double your money back if you don't like {it}",
    ),
    "fault.alternative": (
        "We also have a bigger one in the warehouse, just ask for it.", "There's a newer version of it coming in next week.", "I can also order it for you in {color}.",
        "Our shop in town has the same one for {money}.", "If you like, I can have one made to measure for you.", "In the other room we sell a cheaper one for {money}.",
        "I also have {a_noun} for {money} that isn't on the table yet.", "You can also rent it by the month from us.", "We also have it in {color}, just write it in the order.",
        "I can give you the display model for {money}.",
    ),
    "fault.unit.USD": ("{n} euros", "£{n}", "{n} cents"),
    "fault.unit.EUR": ("{n} dollars", "£{n}", "{n} cents"),
    "fault.unit.GBP": ("{n} euros", "${n}", "{n} pence"),
    "fault.unit.hours": ("{n} minutes", "{n} days"),
    "fault.unit.minutes": ("{n} hours", "{n} seconds"),
    "fault.unit.seconds": ("{n} minutes", "{n} hours"),
    "fault.unit.days": ("{n} weeks", "{n} hours"),
    "fault.unit.months": ("{n} weeks", "{n} years", "{n} days"),
    "fault.unit.kg": ("{n} lbs", "{n} g", "{n} oz"),
    "fault.unit.g": ("{n} kg", "{n} oz", "{n} mg"),
    "fault.unit.cm": ("{n} mm", "{n} inches", "{n} m"),
    "fault.unit.mm": ("{n} cm", "{n} inches"),
    "fault.unit.m": ("{n} feet", "{n} cm"),
    "fault.unit.km": ("{n} miles", "{n} m"),
    "fault.unit.inches": ("{n} cm", "{n} feet"),
    "fault.unit.litres": ("{n} ml", "{n} gallons"),
    "fault.unit.ml": ("{n} litres", "{n} fl oz"),
    "fault.unit.m²": ("{n} sq ft",),
    "fault.unit.W": ("{n} kW",),
    "fault.unit.mAh": ("{n} Wh", "{n} Ah"),
    "fault.unit.bar": ("{n} psi", "{n} Pa"),
    "fault.unit.Pa": ("{n} bar", "{n} kPa"),
    "fault.unit.°C": ("{n} °F",),
    "fault.faq": (
        "two weeks=four weeks", "about 20 minutes=about two hours", "No installer is needed: the window kit is fitted by hand in=An installer has to fit the window kit, it takes",
        "Do not use it in a bathroom or any other wet room=You can use it in a bathroom and any other wet room", "Plug it straight into a wall socket, never into an extension cord=You can plug it into any extension cord",
        "three months=six months", "two months=six months", "Yes, the rubber roller is made for pet hair and does not tangle=No, pet hair tangles in the rubber roller", "three minutes=ten minutes",
        "Baking paper is fine as long as food weighs it down=Don't use baking paper in it", "if it is the barista kind=if it is the unsweetened kind", "over five years=over two years",
        "two devices can be paired=only one device can be paired", "Yes, only one=No, only one", "Three sizes of ear tips are in the box: S, M and L=Two sizes of ear tips are in the box: S and M",
        "Yes, pass-through charging works on all ports=No, you can't charge it and use it at once", "safe on wooden floors=not for wooden floors", "damp cloth=dry cloth", "low heat=high heat",
        "in your normal size=if you take one size up", "Wash them by hand with a soft brush, not in the machine=Put them in the washing machine", "A second pair of laces is in the box=There are no other laces in the box",
        "inside out at 30=right side out at 30", "They are not made for pregnancy; the waistband is firm=They are made for pregnancy, the waistband is soft", "Three drops are=Eight drops are",
        "before your moisturiser=after your moisturiser", "Wash it by hand with cool water=Wash it in the machine with warm water", "Yes, the stiff base lets it stand on its own=No, it falls over when it is empty",
    ),
}  # fmt: skip
