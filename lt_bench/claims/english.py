"""English: how replies assert, deny, suppose, abstain and promise."""

from __future__ import annotations

import re
from typing import Final

from lt_bench.claims.english_answers import APPROVES, NO, REJECTS, YES
from lt_bench.claims.english_offers import AVAILABILITY, PROMISES
from lt_bench.claims.english_sayings import GIVING, MEANINGS, SAID, SAYING
from lt_bench.claims.english_words import CHECKABLE, COMMON, IDLE
from lt_bench.claims.language import NEVER, Language, at_words, stem_set

_NEGATIONS: Final = (
    r"not|[a-z]+n't|never|no|none|nor|neither|without|lacks?|lacking|cannot|cant|isnt|doesnt|dont|"
    r"wont|arent|didnt|hasnt|havent|non|unable|instead of(?! [$\d])|rather than(?! [$\d])|unlike|except|nothing|"
    r"unavailable for|too small for|(?<!below )(?<!sub-)zero(?= [a-z])|excludes?|excluding|skips?|skipping|omits?|omitted|minus (?=the|any|a\b)|avoid|"
    r"(?:do|does|go|goes|did|went) without|(?:keep|keeps|stay|stays|steer)(?: it| them| this| that| clear)? (?:out of|away from|off|clear of)|too big for|too much for"
)
_IDIOMS: Final = (
    r"not only|not just|not to mention|no problem|no worries|no need|no doubt|no wonder|no matter|"
    r"no\. ?\d+|no \d+|why not|can't go wrong|can't beat|can't miss|don't worry|don't miss|"
    r"don't forget|don't hesitate|don't wait|couldn't be|can't wait|no more than|no less than|"
    r"not even|no later than|no extra|no fuss|no hassle|no (?:drama|trouble|issues?|bother|sweat|biggie|stress|probs|dramas)|"
    r"no shortage|no more and no less|never better|nothing but"
)
_SOURCES: Final = (
    r"(?:product |spec |info |fact )?(?:sheet|page|listing|details?|documents?|docs?|specs?|specifications?|"
    r"descriptions?|materials?|notes?|data|evidence|seller|brand|manufacturer|info|information|card|"
    r"faq|reviews?|records?|papers?|paperwork|cheat sheet|crib sheet|fact file|file|folder|print-?out|write-?up|cue cards?|blurb|script|product info|product information|product page|product details)"
)
_STATE: Final = (
    r"say|state|mention|list|specify|include|show|give|tell|cover|note|contain|provide|indicate|confirm|have|"
    r"answer|address|detail|disclose|spell out"
)
_STATED: Final = (
    r"stated|mentioned|listed|specified|shown|given|noted|provided|indicated|disclosed|published|"
    r"documented|confirmed|covered|recorded|spelled out|spelt out|written(?: down)?|printed|on here|down here|in here|on the list|included in (?:the |my |our )?"
    + _SOURCES
    + "|available in (?:the |my |our )?"
    + _SOURCES
)
_KNOWN: Final = r"know|confirm|tell|say|verify|find out|speak to|guarantee|promise|answer|be (?:sure|certain)|guess"
_SHY: Final = r"(?:actually |really |currently |honestly |explicitly |even |just |also |simply |quite |entirely |100% |completely |yet )*"
_PAPER: Final = rf"(?:on|in|among|part of|anywhere on|anywhere in) (?:the |my |our |any of (?:the |my )?|these |this |that )?(?:[a-z]+ )?{_SOURCES}"
_DETAIL: Final = r"(?:info|information|details?|data|mention|word|figures?|numbers?|specs?|specifications?|records?|documentation|answer|measurements?|readings?)"
_MISSING: Final = (
    # the sheet does not say; nothing here says
    rf"\b{_SOURCES} (?:here |i have |we have )?{_SHY}(?:do(?:es)?|did)(?: not|n't) {_SHY}(?:seem to )?(?:{_STATE})",
    rf"\b{_SOURCES} (?:here |i have |we have )?{_SHY}never {_SHY}(?:{_STATE})",
    r"\bnothing (?:here|in|on|about|that|is|was)?(?: [a-z]+){0,4} ?(?:says?|states?|mentions?|lists?|listed|mentioned|stated|specified|confirms?|covers?)",
    r"\b(?:nothing|none of (?:it|what|my)|no(?:where| ?where| place)?)(?: [a-z']+){0,6} (?:says?|states?|mentions?|lists?|confirms?|suggests|promises|tells (?:me|us)) (?!no\b)",
    # says nothing about, have nothing on
    r"\b(?:says?|states?|mentions?|has|have|got|find|see|shows?|lists?|know|knows) (?:absolutely |just )?nothing\b",
    rf"\b(?:don't|do not|doesn't|didn't|couldn't|can't) {_SHY}(?:have|see|find|say|know|mention|list) (?:anything|any word|a word)\b",
    # it is not listed, it isn't mentioned, unspecified
    rf"(?:\bnot|n't) {_SHY}(?:been )?{_SHY}(?:{_STATED})\b",
    rf"\bnothing (?:at all )?(?:in|on|among) (?:the |my |our |these )?{_SOURCES}(?: (?:about|on|for|regarding|there)\b|\W*$)",
    r"\b(?:unspecified|unstated|unlisted|unknown|undisclosed)\b",
    # no information, without any mention
    rf"\b(?:no|without|not any|(?<=n't )any|any(?= )) (?:further |specific |exact |more |official |clear |such |available )*{_DETAIL}\b",
    # I don't have that, I couldn't find it on the page
    rf"\b(?:don't|do not|didn't|did not|doesn't|couldn't|could not|can't|cannot) {_SHY}(?:have|see|find|get|show)(?: [a-z0-9-]+){{0,7}} (?:here\b|{_SOURCES}|{_DETAIL})\b",
    rf"\bi (?:don't|do not) {_SHY}have (?:the|its|that|this|an exact|any) [a-z]",
    rf"\b(?:don't|do not|couldn't|could not|can't|cannot|didn't) {_SHY}(?:see|find) (?:it|that|this|any|anything|one)\b",
    # I can't say, I'm not sure, I don't know
    rf"\b(?:can't|cannot|can not|couldn't|could not|unable to|won't|will not|not able to|wouldn't want to|don't want to) {_SHY}(?:{_KNOWN})\b",
    rf"\b(?:i'm|i am|we're|we are|im) {_SHY}not {_SHY}(?:sure|certain|aware|clear)\b",
    rf"^\W*(?:(?:oh|hmm+|um|ah|well|sorry|honestly) )*not {_SHY}(?:(?:too|so|that) )?(?:sure|certain)\b(?! (?:i|we)(?:'d| would) (?:call|say))",
    r"\boff the top of my head\b",
    rf"\b(?:don't|do not|didn't|dont) {_SHY}know\b|\bno idea\b|\bdunno\b",
    rf"\b{_SOURCES} (?:is|are) (?:silent|unclear|missing)|\bmissing from (?:the |my |our )?{_SOURCES}",
    r"(?:'s| is| are|'re) (?:all |just |still )?(?:unclear|missing|left out|unknown|an? blank|a question mark)\b",
    r"\b(?:have|need|'d have|'ll have) to (?:check|ask|confirm|verify|look it up|look into|find out|dig)\b|\b(?:let me|i'll|i will|i'd) (?:go and |have to )?(?:find out|check that|look into|get back)\b",
    # it is nowhere on the sheet, nobody has asked or told
    r"(?:\bnot|n't|\bnowhere) (?:anywhere )?in what (?:i|they|we)\b|\b(?:haven't|have not|wasn't|hasn't) (?:been )?(?:given|handed|sent|told)\b|\bnothing (?:in|at|on|under) (?:slot|number|no)\b|\b(?:slot|number) [a-z0-9 -]{1,14}(?:'s| is) (?:empty|free|vacant)\b|\bnothing (?:written|noted|down|printed|said)\b|\bdidn't (?:tell|give|send) (?:me|us)\b",
    rf"(?:\bnot|n't|\bnowhere) (?:actually |even |really )?{_PAPER}\b|\bnowhere (?:to be (?:seen|found)|in here|on here)\b",
    r"\b(?:never|not|haven't|hasn't|nobody|no one|nobody's|no one's)(?: ever| has ever| has| had| have| actually)*(?: been)? (?:had that (?:one|question)|asked(?: me| us)?(?: that| about)?|told (?:me|us)|tested that|tried that|measured)\b|\bfirst time (?:anyone|someone|anybody)",
    r"\b(?:stays?|remains?|is|'s|keep(?:ing)?(?: that| it)?) (?:a |my |our )?(?:little |big |closely guarded )?secret\b|\b(?:don't|do not|can't|cannot|didn't) (?:actually |really )?(?:see|find|have|spot) (?:an?|any) [a-z -]{1,30} (?:listed|mentioned|shown|noted|written|on here|in here)\b",
    r"\b(?:you've |you have |you )?got me there\b|\bsearch me\b|\bstump(?:ed|s)\b|\b(?:drawing|draw|drew|drawn|coming up|come up|came up) (?:a )?(?:blank|empty)\b|\bin the dark\b|\babove my pay grade\b|\bmaking (?:it|something|that|stuff) up\b|\bmake (?:it|something|a number|that|stuff) up\b",
    r"\b(?:haven't|have not|hasn't|don't have|without) (?:got )?(?:a|the|any|that|its|an exact|an) (?:clue|foggiest|figure|number|reading|value|spec|word|idea|measurement|answer)\b|\bno (?:word|official word) on\b|\bnot a (?:word|peep|line)\b|\b(?:a|bit of a|total) mystery\b|\bwish i knew\b|\bcan't speak (?:to|for)\b|\bone for the (?:maker|manufacturer|brand)\b",
    r"\b(?:keeps? quiet|stays? quiet|stays? silent|skips? (?:that|it|over)|(?:is|are|was|'s|been) left (?:blank|off|out)|leaves? (?:that|it|this|us) (?:blank|guessing))\b",
    rf"(?:\bnot|n't) something (?:that )?(?:the |my |our )?(?:{_SOURCES}|i|we)\b|\bnothing (?:here |in here |in front of me )?(?:about|on|regarding) ",
    rf"\bno (?:[a-z-]+ ){{1,3}}(?:on|in|anywhere on|down on) (?:my|the|this|that|our) {_SOURCES}\b|\bleft (?:[a-z]+ ){{1,4}}(?:out of|off|off of) (?:my|the|our|this) {_SOURCES}\b",
    r"\b(?:don't|do not|haven't|have not|didn't) (?:have|got|see|get|bring|carry) (?:an? |any |the )?(?:number |no\.? |slot |item |lot )?(?:\d{1,3}|ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ][a-z]+)?)(?=\W*$| (?:tonight|today|here|up|out|on|in|with|yet|right|at all|among|this)\b)",
    r"\b(?:nobody|no one|no-one|none of us)(?:'s| has| have)? (?:ever |actually |bothered to |thought to |cared to )*(?:wr[io]te|written|put|jotted|jot|listed|list|noted|note|mentioned|mention|spelled|spelt|g[ai]ven? (?:me|us)|specified|specify|recorded|record|said|printed|told)\b(?! no\b)|\b(?:they|whoever [a-z ]{3,30}|somebody|someone|(?:the )?(?:maker|makers|brand|seller|manufacturer|supplier|factory|team|shop|guys|people)) (?:(?:never|forgot to|didn't|clean forgot to)(?: bothered? to| thought to)? (?:wr[io]te|written|put|jot|jotted|list|listed|note|noted|mention|mentioned|spell|spelled|give (?:us|me)|gave (?:us|me)|specify|specified|record|recorded|say|said|print|printed|tell|told)\b|(?:skipped|left out|forgot|omitted) (?:the|that|this|it|to (?:say|mention|list|add|include|tell))\b)",
    r"(?:isn't|is not|ain't|'s not|not|wasn't) (?:one|something|a number|an item|anything) (?:that |which )?(?:(?:i've|we've|i|we|i'd)(?: have)? (?:got|have|carry|sell|stock|see|brought|picked|set out|lined up)|of (?:mine|ours|my|our|the ones))\b|(?:isn't|is not|ain't|'s not|aren't) (?:up here|(?:on|in|part of) (?:my|our|the|tonight's|today's) (?:table|line-?up|rail|shelf|stand|show|list|rack|range|selection|set|counter|pile|tray))\b|\b(?:there's|there is|i've|we've|i have|we have|got|i see|have) no (?:number |item |slot |lot )?[a-z0-9-]+ (?:up here|here|(?:on|in|among) (?:my|our|the|tonight's|today's) (?:table|line-?up|rail|shelf|stand|show|list|rack|range|selection|set|counter|pile|tray))\b",
    r"\bno such (?:model|item|product|number|slot|listing)\b|\b(?:don't|do not|doesn't) (?:carry|stock|sell) (?:that|this|any such|such an?) (?:model|item|product|brand)\b",
    r"\bno clue\b|\bwouldn't know\b|\bbeats me\b|\bgood as mine\b|\b(?:got|have|'ve) nothing (?:on|about)\b|\bhaven't (?:got|seen) (?:that|any|anything)\b",
    r"\b(?:doesn't|does not|don't|do not|didn't) (?:go into|get into|touch on|spell|say anything|tell (?:me|us)|list|reveal)\b|\b(?:silent|quiet|vague) (?:on|about)\b",
    r"\b(?:it|they|that|this) (?:doesn't|does not|don't|didn't) (?:say|mention|specify|state)\b(?! no\b)",
    r"\b(?:left|leaves?) (?:that|it|this) out\b|\bnot in (?:the|my|our) (?:notes|info|details|sheet|listing|specs)\b|\brather not (?:guess|say|speculate)\b",
)
MISSING: Final = re.compile(at_words(_MISSING))
REFUSAL: Final = re.compile(
    r"\b(?:can't|cannot|can not|unable to|not able to|won't|am not able to) (?:really )?(?:help|assist|answer|discuss|provide|comment|respond|recommend|advise)\b"
    r"|\b(?:please )?(?:contact|ask|message|reach out to|check with|consult) (?:our |the )?(?:customer|support|service|seller|manufacturer|brand|team)"
    r"|\b(?:check|see|visit|look at|refer to) (?:the )?(?:product |listing |official )?(?:page|website|site|listing|description|link|manual)\b"
    r"|\bi can only (?:help|talk|answer|speak)|\bi only (?:have|know|cover|talk|deal|do)\b|\bonly (?:here to )?(?:help|talk about|answer|discuss|cover)"
    r"|\b(?:back to|stay with|focus on) (?:the |our |today's )?(?:products?|show|topic|lineup|deals?|stream|items?)|\bstick(?:ing)? to (?!size|your|the (?:medium|small|large)|it\b|that\b)[a-z]+|\b(?:ask me anything|let's (?:get back|talk|chat|keep it)|(?:i'm|we're) (?:just |only )?here (?:for|to (?:talk|sell|chat))|not (?:my department|my field|what (?:i'm|we're) here for)|(?:tonight|today) it's all about)\b"
    r"|(?:isn't|is not|aren't|not) (?:really |exactly )?my (?:thing|department|job|place|area|world|business)\b|\bi (?:just|only) do the\b"
    r"|\bas an ai\b|\b(?:outside|beyond|off) (?:of )?(?:what|my|our|topic|the (?:scope|stream|show))|\boff[- ]topic\b|\bnot something (?:i|we)\b"
    r"|\b(?:depends|it varies)\b|\b(?:that's|what) a (?:great|good) question[.!]*$"
)
WISH: Final = re.compile(
    r"^\W*(?:and |so |or |but |well |then )?(?:if(?!.{6,60} (?:it|they) (?:just |simply |also )?(?:shuts?|switch(?:es)?|turns?|cuts?|powers?|stops?|beeps?|goes) |.{4,60} you (?:can|could|may|get to) (?:still |always |just |simply )*(?:send|return|ship|bring|mail|post|swap|exchange)\b|.{4,80}\b(?:we|i|they)(?:'ll| will) (?:[a-z]+ )?(?:replace|swap|repair|fix|mend|refund|exchange|(?:send|ship|mail|post|get|give|pay) (?:you|ya))\b|.{4,80}\b(?:we|i|they) (?:just |simply |always |happily )?(?:pay|refund|match|cover) (?:you |ya )?the difference\b|.{4,60} (?:you|it|that|they)(?:'ll|'d)? (?:just |only )?(?:pay|get|save|comes?|costs?|end up|drops?)\b)|whether|unless|suppose|assuming|in case|looking for|"
    r"[a-z-]+ or not(?=\W*$)|"
    r"(?:as )?you(?:'re| are| were)? (?:want(?! (?:number|slot|item) )|wanted|asked|mentioned|said|looking(?! at)|after|thinking|hoping|need|needed|wondering|prefer|like|liked)|"
    r"since you|for your|as for|regarding|concerning|when it comes to|in terms of|let me know|tell me|want (?:me|to|the|a|it|one)|shall|should (?:i|we|you)|would you|"
    r"do you|feel free|your (?:question|comment|height|weight|budget|room|size)|at \d+ ?(?:cm|kg|lb|lbs|ft)|with your|"
    r"thanks|thank you|hi|hello|hey|welcome|good question|great question)\b"
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
    r"\b(?:sav(?:e|es|ing|ings)|by|off|differ\w*|more|less|than|apart|cheaper|lighter|heavier|longer|shorter|"
    r"bigger|larger|smaller|quieter|louder|together|total|both|sum|after|discount|coupon|code|bundle|each|"
    r"combined|comes to|works out|altogether|extra|left over|to spare|for two|for three|pair)\b"
)
COMPARATIVE: Final = re.compile(
    r"\b(?:(?P<less_weight>lighter|lightest)|(?P<more_weight>heavier|heaviest)"
    r"|(?P<less_price>cheaper|cheapest|less expensive|more affordable|better price|better deal|costs less|bargain|lower price)|(?P<more_price>more expensive|pricier|priciest)"
    r"|(?P<less_nois>quieter|quietest)|(?P<more_nois>louder|loudest|noisier)"
    r"|(?P<more_height>taller)|(?P<less_height>flatter)|(?P<more_width>wider)|(?P<less_width>narrower)"
    r"|(?P<more>longer|longest|bigger|biggest|larger|largest|higher|highest|stronger|strongest|deeper)"
    r"|(?P<less>shorter|shortest|smaller|smallest|lower|lowest))\b"
)


