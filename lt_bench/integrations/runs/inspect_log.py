"""Logs of Inspect (UK AISI): `.eval` archives, and `.json` logs of the same content.

header.json (or _journal/start.json, where the run did not end)     model, settings, status
samples/ID_epoch_N.json                                             one sample each
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import orjson

from lt_bench import jsonl
from lt_bench.backends.counts import counted
from lt_bench.backends.replay.predictions import Prediction
from lt_bench.errors import UsageError
from lt_bench.integrations.runs.archive import Archive
from lt_bench.integrations.runs.log import Log, Logged, sampling_of
from lt_bench.integrations.runs.questions import ids_in, questions_in, questions_of
from lt_bench.records import Failure, FinishReason, ToolCall

MAX_LOG: Final = 2**30
"""Bytes of a .json log, which is held in memory; the samples of an .eval are not."""

_SAMPLE = re.compile(r"samples/[^/\\]+\.json")
_HEADERS: Final = ("header.json", "_journal/start.json")
_ATTACHED: Final = "attachment://"
_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}
"""Inspect's reasons. Any other, "unknown" too, is an end like others."""

Samples = Iterable[tuple[str, Any]]
"""Where a sample stands, and what it holds."""


def read(path: Path) -> Log:
    """The log in an .eval archive.

    Raises:
        UsageError: it is no archive of Inspect's, or is damaged or hostile.
    """
    archive = Archive(path)
    names = archive.names
    samples = [name for name in names if _SAMPLE.fullmatch(name)]
    header = next((name for name in _HEADERS if name in names), None)
    if header is None or not samples:
        raise UsageError(
            f"{path} is no log of Inspect: it lacks header.json or samples/",
            "name a .eval file that was written with its samples (log_samples)",
        )
    with archive:
        head = archive.json(header)

    def opened() -> Samples:
        with archive:
            for name in samples:
                yield f"{path}, {name[:120]}", archive.json(name)

    return _log(path, head, opened)


def read_json(path: Path) -> Log:
    """The log in a .json file.

    Raises:
        UsageError: it is none, or larger than `MAX_LOG`.
    """
    jsonl.check_file(path)
    if path.stat().st_size > MAX_LOG:
        raise UsageError(
            f"{path} is over {MAX_LOG:,} bytes", "convert it: inspect log convert --to eval"
        )
    try:
        found = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise UsageError(f"{path} is no JSON log: {error}", "export the log again") from error
    samples = found.get("samples") if isinstance(found, dict) else None
    if not isinstance(samples, list) or not samples:
        raise UsageError(
            f"{path} holds no samples of Inspect", "write the log with its samples (log_samples)"
        )
    placed = [(f"{path}, sample {number}", one) for number, one in enumerate(samples, 1)]
    return _log(path, found, lambda: placed)


def _log(path: Path, head: Any, samples: Callable[[], Samples]) -> Log:
    head = _object(head)
    spec = _object(head.get("eval"))
    packages = {str(name): str(version) for name, version in _object(spec.get("packages")).items()}
    version = packages.get("inspect_ai", "")
    status = head.get("status")
    remarks = () if status in (None, "success") else (f"the log's own status is {status!r}",)
    return Log(
        path=path,
        format="inspect",
        answers=(_logged(where, _object(sample)) for where, sample in samples()),
        model=str(spec.get("model") or ""),
        harness=f"inspect_ai {version}".strip(),
        sampling=_sampling(head, spec),
        packages=packages,
        remarks=remarks,
    )


