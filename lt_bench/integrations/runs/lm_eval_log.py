"""Samples of lm-eval (`--log_samples`), one JSON object a line:

{"doc_id": 0, "doc": {"id": "2hop__1_2", "question": …}, "arguments": {"gen_args_0": {"arg_0": "…prompt…",
 "arg_1": {"until": ["\n\n"], "max_gen_toks": 48}}}, "resps": [["Lisbon"]], "filter": "none", "exact_match": 0}

The model's name stands in the results file beside them. lm-eval says neither how many tokens an answer
took nor whether the cap cut it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Final

import orjson

from lt_bench import jsonl
from lt_bench.backends.replay.predictions import Prediction
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.integrations.runs.log import Log, Logged, sampling_of
from lt_bench.integrations.runs.questions import ids_in, questions_in, questions_of
from lt_bench.records import Failure

_DATED = re.compile(r"^samples_.*?_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$")
_CAPS: Final = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
MAX_RESULTS: Final = 256 * 2**20
"""Bytes of a results file."""
NO_ANSWER: Final = Failure(kind="missing", message="lm-eval logged no answer")


def is_sample(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of these."""
    return "resps" in row and "doc_id" in row


def read(path: Path) -> Log:
    """The log in a samples file.

    Raises:
        UsageError: it is no such file, or the answers are likelihoods and no texts.
    """
    lines = jsonl.read(path)
    first = next(lines, None)
    if first is None:
        raise UsageError(f"{path} holds no samples", "run lm-eval with --log_samples")
    results = _results(path)
    config = _object(results.get("config"))
    version = str(results.get("lm_eval_version") or "")
    packages = {"lm-eval": version, "transformers": str(results.get("transformers_version") or "")}
    return Log(
        path=path,
        format="lm-eval",
        answers=_answers(path, chain([first], lines)),
        model=_model(results, config),
        harness=f"lm-eval {version}".strip(),
        sampling=_sampling(first.data),
        packages={name: number for name, number in packages.items() if number},
        tells_end=False,
        wording=_wording(path, results),
    )


def _answers(path: Path, lines: Iterator[jsonl.Line]) -> Iterator[Logged]:
    """One answer for each repeat of each doc. A doc stands there once for each filter, with the same
    answers; the first counts."""
    filters = dict[Any, Any]()
    for line in lines:
        row, where = line.data, f"{path}, line {line.number}"
        if not is_sample(row):
            raise UsageError(
                f"{where}: no sample of lm-eval: it lacks doc_id or resps",
                "name a samples_*.jsonl file that --log_samples wrote",
            )
        doc = row["doc_id"] if isinstance(row["doc_id"], int | str) else repr(row["doc_id"])
        if filters.setdefault(doc, row.get("filter")) == row.get("filter"):
            yield from _repeats(row, where)


def _repeats(row: Mapping[str, Any], where: str) -> Iterator[Logged]:
    doc, asked = _object(row.get("doc")), _asked(row)
    ids = tuple(ids_in(doc))
    texts = tuple(dict.fromkeys(chain(questions_of(doc), questions_in(asked))))
    for index, text in enumerate(_texts(row["resps"], where)):
        failed = None if text is not None else NO_ANSWER
        yield Logged(
            where=where,
            ids=ids,
            turns=() if text is None else (Prediction(text, None, "stop", None),),
            texts=texts,
            asked=asked,
            sample_index=index,
            failure=failed,
        )


def _texts(resps: Any, where: str) -> list[str | None]:
    """The answers of one request, a repeat each."""
    if not isinstance(resps, list) or any(not isinstance(one, list) for one in resps):
        raise UsageError(f"{where}: resps is no list of lists", "export the log again")
    if not resps or not resps[0]:
        return [None]
    if len(resps) > 1 or any(not isinstance(one, str | None) for one in resps[0]):
        raise UsageError(
            f"{where}: its answers are likelihoods of given choices, not texts",
            "import a task whose output_type is generate_until",
        )
    return list(resps[0])


def _arguments(row: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """Prompt and settings of the first request."""
    given = _object(row.get("arguments")).get("gen_args_0")
    if isinstance(given, Mapping):
        return given.get("arg_0"), _object(given.get("arg_1"))
    listed = row.get("arguments")
    if isinstance(listed, list) and listed and isinstance(listed[0], list) and len(listed[0]) > 1:
        return listed[0][0], _object(listed[0][1])
    return "", {}


def _asked(row: Mapping[str, Any]) -> str:
    """The prompt; messages for a server of chat completions as their contents."""
    prompt, _ = _arguments(row)
    if isinstance(prompt, list) and prompt and isinstance(prompt[0], str):
        prompt = prompt[0]
    if not isinstance(prompt, str):
        return ""
    if prompt.startswith('[{"'):
        try:
            messages = orjson.loads(prompt)
        except orjson.JSONDecodeError:
            return prompt
        return "\n".join(str(_object(one).get("content", "")) for one in messages)
    return prompt


def _sampling(row: Mapping[str, Any]) -> dict[str, Any]:
    _, given = _arguments(row)
    cap = next((given[key] for key in _CAPS if key in given), None)
    greedy = {"temperature": 0.0} if given.get("do_sample") is False else {}
    return sampling_of({**given, "max_tokens": cap, "stop": given.get("until"), **greedy})


def _results(path: Path) -> Mapping[str, Any]:
    """The results file beside the samples: of the same date, or the only one there."""
    dated = _DATED.match(path.name)
    if dated:
        return _results_in(path.with_name(f"results_{dated['date']}.json"))
    try:
        beside = sorted(path.parent.glob("*results*.json"))
    except OSError:
        return {}
    return _results_in(beside[0]) if len(beside) == 1 else {}


def _results_in(file: Path) -> Mapping[str, Any]:
    try:
        if file.stat().st_size > MAX_RESULTS:
            return {}
        found = orjson.loads(file.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    known = isinstance(found, dict) and "results" in found and "config" in found
    return found if known else {}


def _model(results: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The name of what was loaded or asked, else the kind of model."""
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(part.split("=", 1) for part in arguments.split(",") if "=" in part)
    given = _object(arguments)
    for name in (results.get("model_name"), given.get("pretrained"), given.get("model")):
        if isinstance(name, str) and name:
            return name
    kind = config.get("model")
    return kind if isinstance(kind, str) else ""


_WORDED: Final = ("doc_to_text", "description", "num_fewshot", "fewshot_config", "gen_prefix")


def _wording(path: Path, results: Mapping[str, Any]) -> str:
    """How its task makes a prompt of a row. A results file may tell of several tasks: the name of the
    samples file says which, unless there is one alone."""
    configs = _object(results.get("configs"))
    named = [name for name in configs if path.name.startswith(f"samples_{name}_")]
    names = named if len(named) == 1 else list(configs)
    if len(names) != 1:
        return ""
    config = _object(configs[names[0]])
    return digest([results.get("system_instruction"), [config.get(key) for key in _WORDED]])


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
