"""One vote to be had: what is asked, and how the answer is read."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from lt_bench.backends import Request
from lt_bench.judge.judge import Judge
from lt_bench.judge.reading import Reading, Unreadable
from lt_bench.judge.subject import Subject
from lt_bench.records import Generation, Prompt


@dataclass(frozen=True)
class Vote:
    """One vote to be had: number `index` (from 0) of one model on one reply."""

    judge: Judge
    subject: Subject
    prompt: Prompt
    row: str
    index: int

    @property
    def request(self) -> Request:
        """What is asked first."""
        sampling = self.judge.sampling
        seed = vote_seed(sampling.seed, self.row, self.index)
        return Request(
            prompt=self.prompt,
            sampling=sampling.model_copy(update={"seed": seed}),
            example_id=self.row,
            sample_index=self.index,
            answer_schema=self.judge.schema,
        )

    def verdict(self, generation: Generation) -> Reading:
        """The verdict in an answer.

        Raises:
            Unreadable: there is none. An answer that hit its cap is none, whatever it says: a
                label may be the beginning of a longer one.
        """
        if generation.status == "truncated":
            raise Unreadable("the answer was cut off before its end; keep it short")
        return self.read(generation.reply)

    def read(self, text: str) -> Reading:
        """The verdict in a text; nothing that a model writes may end a run.

        Raises:
            Unreadable: there is none.
        """
        try:
            return self.judge.read(text, self.subject)
        except Unreadable:
            raise
        except (ValueError, RecursionError):
            raise Unreadable("the answer is not in the form that was asked for") from None


def vote_seed(seed: int, row: str, index: int) -> int:
    """The seed of one vote (31 bits), so that its draws do not depend on the rows beside it."""
    return int(sha256(f"{seed}|{row}|{index}".encode()).hexdigest()[:8], 16) >> 1
