"""Which of the teacher's trajectories become the corpus, and what that choice did to it.

A trajectory is admitted when each score named in `admit` is there and high enough; a judge's silence is
no 0 and no 1 but a reason of its own. What could not be a target is refused before any score is looked
at: no answer, cut, no thought, thinking that is not marked properly. At most one of each input is taken.
A judge's taste becomes the corpus, so that admitted.jsonl, refused.jsonl and admission.json say what was
taken, what was not and why, and how the two differ.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import ValidationError

from lt_bench.config import file_sha
from lt_bench.errors import RunError, UsageError
from lt_bench.records import (
    Example,
    Number,
    Record,
    Sample,
    SampleKey,
    Scored,
    ToolCall,
    ToolResult,
    Turn,
)
from lt_bench.run.disk import write_whole
from lt_bench.run.journal import Journal
from lt_bench.run.places import Answers, Rows, Verdicts
from lt_bench.run.rundir import RunDir
from lt_bench.train.corpus import Survey, Tally, shortest
from lt_bench.train.passing import Passed, Refusal, Why, judged
from lt_bench.train.recipe import SftStage
from lt_bench.train.sampling import LABELS, Offered, write_lines

ADMITTED, REFUSED, REPORT = "admitted.jsonl", "refused.jsonl", "admission.json"

SHOWN: Final = 4
"""Reasons that a message names."""


class AdmittedTurn(Record):
    """One answer of a dialogue with tools: thought, reply, calls, and what the tools said to them."""

    thought: str | None
    reply: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()


class Admitted(Record):
    """One line of admitted.jsonl: input, thought and reply, and the scores that let them in. Where tools
    were called `turns` are all answers, and thought and reply those of the last."""

    key: SampleKey
    example: Example
    thought: str | None
    reply: str
    scores: dict[str, Number | None]
    turns: tuple[AdmittedTurn, ...] = ()

    @property
    def answers(self) -> tuple[AdmittedTurn, ...]:
        """All answers; the one there is where no tool was called."""
        return self.turns or (AdmittedTurn(thought=self.thought, reply=self.reply),)


class Refused(Record):
    """One line of refused.jsonl. `score` is the one at fault, where it is a score's."""

    key: SampleKey
    reason: Refusal
    score: str = ""
    scores: dict[str, Number | None]


class Admission(Record):
    """admission.json. `inputs` were asked; `admitted` have a trajectory in the corpus, `failed` have
    none that passed. Of `trajectories` offered, `passed` could have been taken. `reasons` counts those
    refused ("helpfulness below 1"); `survey` tells what was offered, admitted and refused apart."""

    kind: Literal["rft", "sft"]
    admit: dict[str, float]
    choose: str
    seed: int
    inputs: int
    admitted: int
    failed: int
    trajectories: int
    passed: int
    reasons: dict[str, int]
    survey: Survey
    corpus_sha: str

    @property
    def share(self) -> float:
        """Share of the inputs that are in the corpus."""
        return self.admitted / self.inputs

    @property
    def silent(self) -> int:
        """Trajectories on which the judge was silent."""
        return sum(count for reason, count in self.reasons.items() if "unscored" in reason)


def admit(folder: Path, stage: SftStage, offered: Offered) -> Admission:
    """Writes corpus, refusals and report into the folder of the stage, the report last.

    Raises:
        RunError: nothing was admitted (the reasons are named), too much was not answered, or the disk
            is full.
    """
    refused = list[Refused]()
    tally = Tally(_faults(folder))
    reasons, counts = Counter[str](), Counter[str]()

    def chosen() -> Iterator[Admitted]:
        for example, samples in _by_input(offered):
            taken, others = _of_input(stage, example, samples)
            counts["inputs"] += 1
            counts["passed"] += (taken is not None) + sum(
                why.reason == "not_chosen" for _, why, _ in others
            )
            for sample, why, scores in others:
                reasons[why.told(stage.admit)] += 1
                refused.append(
                    Refused(key=sample.key, reason=why.reason, score=why.score, scores=dict(scores))
                )
                tally.add(example, sample, passed=why.reason == "not_chosen", taken=False)
            if taken is not None:
                counts["admitted"] += 1
                tally.add(example, taken.sample, passed=True, taken=True)
                yield _line(example, taken)

    corpus = write_lines(folder / ADMITTED, map(_dumped, chosen()))
    write_lines(folder / REFUSED, (line.model_dump(mode="json") for line in refused))
    report = Admission(
        kind=stage.kind,
        admit=dict(stage.admit),
        choose=stage.choose if stage.kind == "rft" else "first",
        seed=stage.seed,
        inputs=counts["inputs"],
        admitted=counts["admitted"],
        failed=counts["inputs"] - counts["admitted"],
        trajectories=counts["admitted"] + len(refused),
        passed=counts["passed"],
        reasons=dict(reasons.most_common()),
        survey=tally.survey(),
        corpus_sha=file_sha(corpus),
    )
    if report.admitted:
        _check_heard(report, stage)  # before the report, so that it is all done again
    write_whole(folder / REPORT, report.model_dump_json(indent=2))
    _check_some(report, stage)
    return report


def finished(folder: Path) -> Admission | None:
    """The report of an admission that is done and let something in; None where it is owed.

    Raises:
        UsageError: the report is damaged, or the corpus is not the one it tells of.
    """
    path = folder / REPORT
    try:
        report = Admission.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise UsageError(f"{path} is damaged", "delete it: the admission is done again") from error
    if not report.admitted:
        return None
    corpus = folder / ADMITTED
    if not corpus.is_file() or file_sha(corpus) != report.corpus_sha:
        raise UsageError(
            f"{corpus} was changed or taken away after the admission",
            f"bring it back, or delete {path}: the admission is done again",
        )
    return report


