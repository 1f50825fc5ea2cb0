"""The one function that tells thought from reply."""

from __future__ import annotations

from lt_bench.text import blocks, channels, families
from lt_bench.text.segments import BLANK, Segment, Split, segments
from lt_bench.text.unknown import looks_unknown


def split_reasoning(text: str, *, family: str = "auto", opened: bool = False) -> Split:
    """`text` as ordered segments of reasoning, markup and reply.

    `family` is one of `families.FAMILIES`, "auto" (all of them) or "none" (the text is all
    reply). `opened`: the prompt already ended inside a block, as chat templates do that add the
    opening tag. Any text is taken; the time is linear in its length.

    Raises:
        UsageError: `family` is unknown.
    """
    families.check(family)
    if family == "none":
        return Split((Segment("reply", text),) if text else ())
    if not opened and _is_plain(text, family):
        return Split((Segment("reply", text),) if text else ())
    plan = _plan(text, family, opened=opened)
    cut = segments(text, plan.first, plan.boundaries)
    notes = list(plan.notes)
    thought = any(segment.kind == "reasoning" and segment.text.strip(BLANK) for segment in cut)
    if plan.n_blocks and plan.closed and not thought:
        notes.append("empty_thinking")
    if not plan.n_blocks and family == "auto" and looks_unknown(text):
        notes.append("unknown_family")
    return Split(cut, tuple(dict.fromkeys(notes)), plan.closed, plan.n_blocks, plan.families)


def _is_plain(text: str, family: str) -> bool:
    """Whether no tag and no channel can begin anywhere: so are most answers of most servers."""
    if family == "harmony" or families.may_hold_tags(text):
        return False
    return family != "auto" or channels.stripped(text) is None


def _plan(text: str, family: str, *, opened: bool) -> blocks.Plan:
    auto = family == "auto"
    found = [] if family == "harmony" else list(families.tags(text, family))
    header = channels.HEADER.search(text) if auto and "<|" in text else None
    if family == "harmony" or (header and (not found or header.start() < found[0].start)):
        return channels.harmony(text, opened=opened)
    plan = blocks.plan(text, found, opened=opened)
    if auto and not opened and not plan.n_blocks:
        return channels.stripped(text) or plan
    return plan
