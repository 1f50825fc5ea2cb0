"""Declarations that are well formed and yet could never give a verdict."""

from __future__ import annotations

from lt_bench.errors import UsageError
from lt_bench.judge.line_answer import read
from lt_bench.judge.reading import Unreadable
from lt_bench.judge.spec import JudgeSpec, LineAnswer
from lt_bench.template import PromptTemplate


def check(spec: JudgeSpec, template: PromptTemplate, where: str) -> None:
    """`where` names judge.yaml.

    Raises:
        UsageError: the prompt leaves out what is judged, or a label cannot be read back.
    """
    needed = ("reply", "claims") if spec.answer.form == "ledger" else ("reply",)
    for name in needed:
        if name not in template.names:
            raise UsageError(
                f"{template.path} does not show {{{{ {name} }}}}, which is to be judged",
                f"add a line {{{{ {name} }}}}",
            )
    if isinstance(spec.answer, LineAnswer):
        for name, label in spec.labels.items():
            if not _comes_back(spec, spec.answer, name):
                raise UsageError(
                    f"{where}: labels: {name}: {label.says!r} cannot be read from a line",
                    "let it say plain words, without marks around them, * or `",
                )


def _comes_back(spec: JudgeSpec, answer: LineAnswer, name: str) -> bool:
    """Whether the answer that says a label is read as that label."""
    said = str(spec.labels[name].says)
    try:
        text = f"{answer.key}: {said}" if answer.key else said
        return read(answer, spec.labels, text).label == name
    except Unreadable:
        return False