def corpus(folder: Path) -> Iterator[Admitted]:
    """The corpus, in the order of the inputs."""
    yield from Journal(folder / ADMITTED, Admitted)


def _of_input(
    stage: SftStage, example: Example, samples: Sequence[tuple[Sample, Scored | None]]
) -> tuple[Passed | None, list[tuple[Sample, Why, Mapping[str, float | None]]]]:
    """The trajectory of an input that is taken, and the others with their reasons."""
    passed, others = list[Passed](), list[tuple[Sample, Why, Mapping[str, float | None]]]()
    for sample, scored in samples:
        scores = _scores(stage, scored)
        found = judged(stage, sample, scored)
        if isinstance(found, Why):
            others.append((sample, found, scores))
        else:
            passed.append(Passed(sample, found, scores))
    if not passed:
        return None, others
    taken = _choice(stage, example.id, passed)
    others += [(one.sample, Why("not_chosen"), one.scores) for one in passed if one is not taken]
    return taken, others


def _choice(stage: SftStage, example_id: str, passed: Sequence[Passed]) -> Passed:
    """One of the trajectories of an input, the same whatever the order of the journals."""
    ordered = sorted(passed, key=lambda one: one.sample.key.sample_index)
    if stage.kind == "sft" or stage.choose == "first":
        return ordered[0]
    if stage.choose == "shortest":
        return ordered[shortest([one.turns for one in ordered])]
    drawn = hashlib.sha256(f"{stage.seed}|{example_id}".encode()).digest()
    return ordered[int.from_bytes(drawn[:8], "big") % len(ordered)]


def _line(example: Example, taken: Passed) -> Admitted:
    answers = tuple(map(_answer, taken.turns))
    called = any(one.tool_calls for one in answers)
    return Admitted(
        key=taken.sample.key,
        example=example,
        thought=answers[-1].thought,
        reply=answers[-1].reply,
        scores=dict(taken.scores),
        turns=answers if called else (),
    )


def _answer(turn: Turn) -> AdmittedTurn:
    return AdmittedTurn(
        thought=(turn.reasoning or "").strip() or None,
        reply=turn.reply.strip(),
        tool_calls=turn.tool_calls,
        tool_results=turn.tool_results,
    )


def _dumped(line: Admitted) -> dict[str, Any]:
    return line.model_dump(mode="json", exclude=None if line.turns else {"turns"})


def _scores(stage: SftStage, scored: Scored | None) -> dict[str, float | None]:
    """Those that admit; those of a judge, where none is named."""
    found = scored.scores if scored else ()
    return {
        score.name: score.value for score in found if score.name in stage.admit or score.verdict
    }


def _by_input(offered: Offered) -> Iterator[tuple[Example, list[tuple[Sample, Scored | None]]]]:
    """Every input with its trajectories, in the order of the inputs, read one by one."""
    run, rows = RunDir(offered.folder), Rows(offered.examples, offered.samples)
    answers = Answers(run.generations, rows)
    verdicts = Verdicts(run.scores, rows, offered.card.stamp.scorers_sha)
    with answers, verdicts:
        for place, example in enumerate(offered.examples):
            numbers = range(place * offered.samples, (place + 1) * offered.samples)
            yield (
                example,
                [
                    (answers.read(one), verdicts.read(one) if verdicts.has(one) else None)
                    for one in numbers
                    if answers.has(one)
                ],
            )


def _faults(folder: Path) -> dict[tuple[str, int], tuple[str, ...]]:
    """What the builder did to its trajectories, where it is the teacher."""
    from lt_bench import jsonl

    if not (folder / LABELS).is_file():
        return {}
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for line in jsonl.read(folder / LABELS):
        row: dict[str, Any] = line.data
        found[row["id"], row["sample_index"]] = tuple(row["faults"]) or ("none",)
    return found


def _check_heard(report: Admission, stage: SftStage) -> None:
    """A teacher or a judge that went away in the middle would leave a corpus of what came before."""
    lost = {name: count for name, count in report.reasons.items() if _is_lost(name)}
    share, allowed = sum(lost.values()) / report.trajectories, stage.teacher.unanswered
    if share > allowed:
        told = ", ".join(f"{count} {name}" for name, count in lost.items())
        raise RunError(
            f"{share:.0%} of {report.trajectories} trajectories were not answered or not judged: {told}",
            "run the same command again: it asks for these alone; or allow it with "
            f"teacher.unanswered (now {allowed:g})",
        )


def _is_lost(reason: str) -> bool:
    return reason == "no_answer" or "unscored (judge_error)" in reason


def _check_some(report: Admission, stage: SftStage) -> None:
    if report.admitted:
        return
    told = [f"{count} {reason}" for reason, count in list(report.reasons.items())[:SHOWN]]
    more = len(report.reasons) - len(told)
    raise RunError(
        f"none of {report.trajectories} trajectories to {report.inputs} inputs was admitted: "
        f"{', '.join(told)}{f' and {more} more reasons' if more else ''}",
        _fix(report, stage),
    )


def _fix(report: Admission, stage: SftStage) -> str:
    """What is done about the commonest reason."""
    worst = next(iter(report.reasons), "")
    where = f"see {REFUSED} in the folder of the stage"
    if worst == "truncated":
        return f"raise teacher.max_tokens ({stage.teacher.max_tokens}); {where}"
    if "unscored" in worst:
        return (
            f"mend the judge and run the same command: it asks again where it was silent; {where}"
        )
    if worst in ("no_answer", "provider_refused"):
        return f"mend the teacher and run the same command: it asks again; {where}"
    if worst.startswith("thinking"):
        return (
            f"name a teacher that thinks, and teacher.options.family if its tags are rare; {where}"
        )
    return f"lower what `admit` asks for, or name a better teacher; {where}"
