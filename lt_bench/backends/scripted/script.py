"""A script: rules in order, the first that applies answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StrictStr

from lt_bench import yaml
from lt_bench.backends.scripted.agents import GoldAgent
from lt_bench.backends.scripted.answers import Answer, Fault, InTurn, Obey, answer_of
from lt_bench.backends.scripted.asked import Asked
from lt_bench.backends.scripted.conditions import When, when_of
from lt_bench.backends.scripted.spoken import Spoken
from lt_bench.config import Config, digest, file_sha, validate
from lt_bench.errors import RowError, UsageError
from lt_bench.records import CountedBy


class ScriptFile(Config):
    """What a file holds. `count: words` counts words as tokens where an answer gives no `usage`;
    `fingerprint` is what the model is known by (default: the hash of the file), for scripts that
    play one server on good and on bad days."""

    count: Literal["words"] | None = None
    fingerprint: Annotated[StrictStr, Field(min_length=1)] | None = None
    rules: tuple[dict[str, Any], ...] = Field(min_length=1)


class RuleForm(Config):
    """One rule as a file writes it."""

    when: dict[str, Any] | None = None
    answer: Any


@dataclass(frozen=True)
class Rule:
    """`when` None: always."""

    when: When | None
    answer: Answer

    def applies(self, asked: Asked) -> bool:
        return self.when is None or self.when.holds(asked)


class Script:
    """The rules of a file.

    Raises:
        UsageError: it cannot be read, or a rule is not as docs/scripted.md says.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise UsageError(
                f"there is no file {path.absolute()}",
                "scripted/FILE is a file of rules in this folder, FILE; docs/scripted.md has one",
            )
        form = validate(ScriptFile, yaml.load(path), str(path))
        self.counts_words = form.count == "words"
        self.rules = tuple(
            _rule(data, f"{path}, rule {number}", path.parent)
            for number, data in enumerate(form.rules, 1)
        )
        self.fingerprint = form.fingerprint or _sha(path, self.rules)
        for number, rule in enumerate(self.rules[:-1], 1):
            if rule.when is None:
                raise UsageError(
                    f"{path}: rule {number} has no `when`, so those after it are never reached",
                    "move it to the end",
                )

    def answer(self, asked: Asked) -> Spoken | Fault:
        """What the first rule that applies says.

        Raises:
            RowError: none does.
        """
        for rule in self.rules:
            if rule.applies(asked):
                return rule.answer.given(asked)
        request = asked.request
        raise RowError(
            "missing",
            f"{self.path}: none of its {len(self.rules)} rules applies to {request.example_id!r}, "
            f"sample {request.sample_index}; a last rule without `when` would answer the rest",
        )

    @property
    def counted_by(self) -> CountedBy | None:
        """Who counts the tokens; None also where the answers differ in that."""
        other: CountedBy | None = "tokenizer" if self.counts_words else None
        found: set[CountedBy | None] = {
            "provider" if known else other for rule in self.rules for known in _usages(rule.answer)
        }
        return next(iter(found)) if len(found) == 1 else None


def _sha(path: Path, rules: Iterable[Rule]) -> str:
    """Hash of the file, and of the gold that its agents follow."""
    followed = [
        one.sha for rule in rules for one in _said(rule.answer) if isinstance(one, GoldAgent)
    ]
    return digest([file_sha(path), *followed]) if followed else file_sha(path)


def _rule(data: dict[str, Any], where: str, folder: Path) -> Rule:
    form = validate(RuleForm, data, where)
    when = None if form.when is None else when_of(form.when, f"{where}, when")
    return Rule(when, answer_of(form.answer, f"{where}, answer", folder))


def _said(answer: Answer) -> Iterator[Answer]:
    """Everything that the answer may come to."""
    match answer:
        case InTurn():
            for one in answer.answers:
                yield from _said(one)
        case Obey():
            yield Spoken()
            yield from _said(answer.otherwise)
        case _:
            yield answer


def _usages(answer: Answer) -> Iterator[bool]:
    """For everything that the answer may say: whether it comes with its usage."""
    for one in _said(answer):
        if not isinstance(one, Fault):
            yield getattr(one, "usage", None) is not None
