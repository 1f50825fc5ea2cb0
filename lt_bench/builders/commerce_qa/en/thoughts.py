"""How a host thinks in English before answering: see `trace`."""

from __future__ import annotations

from typing import Final

THOUGHTS: Final[dict[str, tuple[str, ...]]] = {
    "think.lead": ('{viewer} first wrote: "{lead}".', 'Before the question there is a message from {viewer}: "{lead}".'),
    "think.asks": ('{viewer} asks: "{question}".', 'The comment to answer is from {viewer}: "{question}".', 'Now {viewer} types: "{question}".'),
    "think.meant.shown": (
        "No product is named, so the one on show is meant: {slot}, the {short}.", "That points at what I am holding right now, {slot}, the {short}.",
    ),
    "think.meant.previous": (
        "That is not the one on show but the one before it: {slot}, the {short}.", "The product shown just before is meant, {slot}, the {short}.",
    ),
    "think.meant.slot": ("The number tells which one: {slot} is the {short}.", "{slot}, that is the {short}."),
    "think.meant.name": ("The name tells which one: the {short} is {slot}.", "The {short}, that is {slot}."),
    "think.resolved": ("So the question in full is: {resolved}", "Put in full: {resolved}", "In other words: {resolved}"),
    "think.sheet.asked": ("The sheet of {name} is one I need.", "{name} is asked about, so its sheet counts.", "I read the sheet of {name} line by line."),
    "think.sheet.other": (
        "Then there is {name}: {clause}, but that is not the one in question.", "{name} is another product; {clause}, which says nothing about the one in question.",
        "On the sheet of {name}, {clause}. I must not mix that up.",
    ),
    "think.sheet.beside": ("{name} has to be looked at as well.", "There is also the sheet of {name}.", "Next sheet: {name}."),
    "think.paper.found": ('"{title}" has an entry on just this.', 'The answer stands in "{title}".'),
    "think.paper.beside": ('"{title}" was retrieved too, but it does not answer this.', '"{title}" does not help with this question.'),
    "think.paper.near": ('"{title}" is about this too, and agrees with the sheet.',),
    "think.size": ("The chart says for size {size}: {ranges}.", "Against the size chart: {size} is for {ranges}."),
    "think.found": ("What I can say from the evidence: {answer}", "So the answer is: {answer}", "That gives: {answer}"),
    "think.check.full": (
        "Is that all that was asked? Yes, and every word of it stands in the documents.", "I check it once more against the sheet, and it stands there just so.",
    ),
    "think.check.partial": ("Only a part of the question can be answered; the rest stands nowhere, and I say so.",),
    "think.check.none": (
        "I look through every sheet and paper again. None says it of this product, and the figures of other products must not be borrowed.",
        "No document tells it. A guess would be worse than saying that I don't have it.",
    ),
    "think.check.no_slot": ("None of the products here has that number, so there is nothing to tell about it.",),
    "think.check.wrong_premise": (
        "The viewer takes something for granted that the evidence contradicts. Going along with it would be wrong, so I put it right.",
        "The comment rests on something that is not so; the reply has to correct that.",
    ),
    "think.check.off_topic": ("This has nothing to do with the goods, and no document is about it.",),
    "think.check.comparison": ("Both figures are needed, {n} facts in all. I compare them once more, and the result holds.",),
    "think.check.recommendation": ("I test every sheet against what was wished for; only this one has all of it.",),
    "think.extra": (
        "One more thing that may help and was not asked: {extra}.", "Something useful to add, since it is documented: {extra}.", "To be helpful I can add that {extra}.",
    ),
    "think.close": ("The reply is spoken, so it stays short.", "Two short sentences will do.", "Now to say that briefly."),
    "think.short.full": ("{answer}",),
    "think.short.partial": ("{answer}",),
    "think.short.none": ("Not in any document.",),
    "think.short.no_slot": ("No product has that number.",),
    "think.short.wrong_premise": ("Wrong premise. {answer}",),
    "think.short.off_topic": ("Not about the goods.",),
    "think.short.comparison": ("{answer}",),
    "think.short.recommendation": ("{answer}",),
    "think.short.extra": ("Add: {extra}.", "To add: {extra}."),
}  # fmt: skip
