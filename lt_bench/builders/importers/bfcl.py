"""The Berkeley Function-Calling Leaderboard (Patil et al., 2025), as the package `bfcl-eval` has it.

`data/BFCL_v4_CATEGORY.json` has one row a line, {id, question: [[{role, content}]], function:
[{name, description, parameters}]}; `data/possible_answer/` a file of the same name with {id,
ground_truth: [{function: {argument: [accepted values]}}]}. Rows that carry their `ground_truth` and
`category` are taken as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from lt_bench import jsonl
from lt_bench.builders.importers.bfcl_gold import Unanswerable, gold_of
from lt_bench.builders.importers.json_rows import Part
from lt_bench.builders.importers.tool_rows import Asked, Said, ToolFiles, calls_gold, to_example
from lt_bench.builders.importers.tool_schemas import from_pythonic, tool
from lt_bench.builders.problem import Inspected, Problem, Row, RowFault, from_validation
from lt_bench.config import Config, validate
from lt_bench.errors import UsageError
from lt_bench.records import CallsGold, Example

SOURCE: Final = "ShishirPatil/gorilla:berkeley-function-call-leaderboard"
LICENSE: Final = "Apache-2.0"
ANSWERS: Final = "possible_answer"
_NAME: Final = re.compile(r"BFCL_v\d+_(\w+)\.jsonl?(?:\.gz)?")
_NO_CALL: Final = ("irrelevance", "live_irrelevance")
_SOME_CALL: Final = ("live_relevance",)
"""Categories where some call is right, and nobody says which."""
_FOREIGN_WORLD: Final = re.compile(r"multi_turn|memory|web_search|format_sensitivity")


class BfclOptions(Config):
    """`category` names that of a file whose name does not tell it. `names: underscore` writes the
    dots of function names as OpenAI's own API asks for."""

    category: str = ""
    names: Literal["keep", "underscore"] = "keep"


class Spoken(Part):
    role: Literal["system", "user", "assistant"]
    content: str


class Function(Part):
    name: str
    description: str = ""
    parameters: dict[str, Any]


class BfclRow(Part):
    """One row, with its answers where they stand beside it."""

    id: str
    question: list[list[Spoken]]
    function: list[Function] = Field(default_factory=list)
    category: str = ""
    ground_truth: list[Any] | None = None


class Bfcl(ToolFiles):
    """Reads one category, or every category of a folder. Multi-turn, memory and web search rows need
    a world of their own and are left out with a warning.

    Raises:
        UsageError: an option is unknown.
    """

    version = 1

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = validate(BfclOptions, options, "importer bfcl")

    def files(self, path: Path) -> tuple[Path, ...]:
        """The questions, and the answers beside them.

        Raises:
            UsageError: a folder holds none.
        """
        questions = _questions(path)
        answers = (_answers_of(file) for file in questions)
        return (*questions, *(file for file in answers if file.is_file()))

    def rows(self, path: Path) -> Iterator[Inspected]:
        for file in _questions(path):
            yield from self._file(file, "" if file == path else f"{file.name}: ")

    def _file(self, path: Path, prefix: str) -> Iterator[Inspected]:
        named = _NAME.fullmatch(path.name)
        told = self.options.category or (named[1] if named else "")
        if _FOREIGN_WORLD.match(told):
            yield Problem(
                "warning", 0, "", f"{path.name} is left out: {told} plays in a world of its own"
            )
            return
        answers = _answers(_answers_of(path))
        left_out: list[tuple[int, str]] = []
        for line in jsonl.scan(path):
            if isinstance(line, jsonl.Broken):
                yield Problem("error", line.number, "", prefix + line.message, line.fix)
                continue
            try:
                row = BfclRow.model_validate(line.data)
                category = row.category or told
                if _FOREIGN_WORLD.match(category) or len(row.question) > 1:
                    left_out.append((line.number, category or "several turns"))
                    continue
                yield Row(line.number, self._example(row, category, answers))
            except RowFault as fault:
                yield _fault(fault, line.number, prefix)
            except ValidationError as error:
                yield from_validation(error, line.number)
        if left_out:
            kinds = ", ".join(dict.fromkeys(kind for _, kind in left_out))
            message = f"{len(left_out)} rows are left out: {kinds} play in a world of their own"
            yield Problem("warning", left_out[0][0], "", prefix + message)

    def _example(self, row: BfclRow, category: str, answers: dict[str, list[Any]]) -> Example:
        if not category:
            raise RowFault(
                "category", "is missing", "name it: --set importer.category=simple_python"
            )
        schemas = {one.name: from_pythonic(one.parameters) for one in row.function}
        tools = tuple(
            tool(self._name(one.name), one.description, schemas[one.name]) for one in row.function
        )
        system, said = _said(row)
        return to_example(
            Asked(
                id=row.id,
                question=said[-1].content,
                tools=tools,
                gold=self._gold(row, category, answers),
                group=row.id,
                tags=("bfcl", f"category:{category}"),
                source=f"{SOURCE}:{category}",
                license=LICENSE,
                history=said[:-1],
                system=system,
            )
        )

    def _gold(
        self,
        row: BfclRow,
        category: str,
        answers: dict[str, list[Any]],
    ) -> CallsGold | None:
        if category in _SOME_CALL:
            return None
        if category in _NO_CALL:
            return calls_gold(())
        listed = row.ground_truth if row.ground_truth is not None else answers.get(row.id)
        if listed is None:
            raise RowFault(
                "ground_truth", f"{row.id!r} has none", f"keep the folder {ANSWERS} beside the file"
            )
        calls = (gold_of(one, f"ground_truth.{i}") for i, one in enumerate(listed))
        return calls_gold(call.model_copy(update={"name": self._name(call.name)}) for call in calls)

    def _name(self, name: str) -> str:
        return name.replace(".", "_") if self.options.names == "underscore" else name


def _fault(fault: RowFault, line: int, prefix: str) -> Problem:
    """A row with an answer that nothing meets is the set's own slip: it is left out."""
    if isinstance(fault, Unanswerable):
        return Problem("warning", line, fault.field, f"{prefix}{fault.message}; left out")
    return Problem("error", line, fault.field, prefix + fault.message, fault.fix)


def _said(row: BfclRow) -> tuple[str, tuple[Said, ...]]:
    """What was said to the agent first, and the dialogue, which ends with the user."""
    (turn,) = row.question or ([],)
    system = "\n\n".join(one.content for one in turn if one.role == "system")
    said = tuple(Said(one.role, one.content) for one in turn if one.role != "system")
    if not said or said[-1].role != "user":
        raise RowFault("question", "does not end with the user", "fetch the file again")
    return system, said


def _questions(path: Path) -> tuple[Path, ...]:
    if not path.is_dir():
        return (path,)
    found = tuple(file for file in sorted(path.iterdir()) if _NAME.fullmatch(file.name))
    if not found:
        raise UsageError(f"{path} has no BFCL_v4_*.json", "name the folder `data` of bfcl-eval")
    return found


def _answers_of(path: Path) -> Path:
    return path.parent / ANSWERS / path.name


def _answers(path: Path) -> dict[str, list[Any]]:
    """Id -> accepted calls; none where the file is not there.

    Raises:
        UsageError: a row has no id or no list of answers.
    """
    if not path.is_file():
        return {}
    found: dict[str, list[Any]] = {}
    for line in jsonl.read(path):
        name, listed = line.data.get("id"), line.data.get("ground_truth")
        if not isinstance(name, str) or not isinstance(listed, list):
            raise UsageError(
                f"{path}, line {line.number}: no id with a list ground_truth", "fetch it again"
            )
        found[name] = listed
    return found
