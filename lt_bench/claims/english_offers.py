"""English offers: what is there to be had, and promises of a shop that need evidence."""

from __future__ import annotations

import re
from typing import Final

_COUNT: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ][a-z]+)?|a (?:few|couple|handful|dozen)|some|a handful|couple|few)"
_GOODS: Final = r"(?:(?:of (?:them|these|those|it|'em)|units?|pieces?|pairs?|boxes|bottles?|bags?|jackets?|ones?|colou?rs?|(?:(?!days|hours|minutes|weeks|months|seconds|people|of)[a-z]+s )?of [a-z ]{1,20}|(?!days|hours|minutes|weeks|months|seconds)[a-z]{3,12}s) )?"
_NOW: Final = (
    r"(?: (?:right now|for now|at the moment|already|today|tonight|sadly|though|i'm afraid|sorry))?"
)
AVAILABILITY: Final = {
    "out": re.compile(
        r"\b(?:out of stock|sold out|sold through|no longer available|unavailable|discontinued|none (?:left|to be had|remaining)|no stock|zero (?:left|stock)|nothing left|not a single one left|"
        r"all gone|back[- ]?ordered|on back[- ]?order|not in stock|not available(?: (?:right )?now| at the moment| today| for now)?|(?:fresh|clean|all) out(?= of|\W*$)|(?:ran|run|running|we're|we are|been|i'm) out(?= of\W*$|\W*$| of (?!time|words))|"
        r"(?:it|they|those|these|that one|this one|that|everything|the last one|both [a-z]+|all|every [a-z]+|both|[a-z]+s?|size [a-z0-9]+)(?:'s|'re|'ve| is| are| has| have| was| went)(?: all| both| already| now| sadly| long| just)* gone|"
        r"^\W*gone\b|no more (?:left|of|[a-z]+\W*$)|cleaned out|snapped up|wiped out|flew off the shel(?:f|ves)|shel(?:f|ves) (?:is|are)(?: [a-z]+)? (?:empty|bare)|stock(?:'s| is| has)(?: [a-z]+)? (?:dried up|gone|run out)|"
        rf"(?:sold|went|gone) (?:every|the) last|(?:we're|i'm|they're) (?:fresh |clean |all |completely )?out{_NOW}\W*$|"
        r"isn't (?:in stock|available(?! in\b)|in)|aren't (?:in stock|available(?! in\b)))(?!\w)"
    ),
    "preorder": re.compile(
        r"\b(?:pre-?order(?:s|ed|ing)?|not (?:yet )?(?:released|out yet)|coming soon|order (?:it |them |yours )?ahead|(?:reserve|book) (?:it|one|yours) (?:ahead|in advance|early))\b"
    ),
    "in": re.compile(
        r"\b(?:in stock|(?:is|are|[a-z]'s) (?:back )?in(?=\W*$)|available (?:now|today|right now|to order|for order|to buy|and ready)|(?:is|are|it's|they're|still|both) available(?! in\b)(?! (?:information|data|details?))|"
        r"ready to (?:ship|go|roll)|in limited stock|well stocked|"
        rf"(?:only |just |down to )?(?:the )?(?:last )?{_COUNT} {_GOODS}(?:left|remaining|to go\b|in the box|still here)|(?:down to )?(?:the |our |my )last (?:few|couple|handful|{_COUNT})|"
        r"plenty (?:left|in stock|of stock|to go|more|of (?:them|it|these|those)|around|available)|(?:loads|heaps|tons|stacks|lots|bags|piles|oodles) (?:left|of (?:them|it|those|these|stock))|"
        rf"still (?:around|going|to be had|on the shel(?:f|ves)|up for grabs|in the game|kicking about|got (?:it|them|some|plenty|one)|have (?:it|them|some|one)|there for)|up for grabs|(?:is|are|'s|'re) (?:right |still |both |all )*(?:here|there|waiting)(?=\W*$| for you| too\b| as well| in (?:that|your|this|both|every|all))|^\W*still (?:here|there)\b|{_COUNT} of (?:them|these|those)|yours for the taking|still comes? in (?:that|it|this|your)\b|"
        r"have (?:it|them|some|plenty)(?: in stock)?(?= right now| now| today|$| in stock)|(?:got|have) (?:plenty|loads|heaps|tons|stacks)|can (?:still )?(?:get|order|buy|grab|snag) (?:it|one|them))\b"
    ),
}  # fmt: skip
_HARM: Final = r"(?:scratch|fad|break|rust|leak|peel|shrink|crack|jam|fail|wear|tear|chip|stain|pill|clog|overheat|los|need|run|go out|stretch|yellow|dull|smell|squeak|slip|roll|rip|creas|wrinkl|die|dies|quit|let)\w*"
_DAY: Final = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|month|morning|evening)"
_ARRIVES: Final = r"(?:land|arriv|com|roll|drop|ship|due|back|return|restock|show|turn)\w*(?: up)?(?: back)?(?: in)?(?: again)?"
PROMISES: Final = re.compile(
    r"\b(?:(?:refund|match|cover|pay|give you back|pay you back|pay back|return) (?:you )?the difference|"
    r"(?:on your doorstep|at your (?:front )?door(?:step)?|in your hands|have (?:it|them) (?:there|with you)) (?:by )?tomorrow|"
    r"free (?:shipping|delivery|returns?|gifts?|samples?|trial|case|installation|upgrade|[a-z]+ (?:gift|sample|case|bag))|"
    r"customi[sz](?:e|ed|ation|able)|custom[- ]made|made to order|special(?:ly)? order|"
    r"money[- ]back|lifetime (?:warranty|guarantee)|warrant(?:y|ies)|guaranteed?|discount(?:s|ed)?|coupons?|promo(?:tion)?s?|"
    r"on sale|(?:from|in) the warehouse|(?:another|other|bigger|smaller|newer|larger) (?:models?|versions?)|bundle|buy one get one|bogo|price match|refund(?:s|ed|able)?|next[- ]day|same[- ]day|overnight|"
    r"certified|award[- ]winning|best[- ]?sell(?:er|ing)|clinically|doctor[- ]recommended|fda|ce[- ]marked|ul[- ]listed|restock(?:s|ed|ing)?|"
    # rarity, and what never happens
    r"limited[- ](?:run|edition|batch|release|series|drop)|(?:final|last) (?:batch|run|production)|one of a kind|exclusive(?:ly)?|collector'?s|(?:today|tonight) only|only (?:for )?(?:today|tonight)(?=\W*$)|"
    rf"(?:never|won't ever|will never|can't|cannot|don't ever|doesn't ever) (?:ever )?{_HARM}|for life\b|lifelong|forever|indestructible|unbreakable|unlimited|"
    # more to come, and kept for you
    rf"(?:every|each) {_DAY}s?|new (?:batch|stock|delivery|shipment|load|lot)|more (?:coming|on the way|arriving|landing)|{_ARRIVES} (?:next {_DAY}|tomorrow|on {_DAY}|this {_DAY}|in a (?:week|month|few days)|any day)|"
    r"(?:i'll|i will|we'll|we can|i can|let me) (?:stash|hold|save|reserve|keep|put|set|tuck|sneak|slip) (?:one|it|you|a pair|them|some|yours)|"
    # the best price there is
    r"(?:is|are|'s|'re|be) history (?:with)?in (?:an?|one|two|three|four|\d+|a few) (?:days?|weeks?|nights?|months?)|(?:two|three|four|five|six|seven|eight|nine|ten|\d+) times over|(?:lowest|best|cheapest|smallest) (?:price|deal|offer) (?:ever|anywhere|you|of the|all|this|online|on the|around|in (?:town|years?|months?))|cheapest (?:anywhere|on the|you|in town)|(?:won't|never|can't|not going to) (?:find|see|get) (?:it |them |a |one |that |this )?(?:any )?(?:cheaper|better price|lower|less)|"
    r"price (?:goes|jumps|doubles|climbs|is going|will go|shoots|rises) (?:back )?up|(?:half|double) (?:the )?price (?:tomorrow|after|elsewhere)|(?:double|extra|bonus) points|loyalty|cashback|cash back|store credit|gift card|raffle|giveaway|prize draw|"
    # codes on top of codes, and the best of its kind
    r"stack(?:s|ed|able|ing)? (?:with|on|up with)|(?:combin(?:e|es|ed)|works?|use|used) (?:it |them |this )?(?:together )?with (?:any|every|all|other)(?: other)? (?:codes?|coupons?|offers?|deals?|vouchers?)|on top of (?:any|every|all|other)(?: other)? (?:codes?|coupons?|offers?|deals?|vouchers?)|"
    r"(?:quiet|light|strong|fast|warm|soft|thin|small|cheap|tough|loud|power|tast|healthi|safe|sharp|dry|dri)est (?:[a-z]+ ){1,3}(?:you|you'll|you've|you will|you have|i've|anyone) (?:will )?ever|(?:quiet|light|strong|fast|warm|soft|thin|small|cheap|tough|safe|sharp)est (?:[a-z]+ ){0,3}(?:on the market|in the world|out there|money can buy)|"
    # money back, dispatch and what it will do for you
    r"(?:every|each) (?:last |single )?(?:cent|penny|dollar|euro|pound|dime) back|(?:your|all (?:your|the)|full) (?:money|cash) back|"
    r"(?:goes out|(?<!i'm )(?<!we're )(?<!you're )going out|goes off|ships|shipping|leaves|leaving|heads|heading|gets sent|sent|posted|dispatched|flies|flying) (?:out )?(?:the door )?(?:tonight|today|first thing|tomorrow|this (?:afternoon|evening)|within (?:the|an|one) hour|straight ?away|right away|in the morning)|"
    r"you(?:'ll| will| should)? (?:see|notice|feel) (?!it\b|them\b|yours?\b|one\b|this\b|that\b|the (?:parcel|package|box|order|post|delivery|refund))(?:a |the )?(?:[a-z]+ ){1,4}(?:within|in|after) (?:about |just |only |under |less than )?(?:an?|the first|one|two|three|four|five|six|seven|ten|\d+)(?: or (?:two|three|so))? (?:days?|weeks?|nights?|months?|uses?|washes|applications?)|"
    # services
    r"engrav\w+|gift[- ]?wrap\w*|trade[- ]?in|instal?lments?|pay (?:later|monthly)|in (?:two|three|four) payments|try before you buy|no questions asked|hand[- ]?(?:signed|delivered|picked|stitched|finished)|signed by|express (?:shipping|delivery)|by tomorrow|"
    # fame
    r"(?:match|beat) (?:any|every) (?:other )?(?:price|offer|deal|quote)|carry (?:it|them) (?:up|in|upstairs|inside)\b|(?:tested|proven|endorsed|designed|developed|inspected) by (?!me\b|us\b|my|our|you|hand|the (?:look|way))[a-z]+|(?:doctors?|dermatologists?|experts?|dentists?|chefs?|physios?|celebrit(?:y|ies)|influencers?|scientists?|nasa|pros|podiatrists?|physiotherapists?|nutritionists?|dieticians?|trainers|coaches|baristas?|pharmacists?|surgeons|athletes|stylists|engineers|nurses|vets) (?:[a-z]+ ){0,3}(?:recommend|swear|love|approve|use|trust|choose|developed|rave|vouch|prescribe|prefer)\w*|(?:recommended|endorsed|approved|loved|trusted|developed|designed|prescribed|used) by (?:[a-z]+ ){0,3}(?:doctors?|dermatologists?|experts?|dentists?|chefs?|physios?|celebrit(?:y|ies)|influencers?|scientists?|pros|podiatrists?|physiotherapists?|nutritionists?|trainers|coaches|baristas?|pharmacists?|surgeons|athletes|stylists|engineers|nurses|vets)|(?:send|ship|mail|post|get|give) (?:you|ya) (?:out )?(?:an? |another )?(?:(?:brand )?new|fresh|replacement|second|spare|different) (?:one|pair|set|unit|box|jacket|[a-z]+)|(?:we'll|i'll|we will|i will|they'll|shop'll) (?:happily |gladly |always |just )?(?:replace|swap|repair|fix|mend|refund|exchange)|(?:scientifically|medically|lab) (?:proven|tested)|number one (?:seller|brand|choice)|(?:voted|named|product of the year)|as seen on|patented|won (?:an?|the) [a-z ]{0,20}(?:award|prize|medal))\b"
)
