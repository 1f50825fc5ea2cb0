"""How far the scorer `facts` agrees with the labels that `commerce_judge` gives by construction.

    python benchmarks/judge_consistency.py [--rows 2000] [--seed 0] [--lang mix] [--show 0] [--json]

Builds the rows, scores each reply, and prints the agreement on both labels, per language and fault,
with Wilson 95 % intervals. It is a test of consistency between two things made in one house, not of
validity. `--show N` prints the first N disagreements of each kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.records import FactsGold, Generation, Labelled, Turn
from lt_bench.scorers.base import ScoringContext
from lt_bench.scorers.facts import FactsScorer
from lt_bench.stats import wilson

LABELS = ("correct", "helpful")
SCORES = {"correct": "correctness", "helpful": "helpfulness"}


class Compared(NamedTuple):
    """One reply: what its making says of it, and what the scorer says."""

    row: Labelled
    fault: str
    label: dict[str, bool]
    score: dict[str, bool]
    why: str

    def agrees(self, name: str) -> bool:
        return self.label[name] == self.score[name]


def compare(rows: Iterable[Labelled]) -> Iterator[Compared]:
    """Each reply with its labels and its scores."""
    scorer = FactsScorer(ScoringContext(), {})
    for row in rows:
        turn = Turn(reasoning=None, reply=row.reply, finish_reason="stop", usage=None)
        found = asyncio.run(scorer.score(row.example, Generation(turns=(turn,))))
        value = {one.name: one.value == 1 for one in found}
        verdict = found[0].verdict
        fault = next(tag for tag in row.example.tags if tag.startswith("fault:"))
        yield Compared(
            row,
            fault.removeprefix("fault:"),
            {name: bool(getattr(row.labels[0], name)) for name in LABELS},
            {name: value[SCORES[name]] for name in LABELS},
            verdict.rationale if verdict else "",
        )


def report(compared: Iterable[Compared]) -> list[dict[str, object]]:
    """Agreement per language and fault, and over all, as rows of a table."""
    groups: dict[tuple[str, str], list[Compared]] = defaultdict(list)
    for one in compared:
        for key in (
            ("all", "all"),
            (one.row.example.lang, "all"),
            (one.row.example.lang, one.fault),
        ):
            groups[key].append(one)
    return [
        {"lang": lang, "fault": fault, "n": len(members)}
        | {name: _share([m.agrees(name) for m in members]) for name in LABELS}
        for (lang, fault), members in sorted(groups.items())
    ]


def _share(agreements: list[bool]) -> dict[str, float]:
    hits, n = sum(agreements), len(agreements)
    interval = wilson(hits, n)
    return {"value": hits / n, "low": interval.low, "high": interval.high}


def table(rows: list[dict[str, object]]) -> str:
    """The report for people."""
    lines = [f"{'lang':5} {'fault':24} {'n':>5}  {'correct':>22}  {'helpful':>22}"]
    for row in rows:
        cells = "  ".join(f"{_cell(row[name]):>22}" for name in LABELS)
        lines.append(f"{row['lang']:5} {row['fault']:24} {row['n']:5}  {cells}")
    return "\n".join(lines)


def _cell(share: object) -> str:
    assert isinstance(share, dict)
    return f"{share['value']:6.1%} [{share['low']:.1%}, {share['high']:.1%}]"


def disagreements(compared: list[Compared], limit: int) -> Iterator[str]:
    """The first few replies of each fault on which label and score differ."""
    seen: dict[tuple[str, str, str], int] = defaultdict(int)
    for one in compared:
        for name in LABELS:
            key = (one.row.example.lang, one.fault, name)
            if one.agrees(name) or seen[key] >= limit:
                continue
            seen[key] += 1
            gold = one.row.example.gold
            wanted = gold.required if isinstance(gold, FactsGold) else ()
            required = "; ".join(f"{f.path}={f.value!r} {f.unit or ''}" for f in wanted)
            yield (
                f"\n{one.row.id}  {name}: label {one.label[name]}, score {one.score[name]} "
                f"({one.why})\n  asked: {one.row.example.question}\n  reply: {one.row.reply}\n"
                f"  required: {required}"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lang", default="mix")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    start = time.process_time()
    found = list(compare(CommerceJudge({"lang": args.lang}).build(args.rows, args.seed)))
    rows = report(found)
    if args.json:
        print(json.dumps(rows))
    else:
        print(table(rows), *disagreements(found, args.show), sep="\n")
        print(f"{time.process_time() - start:.1f} s of CPU", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
