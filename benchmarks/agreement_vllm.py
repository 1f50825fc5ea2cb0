"""Greedy answers of `vllm/` against `hf/`, in float32 on the CPU: how many are equal to the letter,
whether token counts are those of the engine's ids, and tokens per CPU second of each.

python benchmarks/agreement_vllm.py [--model FOLDER] [--prompts 64] [--tokens 48] [--least 60]

Run it with the Python of the vLLM environment (`make test-vllm` builds it). Without --model the
bundled SmolLM2 is asked. Loading is not counted. Exit code 1: fewer than --least are equal.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")

FORMS = (
    "What is {}?",
    "Explain {} in one sentence.",
    "Name two facts about {}.",
    "Who would want to buy {}, and why?",
    "Write a short line that advertises {}.",
    "What does {} cost in a shop?",
    "Is {} good for children?",
    "How do I take care of {}?",
)
THINGS = (
    "a wool coat",
    "an electric kettle",
    "a running shoe",
    "a rice cooker",
    "a desk lamp",
    "a leather bag",
    "an air conditioner",
    "a winter tent",
)


@dataclass(frozen=True)
class Measured:
    """Answers in the order of the prompts, their output tokens, and CPU seconds of answering."""

    answers: list[str]
    counts: list[int]
    cpu: float

    def line(self, name: str) -> str:
        tokens = sum(self.counts)
        return (
            f"{name:<5} {tokens:>6} tokens {self.cpu:>8.1f} CPU s {tokens / self.cpu:>7.1f} /CPU s"
        )


def cpu_seconds() -> float:
    """Of this process and those it started that still run."""
    import psutil

    me = psutil.Process()
    spent = [each.cpu_times() for each in (me, *me.children(recursive=True))]
    return sum(times.user + times.system for times in spent)


def prompts(count: int) -> list[str]:
    every = [form.format(thing) for thing in THINGS for form in FORMS]
    return [every[index % len(every)] for index in range(count)]


async def measure(backend: Any, questions: Sequence[str], tokens: int) -> Measured:
    from lt_bench.backends.base import Request
    from lt_bench.config import Sampling
    from lt_bench.records import Message, Prompt

    requests = [
        Request(
            Prompt(messages=(Message(role="user", content=question),)),
            Sampling(max_tokens=tokens),
            f"row-{index}",
            0,
        )
        for index, question in enumerate(questions)
    ]
    async with backend:
        before = cpu_seconds()
        answers = await asyncio.gather(*(backend.generate(each) for each in requests))
        spent = cpu_seconds() - before
    turns = [answer.turns[0] for answer in answers]
    return Measured([turn.raw for turn in turns], [turn.usage.output for turn in turns], spent)


def watch_ids() -> list[tuple[tuple[int, ...], int]]:
    """The list that every prompt's ids and its number of ids in answer are put into."""
    from lt_bench.backends.vllm.engine import Engine

    seen: list[tuple[tuple[int, ...], int]] = []
    ask = Engine.ask

    async def watched(self: Any, ids: Any, params: Any, **rest: Any) -> Any:
        answer = await ask(self, ids, params, **rest)
        seen.append((tuple(ids), len(answer.decoded.ids)))
        return answer

    Engine.ask = watched  # type: ignore[method-assign]
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model")
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--least", type=int, default=60)
    args = parser.parse_args()

    from lt_bench.backends.builtin.bundled import converted, gguf_file
    from lt_bench.backends.transformers.backend import TransformersBackend
    from lt_bench.backends.vllm.backend import VllmBackend

    folder = args.model or str(converted(gguf_file()))
    questions = prompts(args.prompts)
    begun = time.perf_counter()
    local = {"dtype": "float32", "device": "cpu"}
    hf = asyncio.run(measure(TransformersBackend(folder, local), questions, args.tokens))
    seen = watch_ids()
    vllm = asyncio.run(measure(VllmBackend(folder, {"dtype": "float32"}), questions, args.tokens))
    equal = sum(one == other for one, other in zip(hf.answers, vllm.answers, strict=True))
    counted = sorted(count for _, count in seen) == sorted(vllm.counts)
    print(hf.line("hf"))
    print(vllm.line("vllm"))
    print(f"vllm is {sum(vllm.counts) / vllm.cpu / (sum(hf.counts) / hf.cpu):.2f} x hf")
    print(f"equal greedy answers: {equal} of {args.prompts}")
    print(f"token counts are the ids: {'yes' if counted else 'no'}")
    print(f"wall {time.perf_counter() - begun:.0f} s, loading included")
    sys.exit(0 if equal >= args.least and counted else 1)


if __name__ == "__main__":
    main()