def _sampling(head: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    given = dict(_object(spec.get("model_generate_config")))
    given.update(_object(_object(head.get("plan")).get("config")))
    return sampling_of({**given, "stop": given.get("stop_seqs")})


def _logged(where: str, sample: Mapping[str, Any]) -> Logged:
    """One sample.

    Raises:
        UsageError: it has no id.
    """
    name = sample.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise UsageError(f"{where}: a sample without an id", "export the log again")
    epoch = sample.get("epoch")
    attached = _Attachments(sample.get("attachments"))
    asked = _asked(sample.get("input"), attached)
    metadata = _object(sample.get("metadata"))
    failure = _failure(sample)
    return Logged(
        where=where,
        ids=(str(name), *ids_in(metadata)),
        turns=() if failure else tuple(_turns(sample, attached)),
        texts=tuple(dict.fromkeys(chain(questions_of(metadata), questions_in(asked)))),
        asked=asked,
        sample_index=epoch - 1 if isinstance(epoch, int) and epoch > 0 else None,
        failure=failure,
    )


def _failure(sample: Mapping[str, Any]) -> Failure | None:
    """Why the harness has no answer; None where it has one."""
    error = sample.get("error")
    if isinstance(error, Mapping):
        said = str(error.get("message") or "the sample failed")[:240]
        return Failure(kind="missing", message=f"Inspect: {said}")
    choices = _object(sample.get("output")).get("choices")
    has = isinstance(choices, list) and bool(choices)
    return None if has else Failure(kind="missing", message="Inspect logged no output")


class _Attachments:
    """Long texts stand once in a sample; elsewhere their hash stands for them."""

    def __init__(self, texts: Any) -> None:
        self._texts = _object(texts)

    def __call__(self, text: str) -> str:
        if text.startswith(_ATTACHED):
            found = self._texts.get(text.removeprefix(_ATTACHED))
            return found if isinstance(found, str) else text
        return text


def _turns(sample: Mapping[str, Any], attached: _Attachments) -> Iterator[Prediction]:
    """The answers of a dialogue with tools; else the last one, whatever solvers came before it."""
    output = _object(sample.get("output"))
    generated = [one for one in _list(sample.get("messages")) if _is_generated(one)]
    if any(one.get("tool_calls") for one in generated[:-1]):
        for message in generated[:-1]:
            yield _answer(message, "tool_calls" if message.get("tool_calls") else "stop", attached)
    choice = _object(output["choices"][0])
    finish = _FINISH.get(str(choice.get("stop_reason")), "stop")
    if sample.get("limit") and finish != "content_filter":
        finish = "length"
    usage = _usage(output.get("usage")) if len(generated) <= 1 else None
    yield _answer(_object(choice.get("message")), finish, attached, usage)


def _is_generated(message: Any) -> bool:
    """Whether the model wrote a message itself: examples in the prompt are the input's."""
    known = isinstance(message, Mapping) and message.get("role") == "assistant"
    return known and message.get("source", "generate") == "generate"


def _answer(
    message: Mapping[str, Any],
    finish: FinishReason,
    attached: _Attachments,
    usage: Mapping[str, Any] | None = None,
) -> Prediction:
    content, reasoning = _parts(message.get("content"), attached)
    calls = tuple(_calls(message.get("tool_calls")))
    spoke = bool(content or reasoning or calls)
    return Prediction(
        output=content,
        reasoning=reasoning,
        finish_reason=finish,
        usage=counted(usage, spoke=spoke, thought=bool(reasoning)),
        tool_calls=calls,
    )


def _usage(found: Any) -> Mapping[str, Any] | None:
    """Inspect's counts by the names of OpenAI's. Tokens read from a cache are counted apart."""
    usage = _object(found)
    if not usage:
        return None
    parts = [
        usage.get(name)
        for name in ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    ]
    known = [part for part in parts if isinstance(part, int) and not isinstance(part, bool)]
    return {
        "prompt_tokens": sum(known) if known else None,
        "completion_tokens": usage.get("output_tokens"),
        "reasoning_tokens": usage.get("reasoning_tokens"),
    }


def _parts(content: Any, attached: _Attachments) -> tuple[str | None, str | None]:
    """Words and trace of a message's content: a text, or a list of typed parts."""
    if isinstance(content, str):
        return attached(content), None
    if not isinstance(content, list):
        return None, None
    said, thought = list[str](), list[str]()
    for part in map(_object, content):
        if part.get("type") == "text":
            said.append(attached(str(part.get("text") or "")))
        elif part.get("type") == "reasoning" and not part.get("redacted"):
            thought.append(attached(str(part.get("reasoning") or "")))
    return "".join(said), "\n".join(thought) if thought else None


def _calls(calls: Any) -> Iterator[ToolCall]:
    for call in map(_object, _list(calls)):
        given = call.get("arguments")
        broken = call.get("parse_error")
        yield ToolCall(
            id=str(call.get("id") or ""),
            name=str(call.get("function") or ""),
            arguments=dict(given) if isinstance(given, Mapping) and not broken else {},
            malformed=str(broken) if broken else None,
        )


def _asked(given: Any, attached: _Attachments) -> str:
    """What the model was sent, as one text."""
    if isinstance(given, str):
        return attached(given)
    texts = (_parts(message.get("content"), attached)[0] for message in map(_object, _list(given)))
    return "\n".join(text for text in texts if text)


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
