"""From the MODEL a user typed to the files it is made of: a folder, a GGUF file, a LoRA adapter
over its base, or a repository of the hub."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from lt_bench.backends.transformers import folder as files
from lt_bench.backends.transformers.folder import ModelFiles
from lt_bench.config import Config
from lt_bench.errors import UsageError, first_line

log = logging.getLogger(__name__)


class TransformersOptions(Config):
    """Settings of `--set backend.*`.

    `dtype` auto: bfloat16 on a GPU that has it, else float16 there, float32 on the CPU. `device`:
    auto, cpu, cuda, cuda:1, mps. `batch_size`: rows decoded at once. `adapter`: a LoRA folder over
    MODEL. `gguf_file`: the file in a folder or repository of GGUF files. `tokenizer`: its folder
    or hub id where it is not MODEL's. `chat_template`: a Jinja file instead of the tokenizer's.
    `template_kwargs`: variables for the template, e.g. {enable_thinking: false}. `family`: the
    tags around the thinking. `tool_form`: how the model writes tool calls. `revision`: branch, tag or commit of a hub model. `structured`: hold an
    answer to the JSON that a judge asks for; unset: where the chat template knows no thinking, which
    such a form would leave no room for.
    """

    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    device: str = "auto"
    batch_size: int = Field(default=64, ge=1)
    adapter: str | None = None
    gguf_file: str | None = None
    tokenizer: str | None = None
    chat_template: str | None = None
    template_kwargs: dict[str, Any] = Field(default_factory=dict)
    family: str = "auto"
    tool_form: str = "auto"
    revision: str | None = None
    trust_remote_code: bool = False
    structured: bool | None = None


def locate(target: str, options: TransformersOptions) -> ModelFiles:
    """The files of MODEL, downloaded where it is a hub id that is not cached.

    Raises:
        UsageError: something is missing, broken, or not safetensors; the fix is named.
    """
    path = Path(target).expanduser()
    if path.suffix == ".gguf" and path.is_file():
        return _with_tokenizer(path.parent, options, gguf_file=path.name)
    root = _folder(target, options)
    if (root / files.ADAPTER).is_file() and not (root / "config.json").is_file():
        base = locate(files.check_adapter(root), _of_base(options))
        return _over(base, root, options)
    if options.gguf_file is not None:
        if not (root / options.gguf_file).is_file():
            raise UsageError(f"{root} has no file {options.gguf_file}", "see its *.gguf files")
        found = _with_tokenizer(root, options, gguf_file=options.gguf_file)
    else:
        files.check_folder(root)
        found = _with_tokenizer(root, options)
    if options.adapter is None:
        return found
    adapter = _folder(options.adapter, _of_base(options))
    files.check_adapter(adapter)
    return _over(found, adapter, options)


def _of_base(options: TransformersOptions) -> TransformersOptions:
    return options.model_copy(update={"adapter": None, "revision": None})


def _over(base: ModelFiles, adapter: Path, options: TransformersOptions) -> ModelFiles:
    own = options.tokenizer is None and files.has_tokenizer(adapter)
    tokenizer = adapter if own else base.tokenizer
    return ModelFiles(base.folder, tokenizer, base.gguf_file, adapter)


def _with_tokenizer(
    root: Path, options: TransformersOptions, gguf_file: str | None = None
) -> ModelFiles:
    if options.tokenizer is not None:
        tokenizer = _folder(options.tokenizer, _of_base(options))
    else:
        tokenizer = root
    if (gguf_file is None or tokenizer != root) and not files.has_tokenizer(tokenizer):
        raise UsageError(
            f"{tokenizer} has no tokenizer (tokenizer.json)",
            "--set backend.tokenizer=FOLDER_OR_ID of the model it was made from",
        )
    return ModelFiles(root, tokenizer, gguf_file)


def _folder(target: str, options: TransformersOptions) -> Path:
    """An existing folder, or the local copy of a hub repository."""
    path = Path(target).expanduser()
    if path.is_dir():
        return path.resolve()
    if files.looks_local(target):
        raise UsageError(
            f"no model folder at {target}", "check the path; a hub id is written hf/OWNER/NAME"
        )
    return _download(target, options)


def _download(repository: str, options: TransformersOptions) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils.tqdm import disable_progress_bars

    wanted = ["*.json", "*.jinja", "*.model", "*.txt", "*.tiktoken"]
    wanted += [options.gguf_file] if options.gguf_file else ["*.safetensors"]
    wanted += ["*.py"] if options.trust_remote_code else []
    if not sys.stderr.isatty():
        disable_progress_bars()
    log.info("fetching %s from the hub, unless it is cached", repository)
    try:
        local = snapshot_download(
            repository,
            revision=options.revision,
            allow_patterns=wanted,
            ignore_patterns=["*/*", "consolidated*"],
        )
    except Exception as error:
        raise UsageError(
            f"{repository!r} is no folder here, and the hub does not give it: {first_line(error)}",
            "check the name, the network (HF_HUB_OFFLINE=1?) and HF_TOKEN for gated models,\n"
            "or give the path of a local folder",
        ) from error
    return Path(local)
