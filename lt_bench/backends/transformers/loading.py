"""A model and its tokenizer in memory, on a device and in a dtype that suit it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import modeling_gguf_pytorch_utils as gguf
from transformers.utils import logging as noise

from lt_bench.backends.transformers import folder as files
from lt_bench.backends.transformers.folder import ModelFiles
from lt_bench.backends.transformers.locate import TransformersOptions
from lt_bench.backends.transformers.memory import is_out_of_memory
from lt_bench.errors import LtBenchError, UsageError, first_line


@dataclass(frozen=True)
class Loaded:
    """A model ready to decode. `eos_ids`: every token that ends an answer; `context`: positions
    it has, None where it has no such bound; `vocabulary`: token ids it knows; `architecture`: its
    config.json."""

    model: Any
    tokenizer: Any
    files: ModelFiles
    eos_ids: frozenset[int]
    context: int | None
    vocabulary: int
    architecture: dict[str, Any]
    dtype: str
    device: str


def load(found: ModelFiles, options: TransformersOptions) -> Loaded:
    """Read weights and tokenizer into memory, silently.

    Raises:
        UsageError: the model does not fit, is of an unknown kind, or its files disagree.
    """
    device = pick_device(options.device)
    dtype = pick_dtype(options.dtype, device)
    try:
        with quiet():
            tokenizer = load_tokenizer(found, options)
            model = _model(found, options, device, dtype)
    except LtBenchError:
        raise
    except Exception as error:
        raise _load_error(found, error) from error
    config = model.config.get_text_config()
    context = getattr(config, "max_position_embeddings", None)
    return Loaded(
        model=model,
        tokenizer=tokenizer,
        files=found,
        eos_ids=_eos_ids(model, tokenizer),
        context=context if isinstance(context, int) and context > 0 else None,
        vocabulary=model.get_input_embeddings().weight.shape[0],
        architecture=_architecture(found, model),
        dtype=str(dtype).removeprefix("torch."),
        device=str(device),
    )


def load_tokenizer(found: ModelFiles, options: TransformersOptions) -> Any:
    """The model's tokenizer, with the chat template the user gave.

    Raises:
        UsageError: the template file cannot be read.
    """
    extra: dict[str, Any] = {"trust_remote_code": options.trust_remote_code}
    if found.gguf_file is not None and found.tokenizer == found.folder:
        extra["gguf_file"] = found.gguf_file
    tokenizer = transformers.AutoTokenizer.from_pretrained(found.tokenizer, **extra)
    if options.chat_template is not None:
        try:
            tokenizer.chat_template = Path(options.chat_template).expanduser().read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"backend.chat_template: cannot read the file: {error}", "check the path"
            ) from error
    return tokenizer


def pick_device(name: str) -> Any:
    """The device to run on; "auto" takes CUDA, then Apple's GPU, then the CPU.

    Raises:
        UsageError: torch does not know it or does not see it.
    """
    mps = torch.backends.mps.is_available()
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if mps else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise UsageError(f"unknown device {name!r}", "auto, cpu, cuda, cuda:1 or mps") from error
    seen = {"cpu": 1, "mps": int(mps), "cuda": torch.cuda.device_count()}.get(device.type, 1)
    if (device.index or 0) >= seen:
        raise UsageError(
            f"device {name!r} is not there: torch {torch.__version__} sees {seen} of its kind",
            "leave out backend.device, or install a torch built for it",
        )
    return device


def pick_dtype(name: str, device: Any) -> Any:
    """The weights' dtype on `device`.

    Raises:
        UsageError: float16 on a CPU, where it is unusably slow.
    """
    if name == "auto":
        return torch.float32 if device.type == "cpu" else _half(device)
    if name == "float16" and device.type == "cpu":
        raise UsageError("float16 is unusably slow on a CPU", "--set backend.dtype=float32")
    return getattr(torch, name)


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bars and no warnings of transformers while it loads."""
    level, bars = noise.get_verbosity(), noise.is_progress_bar_enabled()
    gguf_bar = gguf.tqdm
    noise.set_verbosity_error()
    noise.disable_progress_bar()
    gguf.tqdm = partial(gguf_bar, disable=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        gguf.tqdm = gguf_bar
        noise.set_verbosity(level)
        if bars:
            noise.enable_progress_bar()


def _half(device: Any) -> Any:
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(False) else torch.float16
    try:
        torch.zeros(1, dtype=torch.bfloat16, device=device)
    except (RuntimeError, TypeError):
        return torch.float16
    return torch.bfloat16


def _model(found: ModelFiles, options: TransformersOptions, device: Any, dtype: Any) -> Any:
    extra: dict[str, Any] = {"gguf_file": found.gguf_file} if found.gguf_file else {}
    if found.gguf_file is None:
        extra["use_safetensors"] = True
    model, report = transformers.AutoModelForCausalLM.from_pretrained(
        found.folder,
        dtype=dtype,
        trust_remote_code=options.trust_remote_code,
        output_loading_info=True,
        device_map=None if device.type == "cpu" else {"": str(device)},
        **extra,
    )
    missing = sorted(report.get("missing_keys", ()))
    if missing:
        raise UsageError(
            f"the weights in {found.folder} lack {len(missing)} tensors of the model ({missing[0]})",
            "use weights and config.json of one model; random numbers are not evaluated",
        )
    if found.adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, found.adapter).merge_and_unload(safe_merge=True)
    if getattr(model.config, "is_encoder_decoder", False):
        raise UsageError("this is an encoder-decoder model", "hf/ runs decoder-only models")
    # a setting of training that makes decoding of mixture-of-experts models fail
    if getattr(model.config, "output_router_logits", False):
        model.config.output_router_logits = False
    return model.eval()


def _load_error(found: ModelFiles, error: Exception) -> UsageError:
    where = found.folder / (found.gguf_file or "")
    if is_out_of_memory(error):
        return UsageError(
            f"{where} does not fit into memory: {first_line(error)}",
            "--set backend.dtype=bfloat16, another backend.device, or a smaller model",
        )
    text = str(error)
    if "trust_remote_code" in text:
        return UsageError(
            f"{where} brings its own code, which is not run unless you allow it",
            "read that code, then --set backend.trust_remote_code=true",
        )
    return UsageError(
        f"{where} does not load: {type(error).__name__}: {first_line(error)}",
        f"check its files; transformers here is {transformers.__version__} (newer models need newer)",
    )


def _eos_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Every end token that the generation config or the tokenizer names."""
    named = getattr(model, "generation_config", None)
    ids = getattr(named, "eos_token_id", None)
    ids = list(ids) if isinstance(ids, list | tuple) else [ids]
    return frozenset(token for token in (*ids, tokenizer.eos_token_id) if token is not None)


def _architecture(found: ModelFiles, model: Any) -> dict[str, Any]:
    """The model's config.json; for GGUF, the same made from its header."""
    if found.gguf_file is None:
        return files.read_json(found.folder / "config.json")
    config: dict[str, Any] = model.config.to_dict()
    config.pop("quantization_config", None)
    config["architectures"] = [type(model).__name__]
    return config
