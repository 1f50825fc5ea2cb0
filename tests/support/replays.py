"""Runs on disk as their files would be, written at once: for tests of what replay makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lt_bench.backends import ModelFacts
from lt_bench.config import EvalConfig, Sampling, file_sha
from lt_bench.records import (
    Claim,
    Document,
    Environment,
    Example,
    Fact,
    FactsGold,
    Failure,
    Generation,
    Sample,
    SampleKey,
    Score,
    Scored,
    Timings,
    Turn,
    Usage,
    Utterance,
    Verdict,
)
from lt_bench.run.rundir import RunFile

SHA = "5" * 64


def example(name: str, question: str = "How much is it?", **more: object) -> Example:
    """A row of commerce_qa whose lamp costs 99 yuan."""
    return Example.model_validate(
        {
            "id": name,
            "task": "commerce_qa",
            "question": question,
            "group": name,
            "history": (Utterance(role="host", name="Mei", content="Here is the lamp."),),
            "documents": (
                Document(
                    id="lamp",
                    kind="product",
                    title="Lamp",
                    text="🪔 Lamp\nPrice: 99 CNY\nColour: red",
                    product={"name": "Lamp", "offers": {"price": 99}},
                    slot=3,
                ),
            ),
            "gold": FactsGold(
                answerability="full",
                required=(Fact(document="lamp", path="offers.price", value=99, unit="CNY"),),
            ),
            "tags": ("intent:price",),
            **more,
        }
    )


def turn(
    reply: str, reasoning: str | None = "I look it up.", output: int = 20, **more: object
) -> Turn:
    """One answer, its tokens counted."""
    usage = Usage(
        prompt=50, output=output, reasoning=output - 6, reply=5, markup=1, counted_by="engine"
    )
    times = Timings(queued=0.1, first_token=0.2, first_reply_token=0.5, total=0.9)
    facts = {"usage": usage, "timings": times, "finish_reason": "stop", "raw": reply, **more}
    return Turn.model_validate({"reply": reply, "reasoning": reasoning, **facts})


def answered(name: str, *turns: Turn, index: int = 0) -> Sample:
    """The outcome of a sample that was answered."""
    generation = Generation(turns=turns)
    return Sample(key=key(name, index), status=generation.status, generation=generation)


def failed(name: str, message: str = "connection refused") -> Sample:
    """The outcome of one that was not."""
    return Sample(
        key=key(name, 0), status="error", failure=Failure(kind="connection", message=message)
    )


def key(name: str, index: int) -> SampleKey:
    return SampleKey(example_id=name, sample_index=index, request_sha="0" * 64)


def scored(
    name: str,
    correct: float | None,
    helpful: float = 1.0,
    claims: Sequence[Claim] = (),
    index: int = 0,
) -> Scored:
    """What the judge `facts` may have said; `correct` None: it was silent."""
    verdict = Verdict(
        judge="facts",
        judge_sha="a" * 64,
        label=None if correct is None else "correct" if correct else "incorrect",
        claims=tuple(claims),
        rationale="" if correct else "required fact missing",
    )
    reason = "judge_error" if correct is None else None
    scores = (
        Score(name="correctness", value=correct, reason=reason, verdict=verdict),
        Score(name="helpfulness", value=helpful),
        Score(name="tpr", value=20.0),
    )
    return Scored(key=key(name, index), scorers_sha=SHA, scores=scores)


def write_run(
    folder: Path,
    examples: Iterable[Example],
    samples: Iterable[Sample],
    scores: Iterable[Scored] = (),
    *,
    count: int = 1,
    data: Path | None = None,
) -> Path:
    """A run of commerce_qa without a card, over a data file of its own beside the folder."""
    folder.mkdir(parents=True)
    rows = list(examples)
    if data is None:
        data = folder.with_suffix(".jsonl")
        data.write_text("".join(f"{row.model_dump_json()}\n" for row in rows), "utf-8")
    config = EvalConfig(
        model="replay/answers.jsonl",
        task="commerce_qa",
        version=1,
        data_sha=file_sha(data),
        samples=count,
        sampling=Sampling(),
        prompt_sha="0" * 64,
        fingerprint="0" * 64,
    )
    facts = ModelFacts(
        name=config.model, backend="replay", fingerprint=config.fingerprint, counted_by="engine"
    )
    environment = Environment(lt_bench="0.1.0", hardware="none")
    file = RunFile(
        config=config, model=facts, environment=environment, data=str(data), rows=len(rows)
    )
    (folder / "config.json").write_text(file.model_dump_json(), "utf-8")
    for name, lines in (("generations.jsonl", samples), ("scores.jsonl", scores)):
        text = "".join(f"{line.model_dump_json(exclude_defaults=True)}\n" for line in lines)
        (folder / name).write_text(text, "utf-8")
    return folder


NAMES = ("a/b?c#d%41 <i>", "漢字の行", "plain")
"""Ids of the rows of `hostile_runs`."""


def hostile_runs(folder: Path) -> tuple[Path, Path]:
    """Two runs whose texts try to break out, one of them in wide characters."""
    bad = "\x1b[2J\x07\x9b\u202eevil\u2066 <img src=x onerror=document.title=1> --- gold\n--- gold\r\tx"
    examples = [
        example(name, f"多少钱？这款台灯能不能在卧室里用 {bad}", tags=(bad,)) for name in NAMES
    ]
    claims = [Claim(text="99", verdict="supported", document="lamp", evidence="99 CNY")]
    runs = []
    for name, reply in (("one", "99 元"), ("two", f"100 元 {bad}")):
        said = [answered(row, turn(f"{reply}", bad, output=40)) for row in NAMES]
        judged = [scored(row, float(name == "one"), claims=claims) for row in NAMES]
        runs.append(write_run(folder / name, examples, said, judged))
    return runs[0], runs[1]
