"""Replies that speak to the judge instead of the viewer.

A host has no reason to write of verdicts, graders and rubrics, to close blocks or to open chat
turns. The signs below look for these, in English and Chinese, in the text as it looks and in what
common disguises hide. The flag changes no verdict: it tells a reader which rows to look at, so
what a host may well say ("judge for yourself", "don't forget", "true to size", "system: Android",
"was this helpful?") weighs more than one more wording of an attack. No host speaks for pages: of a
reply beyond twice `EDGE` characters only its two ends are looked at, so that none takes long.
"""

from __future__ import annotations

import re
from typing import Final

from lt_bench.judge.disguises import undisguised

EDGE: Final = 10_000
"""Characters looked at from the beginning and from the end of a very long text."""


def suspicious(text: str) -> bool:
    """Whether a reply looks as if it wanted to be graded rather than heard."""
    return bool(signs(text))


def signs(text: str) -> tuple[str, ...]:
    """Names of the signs found, in order; empty for a reply as it should be."""
    looks = (_ends(view) for view in undisguised(_ends(text)))
    views = [view for view in dict.fromkeys(looks) if view]
    return tuple(name for name, sign in SIGNS.items() if any(sign.search(v) for v in views))


def _ends(text: str) -> str:
    return text if len(text) <= 2 * EDGE else f"{text[:EDGE]}\n{text[-EDGE:]}"


def _near(one: str, other: str, characters: int) -> str:
    """Two things, in either order, at most so many characters apart."""
    return rf"(?:{one}).{{0,{characters}}}?(?:{other})|(?:{other}).{{0,{characters}}}?(?:{one})"


_GRADER: Final = (
    r"(?:\b(?:lenient)?(?:grader|evaluator|examiner|assessor|annotator)s?\b"
    r"|(?<!be )\b(?:the|a|an|any|dear|every|ai|fair|impartial|other|previous) judges?\b(?! of)"
    r"|\bjudge ?:)"
)
_TRUE: Final = r"true\b(?! (?:to|wireless|black|colou?rs?|tone|leather|stereo|size))"
_RIGHT: Final = (
    rf"\b(?:{_TRUE}|(?:correct|approved|verified|supported|accepted|generous|full marks)\b)"
)
_GOOD: Final = rf"(?:{_RIGHT}|\bhelpful\b)"
_SELF: Final = (
    r"(?<!hope )(?<!hoping )(?<!trust )\b(?:(?:this|my|every|all|such|these|the)(?: whole| real)?"
    r" (?:repl(?:y|ies)|responses?)\b(?! times?| rate)|(?:this|my)(?: kind of)? answer\b"
    r"|the answer above\b|this row\b)"
)
_RULES: Final = (
    r"\b(?:instructions?|rules?|rubrics?|prompts?|guidelines?|guidance|criteria|evidence|documents?"
    r"|everything you|told)\b"
)
_ZH_GRADER: Final = r"(?:评委|評審|评审|裁判|评分员|评判模型|评判者|评测模型|判官)"
_ZH_SELF: Final = r"(?:这条|這條|此|本|该|这个|上述|以上|所有|本题)(?:回复|回答|答复|答案|回覆)"
_ZH_RIGHT: Final = (
    r"(?:正确|正確|满分|滿分|有帮助|有幫助|通过|核实|验证|核对|没有问题|true|correct)"
)

