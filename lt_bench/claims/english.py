"""English: how replies assert, deny, suppose, abstain and promise."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.english_words import CHECKABLE, COMMON, IDLE
from lt_bench.claims.language import NEVER, Language, stem_set

_NEGATIONS: Final = (
    r"not|[a-z]+n't|never|no|none|nor|neither|without|lacks?|lacking|cannot|cant|isnt|doesnt|dont|"
    r"wont|arent|didnt|hasnt|havent|non|unable|instead of|rather than|unlike|except|nothing|"
    r"unavailable for|too small for|excludes?|excluding|skips?|skipping|omits?|omitted|minus|avoid|"
    r"(?:do|does|go|goes|did|went) without|(?:keep|keeps|stay|stays|steer)(?: it| them| this| that| clear)? (?:out of|away from|off|clear of)|too big for|too much for"
)
_IDIOMS: Final = (
    r"not only|not just|not to mention|no problem|no worries|no need|no doubt|no wonder|no matter|"
    r"no\. ?\d+|no \d+|why not|can't go wrong|can't beat|can't miss|don't worry|don't miss|"
    r"don't forget|don't hesitate|don't wait|couldn't be|can't wait|no more than|no less than|"
    r"not even|no later than|no extra|no fuss|no hassle"
)
_SOURCES: Final = (
    r"(?:product |spec |info |fact )?(?:sheet|page|listing|details?|documents?|docs?|specs?|specifications?|"
    r"descriptions?|materials?|notes?|data|evidence|seller|brand|manufacturer|info|information|card|"
    r"faq|reviews?|records?|product info|product information|product page|product details)"
)
_STATE: Final = (
    r"say|state|mention|list|specify|include|show|give|tell|cover|note|contain|provide|indicate|confirm|have|"
    r"answer|address|detail|disclose|spell out"
)
_STATED: Final = (
    r"stated|mentioned|listed|specified|shown|given|noted|provided|indicated|disclosed|published|"
    r"documented|confirmed|covered|recorded|included in (?:the |my |our )?"
    + _SOURCES
    + "|available in (?:the |my |our )?"
    + _SOURCES
)
_KNOWN: Final = r"know|confirm|tell|say|verify|find out|speak to|guarantee|promise|answer|be (?:sure|certain)|guess"
_SHY: Final = r"(?:actually |really |currently |honestly |explicitly |even |just |also |simply |quite |entirely |100% |completely |yet )*"
_DETAIL: Final = r"(?:info|information|details?|data|mention|word|figures?|numbers?|specs?|specifications?|records?|documentation|answer)"
_MISSING: Final = (
    # the sheet does not say; nothing here says
    rf"\b{_SOURCES} (?:here |i have |we have )?{_SHY}(?:do(?:es)?|did)(?: not|n't) {_SHY}(?:seem to )?(?:{_STATE})",
    rf"\b{_SOURCES} (?:here |i have |we have )?{_SHY}never {_SHY}(?:{_STATE})",
    r"\bnothing (?:here|in|on|about|that|is|was)?(?: [a-z]+){0,4} ?(?:says?|states?|mentions?|lists?|listed|mentioned|stated|specified|confirms?|covers?)",
    # says nothing about, have nothing on
    r"\b(?:says?|states?|mentions?|has|have|got|find|see|shows?|lists?|know|knows) (?:absolutely |just )?nothing\b",
    rf"\b(?:don't|do not|doesn't|didn't|couldn't|can't) {_SHY}(?:have|see|find|say|know|mention|list) (?:anything|any word|a word)\b",
    # it is not listed, it isn't mentioned, unspecified
    rf"(?:\bnot|n't) {_SHY}(?:been )?{_SHY}(?:{_STATED})\b",
    r"\b(?:unspecified|unstated|unlisted|unknown|undisclosed)\b",
    # no information, without any mention
    rf"\b(?:no|without|not any|(?<=n't )any|any(?= )) (?:further |specific |exact |more |official |clear |such |available )*{_DETAIL}\b",
    # I don't have that, I couldn't find it on the page
    rf"\b(?:don't|do not|didn't|did not|doesn't|couldn't|could not|can't|cannot) {_SHY}(?:have|see|find|get|show)(?: [a-z0-9-]+){{0,7}} (?:here\b|{_SOURCES}|{_DETAIL})\b",
    rf"\bi (?:don't|do not) {_SHY}have (?:the|its|that|this|an exact|any) [a-z]",
    rf"\b(?:don't|do not|couldn't|could not|can't|cannot|didn't) {_SHY}(?:see|find) (?:it|that|this|any|anything|one)\b",
    # I can't say, I'm not sure, I don't know
    rf"\b(?:can't|cannot|can not|couldn't|could not|unable to|won't|will not|not able to|wouldn't want to|don't want to) {_SHY}(?:{_KNOWN})\b",
    rf"\b(?:i'm|i am|we're|we are|im) {_SHY}not {_SHY}(?:sure|certain|aware|clear)\b|^\W*not {_SHY}(?:sure|certain)\b",
    rf"\b(?:don't|do not|didn't|dont) {_SHY}know\b|\bno idea\b|\bdunno\b",
    rf"\b{_SOURCES} (?:is|are) (?:silent|unclear|missing)|\bmissing from (?:the |my |our )?{_SOURCES}",
    r"\b(?:it|that|this|which)(?:'s| is) (?:unclear|missing|left out|unknown)\b",
    r"\b(?:have|need) to (?:check|ask|confirm|verify|look it up|look into)\b",
    rf"\bnot something (?:that )?(?:the |my |our )?(?:{_SOURCES}|i|we)\b|\bnothing (?:here |in here |in front of me )?(?:about|on|regarding) ",
    r"\bno clue\b|\bwouldn't know\b|\bbeats me\b|\bgood as mine\b|\b(?:got|have|'ve) nothing (?:on|about)\b|\bhaven't (?:got|seen) (?:that|any|anything)\b",
    r"\b(?:doesn't|does not|don't|do not|didn't) (?:go into|get into|touch on|spell|say anything|tell (?:me|us)|list|reveal)\b|\b(?:silent|quiet|vague) (?:on|about)\b",
    r"\b(?:left|leaves?) (?:that|it|this) out\b|\bnot in (?:the|my|our) (?:notes|info|details|sheet|listing|specs)\b|\brather not (?:guess|say|speculate)\b",
)
MISSING: Final = re.compile("|".join(_MISSING))
REFUSAL: Final = re.compile(
    r"\b(?:can't|cannot|can not|unable to|not able to|won't|am not able to) (?:really )?(?:help|assist|answer|discuss|provide|comment|respond|recommend|advise)\b"
    r"|\b(?:please )?(?:contact|ask|message|reach out to|check with|consult) (?:our |the )?(?:customer|support|service|seller|manufacturer|brand|team)"
    r"|\b(?:check|see|visit|look at|refer to) (?:the )?(?:product |listing |official )?(?:page|website|site|listing|description|link|manual)\b"
    r"|\bi can only (?:help|talk|answer|speak)|\bi only (?:have|know|cover|talk|deal|do)\b|\bonly (?:here to )?(?:help|talk about|answer|discuss|cover)"
    r"|\b(?:back to|stick to|stay with|focus on) (?:the |our |today's )?(?:products?|show|topic|lineup|deals?|stream|items?)"
    r"|\bas an ai\b|\b(?:outside|beyond|off) (?:of )?(?:what|my|our|topic|the (?:scope|stream|show))|\boff[- ]topic\b|\bnot something (?:i|we)\b"
    r"|\b(?:depends|it varies)\b|\b(?:that's|what) a (?:great|good) question[.!]*$"
)
WISH: Final = re.compile(
    r"^\W*(?:and |so |or |but |well |then )?(?:if|whether|unless|suppose|assuming|in case|looking for|"
    r"(?:as )?you(?:'re| are| were)? (?:want|wanted|asked|mentioned|said|looking(?! at)|after|thinking|hoping|need|needed|wondering|prefer|like|liked)|"
    r"since you|for your|as for|regarding|concerning|when it comes to|in terms of|let me know|tell me|want (?:me|to|the|a|it|one)|shall|should (?:i|we|you)|would you|"
    r"do you|feel free|your (?:question|comment|height|weight|budget|room|size)|at \d+ ?(?:cm|kg|lb|lbs|ft)|with your|"
    r"thanks|thank you|hi|hello|hey|welcome|good question|great question)\b"
)
AVAILABILITY: Final = {
    "out": re.compile(
        r"\b(?:out of stock|sold out|no longer available|unavailable|discontinued|none left|no stock|"
        r"all gone|back[- ]?ordered|on back[- ]?order|not in stock|not available(?: (?:right )?now| at the moment| today| for now)?|fresh out|clean out|(?:ran|run|running|we're|we are|been) out of (?!time|words)|"
        r"(?:it|they|those|these|that one|this one|that|everything|the last one)(?:'s|'re|'ve| is| are| has| have)?(?: all| already| now| sadly)* gone|no more (?:left|of)|cleaned out|"
        r"isn't (?:in stock|available(?! in\b)|in)|aren't (?:in stock|available(?! in\b)))(?!\w)"
    ),
    "preorder": re.compile(r"\b(?:pre-?order(?:s|ed|ing)?|not (?:yet )?released|coming soon)\b"),
    "in": re.compile(
        r"\b(?:in stock|available (?:now|today|right now|to order|for order|to buy|and ready)|(?:is|are|it's|they're|still|both) available(?! in\b)(?! (?:information|data|details?))|"
        r"ready to ship|in limited stock|(?:only )?(?:a few|\d+|some) (?:units? |pieces? |pairs? )?(?:left|remaining)|"
        r"plenty (?:left|in stock|of stock)|have (?:it|them|some|plenty)(?: in stock)?(?= right now| now| today|$| in stock)|can (?:still )?(?:get|order|buy|grab) (?:it|one|them))\b"
    ),
}  # fmt: skip
PROMISES: Final = re.compile(
    r"\b(?:free (?:shipping|delivery|returns?|gifts?|samples?|trial|case|installation|upgrade|[a-z]+ (?:gift|sample|case|bag))|"
    r"customi[sz](?:e|ed|ation|able)|custom[- ]made|made to order|special(?:ly)? order|"
    r"money[- ]back|lifetime (?:warranty|guarantee)|warrant(?:y|ies)|guaranteed?|discount(?:s|ed)?|coupons?|promo(?:tion)?s?|"
    r"on sale|(?:from|in) the warehouse|(?:another|other|bigger|smaller|newer|larger) (?:models?|versions?)|bundle|buy one get one|bogo|price match|refund(?:s|ed|able)?|next[- ]day|same[- ]day|overnight|"
    r"certified|award[- ]winning|best[- ]?sell(?:er|ing)|clinically|doctor[- ]recommended|fda|ce[- ]marked|ul[- ]listed|restock(?:s|ed|ing)?)\b"
)
FEATURE: Final = re.compile(
    r"\b(?:comes? with|came with|includ(?:es?|ing)|(?:it|they|this|that|which|one|also|and|model|both)(?: also| even)? (?:has|have)|"
    r"it's got|(?:has|have) (?:a|an|its)|features?|featuring|equipped with|fitted with|supports?|made (?:of|from|in|by|with)|"
    r"built[- ]in|built with|works? (?:with|as|on)|compatible with|pairs? with|connects? (?:to|with|via)|contains?|"
    r"plus (?:a|an)|with (?:a|an|its|built)|available in|doubles as|designed (?:for|in|by)|made for|"
    r"can also|runs? on|throw in|we also (?:have|carry|sell|offer)|also (?:have|carry|sell|available))(?= )"
)
GUESS: Final = re.compile(
    r"\b(?:i'd (?:guess|say|think|imagine|assume|bet|expect)|i (?:guess|think|believe|assume|suppose|bet|imagine|reckon)|my guess|"
    r"(?:most )?likely|presumably|probably (?!want|should|better|ask|check|best)|should be (?:fine|ok|okay|good|alright|able|safe)|"
    r"(?:fairly|pretty|quite|almost) (?:sure|certain)|i'm sure|chances are|odds are|safe bet|no reason (?:it|why)|must be|"
    r"should (?:work|fit|do|handle|hold|last|be)\b)"
)
LIMITS: Final = re.compile(
    r"\b(?:i|my|me|i'm|we|our|hold|under|over|less|more|below|above|within|at least|at most|enough|fit|for|than|budget|cheaper|up to|max)\b"
)
DERIVING: Final = re.compile(
    r"\b(?:sav(?:e|es|ing|ings)|off|differ\w*|more|less|than|apart|cheaper|lighter|heavier|longer|shorter|"
    r"bigger|larger|smaller|quieter|louder|together|total|both|sum|after|discount|coupon|code|bundle|each|"
    r"combined|comes to|works out|altogether|extra|left over|for two|for three|pair)\b"
)
COMPARATIVE: Final = re.compile(
    r"\b(?:(?P<less_weight>lighter|lightest)|(?P<more_weight>heavier|heaviest)"
    r"|(?P<less_price>cheaper|cheapest|less expensive|more affordable)|(?P<more_price>more expensive|pricier|priciest)"
    r"|(?P<less_nois>quieter|quietest)|(?P<more_nois>louder|loudest|noisier)"
    r"|(?P<more_height>taller)|(?P<less_height>flatter)|(?P<more_width>wider)|(?P<less_width>narrower)"
    r"|(?P<more>longer|longest|bigger|biggest|larger|largest|higher|highest|stronger|strongest|deeper|more|most)"
    r"|(?P<less>shorter|shortest|smaller|smallest|lower|lowest|less|fewer))\b"
)


ENGLISH: Final = Language(
    name="en",
    sentence_end=re.compile(
        r"(?:(?<!\bno)|(?=\.\s+[^\s\d#]))(?<!\bapprox)(?<!\bvs)(?<!\bdr)(?<!\bst)\.(?!\d|[a-z]{2,4}\b)(?=\W|$)|[!?;\n…]+|\r"
    ),
    clause_end=re.compile(
        r"﹐|(?<!\d),|,(?!\d{3}(?!\d))| - |--+|–|—|: |\(|\)|"
        r" (?=(?:but|however|although|though|whereas|while|because|so that|which|plus|yet)\b)|"
        r" (?=and (?:it|it's|its|they|they're|the|this|that|we|you|you'll|also|there|there's|no|number|has|have|comes|ships|costs|weighs|is|are|not|does|doesn't|isn't|can)\b)|"
        r" (?=, so )"
    ),
    asks=NEVER,
    turn=re.compile(r"^\W*(?:but|however|still|yet|though)\b"),
    topical=re.compile(
        r"^\W*(?:as for|regarding|about|concerning|on|for|with|when it comes to|in terms of)\b"
    ),
    negator=re.compile(rf"\b(?:(?P<idiom>{_IDIOMS})|(?:{_NEGATIONS}))\b"),
    scope_end=re.compile(r"\b(?:and|but|only|yet|still|however|just)\b"),
    denial=NEVER,
    hedge=re.compile(r"\b(?:either|may or may not|or not|yes and no)\b"),
    wish=WISH,
    question=re.compile(
        r"^\W*(?:(?:good question|great question|well|so|and|hmm|ok|okay|hi|hey)\W+)*"
        r"(?:any (?!of|one)[a-z]+ |(?:is|are|does|do|did|can|could|will|would|has|have|should) "
        r"(?:it|the|this|that|these|those|they|there|you|i|we|no\.?|your|my|[a-z]+ [a-z]+ (?:have|come|work))\b|"
        r"(?:what|which|who|how|when|where|why)(?:'s| is| are| do| does| did| can| would| will| size| one| much| many| long| often| big| heavy)\b(?! listed))"
    ),
    yes=re.compile(
        r"^\W*(?:(?:oh|well|hi|hey|hello|ah|good question|great question|and|so|sorry|thanks for asking)\W+)*"
        r"(?:(?:yes|yeah|yep|yup|yess+|absolutely|definitely|of course|certainly|indeed|correct|affirmative|you bet|sure does|sure is|sure thing|for sure|they sure do)\b|"
        r"(?:sure|right|exactly|true)\W*$|"
        r"(?:it|they|this|that|these|those|you|we|both|she|he)(?: sure| certainly| definitely| absolutely| totally| all)? (?:does|do|is|are|can|will|has|have|would|should)(?: indeed| too)?\W*$)"
    ),
    no=re.compile(
        r"^\W*(?:(?:oh|well|hi|hey|hello|ah|good question|great question|and|so|sorry|thanks for asking|unfortunately)\W+)*"
        r"(?:(?:no|nope|nah|negative)\b(?! (?:problem|worries|need|doubt|info|information|details?|mention|word|data|idea|clue|charge|cost|extra|fuss|limit|rush|luck finding|more|less|\d)|\.? ?\d)|"
        r"(?:i'm |i am )?(?:afraid|unfortunately|sadly|actually|really|definitely|certainly|absolutely)?,? ?not(?: really| quite| exactly| at all| yet)?\W*$|"
        r"(?:it|they|this|that|these|those|you|we|she|he) (?:does|do|is|are|can|will|has|have|would|should)(?:n't| not)\W*$|(?:it|they|you|this|that) (?:can't|cannot|won't)\W*$)"
    ),
    polar=re.compile(
        r"(?:^|[,.;!?:]\s*|\b(?:so|and|but|hi|hey|pls|please|ok|okay|btw|um|uh|hmm|also|wait)[, ]+|@\S+ )"
        r"(?:is|are|does|do|did|can|could|will|would|has|have|should|isn't|aren't|doesn't|don't|can't|won't|was|were|any|got)\b|,? right\s*\??$"
    ),
    limits=LIMITS,
    missing=MISSING,
    refusal=REFUSAL,
    guess=GUESS,
    availability=AVAILABILITY,
    promises=PROMISES,
    feature=FEATURE,
    window=re.compile(
        r"\b(?:and|so|for|that|which|to|when|while|because|if|but|in|on|at|from|just|or)\b|[,.;]"
    ),
    having=re.compile(
        r"\b(?:has|have|there's|there is|there are|comes? with|got|includ\w+|without|lacks?)\b"
    ),
    suffixed=re.compile(
        r"\b(?!(?:hassle|worry|stress|risk|duty|guilt|budget|kid|care|tax|pet|hand)\b)(?:([a-z]+)"
        r"[- ]?(?:proof|resistant|repellent|certified|tested|approved)\b|([a-z]+)-free\b)"
    ),
    copula=re.compile(r"\W*(?:is|are|of|at|about|around|only|just|comes to|[:=\s])*\W*"),
    deriving=DERIVING,
    beside=re.compile(
        r"(?:\bthan|\bunlike|\bcompared (?:to|with)|\bversus|\bvs\.?|\bagainst|\binstead of|\bover)\s*(?:the |our |no\.? ?)?"
    ),
    everyone=re.compile(r"^\W*(?:both|all|each|every|they all|either|neither)\b"),
    slot=re.compile(
        r"\b(?:no|nr|number|slot|item|link)\.? ?#? ?(\d{1,3})\b(?! ?(?:months?|years?|days?|weeks?|hours?|minutes?|kg|g|cm|usd|dollars|bucks)\b)"
        r"|#\s?(\d{1,3})\b|(\d{1,3}) ?号"
    ),
    aliases=(
        (
            re.compile(
                r"\b(?:on us|on the house|no (?:extra )?charge|at no (?:extra )?cost|free of charge|costs? (?:you )?nothing|without (?:extra )?charge)\b"
            ),
            "free",
        ),
    ),
    comparative=COMPARATIVE,
    checkable=CHECKABLE,
    common=COMMON,
    picking=stem_set(
        "size sizes take go with get choose pick grab wear order an a your medium try"
    ),
    idle=IDLE,
)
