"""Writes, reads and sums up the journals of a long run: CPU and memory a row, and how both grow.

    python benchmarks/journal.py [--rows 1000000] [--samples 10] [--json]

The rows are answers of 40 words after a trace of 40, with counts and times, and the scores of the
task musique with cost; the whole run is `rows / samples` examples. Each stage runs in a process of its
own, so that its peak is its own: appending answers and scores, reading what is owed on resume,
`run status`, and the card. The journal is written to the current folder's disk.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from lt_bench.backends.base import ModelFacts
from lt_bench.config import EvalConfig
from lt_bench.records import (
    AnswersGold,
    Environment,
    Example,
    Generation,
    Sample,
    SampleKey,
    Score,
    Scored,
    Timings,
    Turn,
    Usage,
)
from lt_bench.run.rundir import RunDir, RunFile

STAGES = ("write", "resume", "status", "card")
SHA = "5" * 64
SCORES = ("em", "f1", "tpr", "tpr_reasoning", "tpr_reply", "tpr_markup", "tflop_paper", "truncated",
          "trace_leak", "output_chars")  # fmt: skip
WORDS = [
    "the",
    "sheet",
    "lists",
    "two",
    "heaters",
    "of",
    "2000",
    "W",
    "and",
    "one",
    "of",
    "them",
    "is",
    "white",
]


def example(number: int) -> Example:
    return Example(
        id=f"row-{number:07d}",
        task="musique",
        question="What does the white one cost?",
        group=f"room-{number // 5}",
        gold=AnswersGold(answers=("99 yuan",)),
        tags=(f"{2 + number % 3}hop",),
    )


def sample(number: int, samples: int) -> Sample:
    row, index = divmod(number, samples)
    words = [WORDS[(number + at) % len(WORDS)] for at in range(40)]
    trace, reply = " ".join(words), " ".join(reversed(words))
    reasoning = 30 + number % 97
    usage = Usage(
        prompt=700 + row % 400,
        output=reasoning + 42,
        reasoning=reasoning,
        reply=40,
        markup=2,
        counted_by="provider",
    )
    turn = Turn(
        reasoning=trace,
        reply=reply,
        finish_reason="length" if number % 50 == 0 else "stop",
        usage=usage,
        timings=Timings(queued=0.01, first_token=0.2, first_reply_token=0.7, total=1.3),
        raw=f"<think>{trace}</think>{reply}",
    )
    key = SampleKey(example_id=f"row-{row:07d}", sample_index=index, request_sha=f"{number:064x}")
    generation = Generation(turns=(turn,))
    return Sample(key=key, status=generation.status, generation=generation)


def scored(one: Sample, number: int) -> Scored:
    overlap = (number * 7919 % 23) / 23
    values = {name: float(number % 2) for name in SCORES}
    values |= {"f1": overlap, "tpr": 72.0 + number % 97, "tflop_paper": 0.4 + number % 97 / 100}
    scores = [Score(name=name, value=value) for name, value in values.items()]
    scores.append(Score(name="tflop_exact", value=None, reason="not_applicable"))
    return Scored(key=one.key, scorers_sha=SHA, scores=tuple(scores))


def run_file(rows: int, samples: int) -> RunFile:
    from lt_bench.config import Sampling

    config = EvalConfig(
        model="openai/bench",
        task="musique",
        version=1,
        data_sha=SHA,
        samples=samples,
        sampling=Sampling(temperature=0.7),
        prompt_sha=SHA,
        fingerprint="bench",
    )
    facts = ModelFacts(
        name="openai/bench", backend="openai", fingerprint="bench", counted_by="provider"
    )
    place = Environment(lt_bench="0", hardware="bench")
    return RunFile(config=config, model=facts, environment=place, data=None, rows=rows // samples)


# --- Stages ----------------------------------------------------------------------------------


def write(folder: RunDir, rows: int, samples: int) -> dict[str, float]:
    """Seconds of appending alone, without making the records."""
    spent = {"answers": 0.0, "scores": 0.0}
    with folder.locked():
        folder.begin(run_file(rows, samples))
        with folder.generations as answers, folder.scores as scores:
            for start in range(0, rows, 1000):
                made = [sample(n, samples) for n in range(start, min(rows, start + 1000))]
                judged = [scored(one, start + at) for at, one in enumerate(made)]
                began = time.process_time()
                for one in made:
                    answers.append(one)
                between = time.process_time()
                for line in judged:
                    scores.append(line)
                spent["answers"] += between - began
                spent["scores"] += time.process_time() - between
    size = sum(path.stat().st_size for path in folder.path.glob("*.jsonl"))
    return {
        "append_answer_us": spent["answers"] / rows * 1e6,
        "append_scores_us": spent["scores"] / rows * 1e6,
        "bytes_a_row": size / rows,
    }


def resume(folder: RunDir, rows: int, samples: int) -> dict[str, float]:
    """What a resumed run reads before it asks for anything."""
    from lt_bench.run.places import Answers, Rows, Verdicts, owing

    examples = [example(number) for number in range(rows // samples)]
    before, began = peak(), time.process_time()
    known = Rows(examples, samples)
    answers, scores = Answers(folder.generations, known), Verdicts(folder.scores, known, SHA)
    assert answers.done == rows
    assert not owing(answers, scores)
    return {"cpu_s": time.process_time() - began, "peak_mb_more": peak() - before}


def status(folder: RunDir, rows: int, _: int) -> dict[str, float]:
    from lt_bench.run.standing import standing

    before, began = peak(), time.process_time()
    assert standing(folder).done == rows
    return {"cpu_s": time.process_time() - began, "peak_mb_more": peak() - before}


def card(folder: RunDir, rows: int, samples: int) -> dict[str, float]:
    import numpy  # noqa: F401

    from lt_bench.run.card import build_card
    from lt_bench.run.places import Answers, Rows, Verdicts
    from lt_bench.run.row import Row
    from lt_bench.run.tally import Tally
    from lt_bench.run.trust import Trust
    from lt_bench.scorers import Metric
    from lt_bench.task import Task

    task = Task.load("musique")
    examples = [example(number) for number in range(rows // samples)]
    before, began = peak(), time.process_time()
    known = Rows(examples, samples)
    tokens = ("tpr", "tpr_reasoning", "tpr_reply", "tpr_markup")
    metrics = [
        Metric(name, "cost", unit="tokens" if name in tokens else "share")
        for name in (*SCORES, "tflop_exact")
    ]
    tally = Tally(metrics, task.spec.headline)
    answers, scores = Answers(folder.generations, known), Verdicts(folder.scores, known, SHA)
    with answers, scores:
        for number in answers.numbers():
            sample, line = answers.read(number), scores.read(number)
            tally.add(Row.of(known.example(number), sample, line))
    read = time.process_time()
    made = build_card(task, folder.load(), (), SHA, tally, Trust())
    assert sum(made.samples.values()) == rows
    return {
        "read_cpu_s": read - began,
        "sum_up_cpu_s": time.process_time() - read,
        "peak_mb_more": peak() - before,
    }


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def floor(folder: RunDir) -> float:
    """CPU seconds of orjson alone over both files."""
    began = time.process_time()
    for journal in (folder.generations, folder.scores):
        for line in journal.lines():
            orjson.loads(line)
    return time.process_time() - began


# --- The command -----------------------------------------------------------------------------


def stages(folder: Path, rows: int, samples: int) -> Iterator[tuple[str, dict[str, float]]]:
    for name in STAGES:
        command = [sys.executable, __file__, "--rows", str(rows), "--samples", str(samples)]
        done = subprocess.run(
            [*command, "--stage", name, "--folder", str(folder)],
            check=True,
            stdout=subprocess.PIPE,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        yield name, json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stage", choices=STAGES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        stage = globals()[options.stage]
        print(json.dumps(stage(RunDir(options.folder), options.rows, options.samples)))
        return
    with tempfile.TemporaryDirectory(dir=".") as name:
        folder = Path(name) / "run"
        found = dict(stages(folder, options.rows, options.samples))
        found["floor"] = {"orjson_cpu_s": floor(RunDir(folder))}
    found = {stage: {k: round(v, 2) for k, v in facts.items()} for stage, facts in found.items()}
    if options.json:
        print(json.dumps(found))
        return
    print(f"{options.rows:,} answers of {options.rows // options.samples:,} examples")
    for stage, facts in found.items():
        print(f"{stage}: " + ", ".join(f"{key} {value:g}" for key, value in facts.items()))


if __name__ == "__main__":
    main()
