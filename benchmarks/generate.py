"""Local generation on the bundled model: tokens a CPU second, against transformers and lm-eval.

    python benchmarks/generate.py [--prompts 64] [--max-new 128] [--lm-eval PYTHON] [--json]

Ours is the whole backend, tokenising and counting included. `generate` runs in the given order in
batches of 16, and one by one; so does lm-eval's hf backend (its default is one by one) where a
python that has it is named. One-by-one ways take every seventh prompt; `--all` lets `generate` take
all. Answers are compared with those of `generate`, one by one where it gave them, else in batches.
Every way has one thread and a process of its own. They take turns of a few seconds, so that each
meets the same neighbours on a shared machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

MODEL = "builtin/smollm2-135m"
SLICE = 4.0
"""Seconds of a turn."""
EVERY = 7
BATCHES, ALONE = "generate, batches of 16", "generate, one by one"
SUBJECTS = (
    "jacket",
    "kettle",
    "heater",
    "bundle",
    "cotton",
    "battery",
    "store",
    "viewer",
    "coupon",
)
WORDS = (*SUBJECTS, "price", "slot", "shipping", "stock", "blue", "white", "size", "litre", "week")
QUESTIONS = (
    "Which product is it? One word, please.",
    "Tell the viewers a short story about it.",
    "How many of these are for the kitchen? Think step by step.",
    "Say it again in two sentences.",
    "Is it in stock? Answer yes or no.",
)


class Found(NamedTuple):
    """What one way gave. `tokens` of each answer is empty where the way knows only text."""

    answers: dict[str, str]
    tokens: dict[str, int]
    cpu: float
    peak_mb: int


def questions(count: int, seed: int = 5) -> list[str]:
    """Questions of 50 to 400 tokens, short ones as often as long ones."""
    draw = random.Random(seed)
    lengths = [int(10 * 33 ** draw.random()) for _ in range(count)]
    return [
        " ".join(draw.choices(WORDS, k=length)) + ". " + QUESTIONS[place % len(QUESTIONS)]
        for place, length in enumerate(lengths)
    ]


# --- the ways, each in a process of its own ---------------------------------------------------


class Go:
    """Tells the parent that loading is over, and measures from its answer on."""

    def __init__(self) -> None:
        print("ready", flush=True)
        sys.stdin.readline()
        self.begun = time.process_time()

    def found(self, answers: dict[str, str], tokens: dict[str, int]) -> Found:
        seconds = time.process_time() - self.begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return Found(answers, tokens, seconds, peak)


def ours(asked: dict[str, str], max_new: int, _: Path) -> Found:
    from lt_bench.backends.base import Request
    from lt_bench.backends.choose import open_model
    from lt_bench.config import Sampling
    from lt_bench.records import Message, Prompt

    sampling = Sampling(temperature=0, max_tokens=max_new)

    async def main() -> Found:
        async with open_model(MODEL, {}) as backend:
            go = Go()
            prompts = [Prompt(messages=(Message(role="user", content=q),)) for q in asked.values()]
            requests = [Request(prompt, sampling, "", 0) for prompt in prompts]
            answers = await asyncio.gather(*(backend.generate(each) for each in requests))
            turns = {key: each.turns[0] for key, each in zip(asked, answers, strict=True)}
            counts = {key: turn.usage.output for key, turn in turns.items() if turn.usage}
            return go.found({key: turn.raw.strip() for key, turn in turns.items()}, counts)

    return asyncio.run(main())


def generate(size: int, asked: dict[str, str], max_new: int, folder: Path) -> Found:
    import torch

    tokenizer, model = _load(folder)
    tokenizer.padding_side = "left"
    texts = [_chat(tokenizer, question) for question in asked.values()]
    answers, tokens, keys = dict[str, str](), dict[str, int](), list(asked)
    go = Go()
    for first in range(0, len(texts), size):
        given = tokenizer(
            texts[first : first + size],
            add_special_tokens=False,
            padding=True,
            return_tensors="pt",
        )
        with torch.inference_mode():
            out = model.generate(**given, max_new_tokens=max_new, do_sample=False)
        for key, row in zip(keys[first:], out[:, given["input_ids"].shape[1] :], strict=False):
            ids = row.tolist()
            end = tokenizer.eos_token_id
            tokens[key] = ids.index(end) + 1 if end in ids else len(ids)
            answers[key] = tokenizer.decode(ids, skip_special_tokens=True).strip()
    return go.found(answers, tokens)


def lm_eval(size: int, asked: dict[str, str], max_new: int, folder: Path) -> Found:
    import logging

    from lm_eval.api.instance import Instance  # type: ignore[import-not-found]
    from lm_eval.models.huggingface import HFLM  # type: ignore[import-not-found]

    logging.disable(logging.WARNING)
    tokenizer, model = _load(folder)
    harness = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=size, max_length=2048)
    rule = {"until": [], "max_gen_toks": max_new, "do_sample": False}
    requests = [
        Instance("generate_until", {}, (_chat(tokenizer, question), rule), 0)
        for question in asked.values()
    ]
    go = Go()
    texts = harness.generate_until(requests, disable_tqdm=True)
    return go.found({key: text.strip() for key, text in zip(asked, texts, strict=True)}, {})


def _load(folder: Path) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    return AutoTokenizer.from_pretrained(folder), model


def _chat(tokenizer: Any, question: str) -> str:
    text: str = tokenizer.apply_chat_template(
        [{"role": "user", "content": question}], tokenize=False, add_generation_prompt=True
    )
    return text


WAYS: dict[str, Callable[[dict[str, str], int, Path], Found]] = {
    "lt-bench": ours,
    BATCHES: lambda *given: generate(16, *given),
    ALONE: lambda *given: generate(1, *given),
    "lm-eval, batches of 16": lambda *given: lm_eval(16, *given),
    "lm-eval, one by one": lambda *given: lm_eval(1, *given),
}


# --- the parent -------------------------------------------------------------------------------


class Worker:
    """One way in a process that is stopped while another has its turn."""

    def __init__(self, way: str, python: str, asked: dict[str, str], job: dict[str, Any]) -> None:
        self.way, self.out = way, Path(job["scratch"]) / f"{way}.json"
        given = json.dumps({**job, "way": way, "asked": asked, "out": str(self.out)})
        self.process = subprocess.Popen(
            [python, __file__, "--worker", given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == "ready":
                break
        self.process.send_signal(signal.SIGSTOP)
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def turn(self) -> bool:
        """Work for a while; whether it has more to do."""
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.wait(SLICE)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGSTOP)
            return True
        return False

    def found(self) -> Found:
        if self.process.returncode != 0:
            raise SystemExit(f"{self.way} failed: run it by hand to see why")
        return Found(**json.loads(self.out.read_text()))


def measure(ways: dict[str, str], args: argparse.Namespace, folder: Path) -> dict[str, Found]:
    """All ways, in turns. `ways`: the python of each."""
    asked = {str(place): text for place, text in enumerate(questions(args.prompts))}
    some = {key: text for key, text in asked.items() if int(key) % EVERY == 0}
    with tempfile.TemporaryDirectory() as scratch:
        job = {"max_new": args.max_new, "folder": str(folder), "scratch": scratch}
        workers = []
        for way, python in ways.items():
            few = way.endswith("one by one") and not (args.all and way == ALONE)
            workers.append(Worker(way, python, some if few else asked, job))
        try:
            left = list(workers)
            while left:
                left = [worker for worker in left if worker.turn()]
            return {worker.way: worker.found() for worker in workers}
        finally:
            for worker in workers:
                if worker.process.poll() is None:
                    worker.process.kill()


class Line(NamedTuple):
    """One way in the table; `equal` of the `compared` answers are those of `generate`."""

    way: str
    answers: int
    tokens_per_cpu_s: float
    ours_over_it: float
    peak_mb: int
    equal: int
    compared: int


def table(found: dict[str, Found]) -> list[Line]:
    """One line a way. A way that knows only text is credited with our tokens for its prompts."""
    mine = found["lt-bench"]
    plain = {**found[BATCHES].answers, **found[ALONE].answers}
    rates = {}
    for way, each in found.items():
        tokens = each.tokens or {key: mine.tokens[key] for key in each.answers}
        rates[way] = sum(tokens.values()) / each.cpu
    lines = []
    for way, each in found.items():
        shared = [key for key in each.answers if key in plain]
        equal = sum(each.answers[key] == plain[key] for key in shared)
        over = rates["lt-bench"] / rates[way]
        lines.append(
            Line(way, len(each.answers), rates[way], over, each.peak_mb, equal, len(shared))
        )
    return lines


def model_folder() -> Path:
    from lt_bench.backends.builtin.bundled import converted, gguf_file

    return converted(gguf_file())


def work(job: dict[str, Any]) -> None:
    import torch

    torch.set_num_threads(1)
    found = WAYS[job["way"]](job["asked"], job["max_new"], Path(job["folder"]))
    Path(job["out"]).write_text(json.dumps(found._asdict()))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--max-new", type=int, default=128)
    parser.add_argument("--all", action="store_true", help="generate answers all one by one too")
    parser.add_argument("--lm-eval", metavar="PYTHON", help="a python that has lm-eval 0.4.13")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.worker:
        work(json.loads(args.worker))
        return 0
    pythons = {way: args.lm_eval if way.startswith("lm-eval") else sys.executable for way in WAYS}
    ways = {way: python for way, python in pythons.items() if python}
    lines = table(measure(ways, args, model_folder()))
    if args.json:
        print(json.dumps([line._asdict() for line in lines]))
        return 0
    print(
        f"{'way':26} {'answers':>7} {'tokens/CPU s':>13} {'ours over it':>13} {'peak MB':>8}  equal"
    )
    for line in lines:
        print(
            f"{line.way:26} {line.answers:7} {line.tokens_per_cpu_s:13.1f}"
            f" {line.ours_over_it:13.2f} {line.peak_mb:8}  {line.equal} of {line.compared}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
