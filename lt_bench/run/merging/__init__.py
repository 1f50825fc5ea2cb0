"""Joins the runs of all shards into the run that nobody split.

Rows are copied as they stand, in the order of the data, after each was found in the shard that its
id names, with its outcome and its scores. A new run is made beside its place and moved there whole.
Where it stands already, only what it lacks is added, at the end of its journals: so merging again
adds nothing, and a kill at any point leaves a run that merging again completes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from lt_bench.errors import UsageError
from lt_bench.records import ResultCard
from lt_bench.run.merging.copying import copy, copy_beside, variants
from lt_bench.run.merging.place import place
from lt_bench.run.merging.shards import ShardRun, finished, gather, rows_of
from lt_bench.run.merging.summary import scorers_of, sum_up
from lt_bench.run.merging.whole import whole_of

__all__ = ["Merged", "merge"]


@dataclass(frozen=True)
class Merged:
    """The run of all shards. `added` answers were not in it before. `beside` are scores files of
    other judges that all shards have; `left_out` those that only some have."""

    run: Path
    card: ResultCard
    shards: int
    added: int
    beside: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


async def merge(
    paths: Sequence[Path], out: Path, *, data: Path | None = None, catalogs: Sequence[Path] = ()
) -> Merged:
    """Writes the run of all shards to `out`, or adds to it what it lacks. No model is asked.

    data: the rows, where they do not lie where the shards found them.

    Raises:
        UsageError: a shard is missing, unfinished, there twice or of another run, or `out` holds
            something else.
        RunError: a journal is damaged, or the disk is full.
    """
    runs = gather(paths)
    _check_apart(runs, out)
    whole = whole_of(runs, data, tuple(catalogs))
    with ExitStack() as stack:
        for run in runs:
            stack.enter_context(run.folder.at_rest())
        parts = rows_of(runs, whole.rows)
        shards = finished(runs, parts)
        scorers = scorers_of(whole, shards)
        for shard in shards:
            stack.enter_context(shard.answers)
            stack.enter_context(shard.scores)
        beside, left_out = variants(runs)
        with place(out, whole.file) as folder:
            added = copy(whole, shards, folder)
            copy_beside(whole, runs, parts, folder, beside)
            if added is not None:
                await sum_up(whole, shards, scorers, folder)
            card = folder.card()
    names = (tuple(f"scores.{variant}.jsonl" for variant in some) for some in (beside, left_out))
    return Merged(out, card, len(runs), added or 0, *names)


def _check_apart(runs: Sequence[ShardRun], out: Path) -> None:
    place = Path(os.path.realpath(out))
    for run in runs:
        if Path(os.path.realpath(run.path)) in (place, *place.parents):
            raise UsageError(f"{out} is one of the shards, or inside one", "use another --out")
