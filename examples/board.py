"""`make board`: three candidates on the same rows, and the pages of their board.

The bundled model, greedy and sampled, and the shipped reference replies, on thirty questions of
commerce_qa; a few minutes on two cores, offline. Run again, it goes on where it stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rich.text import Text

from lt_bench.backends.builtin.bundled import converted, gguf_file
from lt_bench.backends.choose import open_model
from lt_bench.board.building import build
from lt_bench.board.reading import read_run
from lt_bench.board.store import Store, open_store
from lt_bench.board.writing import write_board
from lt_bench.cli import cards
from lt_bench.cli.failure import report
from lt_bench.cli.leaderboard.replays import with_replays
from lt_bench.cli.leaderboard.tables import show
from lt_bench.cli.notices import notices
from lt_bench.cli.progress import choose
from lt_bench.errors import LtBenchError
from lt_bench.run import Ask, prepare, run_evaluation, run_to_end
from lt_bench.task import Task

ROWS = 30
"""In eight groups: with fewer than seven no test could separate three candidates."""
CAP = 64
"""Tokens an answer may take: enough to see how the small model fares, in a few minutes."""
TASK = "commerce_qa"
BOARD, SITE = Path("runs/board"), Path("runs/board/site")


def candidates() -> dict[str, Ask]:
    """What each is called, and how it is asked; all tokens are counted by one tokenizer."""
    small = {"sampling.max_tokens": CAP, "backend.batch_size": ROWS}
    replies = Task.load(TASK).folder / "sample" / "replies.jsonl"
    counted = {"sampling.max_tokens": CAP, "backend.tokenizer": str(converted(gguf_file()))}
    return {
        "SmolLM2-135M, greedy": Ask("builtin/smollm2-135m", (TASK,), limit=ROWS, settings=small),
        "SmolLM2-135M, temperature 0.7": Ask(
            "builtin/smollm2-135m",
            (TASK,),
            limit=ROWS,
            settings={**small, "sampling.temperature": 0.7},
        ),
        "reference replies": Ask(f"replay/{replies}", (TASK,), limit=ROWS, settings=counted),
    }


async def evaluate(candidate: Ask) -> Path:
    """Runs, or resumes, one candidate; the folder of its run."""
    (evaluation,) = prepare(candidate)
    async with open_model(candidate.model, candidate.backend_options) as backend:
        await run_evaluation(evaluation, backend, choose())
    return evaluation.run


def main() -> None:
    out = cards.console()
    with notices():
        for name, candidate in candidates().items():
            run = read_run(run_to_end(evaluate(candidate)))
            open_store(BOARD, run.card).add(run, name)
    board = with_replays(build(Store(BOARD), "make board"), SITE)
    page = write_board(board, SITE)
    show(board)
    out.print()
    out.print(Text(f"The board: {page.resolve()}"), soft_wrap=True)


if __name__ == "__main__":
    try:
        main()
    except LtBenchError as error:
        sys.exit(report(error))
