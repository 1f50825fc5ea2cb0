"""English: how replies assert, deny, suppose, abstain and promise."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.language import Language, stem_set

_NEGATIONS: Final = (
    r"not|[a-z]+n't|never|no|none|nor|neither|without|lacks?|lacking|cannot|cant|isnt|doesnt|dont|"
    r"wont|arent|didnt|hasnt|havent|non|unable|instead of|rather than|unlike|except|nothing|"
    r"unavailable for|too small for|excludes?|excluding"
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
    r"(?:as )?you(?:'re| are| were)? (?:want|wanted|asked|mentioned|said|looking|after|thinking|hoping|need|needed|wondering|prefer|like|liked)|"
    r"since you|for your|as for|regarding|concerning|when it comes to|in terms of|let me know|tell me|want (?:me|to|the|a|it|one)|shall|should (?:i|we|you)|would you|"
    r"do you|feel free|your (?:question|comment|height|weight|budget|room|size)|at \d+ ?(?:cm|kg|lb|lbs|ft)|with your|"
    r"thanks|thank you|hi|hello|hey|welcome|good question|great question)\b"
)
AVAILABILITY: Final = {
    "out": re.compile(
        r"\b(?:out of stock|sold out|no longer available|unavailable|discontinued|none left|no stock|"
        r"all gone|back[- ]?ordered|on back[- ]?order|not in stock|not available(?: (?:right )?now| at the moment| today| for now)?|"
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
CHECKABLE: Final = stem_set(
    "red blue green yellow black white pink purple orange brown gray grey beige navy teal turquoise maroon "
    "burgundy gold silver bronze ivory khaki olive lavender cream charcoal magenta cyan coral mint "
    "cotton polyester wool linen silk leather suede denim nylon spandex cashmere fleece velvet bamboo "
    "plastic steel stainless aluminum aluminium titanium iron copper brass ceramic glass porcelain wood "
    "wooden oak pine walnut silicone rubber carbon fiber latex memory foam marble granite teflon nonstick "
    "waterproof windproof dustproof shockproof rainproof fireproof leakproof soundproof wireless bluetooth "
    "wifi usb hdmi ethernet nfc gps rechargeable solar battery lithium organic vegan vegetarian halal kosher gluten "
    "sugar lactose dairy caffeine hypoallergenic fragrance paraben bpa latex cruelty biodegradable recyclable recycled "
    "dishwasher microwave oven machine washable handmade foldable portable cordless adjustable removable "
    "detachable reversible inflatable dimmable programmable voice alexa siri app remote touchscreen oled "
    "lcd led hepa ionic infrared uv sterilize sterilizing self-cleaning dehumidify heat inverter timer thermostat "
    "magnetic anti-slip antibacterial spf retinol vitamin collagen hyaluronic ergonomic lumbar "
    "china japan germany italy france usa america korea india vietnam taiwan swiss italian german japanese "
    "xs xl xxl unisex iphone android windows mac linux"
)  # fmt: skip
COMMON: Final = stem_set(
    "a an the this that these those it its it's they them their theirs he she his her we us our you your yours i me my mine "
    "who whom whose which what when where why how and or but nor so yet if then than because since while although though "
    "as at by for from in into of off on onto out over to up with within without about above across after against along among "
    "around before behind below beneath beside between beyond down during except inside like near outside past per through "
    "throughout under until upon via toward towards is are was were be been being am do does did doing done have has had having "
    "can could will would shall should may might must ought need not no yes n't 's 're 've 'll 'd s re ve ll d t m "
    "all any both each every either few many more most much neither none other others another some such several same own "
    "only just even still also too very quite really pretty rather fairly super extra so enough almost nearly exactly about "
    "always never often usually sometimes again once twice now today tonight tomorrow currently soon later already right left "
    "here there everywhere anywhere somewhere back away together apart instead else otherwise overall actually basically simply "
    "honestly definitely absolutely certainly surely probably perhaps maybe likely totally completely fully entirely perfectly "
    "easily nicely well better best good great nice lovely beautiful gorgeous perfect excellent amazing awesome fantastic "
    "wonderful ideal handy useful helpful popular favorite favourite cute cool stylish sleek elegant classic simple easy "
    "comfortable comfy cozy soft smooth solid sturdy reliable strong tough durable decent fine okay ok fresh new big small large little "
    "tiny compact light lighter lightweight heavy heavier thin thick short long tall wide deep high low higher lower bigger smaller larger "
    "longer shorter wider cheaper cheap affordable expensive pricey pricier budget value worth fast quick quickly slow "
    "quiet quieter loud louder bright brighter warm warmer cold hot happy glad sorry afraid unfortunately sadly luckily "
    "true false sure correct wrong different similar main main available possible special important suitable ready safe free full half whole "
    "first second third last next one two three four five six seven eight nine ten zero dozen pair pairs couple "
    "get gets got give gives given go goes going gone come comes came coming take takes took taken make makes made making "
    "keep keeps kept let lets put puts see sees saw seen look looks looking show shows showing shown find finds found use uses used using "
    "want wants wanted need needs needed like likes love loves think thinks know knows known say says said tell tells told ask asks asked "
    "feel feels work works working fit fits fitting suit suits match matches help helps try tries tried start starts stay stays stop "
    "run runs turn turns call bring brings hold holds carry carries set sets move moves open close wear wears sit sits stand stands "
    "buy buys bought order orders ordered grab grabs pick picks choose chosen choice choices option options add adds cart click link tap check checks "
    "checkout sale sell sells deal deals price priced prices cost costs pay pays save saves off total offer offers stock ship ships shipping "
    "mean means seem seems count counts list lists listed listing note notes mention mentions mentioned state states stated include includes included "
    "including come have has recommend recommends suggest go reach reaches last lasts cover covers handle handles "
    "product products item items model models version versions unit units piece pieces thing things stuff kind type sort way ways "
    "size sizes color colour colors colours style styles brand weight height width length depth dimension dimensions material materials "
    "feature features spec specs detail details info information sheet page documents document evidence question answer reply comment "
    "viewer viewers friend friends dear folks guys everyone everybody anyone someone people person family kid kids child children adult adults man men woman women "
    "baby mom dad home house room rooms bedroom kitchen office desk day days night week weeks month months year years hour hours minute minutes time times "
    "moment season summer winter spring fall use case cases bit lot lots plenty number no. slot part parts side front bottom top end "
    "level range amount quality design look space everyday daily normal regular standard plain normal usual typical "
    "yeah yep yup nope hi hello hey thanks thank please welcome oh ah wow haha great stream live host show chat "
    "compared compare comparison versus vs difference between less least more per each apiece "
    "while long-lasting along out below above up heads plus bonus though currently please remember "
    "which whichever whatever reason reasons sense idea matter point problem worry issue issues hurry enjoy "
    "meet meets provide provides keep allow allows let ensure ensures require requires "
    "gift gifts party trip travel outdoor indoor daily commute gym workout morning evening "
    "around world things everything anything nothing something somewhat slightly "
    "budget-friendly user-friendly great-looking well-made easy-to-use must-have go-to one-size high-quality "
    "customer customers buyer buyers reviewer reviewers review reviews owner owners seller sellers people "
    "rated rating positive confirm confirms confirmed according based "
    "limited bargain steal hit win winner gem treat "
    "you'll you're you've it'll they're we're we've i'm i've that's there's here's what's let's don't doesn't isn't aren't won't can't"
)  # fmt: skip

ENGLISH: Final = Language(
    name="en",
    sentence_end=re.compile(
        r"(?<!\bno)(?<!\bapprox)(?<!\bvs)(?<!\bdr)(?<!\bst)\.(?!\d|[a-z]{2,4}\b)(?=\W|$)|[!?;\n…]+|\r"
    ),
    clause_end=re.compile(
        r",(?!\d{3}(?!\d))| - |--+|–|—|: |\(|\)|"
        r" (?=(?:but|however|although|though|whereas|while|because|so that|which|plus|yet)\b)|"
        r" (?=and (?:it|it's|its|they|they're|the|this|that|we|you|you'll|also|there|there's|no|number|has|have|comes|ships|costs|weighs|is|are|not|does|doesn't|isn't|can)\b)|"
        r" (?=, so )"
    ),
    negator=re.compile(rf"\b(?:(?P<idiom>{_IDIOMS})|(?:{_NEGATIONS}))\b"),
    scope_end=re.compile(r"\b(?:and|but|only|yet|still|however|just)\b"),
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
        r"(?:(?:no|nope|nah|negative)\b(?! (?:problem|worries|need|doubt|info|information|details?|mention|word|data|idea|\d)|\.? ?\d)|"
        r"(?:i'm |i am )?(?:afraid|unfortunately|sadly|actually|really|definitely|certainly|absolutely)?,? ?not(?: really| quite| exactly| at all| yet)?\W*$|"
        r"(?:it|they|this|that|these|those|you|we|she|he) (?:does|do|is|are|can|will|has|have|would|should)(?:n't| not)\W*$|(?:it|they|you|this|that) (?:can't|cannot|won't)\W*$)"
    ),
    polar=re.compile(
        r"(?:^|[,.;!?:]\s*|\b(?:so|and|but|hi|hey|pls|please|ok|okay|btw|um|uh|hmm|also|wait)[, ]+|@\S+ )"
        r"(?:is|are|does|do|did|can|could|will|would|has|have|should|isn't|aren't|doesn't|don't|can't|won't|was|were|any|got)\b|,? right\s*\??$"
    ),
    missing=MISSING,
    refusal=REFUSAL,
    availability=AVAILABILITY,
    promises=PROMISES,
    feature=FEATURE,
    checkable=CHECKABLE,
    common=COMMON,
)