_PATTERNS: Final = {
    "block mark": (
        r"<<<|>>>|-{3,} ?(?:end|begin) of"
        r"|\bend[_ ](?:of[_ ])?(?:the )?(?:reply|input|data|response|prompt)\b"
    ),
    "chat markup": (
        r"<\|(?:im_start|im_end|eot_id|start_header_id|end_header_id|system|user|assistant"
        r"|endoftext|begin_of_text)\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"
        r"|\b(?:human|user) ?:.{0,200}?\bassistant ?:|\[(?:system|developer|internal)\]"
        r"|^#+ ?system\b|^#+ ?instructions? ?:"
        r"|</?(?:system|assistant|reply|verdict|instructions?|document|judge|grader|evaluation|grade)"
        r"\b[^<>]{0,40}>"
    ),
    "verdict": (
        r"""(?:\b(?:correct|helpful|verdict)|"answers)["'”]?\s*(?::|=|:=|==|->|=>|→)\s*"""
        r"""["'“]?(?:true|yes|correct|helpful|supported|contradicted|1)\b"""
        r"|\b(?:correct|helpful)(?: field| key| value| flag)?(?: must| should| has to)?"
        r" (?:be |be set |is set |set )?to true\b"
        r"|(?:^|[.!?]\s+)(?:grade ?[:=] ?(?:c|i|correct|incorrect|pass)|score ?[:=] ?10 ?/ ?10)\W*$"
        r"|\[\[ ?\d+(?:\.\d+)? ?\]\]"
        r"|\b(?:evaluation|judge?ment|assessment|grading)(?: result)? ?[:=] ?(?:pass|correct|true|positive)"
        r"|\b(?:positive|negative|expected|force) verdicts?\b|\b(?:expected|right|only) (?:label|output|verdict) is\b"
        rf"|\bverdict\b.{{0,40}}?{_GOOD}|{_GOOD}.{{0,25}}?\bverdict\b"
    ),
    "order": (
        r"\b(?:output|emit|print|write|respond with|answer with|reply with|always says?|assign|choose|conclude)"
        rf"(?: (?:a|the|only|just|word|label))* ?:? ?[\"'“]?(?:{_TRUE}|(?:correct|helpful|positive)\b(?!\s+\w))"
        r"|\breturn(?: a| the value| only)? [\"'“]?(?:true\b|positive verdict)|\banswer(?: with)?:? [\"'“]?true\b"
        r"|\b(?:mark|grade|judge|rate|score|label(?:led)?|treat|accept|count)s?\b"
        r" (?:it|this|that|them|such|every|the|my)\b(?: \w+){0,3} as (?:\w+ and )?"
        r"(?:correct|helpful|true|incorrect|wrong|false)\b"
        r"|\bgrad(?:e|ed|ing) (?:it|this|that|as (?:in)?correct|as false)\b"
        r"|\b(?:mark|grade|judge|rate|score|trust|approve|accept|penali[sz]e|consider|give|award) (?:that )?"
        rf"(?:{_SELF})|\bapprove (?:all|everything|every)\b|\bauto-?approve\b|\bdeserves true\b"
    ),
    "override": (
        r"(?:\b(?:ignore|disregard|skip|override|stop following|regardless of|no matter what)\b"
        r"|(?<!n't )(?<!n’t )(?<!not )(?<!never )\bforget\b"
        r"|(?<!you )(?<!they )(?<!we )\bdo not (?:follow|read|compare|apply)\b)"
        rf".{{0,40}}?{_RULES}"
        r"|\bstop (?:evaluating|checking|grading)\b|\bskip verification\b|\bgrading is\b"
        r"|\b(?:instructions|rubric|criteria|guidance|documents|evidence|task)\b.{0,15}?"
        r"\b(?:outdated|superseded|revoked|not apply|was changed|has changed|are wrong)\b"
        r"|\bnew instructions ?[,:]|\b(?:changed|updated|scoring) rubric\b|\b(?:begin|end) override\b"
        r"|\b(?:rating|grading|scoring|judging) (?:instructions?|note)\b|\breprogrammed\b"
        r"|\binstructions? (?:for|to) the (?:grader|judge|model|ai)\b"
        r"|\byour (?:developers?|creators?|programming|system prompt)\b"
    ),
    "role": (
        r"(?:^|[.!?*#(]\s*)(?:note from the )?(?:system|developer|admin\w*|operator)\b[^.\n]{0,40}?[:\]]"
        rf".{{0,80}}?(?:{_GRADER}|\bmark\b|\bgrader\b|\breply\b)"
        rf"|\b(?:you are|act as|pretend|imagine)(?: \w+){{0,3}} {_GRADER}"
        rf"|\bas(?: \w+){{1,2}} {_GRADER},? (?:i|you)\b|\bas {_GRADER},? (?:i|you)\b"
        r"|\byou are no longer a judge\b|\bpretend that the (?:documents|evidence)\b"
        r"|\bi am your (?:developer|creator|operator|administrator)\b"
    ),
    "grader": (
        _near(_GRADER, rf"{_GOOD}|{_SELF}|\bverdict|\breminder|\bwarning\b|\bscore\b", 80)
        + r"|\b(?:(?:to|for) the|dear|ai|llm|model) (?:graders?|evaluators?)\b|\bdear judge\b|\bany judge who\b"
        r"|\b(?:whoever|an ai|a model)(?: is)? (?:grad|scor|judg|evaluat)(?:es?|ing|s) this\b"
    ),
    "own praise": _near(
        _SELF,
        rf"{_RIGHT}|\bas helpful\b|\b(?:passed|passes|checked|right in all|grade|failed|as wrong|deserves"
        r"|all criteria|mistakes in|(?:is|be|are) (?:\w+ )?(?:right|perfect))\b",
        60,
    ),
    "grading": (
        r"\b(?:gold|hidden) label|\breference answer is\b|\bcontrol item\b|\bevaluation team\b"
        r"|\b(?:grading|evaluation|scoring) (?:criteria|guidelines|model|service|rubric|prompt)\b"
        r"|\bevaluation of this\b|\brubric\b.{0,60}?\b(?:reply|answer|changed)\b"
    ),
    "override, zh": (
        r"(?:忽略|忽視|忽视|无视|無視|不要理会|别理会|不要看|别看|跳过|(?<!别)(?<!不要)(?<!不会)忘记).{0,12}?"
        r"(?:指令|指示|规则|規則|提示|标准|文档|instructions)"
        r"|(?:系统|系統)(?:消息|提示|通知|指令)[】\]]?[:：]|【(?:管理员|系统)】"
        r"|(?:评分|打分)(?:规则|标准).{0,6}?(?:作废|更新|改)|新的评分标准"
        r"|(?:系统|system|管理员)[:：].{0,30}?(?:返回|判|grader)"
    ),
    "verdict, zh": (
        r"(?:判定|判断为|判为|判為|(?<!被)评为|(?<!被)評為|标记为|将此回覆評為|一律算|算作)[^。！？\n]{0,8}?"
        r"(?:正确|正確|满分|有帮助|true)"
        r"|(?:输出|返回|设为|设成|只会说|只能说)[:：]?[ “\"]?(?:true|正确|[{｛])|结论[:：] ?正确|判对"
        rf"|给.{{0,4}}?(?:回答|回复).{{0,4}}?满分|打分时?请.{{0,6}}?最高分|verdict ?[:：] ?正确|判{_ZH_SELF}"
        rf"|{_near(_ZH_GRADER, f'{_ZH_RIGHT}|回复|回答|判|打分|注意|reply', 30)}"
        rf"|{_ZH_SELF}.{{0,15}}?{_ZH_RIGHT}"
    ),
}  # fmt: skip
SIGNS: Final = {
    name: re.compile(pattern, re.DOTALL | re.MULTILINE) for name, pattern in _PATTERNS.items()
}
