"""Logs of other harnesses, as small as they can be while their importers take them for real."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lt_bench.records import AnswersGold, Example


def rows(count: int = 3, **changes: Any) -> list[Example]:
    """Short questions with short answers."""
    return [
        Example(
            id=f"q{number}",
            task="musique",
            question=f"Who wrote book {number}?",
            gold=AnswersGold(answers=(f"Ann{number}",)),
            group=f"q{number}",
            **changes,
        )
        for number in range(count)
    ]


def lines(path: Path, found: Iterable[Mapping[str, Any] | str]) -> Path:
    """A file of one JSON object a line; a str is written as it is."""
    texts = (one if isinstance(one, str) else json.dumps(one) for one in found)
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return path


def lm_eval_row(number: int, *answers: Any, **changes: Any) -> dict[str, Any]:
    """A sample of lm-eval."""
    prompt = f"Read.\n\nQuestion: Who wrote book {number}?\nAnswer:"
    settings = {"until": ["\n\n"], "max_gen_toks": 48, "temperature": 0.0}
    return {
        "doc_id": number,
        "doc": {"id": f"q{number}", "question": f"Who wrote book {number}?"},
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": settings}},
        "resps": [list(answers) or [f"Ann{number}"]],
        "filter": "none",
        **changes,
    }


def inspect_sample(number: int, text: Any = None, **changes: Any) -> dict[str, Any]:
    """A sample of Inspect."""
    said = f"Ann{number}" if text is None else text
    message = {"role": "assistant", "content": said, "source": "generate"}
    return {
        "id": f"q{number}",
        "epoch": 1,
        "input": f"Who wrote book {number}?",
        "messages": [{"role": "user", "content": "…", "source": "input"}, message],
        "output": {
            "choices": [{"message": message, "stop_reason": "stop"}],
            "usage": {"input_tokens": 20, "output_tokens": 5},
        },
        "metadata": {},
        **changes,
    }


HEADER: Mapping[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {
        "model": "openai/gpt-5",
        "packages": {"inspect_ai": "0.3.285"},
        "model_generate_config": {"temperature": 0.5, "max_tokens": 64},
    },
}


def archive(
    path: Path,
    members: Mapping[str, Any],
    *,
    header: Mapping[str, Any] | None = HEADER,
    method: int = zipfile.ZIP_DEFLATED,
) -> Path:
    """An .eval file of these members."""
    with zipfile.ZipFile(path, "w", method) as out:
        for name, found in members.items():
            out.writestr(name, found if isinstance(found, bytes) else json.dumps(found))
        if header is not None:
            out.writestr("header.json", json.dumps(header))
    return path


def zstandard(path: Path, members: Mapping[str, Any]) -> Path:
    """An .eval file as Inspect writes it: members by method 93, which `zipfile` cannot write."""
    import pyarrow

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as stored:
        for name, found in {**members, "header.json": HEADER}.items():
            data = json.dumps(found).encode()
            sink = pyarrow.BufferOutputStream()
            with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
                stream.write(data)
            stored.writestr(name, sink.getvalue().to_pybytes())
            info = stored.getinfo(name)
            # only the central directory, which is written last, is read for these
            info.compress_type, info.file_size, info.CRC = 93, len(data), _crc(data)
    path.write_bytes(out.getvalue())
    return path


def _crc(data: bytes) -> int:
    import zlib

    return zlib.crc32(data)


def batch_row(name: str, content: Any, **changes: Any) -> dict[str, Any]:
    """A line of a batch's output file."""
    message = {"role": "assistant", "content": content}
    body = {
        "model": "gpt-5",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **changes}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": name, "response": response, "error": None}