ENGLISH: Final = Language(
    name="en",
    sentence_end=re.compile(
        r"(?:(?<!\bno)|(?=\.\s+[^\s\d#]))(?<!\bapprox)(?<!\bvs)(?<!\bdr)(?<!\bst)\.(?!\d|[a-z]{2,4}\b)(?=\W|$)|[!?;\n…]+|\r"
    ),
    clause_end=re.compile(
        r"﹐|(?<!\d),(?! 20\d\d\b(?! [a-z]))|,(?!\d{3}(?!\d)| 20\d\d\b(?! [a-z]))| - |--+|–|—|: |\(|\)|"
        r" (?=(?:but|however|although|though|whereas|while|because|so that|which|plus(?! ?(?:plus)?\W*(?:[,.;!?]|$))|yet)\b)|"
        r" (?=and (?:it|it's|its|they|they're|the|this|that|we|you|you'll|also|there|there's|no|number|has|have|comes|ships|costs|weighs|is|are|not|does|doesn't|isn't|can)\b)|"
        r" (?=, so )"
    ),
    asks=NEVER,
    turn=re.compile(r"^\W*(?:but|however|still|yet|though)\b"),
    topical=re.compile(
        r"^\W*(?:as for|regarding|about|concerning|on|for|with|when it comes to|in terms of)\b"
    ),
    negator=re.compile(rf"\b(?:(?P<idiom>{_IDIOMS})|(?:{_NEGATIONS}))\b"),
    scope_end=re.compile(
        r"\b(?:and|but|only|yet|still|however|just|(?<!think )(?<!sure )(?<!believe )(?<!mean )(?<!say )(?<!that )you can (?=always|simply|return|send|ship|bring|swap|mail))\b"
    ),
    denial=re.compile(r"(?<=nut)s?-free\b"),
    hedge=re.compile(r"\b(?:either|may or may not|or not|yes and no)\b"),
    wish=WISH,
    question=re.compile(
        r"^(?!\W*(?:and )?so (?:is|are|does|do|can|will|has|have) (?:the|no|number|our|my|that one)\b)\W*(?:(?:good question|great question|well|so|and|hmm|ok|okay|hi|hey)\W+)*"
        r"(?:any (?!of|one)[a-z]+ |(?:is|are|does|do|did|can|could|will|would|has|have|should) "
        r"(?:it|the|this|that|these|those|they|there|you|i|we|no\.?|your|my|[a-z]+ [a-z]+ (?:have|come|work))\b|"
        r"(?:what|which|who|how|when|where|why)(?:'s| is| are| do| does| did| can| would| will| size| one| much| many| long| often| big| heavy)\b(?! listed))"
    ),
    yes=YES,
    no=NO,
    echo=re.compile(
        r"\b(?:is|are|does|do|can|will|has|have|not|[a-z]+n't)\b|[a-z]'(?:s|re|ll|ve)\b"
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
        r"\b(?:like|and|so|for|that|which|to|when|while|because|if|but|in|on|at|from|just|or)\b|[,.;]"
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
    said=SAID,
    saying=SAYING,
    meanings=MEANINGS,
    numbered=re.compile(r"\b(?:number|no\.?|nr\.?|item|slot|lot)\s*#?$"),
    calling=re.compile(
        r"(?:'s| is| would be| has to be)? ?(?:your|the one|yours|it is|ticks|wins|takes it|does it)\b|"
        r"(?:'s| is| was| would be|'d be) (?:just |only |actually |really |simply )*(?:the|its|my|our) (?:(?:item|slot|lot|product|listing|spot|list|line-?up|basket|order)(?:'s)? )?(?:number|no\b|slot|spot|place|position|tag)\b(?! (?:of|for) (?:hours|days|people))|"
        r"(?:'s| is) (?:just |only )?(?:what|where|how) (?:it's|it is|they're) (?:listed|numbered)\b"
    ),
    acting=re.compile(
        r"(?:'s|'ll| (?:has|is|holds|comes|got|gives|goes|weighs|costs|runs|lasts|covers|can|does)) "
    ),
    shown=re.compile(
        r"^\W*(?:(?:it's |that's |definitely |easily |oh )+)?(?:this one|that one|the one (?:i'm|in my|on my|here)|this here|the one you see)\b"
    ),
    denying=re.compile(r"^\W*(?:no|nope|nah)\W*$"),
    greater=re.compile(
        r"\b(?:more|most|harder|further|farther|stretchier|hotter|faster|greater|tougher|warmer|brighter|roomier|sturdier|"
        r"thicker|stronger|twice|double|powerful)\b"
    ),
    swift=re.compile(r"\b(?:faster|quicker|sooner|fastest|quickest)\b"),
    giving=GIVING,
    approves=APPROVES,
    rejects=REJECTS,
    imagined=re.compile(
        r"\bthan (?:what |the one |that |how )?(?:you|you'd|you've|that|advertised|expected|rumou?red|they say|people (?:say|think)|i (?:thought|expected))\b(?! can| will)"
    ),
    vague=re.compile(r"[\s-]*something\b"),
    instanced=re.compile(
        r"^\W*(?:like|such as|say|for (?:instance|example)|e\.g\.?|including|namely)\W+(?:the|its|how|that|it|they)\b"
    ),
    daily=re.compile(
        r"\b(?P<both>morning and (?:evening|night)|mornings and (?:evenings|nights)|morning and at night|day and night|twice a day)\b|\b(?:(?:in the|each|every|of a) |for the )(?:(?P<morning>mornings?)|(?P<evening>evenings?))\b|\b(?:use|used|apply|put it on|wear) (?:it |this )?(?:(?:in|on) )?(?:(?P<mornings>mornings)|(?P<evenings>evenings|at night))\b"
    ),
    taken_up=re.compile(r"^\W*(?:an?|ooh|oh|hm+|ah|wow) [a-z-]+(?: [a-z-]+){0,3}\W*$"),
    other=re.compile(
        r"^\W*(?:and |but |while |whereas )?the other(?: one)?(?: (?:is|weighs|costs|has|does|comes|lasts|runs)|'s)?(?= \d| only| just|\W*$| (?:at|[a-z]+-)| [a-z]+ (?:point|kilo|gram|centi|dollar|euro|pound))"
    ),
    comparative=COMPARATIVE,
    checkable=CHECKABLE,
    common=COMMON,
    picking=stem_set(
        "size sizes take go with get choose pick grab wear order an a the of your try"
    ),
    idle=IDLE,
)
