"""Whether a reply asks the user for something, in English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lt_bench.claims.wording import fold
from lt_bench.scorers.tools.sentences import Sentence, own_sentences

_GIVE: Final = (
    r"(?:tell|give|share|provide|confirm|specify|clarify|send|say|state|name|choose|pick|check|"
    r"let (?:me|us) know|enter|repeat|indicate)"
)
_REQUEST: Final = re.compile(
    rf"\b(?:please|kindly) (?:also |first )?{_GIVE}\b"
    rf"|\b(?:could|can|would|will) you (?:please |kindly |first )*{_GIVE}\b"
    r"|\b(?:may|can|could) i (?:please )?(?:have|ask|get|know)\b"
    r"|\b(?:let (?:me|us) know|tell (?:me|us)) (?:which|what|the|your|who|whose|when|where|how|if|whether)\b"
    r"|\b(?:i|we)(?:'ll| will|'d)? (?:just |also |still )?need (?:to know|your|the|more|a (?:few|little|bit)|some)\b"
    r"|请(?:您|你)?(?:先|再|也)?(?:提供|告诉|告知|说明|说一下|确认|补充|发|给|选择|指明|指定|问|报|把|描述|核对|检查|看看)"
    r"|(?:麻烦|劳烦)(?:您|你)?(?:先|再)?(?:提供|告诉|告知|说|确认|补充|发|给|把)"
    r"|(?:需要|想)(?:您|你)(?:先)?(?:提供|告诉|告知|确认|补充)"
    r"|(?:您|你)(?:是)?(?:指|说)的是(?:哪|什么)|(?:吗|呢|哪[一个款件种笔单些]+)\s*$"
)
_CLOSING: Final = re.compile(
    r"\b(?:anything|something|what) (?:else|more)\b"
    r"|\bhow (?:else )?(?:can|may) i (?:help|assist|be of)"
    r"|还有(?:什么|其他|其它|别的)|还需要(?:什么|其他|其它|我|帮)|(?:其他|其它|别的)(?:问题|需要)"
)
"""Offers of further help ask for nothing."""
_FEWEST: Final = 2
_JOINT: Final = re.compile(r"(?<!\d)[,，;；:：—](?!\d)|(?<=\d)[，；：—]|(?<=\d)[,;:] ")


def asks_back(reply: str, asked: Sequence[str] = ()) -> bool:
    """Whether some sentence of a reply is a question, or asks for something to be told. Offers of
    further help, single words and questions repeated from `asked` are none."""
    for sentence in own_sentences(reply, asked):
        folded = fold(sentence.text)
        wants = sentence.asks or _REQUEST.search(folded.rstrip(" .!"))
        if wants and len(sentence.tokens) >= _FEWEST and not _CLOSING.search(folded):
            return True
    return False


def stated(sentence: Sentence) -> str:
    """What a sentence states: all of it, and of a question what stands before a request that a comma
    joins to it ("I can't find it, could you check the number?"). "It has arrived, right?" states nothing.
    """
    if not sentence.asks:
        return sentence.text
    joints = list(_JOINT.finditer(sentence.text))
    if joints and _REQUEST.search(fold(sentence.text[joints[-1].end() :])):
        return sentence.text[: joints[-1].start()]
    return ""
