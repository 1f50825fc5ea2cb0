"""Builds a Turn from what a model put out: splits it, stops it, counts its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lt_bench.backends.spans import Spans
from lt_bench.records import CountedBy, FinishReason, Note, Timings, ToolCall, Turn, Usage
from lt_bench.text import Split, split_reasoning
from lt_bench.text.tool_calls import Called, take_calls

NOT_TIMED = Timings()


def turn_from_text(
    raw: str,
    *,
    finish_reason: FinishReason,
    prompt_tokens: int | None,
    spans: Spans | None,
    counted_by: CountedBy | None,
    output_tokens: int | None = None,
    family: str = "auto",
    opened: bool = False,
    stop: Sequence[str] = (),
    timings: Timings = NOT_TIMED,
    tool_calls: Sequence[ToolCall] = (),
    tool_form: str = "none",
    notes: Sequence[Note] = (),
) -> Turn:
    """One turn from the text a model generated, reasoning markup included, EOS not.

    `spans` count every part. Without them `output_tokens` is the whole and only parts that must
    be empty are known. With both, `output_tokens` is believed for the whole and `spans`, counted
    from re-encoded text, for thought and reply; where the two differ the note `token_drift` says so.
    With neither, usage is None. `stop` strings end
    the reply, at the first of them; they are not looked for in the thinking. `tool_form` is how the
    reply may write tool calls (`tool_calls.FORMS`); their text is markup.

    Raises:
        ValueError: something was counted but `counted_by` does not say by whom.
    """
    spoken = take_calls(split_reasoning(raw, family=family, opened=opened), tool_form)
    split = spoken.split
    reply, finish_reason, stopped = _stopped(split.reply, stop, finish_reason)
    usage = _usage(split, prompt_tokens, spans, output_tokens, counted_by)
    calls = (*tool_calls, *_said_before(spoken.called, len(reply)))
    finish_reason = _called(finish_reason, calls)
    found: list[Note] = [*notes, *split.notes, *stopped, *_about(calls)]
    if not split.closed:
        found += _unclosed(finish_reason)
    elif _nothing_said(reply, finish_reason, calls):
        found.append("empty_answer")
    if usage and usage.reasoning is None and split.reasoning:
        found.append("reasoning_uncounted")
    # A server counts the EOS, which is not in the text.
    if spans and output_tokens is not None and output_tokens - spans.total not in (0, 1):
        found.append("token_drift")
    return Turn(
        reasoning=split.reasoning,
        reply=reply,
        tool_calls=calls,
        finish_reason=finish_reason,
        usage=usage,
        timings=timings,
        raw=raw,
        notes=tuple(dict.fromkeys(found)),
    )


def turn_from_fields(
    *,
    reasoning: str | None,
    content: str | None,
    finish_reason: FinishReason,
    usage: Usage | None,
    stop: Sequence[str] = (),
    timings: Timings = NOT_TIMED,
    tool_calls: Sequence[ToolCall] = (),
    tool_form: str = "none",
    notes: Sequence[Note] = (),
    family: str = "auto",
) -> Turn:
    """One turn from a server that separates the trace itself; `raw` is its content field.

    Tags left in `content` are split as well, and calls left there are taken out, after those that the
    server took out. A trace without content was never closed: the server would have sent what came
    after the closing tag.
    """
    spoken = take_calls(split_reasoning(content or "", family=family), tool_form)
    split = spoken.split
    reply, finish_reason, stopped = _stopped(split.reply, stop, finish_reason)
    trace = _joined(_unwrapped(reasoning, family), split.reasoning)
    calls = (*tool_calls, *_said_before(spoken.called, len(reply)))
    finish_reason = _called(finish_reason, calls)
    silent = not reply.strip() and not calls
    found: list[Note] = [*notes, *split.notes, *stopped, *_about(calls)]
    if not split.closed or (reasoning and reasoning.strip() and silent and not stopped):
        found += _unclosed(finish_reason)
    elif _nothing_said(reply, finish_reason, calls):
        found.append("empty_answer")
    if usage and trace and trace.strip() and not usage.reasoning:
        usage = usage.model_copy(update={"reasoning": None})
        found.append("reasoning_uncounted")
    return Turn(
        reasoning=trace,
        reply=reply,
        tool_calls=calls,
        finish_reason=finish_reason,
        usage=usage,
        timings=timings,
        raw=content or "",
        notes=tuple(dict.fromkeys(found)),
    )


def _stopped(
    reply: str, stop: Sequence[str], finish: FinishReason
) -> tuple[str, FinishReason, tuple[Note, ...]]:
    """The reply up to the first stop string. Such a reply is complete, even where the server
    went on to the cap."""
    found = [at for at in (reply.find(word) for word in stop if word) if at >= 0]
    if not found:
        return reply, finish, ()
    return reply[: min(found)], "stop" if finish == "length" else finish, ("stop_cut",)


def _said_before(called: Sequence[Called], end: int) -> Iterator[ToolCall]:
    """The calls before the end of the reply: what follows a stop string was not meant."""
    return (one.call for one in called if one.at <= end)


def _called(finish: FinishReason, calls: Sequence[ToolCall]) -> FinishReason:
    return "tool_calls" if calls and finish == "stop" else finish


def _about(calls: Sequence[ToolCall]) -> tuple[Note, ...]:
    return ("malformed_call",) if any(call.malformed is not None for call in calls) else ()


def _unclosed(finish: FinishReason) -> tuple[Note, ...]:
    if finish == "content_filter":
        return ()
    return ("unclosed_length",) if finish == "length" else ("unclosed_stop",)


def _nothing_said(reply: str, finish: FinishReason, tool_calls: Sequence[ToolCall]) -> bool:
    return not reply.strip() and not tool_calls and finish in ("stop", "tool_calls")


def _unwrapped(reasoning: str | None, family: str) -> str | None:
    """A trace without the tags that some servers leave around it."""
    if not reasoning:
        return reasoning
    split = split_reasoning(reasoning, family=family)
    return split.reasoning if split.n_blocks == 1 and not split.reply.strip() else reasoning


def _joined(field: str | None, inline: str | None) -> str | None:
    if field is None or inline is None:
        return inline if field is None else field
    return "\n".join(part for part in (field, inline) if part)


def _usage(
    split: Split,
    prompt: int | None,
    spans: Spans | None,
    output: int | None,
    counted_by: CountedBy | None,
) -> Usage | None:
    if spans is None and output is None:
        return None
    if counted_by is None:
        raise ValueError("tokens were counted: counted_by must say by whom")
    if spans is None:
        reasoning, reply = _must_be_zero(split, counted_by)
        return _checked(prompt, output or 0, reasoning, reply, None, counted_by)
    reasoning, reply = _counted(split, spans)
    if output is None or output == spans.total:
        markup = spans.total - reasoning - reply
        return _checked(prompt, spans.total, reasoning, reply, markup, counted_by)
    return _checked(prompt, output, reasoning, reply, None, counted_by)


def _counted(split: Split, spans: Spans) -> tuple[int, int]:
    """Tokens of thought and reply."""
    counts = {"reasoning": 0, "reply": 0, "markup": 0}
    at = seen = 0
    for segment in split.segments:
        at += len(segment.text)
        upto = spans.before(at)
        counts[segment.kind] += upto - seen
        seen = upto
    return counts["reasoning"], counts["reply"]


def _must_be_zero(split: Split, counted_by: CountedBy) -> tuple[int | None, int | None]:
    """Thought and reply where the text alone shows that there was none. A provider may bill
    thought that it does not show."""
    hidden = bool(split.reasoning) or counted_by == "provider"
    return None if hidden else 0, None if split.reply else 0


def _checked(
    prompt: int | None,
    output: int,
    reasoning: int | None,
    reply: int | None,
    markup: int | None,
    counted_by: CountedBy,
) -> Usage:
    """Usage; the parts are dropped where a re-count does not fit into the whole."""
    parts = (reasoning or 0) + (reply or 0)
    if parts > output:
        reasoning = reply = markup = None
    return Usage(
        prompt=prompt,
        output=output,
        reasoning=reasoning,
        reply=reply,
        markup=markup,
        counted_by=counted_by,
    )
