"""English answers: yes, no, and verdicts that mean as much."""

from __future__ import annotations

import re
from typing import Final

_HAIL: Final = (
    r"^\W*(?:(?:oh|well|hi|hey|hello|ah|ha|haha|lol|aww|ooh|hmm|um|okay|ok|ciao|hola|bonjour|hallo|good question|great question|and|so|sorry|"
    r"thanks for asking|unfortunately|honestly|actually|'?course)\W+)*"
)
_IT: Final = r"(?:it|they|this|that|these|those|that one|this one|you|we|both|she|he|i)"
_IS: Final = r"(?:does|do|is|are|can|will|has|have|would|should|did)"
YES: Final = re.compile(
    rf"{_HAIL}(?:(?:yes|yeah|yep|yup|yea|yess+|aye|absolutely|definitely|of course|'?course|certainly|indeed|correct|affirmative|"
    r"you bet(?:cha)?|for sure|sure thing|sure enough|sure (?:does|is|can|will|do|are|has|have|am|would|did)|they sure do|by all means|too right|'?fraid so|afraid so|"
    r"with pleasure|uh[- ]?huh|mhm|spot on|bang on|dead right|right you are|you guessed it|you've got it|got it in one|nailed it)\b|"
    r"(?:sure|right|exactly|true|totally|happily|gladly|easily|always|very much so|no (?:problem|drama|trouble|issue|sweat|bother)(?: at all)?|all good|can do|will do|100 ?%|(?:a )?hundred percent)\W*$|"
    rf"{_IT}(?: sure| certainly| definitely| absolutely| totally| all| both)? {_IS}(?: indeed| too| so| alright| for sure| all right)?\W*$|"
    rf"that {_IT} {_IS}\W*$)"
)
_NOT_SO: Final = (
    r"(?:(?:the )?other way (?:a?round)|(?:the )?opposite|(?:the )?reverse|(?:you've |you |you have )?(?:got|have) (?:it|that|them|those) (?:the wrong way|backwards|mixed up|wrong|twisted|muddled|back to front)|"
    r"mixed up|wrong way (?:a?round)|(?:i|you|don't we all|we) wish\b|if only|dream on|keep dreaming|think again|not even close|nowhere near|way off|guess again|"
    r"not (?:a )?(?:chance|hope|happening|so fast|this (?:one|time)|that (?:one|i)|tonight|with this one|on this one|today|for (?:this|that) one|the case|any ?more)\b|"
    r"(?:just |narrowly |sadly |barely )?(?:misses|falls short|comes up short|misses out)\b|(?:better|best|rather) not\b|please don't|i wouldn't\b|no (?:way|chance|luck|dice|can do|such luck|cigar|joy|go|ma'am|sir)\b)"
)
NO: Final = re.compile(
    rf"{_HAIL}(?:(?:nope|nah|naw|nay|negative|nada|nuh[- ]?uh|hard no)\b|{_NOT_SO}|"
    rf"no(?=\W*$| (?:{_IT}|it's|it'll|they're|that's|sorry|sadly|unfortunately|i'm|not|the|there's|only|just|but)\b)|"
    r"(?:i'm |i am |we're )?(?:afraid|'?fraid|unfortunately|sadly|actually|really|definitely|certainly|absolutely|sorry|hardly)?,? ?not(?: really| quite| exactly| at all| yet| anymore)?\W*$|"
    rf"'?(?:afraid|fraid) (?:not|no)\b|{_IT} {_IS}(?:n't| not)\W*$|(?:it|they|you|this|that|we) (?:can't|cannot|won't)\W*$|{_IT} (?:sure |really |certainly )?(?:does|is|can|will)(?:n't| not)\W*$)"
)
"""A bare "no" answers; "no app control on it" tells of something else."""

_FINE: Final = r"(?:fine|ok|okay|good to go|safe|cleared|alright|all right|welcome|friendly|compatible|allowed|no (?:drama|problem|trouble|issue|bother|sweat|fuss)|all good|in business|sorted|covered)"
APPROVES: Final = re.compile(
    rf"^\W*you (?:sure |totally |certainly |definitely )?can\b|\b(?:(?<!be )(?:is|are|'s|'re|it's|that's|you're|they're)(?: both| all)? (?:totally |perfectly |absolutely |completely |just |more than |quite |all |really )*{_FINE}|(?:totally|perfectly|absolutely) {_FINE}|"
    rf"no (?:drama|problem|trouble|issue|bother|sweat)\b|gets? along|play(?:s)? (?:nice|well|ball|happily|along)|get on (?:great|well|fine|famously)|happily|(?:is|are|'s) a (?:big |clear |firm |definite |hard )?yes(?= for\b| with\b| on\b|\W*$)|best (?:of )?(?:friends|mates|buddies)|"
    r"(?:work|run|pair|connect|charge|go)s? (?:a treat|like a (?:charm|dream)|great|beautifully|perfectly|fine|well|together)|handles?|copes? with|survives?|(?:chuck|toss|pop|stick|bung|throw|shove|whack|put|fly|bring|layer|use|mix|pair|take) (?:it|them|the \w+|'em|away)|"
    r"goes straight|go right ahead|go (?:for it|ahead)|knock yourself out|just holler|yell at|talk to)\b"
)
"""Says that something can be done; in answer to "can I", it is a yes."""
REJECTS: Final = re.compile(
    r"^\W*you (?:can't|cannot|shouldn't|couldn't|can not)\b|\b(?:(?:don't|doesn't|do not|does not|won't|never|didn't) (?:really |quite |exactly )?(?:get along|get on|mix|play (?:nice|ball|well|along)|go together|talk to|speak|like|cooperate|pair|work together|do|want)|"
    r"(?:keep|kept|hold) (?:\w+ ){0,4}(?:apart|away|separate)|(?:wouldn't|shouldn't|don't) (?:put|chance|risk|mix|layer|use|take|try|recommend|combine|pair|fly|wash|do)|"
    r"not (?:a )?(?:friends|match|fan|allowed|fine|ok|okay|safe|compatible|a good idea|made for|meant for|built for|going to work)|no[- ]go|(?:is|are|'s|be) (?:sadly |unfortunately |still )?an? (?:flat |hard |firm |big |clear |definite )?no(?= for\b| with\b| on\b|\W*$)|bad idea|sits? (?:that|this) one out|gives? (?:that|it) a miss|(?:leave|keep) (?:it|that|them) (?:at home|out)|hand[- ]?wash only|enemies|refuses?|hates?)\b"
)
"""Says that something cannot or should not be done."""
