"""From a MODEL to what is known of its size without loading it: a config.json, or a published row."""

from __future__ import annotations

import logging
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lt_bench.errors import UsageError, did_you_mean, first_line
from lt_bench.flops import Published, published, published_names

ENDPOINT = "openai/"
LOCAL = ("hf/", "vllm/")


@dataclass(frozen=True)
class FoundConfig:
    """The config.json of a model, and where it was read."""

    config: dict[str, Any]
    source: str


def find(model: str) -> FoundConfig | Published:
    """MODEL as `lt-bench flops` takes it: a folder, a config.json, a .gguf file, `hf/…`,
    `builtin/smollm2-135m`, or the name of an open-weight model (with or without `openai/`).

    Raises:
        UsageError: nothing of that name is known here; the nearest published name is shown.
    """
    if model.startswith("builtin/"):
        return _builtin(model)
    prefix = next((p for p in LOCAL if model.startswith(p)), "")
    target = Path(model.removeprefix(prefix)).expanduser()
    if target.exists():
        return _on_disk(target)
    if prefix:
        return _on_hub(model.removeprefix(prefix))
    name = model.removeprefix(ENDPOINT)
    row = published(name)
    if row is not None:
        return row
    known = published_names()
    raise UsageError(
        f"the size of {model!r} is unknown: no such file, no published size."
        f"{did_you_mean(name.lower(), known)}",
        "\n".join(
            (
                "name a folder or config.json, write hf/OWNER/NAME, or give --active-params",
                *textwrap.wrap(f"published sizes: {', '.join(known)}", 300, break_on_hyphens=False),
            )
        ),
    )


def _on_disk(path: Path, base_of: str = "") -> FoundConfig:
    from lt_bench.backends.transformers.folder import ADAPTER, read_json

    if path.suffix == ".gguf":
        return FoundConfig(_gguf(path), str(path))
    if path.is_file():
        return FoundConfig(read_json(path), str(path))
    if (path / "config.json").is_file():
        return FoundConfig(read_json(path / "config.json"), str(path / "config.json"))
    if (path / ADAPTER).is_file() and not base_of:
        return _adapter_base(path)
    ggufs = sorted(path.glob("*.gguf"))
    fix = f"name the file: {ggufs[0]}" if ggufs else "give the folder that save_pretrained wrote"
    raise UsageError(f"{path} has no config.json", fix)


def _adapter_base(path: Path) -> FoundConfig:
    """A LoRA adapter works like its base: merged, it multiplies the same matrices."""
    from lt_bench.backends.transformers.folder import ADAPTER, read_json

    base = read_json(path / ADAPTER).get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        raise UsageError(f"{path / ADAPTER} does not name its base model", "name the base as MODEL")
    if Path(base).is_dir():
        return _on_disk(Path(base), base_of=str(path))
    found = _on_hub(base)
    if isinstance(found, Published):
        raise UsageError(f"base model {base!r} of {path} is not here", f"use MODEL {found.name}")
    return found


def _on_hub(name: str) -> FoundConfig | Published:
    """The config.json of a hub repository, from the cache or fetched; a repository that cannot be
    had may still be a model of published size."""
    from huggingface_hub import hf_hub_download, try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    from lt_bench.backends.transformers.folder import read_json

    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    try:
        cached = try_to_load_from_cache(name, "config.json")
        file = cached if isinstance(cached, str) else hf_hub_download(name, "config.json")
    except HFValidationError as error:
        raise UsageError(
            f"no model folder at {name}", "a hub id is written hf/OWNER/NAME"
        ) from error
    except Exception as error:
        row = published(name)
        if row is not None:
            return row
        raise UsageError(
            f"{name!r} is no folder here, and the hub does not give its config.json "
            f"({type(error).__name__})",
            "check the name and the network (HF_HUB_OFFLINE=1?), or give --active-params",
        ) from error
    return FoundConfig(read_json(Path(file)), f"hf/{name}")


def _builtin(model: str) -> FoundConfig:
    """From its conversion where that was made already, else from the package's own file."""
    from lt_bench.backends.builtin.bundled import NAME, gguf_file
    from lt_bench.backends.cache_folder import cache_folder
    from lt_bench.backends.transformers.folder import read_json

    if model != f"builtin/{NAME}":
        raise UsageError(f"unknown bundled model {model!r}", f"there is one: builtin/{NAME}")
    made = sorted(cache_folder().glob(f"{NAME}-*/config.json"))
    return FoundConfig(read_json(made[-1]) if made else _gguf(gguf_file()), model)


def _gguf(file: Path) -> dict[str, Any]:
    """The config.json that a GGUF file's header amounts to; its weights are not read."""
    try:
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(str(file.parent), gguf_file=file.name)
    except ImportError as error:
        raise UsageError(
            f"reading {file} needs transformers", "pip install 'lt-bench[hf]'"
        ) from error
    except Exception as error:
        raise UsageError(
            f"{file} is no GGUF file that can be read: {type(error).__name__}: {first_line(error)}",
            "copy or download it again, or give --active-params",
        ) from error
    return dict(config.to_dict())
