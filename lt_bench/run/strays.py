"""Scores whose answers are gone: a power cut, or a hand, took more of one journal than of the other.

Such a score would pass for that of the answer which is asked for next.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from lt_bench.records import Scored
from lt_bench.run.disk import replace_lines
from lt_bench.run.heads import score_heads
from lt_bench.run.journal import Journal
from lt_bench.run.places import OWED, Answers
from lt_bench.run.rundir import RunDir

log = logging.getLogger(__name__)


def drop_strays(folder: RunDir, answers: Answers) -> None:
    """Takes them out of the scores of every judge. The journals of scores must not be open.

    Raises:
        RunError: a line is no Scored, or the disk refuses; the file stands as it was.
    """
    for variant in ("", *folder.variants):
        journal = RunDir(folder.path, variant).scores
        strays = sum(_is_stray(journal, answers))
        if strays:
            stray = _is_stray(journal, answers)
            kept = (line for line in journal.lines() if not next(stray))
            replace_lines(journal.path, kept)
            log.warning("%s: %d scores of answers that are gone", journal.path.name, strays)


def _is_stray(journal: Journal[Scored], answers: Answers) -> Iterator[bool]:
    """Of every line, in file order."""
    for head in score_heads(journal):
        number = answers.rows.number(head.example_id, head.sample_index)
        yield number is not None and answers.status(number) in OWED
