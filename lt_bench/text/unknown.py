"""Tags that look like a reasoning family nobody told us of.

An output that starts with `<ponder>...</ponder>` and goes on after it very likely thinks aloud in
a family we do not know. Its text stays in the reply, since a guess must not hide words from the
user; the note lets the card warn loudly.
"""

from __future__ import annotations

import re

_START = re.compile(
    r"\s{0,16}(?:<(?P<xml>[^\W\d_][\w:.-]{0,30})>|\[(?P<box>[^\W\d_]\w{1,30})\]|◁(?P<kimi>\w{1,30})▷)"
)
_CLOSE = {"xml": "</{}>", "box": "[/{}]", "kimi": "◁/{}▷"}
_THOUGHT = re.compile(
    r"think|thought|reason|ponder|reflect|analy|scratch|deliberat|cogit|rumin|contemplat|monolog|"
    r"brainstorm|chain|cot$|思|推理|考|分析",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    """
    a abbr answer article audio b blockquote body br caption center cite code dd del details
    div dl dt em final final_answer font footer h1 h2 h3 h4 h5 h6 header html i img ins json
    label li main mark math message ol output p pre prosody q reply response result root s
    say section small solution span speak speech strong sub summary sup svg table tbody td
    text th thead title tool tool_call tools tr tt u ul voice xml function function_call
    """.split()  # noqa: SIM905 readable as prose, in one glance
)
"""Names that wrap answers, mark up text or speech, or call tools."""


def looks_unknown(text: str) -> bool:
    """Whether `text` starts with a tag pair of an unknown family.

    A name that speaks of thought is enough; any other name must be followed by a reply after its
    closing tag, and be no common markup.
    """
    match = _START.match(text)
    if match is None or match.lastgroup is None:
        return False
    name = match[match.lastgroup]
    closing = _CLOSE[match.lastgroup].format(name)
    found = re.compile(re.escape(closing), re.IGNORECASE).search(text, match.end())
    if found is None or name.lower() in _PLAIN:
        return False
    return bool(_THOUGHT.search(name) or text[found.end() :].strip())
