"""The retail tasks of tau-bench (Yao et al., 2024) and tau2-bench (Barres et al., 2025), both MIT.

tau-bench: {user_id, instruction, actions: [{name, kwargs}], outputs}. tau2: {id, user_scenario:
{instructions}, evaluation_criteria: {actions: [{name, arguments}], communicate_info}}. The tools stand
in a file of their own. What a simulated user is told becomes the question, and there is no world: the
gold calls are the whole chain, of which the first turn of a dialogue shows the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from lt_bench.builders.importers.json_document import read_values
from lt_bench.builders.importers.source_rows import read_rows
from lt_bench.builders.importers.tool_rows import (
    Asked,
    ToolFiles,
    calls_gold,
    gold_call,
    list_of_objects,
    shown,
    text_in,
    to_example,
)
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault
from lt_bench.config import Config, digest, validate
from lt_bench.errors import UsageError
from lt_bench.jsonl import Line, check_file
from lt_bench.records import CallsGold, Example, GoldAnswer

LICENSE: Final = "MIT"
_TOLD: Final = ("reason_for_call", "known_info", "unknown_info", "task_instructions")


class TauOptions(Config):
    """`tools`: a JSON file with the tools in OpenAI's form; left out, the only file beside the tasks
    whose name has "tools" in it. `policy`: a text that the agent is told first."""

    tools: str = ""
    policy: str = ""


class Tau(ToolFiles):
    """Reads the tasks of either. A task whose gold calls a tool that is not listed is left out with a
    warning.

    Raises:
        UsageError: an option is unknown.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(TauOptions, options, "importer tau")

    def files(self, path: Path) -> tuple[Path, ...]:
        """The tasks, the tools and the policy.

        Raises:
            UsageError: no file with tools can be told.
        """
        policy = (Path(self.options.policy),) if self.options.policy else ()
        return (path, self._tool_file(path), *policy)

    def rows(self, path: Path) -> Iterator[Inspected]:
        tools, policy = _tools(self._tool_file(path)), self._policy()
        known = {one["function"]["name"] for one in tools}
        left_out: dict[str, int] = {}
        for item in read_rows(path):
            if isinstance(item, Problem):
                yield item
                continue
            try:
                name, said, gold = _task(item)
                strange = [call.name for call in gold.calls if call.name not in known]
                if strange:
                    left_out.setdefault(strange[0], item.number)
                    continue
                yield Row(item.number, _example(name, said, gold, tools, policy))
            except RowFault as fault:
                yield fault.at(item.number)
        for name, number in left_out.items():
            yield Problem("warning", number, "actions", f"left out: there is no tool {name!r}")

    def _tool_file(self, path: Path) -> Path:
        check_file(path)
        if self.options.tools:
            return Path(self.options.tools)
        found = [
            file
            for file in sorted(path.parent.glob("*tools*.json"))
            if file.is_file() and file.name != path.name
        ]
        if len(found) != 1:
            there = ", ".join(file.name for file in found) or "none"
            raise UsageError(
                f"which file beside {path} has the tools? (found: {there})",
                "name it: --set importer.tools=FILE",
            )
        return found[0]

    def _policy(self) -> str:
        if not self.options.policy:
            return ""
        try:
            return Path(self.options.policy).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read {self.options.policy}", "check the path") from error


def _tools(path: Path) -> tuple[dict[str, Any], ...]:
    """The tools of a file.

    Raises:
        UsageError: it holds none in OpenAI's form.
    """
    values = [value.data for value in read_values(path)]
    listed = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    for one in listed:
        function = one.get("function") if isinstance(one, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise UsageError(
                f"{path}: a tool is not in OpenAI's form: {shown(one)}",
                'write {"type": "function", "function": {"name": …, "parameters": …}}',
            )
    return tuple(listed)


def _task(item: Line) -> tuple[str, str, CallsGold]:
    """Id, what the user wants, and gold of either form."""
    if "evaluation_criteria" in item.data:
        return _of_tau2(item.data)
    data = item.data
    said = text_in(data, "instruction")
    actions = list_of_objects(data.get("actions"), "actions")
    outputs = data.get("outputs", [])
    return f"tau-{digest([said, actions])[:12]}", said, _gold(actions, "kwargs", outputs)


def _of_tau2(data: Mapping[str, Any]) -> tuple[str, str, CallsGold]:
    criteria, scenario = data["evaluation_criteria"], data.get("user_scenario")
    told = scenario.get("instructions") if isinstance(scenario, Mapping) else None
    if not isinstance(criteria, Mapping):
        raise RowFault("evaluation_criteria", f"is no object: {shown(criteria)}")
    if isinstance(told, Mapping):
        parts = [told.get(name) for name in _TOLD]
        said = "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())
    elif isinstance(told, str):
        said = told
    else:
        raise RowFault("user_scenario.instructions", f"is neither text nor object: {shown(told)}")
    actions = list_of_objects(criteria.get("actions") or [], "evaluation_criteria.actions")
    outputs = criteria.get("communicate_info") or []
    return f"tau2-{text_in(data, 'id')}", said, _gold(actions, "arguments", outputs)


def _gold(actions: list[dict[str, Any]], key: str, outputs: Any) -> CallsGold:
    if not isinstance(outputs, list) or not all(isinstance(one, str) for one in outputs):
        raise RowFault("outputs", f"is no list of texts: {shown(outputs)}")
    calls = [gold_call(one, f"actions.{i}", key) for i, one in enumerate(actions)]
    gold = calls_gold(calls)
    answer = GoldAnswer(must_include=tuple(outputs)) if outputs else None
    return gold.model_copy(update={"answer": answer})


def _example(
    name: str, said: str, gold: CallsGold, tools: tuple[dict[str, Any], ...], policy: str
) -> Example:
    family = name.partition("-")[0]
    return to_example(
        Asked(
            id=name,
            question=said,
            tools=tools,
            gold=gold,
            group=name,
            tags=(family, "question:scenario", f"calls:{len(gold.calls)}"),
            source=f"sierra-research/{'tau2-bench' if family == 'tau2' else 'tau-bench'}:retail",
            license=LICENSE,
            system=policy,
        )
    )
