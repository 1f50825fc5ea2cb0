"""English sayings: what people say of a property, a cost or a gift without its name on the sheet."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.stemming import stem

_COIN: Final = r"(?:cent|dime|penny|nickel|thing|bean|buck|quid|euro|dollar)"
_ADDING: Final = r"(?:throw|toss|chuck|pop|slip|sneak|slide|bung|tuck)(?:s|ing|ed|n)?"
GIVING: Final = re.compile(
    rf"\b{_ADDING} in\b|\b{_ADDING} (?:you |ya )(?:an? |another |some |one )|\bon the house\b|\bthrown in\b"
)
"""Says that something is given away."""

_TABLE: Final[tuple[tuple[str, str], ...]] = (
    # --- what goes together
    (
        r"(?:go(?:es)?|play(?:s)?|talk(?:s)?|hook(?:s)? up|charge(?:s)?|juice(?:s)?|power(?:s)?|top(?:s)?|fill(?:s)?|feed(?:s)?)(?: up| nicely| happily| fine| well| great| just fine| nice)*"
        r"(?: with| to)?(?: an?| the| your| my| any)? (?=(?:nintendo |apple |samsung )?(?:iphone|ipad|macbook|android|switch|steam deck|alexa|google))",
        "work works",
    ),
    # --- what it costs, and whom
    (
        r"on us\b|on the house|no (?:extra )?charge|at no (?:extra )?cost|free of charge|costs? (?:you )?nothing|without (?:extra )?charge|"
        rf"(?:won't|doesn't|does not|will not|wouldn't|not going to|don't|do not|never) (?:cost|set|pay|charge|be charged|owe|spend)(?: you| us)?(?: back)?(?: for)? (?:an?|a single|one|even a) (?:single )?(?:red )?{_COIN}|"
        r"(?:won't|doesn't|don't|does not|never) (?:cost|pay|charge|owe)(?: you)? (?:anything|extra|nothing|for (?:it|that|shipping|postage|delivery|returns?))|"
        r"for (?:free|nothing)\b|gratis|complimentary|(?:we|we'll|shop|store|seller) (?:cover|pay|pick(?:s)? up|foot|swallow)s?(?: the| all| that| your| return)* ?(?:\w+ )?(?:cost|bill|tab|postage|shipping|label|return|delivery)|"
        r"(?:zero|nil|nada|zilch|not a (?:cent|dime|penny))\b",
        "free",
    ),
    (
        r"(?:is|comes|be|are|goes|falls|lands|all|that's|it's|one's|postage's|that one's) (?:down to |up to |on )(?:you|your (?:side|end|tab|dime|shoulders|own))\b|"
        r"(?:out of|from) (?:your|the buyer's) (?:own )?pocket|(?:on|at) your (?:own )?(?:dime|expense|cost|tab|side)|"
        r"(?:you'll|you'd|you|buyer|customer) (?:would |will |do |does |have to |need to |just |only )*(?:cover|pay|foot|shoulder|fund|stump up|pick up|fork out|bear|settle)s?\b|your (?:job|treat|responsibility|bill)|"
        r"(?:we|we'll) (?:don't|do not|won't|can't|will not) (?:cover|pay|pick up)",
        "paid buyer pay",
    ),
    (
        r"sen(?:d|ding) (?:it|them|that|this|those|stuff|one|things?) back|(?:mail|post|shipp?|return)(?:ing)? (?:it|them|that|this)(?: back)?|postage back|(?:the )?trip back|(?:the )?way back|going back|return label|"
        r"change your mind|change of heart|(?:hand|give|bring|take|pop) (?:it|them|that) back|second thoughts",
        "return",
    ),
    (r"postage|delivery|shipping|to your door|at your door|on your doorstep|lands? with you|posting|courier|reach(?:es)? you|get(?:s|ting)? (?:it |them )?to you|we(?:'ll| will)? (?:send|post|mail)|sends?|pop (?:it|them|one|the \w+) over", "ship postage delivery"),
    (r"stateside|(?:the )?states\b|america|u\.s\.a?\.?|usa\b|the us\b", "unit state"),
    (r"britain|england|blighty|(?:the )?u\.?k\.?\b", "unit kingdom"),
    (r"holland|dutch", "netherland"),
    (r"deutschland", "germany"),
    (r"^\W*(?:you|the buyer|the customer|buyer|customer)(?: do(?:es)?| would| will)?(?=\W*$)", "paid buyer pay"),
    (r"^\W*(?:we|the shop|the seller|us)(?: do(?:es)?| would| will)?(?=\W*$)", "free"),
    # --- what is in the parcel
    (rf"{_ADDING} in\b|{_ADDING} you (?:an? |another )|freebies?|(?:as a|little|nice|free) (?:bonus|extra|treat|present)|along with it|thrown in|bundled", "free gift"),
    (r"(?:pair|set|pack|two) of (?:them|these|those)|two[- ]?pack|two[- ]?fer|both of them|double pack|buy(?:ing)? two|for two|take two|grab two|couple of them", "two-pack bundl pack"),
    # --- what devices and goods can do
    (r"(?:knock|tip|topple|fall|kick|bump|push)(?:s|ed|es|ing|le|les)? (?:[a-z0-9-]+ ){0,3}over\b|tips?(?=\W*$)|falls(?=\W*$)", "tip over tipped"),
    (r"goes dead|(?:shut|cut|turn|switch|power|click|kill)(?:s)? (?:itself |right |straight |the power )?(?:off|out|down)", "switch off"),
    (r"(?:on|from|with|off|via|over|through) (?:your|the|a|my|an) (?:phone|app|mobile|handset|couch|sofa)|phone control|wi-?fi", "app control over wi fi"),
    (r"(?:overhead|cabin) (?:bin|locker|bag|compartment|rules|luggage)s?|carry[- ]?ons?|hand luggage|hand baggage|on (?:a|the|your) (?:plane|flight)|on ?board|(?:in|for) the cabin|(?:airport )?security|fly with|flying", "cabin size allow hand luggage"),
    (r"(?:fake|vegan|no animal|plant)[- ](?:based|products?|friendly)|(?:animal|cruelty)[- ]free", "vegan"),
    (r"(?:in|through|into) the (?:wash|washing machine|laundry|washer)|machine[- ]wash(?:es|ed|able)?|tumbl\w+|washer", "machine washable"),
    (r"(?:stand|take|handle|survive|cope)s? (?:up to |with )?(?:the )?(?:rain|wet|water|downpour|puddles?|shower)\b|keeps? (?:the |you )?(?:rain|water|dry)(?: out)?|rain[- ]?proof|water[- ]?tight|in the rain|rain (?:can't|won't|doesn't) (?:hurt|bother|touch|get|matter|harm)|laughs at (?:the )?rain|waterproof(?:ed)?|shrugs? off (?:rain|water)", "waterproof"),
    (r"(?:scent|perfume|fragrance)[- ]?free|(?:no|zero|without|not any) (?:added )?(?:perfume|scent|fragrance)s?|unscented", "fragrance-free fragrance free"),
    (r"dries? (?:in no time|off|out|fast|quick\w*|super\w* \w+)|quick[- ]?dry\w*|fast[- ]?dry\w*", "dry quick dri quickly"),
    (r"(?:peek|look|watch|see)(?:ing)? (?:in|inside|through|your)|peephole|window", "viewing view window"),
    (r"(?:base|dock|station)(?: just| then)? empties|empties (?:itself|by itself|its own)|self[- ]?empty\w*|dumps? (?:its own|the) (?:dirt|dust)|emptying (?:base|station|dock)", "self-emptying self empty bas"),
    (r"(?:empties|evaporates|drinks|gets rid of) its own water|no (?:water )?tank to empty", "self-evaporating self evaporat evaporates own water"),
    (r"(?:just|only) cool(?:s|ing)?|cool(?:s|ing)? only|(?:doesn't|does not|won't|can't|no) heat(?:ing)?", "cool only cooling"),
    (r"mops?\b|wet[- ]?clean\w*|mopping", "mop"),
    (r"(?:block|cancel|shut|drown|kill|mute)s? (?:out )?(?:the )?(?:noise|sound|world|background|bus|train)\w*|anc\b|noise[- ]cancel\w*", "active noise cancell cancelling noise-cancelling"),
    (r"(?:charg|top|juic|power)\w* (?:up )?(?:without (?:a )?(?:cable|wire|cord)s?|on a (?:pad|mat)|wireless\w*)|(?:charging|qi) (?:pad|mat)|qi\b|cable[- ]free charging", "wireless charg charging wirelessly"),
    (r"cable (?:is |'s )?(?:attached|built|integrated|fixed|on it|included)|(?:its own|attached|integrated) cable|built[- ]in (?:cable|lead|cord)", "built-in built in cable"),
    (r"(?:froth|foam|steam)(?:s|er|ing)? (?:the |your |up |some )?milk|milk (?:froth|foam|steam)\w*|cappuccino|frother|latte", "milk froth frother"),
    (r"(?:hood|insole|brew group|brew unit|sole)\w*(?: just| also| simply)? (?:zips?|comes?|pops?|clips?|unzips?|lifts?|slides?|pulls?|snaps?|is removable|can be removed) ?(?:right |straight )?(?:off|out|away)?", "removabl removable remove"),
    (r"glow\w*|shin(?:e|es|ing) (?:in|at|back)|reflect\w+|visible (?:at|in|after)|headlights?", "reflectiv reflective strip"),
    (r"see[- ]?through|squat\w*|bend over|sheer|opaque", "squat-proof squat proof"),
    (r"sweet\w*|sugary", "sugar"),
    (r"(?:dish)?washer[- ]safe|(?:in|through|into) the dishwasher|dishwasher", "dishwasher-safe dishwasher safe"),
    (r"nut allerg\w+|peanuts?", "contain peanut"),
    (r"lower back|lumbar|small of (?:your|the) back|back support", "lumbar support adjustabl"),
    (r"(?:lean|rest)s? (?:your )?head|head ?rest|neck (?:rest|support)", "headrest"),
    # --- names of figures
    (r"(?<=regular )fit\b|(?<=wide )fit\b|(?<=narrow )fit\b|(?<=normal )fit\b", "width"),
    (r"run(?:ning)?[- ]times?|run(?:s|ning)? for|keeps? going for", "runtime"),
    (r"tips? the scales?|on the scales?|heft\w*", "weight"),
    (r"juice|draws?|wattage", "power"),
    (r"taps? out|per charge|on (?:a|one) charge|a go\b|between charges|before (?:it|they) (?:dies?|needs?)", "battery life last"),
    (r"with the case|(?:count|includ|add)\w* the case|plus the case|in the case", "battery life case"),
    (r"decibels?|hums? (?:at|along)|racket|noisy|loud", "nois level"),
    (r"stars?|reviews|(?:folks|people|buyers|shoppers|customers|you lot) (?:rate|gave|give)|score[sd]? ", "rating star"),
    (r"(?:sized|made|built|meant|good|fine|enough|right) for (?:a |an )?(?:room|space|place)s?|(?:cover|handle|cool|heat|warm)s? (?:a |an |up )?(?:room|space|area|place)?|room of|rooms? up to", "room size"),
    (r"power lead|the (?:lead|cable|flex)", "cord length"),
    (r"best before|keeps? fresh|stays? fresh", "shelf lif keep"),
    (r"cover(?:s|ed)? (?:you )?for|guaranteed? for|guarantee", "warranty"),
    (r"colou?rs?|both shades|shades?", "color"),
    (r"code|voucher|coupon|promo\w*", "coupon"),
)  # fmt: skip
SAYING: Final = re.compile(
    "(?<![a-z0-9])(?:" + "|".join(f"(?P<m{i}>{words})" for i, (words, _) in enumerate(_TABLE)) + ")"
)
"""Matches a saying; its group tells what is meant by it, see `MEANINGS`."""
SAID: Final = re.compile("(?<![a-z0-9])(?:" + "|".join(words for words, _ in _TABLE) + ")")
"""Matches where `SAYING` does, in half the time: it does not tell which it was."""
MEANINGS: Final = {
    f"m{i}": tuple(dict.fromkeys((*meant.split(), *map(stem, meant.split()))))
    for i, (_, meant) in enumerate(_TABLE)
}
"""The stems that each saying stands for."""
