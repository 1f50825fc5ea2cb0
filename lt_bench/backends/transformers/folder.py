"""Where a local model's files lie, whether they are all there, and what identifies them.

Checked before torch is loaded: a folder that cannot work is refused at once.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lt_bench.errors import UsageError

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
ADAPTER, ADAPTER_WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
UNSAFE = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
TOKENIZER = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "vocab.json",
    "vocab.txt",
    "spiece.model",
    "tekken.json",
    "sentencepiece.bpe.model",
)
_HASHED = (*TOKENIZER, "config.json", "generation_config.json", "chat_template.jinja", "merges.txt")
_VOLATILE = {
    "transformers_version",
    "_name_or_path",
    "name_or_path",
    "is_local",
    "local_files_only",
    "base_model_name_or_path",
    "peft_version",
    "revision",
}
"""Keys of JSON files that say who wrote them and where, not how the model answers."""
_CHUNK, _CHUNKS = 1 << 16, 16


@dataclass(frozen=True)
class ModelFiles:
    """The files of one model: `folder` holds config and weights (or `gguf_file`), `tokenizer`
    its tokenizer, `adapter` the LoRA weights laid over it."""

    folder: Path
    tokenizer: Path
    gguf_file: str | None = None
    adapter: Path | None = None


def looks_local(target: str) -> bool:
    """Whether `target` can only be a path: it exists, or no hub id is written like it."""
    if Path(target).expanduser().exists():
        return True
    return target.endswith(".gguf") or not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", target)


def check_folder(folder: Path) -> None:
    """Raise UsageError unless `folder` has a readable config and all its safetensors weights."""
    config = folder / "config.json"
    if not config.is_file():
        raise UsageError(f"{folder} has no config.json", _where_instead(folder))
    read_json(config)
    for file in weight_files(folder):
        _check_safetensors(file)


def check_adapter(folder: Path) -> str:
    """The base model that a LoRA adapter folder names.

    Raises:
        UsageError: its weights are missing or not safetensors, or it names no base.
    """
    if not (folder / ADAPTER_WEIGHTS).is_file():
        raise UsageError(
            f"adapter {folder} has no {ADAPTER_WEIGHTS}",
            "save it as safetensors (peft's default); pickled weights are not read",
        )
    _check_safetensors(folder / ADAPTER_WEIGHTS)
    base = read_json(folder / ADAPTER).get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        raise UsageError(
            f"{folder / ADAPTER} does not name its base model",
            "give the base as MODEL and --set backend.adapter=FOLDER",
        )
    return base


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a model, in name order.

    Raises:
        UsageError: there are none, some are missing, or only pickled weights are there.
    """
    if (folder / INDEX).is_file():
        names = sorted(set(read_json(folder / INDEX).get("weight_map", {}).values()))
        missing = [name for name in names if not (folder / name).is_file()]
        if missing or not names:
            raise UsageError(
                f"{folder} lacks {len(missing)} of {len(names)} weight files of its index"
                + (f" ({missing[0]})" if missing else ""),
                "copy or download the folder again",
            )
        return [folder / name for name in names]
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    unsafe = sorted(file.name for file in folder.iterdir() if _model_pickle(file))
    if unsafe:
        raise UsageError(
            f"{folder} has only pickled weights ({unsafe[0]}): reading them can run code",
            "save it again with save_pretrained(…), which writes safetensors",
        )
    raise UsageError(f"{folder} has no weights ({WEIGHTS})", _where_instead(folder))


def has_tokenizer(folder: Path) -> bool:
    """Whether a tokenizer's files lie in `folder`."""
    return any((folder / name).is_file() for name in TOKENIZER)


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object.

    Raises:
        UsageError: the file is no JSON object; the line is named.
    """
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{file}, line {error.lineno}: {error.msg}", "mend or re-copy it"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}", "re-copy it") from error
    if not isinstance(data, dict):
        raise UsageError(f"{file} must be a JSON object", "mend or re-copy it")
    return data


def fingerprint(files: ModelFiles) -> str:
    """sha256 (hex) of what decides a model's answers: config, tokenizer and weights.

    Weights enter by name, size and sixteen evenly spaced samples of 64 KiB a file: enough to
    tell two checkpoints of one training run apart without reading all of them.
    """
    sha = hashlib.sha256()
    for file in _hashed_files(files):
        size = file.stat().st_size
        sha.update(f"{file.name}\0".encode())
        if file.suffix == ".json":
            sha.update(_steady_json(file))
        else:
            sha.update(f"{size}\0".encode())
            for piece in _samples(file, size):
                sha.update(piece)
    return sha.hexdigest()


def _hashed_files(files: ModelFiles) -> Iterator[Path]:
    if files.gguf_file is not None:
        yield files.folder / files.gguf_file
    else:
        yield from (files.folder / name for name in _HASHED if (files.folder / name).is_file())
        if (files.folder / INDEX).is_file():
            yield files.folder / INDEX
        yield from weight_files(files.folder)
    if files.tokenizer != files.folder:
        yield from (
            files.tokenizer / name for name in _HASHED if (files.tokenizer / name).is_file()
        )
    if files.adapter is not None:
        yield files.adapter / ADAPTER
        yield files.adapter / ADAPTER_WEIGHTS


def _steady_json(file: Path) -> bytes:
    kept = {key: value for key, value in read_json(file).items() if key not in _VOLATILE}
    return json.dumps(kept, sort_keys=True).encode("utf-8", "surrogatepass")


def _samples(file: Path, size: int) -> Iterator[bytes]:
    with file.open("rb") as stream:
        if size <= _CHUNK * _CHUNKS:
            yield stream.read()
            return
        for index in range(_CHUNKS):
            stream.seek(index * (size - _CHUNK) // (_CHUNKS - 1))
            yield stream.read(_CHUNK)


def _check_safetensors(file: Path) -> None:
    """The header is a JSON object and the file is as long as it says (safetensors format)."""
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            size = file.stat().st_size
            header: dict[str, Any] = json.loads(stream.read(min(length, size)))
        header.pop("__metadata__", None)
        end = max((spec["data_offsets"][1] for spec in header.values()), default=0)
        whole = size == 8 + length + end
    except (OSError, struct.error, ValueError, AttributeError, KeyError, TypeError):
        whole = False
    if not whole:
        raise UsageError(
            f"{file} is not a whole safetensors file (cut off, or a Git LFS pointer)",
            "copy or download it again",
        )


def _model_pickle(file: Path) -> bool:
    others = ("optimizer", "scheduler", "rng_state", "training_args", "scaler")
    return file.suffix in UNSAFE and not file.name.startswith(others)


def _where_instead(folder: Path) -> str:
    """The fix for a folder that holds no model: what near it does."""
    gguf = sorted(folder.glob("*.gguf"))
    if gguf:
        return f"name the file: hf/{gguf[0]}"
    inner = sorted(file.parent for file in folder.glob("*/config.json"))
    if inner:
        return f"did you mean hf/{inner[-1]}?"
    return "give the folder that save_pretrained wrote"
