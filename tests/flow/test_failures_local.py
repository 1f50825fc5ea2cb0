"""Faults of local models, through the real command, on tiny models of real architectures."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import tiny_model, tiny_tokenizer
from support.warm import lt_bench, start_code

pytestmark = pytest.mark.model

SMALL_MEMORY = """
import sys
import torch
from transformers import LlamaForCausalLM
from lt_bench.backends.transformers.decoding import Decoder

HOLDS = {holds}
whole, seen, decode, at_work = LlamaForCausalLM.forward, [], Decoder.decode, []

def decoding(self, *args, **given):
    at_work.append(True)
    return decode(self, *args, **given)

def rows_of(ids):
    # Rows of a step stand below each other, or one token each in one row.
    step = ids.numel() if ids.numel() <= 8 else 1
    return max(ids.shape[0], step)

def forward(self, *args, **given):
    ids = given.get("input_ids", args[0] if args else None)
    if at_work and ids is not None and (rows_of(ids) > HOLDS or ids.numel() > {tokens}):
        seen.append(tuple(ids.shape))
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")
    return whole(self, *args, **given)

LlamaForCausalLM.forward, Decoder.decode = forward, decoding
from lt_bench.cli import main
sys.argv = {words}
try:
    main()
finally:
    print("refused", len(seen), file=sys.stderr)
"""


def rows(folder: Path, questions: list[str]) -> None:
    made = [
        {
            "id": f"r{i}",
            "task": "musique",
            "question": question,
            "group": f"r{i}",
            "gold": {"kind": "answers", "answers": ["99 yuan"]},
        }
        for i, question in enumerate(questions)
    ]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, made)), encoding="utf-8")


def arguments(model: Path, *more: str) -> list[str]:
    return [
        *("eval", f"hf/{model}", "--task", "musique", "--data", "rows.jsonl", "--run", "run"),
        *("--set", "sampling.max_tokens=4", "--json", *more),
    ]


def samples(folder: Path) -> dict[str, dict[str, Any]]:
    lines = (folder / "runs/run/generations.jsonl").read_bytes().split(b"\n")[:-1]
    return {row["key"]["example_id"]: row for row in map(json.loads, lines)}


def first_prompt(folder: Path) -> list[int]:
    config = json.loads((folder / "runs/run/config.json").read_text())
    ids: list[int] = config["model"]["first_prompt_ids"]
    return ids


def test_f68_a_template_that_refuses_the_system_role_gets_it_in_the_users_message(
    tmp_path: Path,
) -> None:
    rows(tmp_path, ["Red?"])
    model = tiny_model(tmp_path / "m", template="no_system", max_position_embeddings=4096)
    done = lt_bench(*arguments(model), cwd=tmp_path, loaded="model")
    assert done.returncode == 0, done.stderr
    assert "system_merged" in samples(tmp_path)["r0"]["generation"]["turns"][0]["notes"]
    assert json.loads(done.stdout)["note_counts"]["system_merged"] == 1
    text = tiny_tokenizer().decode(first_prompt(tmp_path))
    assert text.startswith("<|im_start|>user\n")
    assert "system\n" not in text.split("Red?")[0]


@pytest.mark.parametrize(
    ("template", "adds_bos", "expected"),
    [("with_bos", True, 1), ("with_bos", False, 1), ("chatml", True, 1), ("chatml", False, 0)],
)
def test_f69_the_first_prompt_is_saved_and_holds_one_bos(
    template: str, adds_bos: bool, expected: int, tmp_path: Path
) -> None:
    rows(tmp_path, ["Red?"])
    model = tiny_model(
        tmp_path / "m", template=template, adds_bos=adds_bos, max_position_embeddings=4096
    )
    done = lt_bench(*arguments(model), cwd=tmp_path, loaded="model")
    assert done.returncode == 0, done.stderr
    bos = tiny_tokenizer().bos_token_id
    assert first_prompt(tmp_path).count(bos) == expected
    assert expected == 0 or first_prompt(tmp_path)[0] == bos


def in_small_memory(
    folder: Path, model: Path, holds: int, tokens: int
) -> subprocess.CompletedProcess[str]:
    """The command with a model whose memory holds a few rows, or a few tokens."""
    words = arguments(model, "--set", "backend.batch_size=8")
    code = SMALL_MEMORY.format(holds=holds, tokens=tokens, words=["lt-bench", *words])
    process = start_code(code, cwd=folder, loaded="model")
    out, err = process.communicate()
    assert process.returncode is not None
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def test_f71_a_batch_that_does_not_fit_is_cut_down_and_every_row_kept(tmp_path: Path) -> None:
    rows(tmp_path, ["Red?"] * 7 + ["Red? " * 300])
    model = tiny_model(tmp_path / "m", max_position_embeddings=4096)
    done = in_small_memory(tmp_path, model, holds=2, tokens=10_000)
    assert done.returncode == 0, done.stderr
    assert "refused 0" not in done.stderr
    assert {row["status"] for row in samples(tmp_path).values()} <= {"ok", "truncated"}
    assert len(samples(tmp_path)) == 8


def test_f71_a_row_that_fits_nowhere_fails_alone(tmp_path: Path) -> None:
    rows(tmp_path, ["Red?"] * 5 + ["Red? " * 400])
    model = tiny_model(tmp_path / "m", max_position_embeddings=4096)
    longest = len(tiny_tokenizer()("Red? " * 400)["input_ids"])
    done = in_small_memory(tmp_path, model, holds=8, tokens=longest - 1)
    assert done.returncode == 3, done.stderr
    found = samples(tmp_path)
    assert found["r5"]["failure"]["kind"] == "out_of_memory"
    assert all(found[f"r{i}"]["status"] in ("ok", "truncated") for i in range(5))
