"""One declared judge: its prompt, its answers, and the hash that a calibration is bound to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lt_bench import catalog, yaml
from lt_bench.config import Sampling, digest, validate
from lt_bench.errors import UsageError
from lt_bench.judge.blocks import Blocks
from lt_bench.judge.check import check
from lt_bench.judge.reading import Reading, read
from lt_bench.judge.schema import schema_of
from lt_bench.judge.spec import JudgeSpec
from lt_bench.judge.subject import Subject
from lt_bench.records import Prompt
from lt_bench.template import PromptTemplate

PROTOCOL = 1
"""Version of how any judge is asked: blocks, reminders, reading. Raise it when a verdict may change."""


class Judge:
    """A folder with judge.yaml and prompt.md, with the user's sampling applied.

    Raises:
        UsageError: the declaration is broken, or a setting is unknown.
    """

    def __init__(self, folder: Path, sampling: Mapping[str, Any] | None = None) -> None:
        where = str(folder / "judge.yaml")
        self.folder = folder
        self.spec = validate(JudgeSpec, yaml.load(folder / "judge.yaml"), where)
        if self.spec.name != folder.name:
            raise UsageError(f"{where}: name {self.spec.name!r} is not the folder's", "rename one")
        changed = {**self.spec.sampling, **(sampling or {})}
        self.sampling = validate(Sampling, changed, f"judge {self.spec.name}: sampling")
        self.template = PromptTemplate(folder / "prompt.md")
        check(self.spec, self.template, where)

    @classmethod
    def load(
        cls,
        name: str,
        catalogs: Sequence[Path] = (),
        sampling: Mapping[str, Any] | None = None,
    ) -> Judge:
        """The judge of this name in the catalogs."""
        return cls(catalog.find("judges", name, catalogs), sampling)

    @property
    def schema(self) -> dict[str, Any] | None:
        """JSON Schema of the answer; None where it is no JSON."""
        return schema_of(self.spec)

    def prompt(self, subject: Subject) -> Prompt:
        """What is sent. Everything that came from a row stands inside blocks whose marks no row
        can know.

        Raises:
            UsageError: the template asks for something that a judge may not see.
        """
        blocks = Blocks(subject)
        messages = self.template.render(
            nonce=blocks.nonce,
            evidence=blocks.evidence,
            history=blocks.history,
            question=blocks.question,
            reply=blocks.reply,
            claims=blocks.claims,
            viewer=blocks.viewer,
        )
        return Prompt(messages=messages)

    def read(self, text: str, subject: Subject) -> Reading:
        """The verdict in an answer.

        Raises:
            Unreadable: there is none.
        """
        return read(self.spec, text, subject)

    def value(self, label: str) -> float | None:
        """What a label is worth; None: the metric does not apply to the row."""
        return self.spec.labels[label].value

    @property
    def sha(self) -> str:
        """Changes when the same model may judge differently: rubric, prompt, sampling, protocol."""
        return digest(
            [
                PROTOCOL,
                self.spec.model_dump(mode="json"),
                self.template.text,
                self.sampling.model_dump(mode="json"),
            ]
        )
