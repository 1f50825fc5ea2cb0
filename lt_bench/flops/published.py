"""Published sizes of open-weight models that people also reach through an API.

Only what a vendor has published, rounded as published; a closed model stays unknown. Every row
names its source. A name is looked up without its organisation and without suffixes that change
no size (`-instruct`, `-2507`, `-fp8`, ...); a distilled or otherwise resized model never matches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """Parameters in total and per token (embeddings included), and who says so."""

    name: str
    total: float
    active: float
    source: str


def _dense(name: str, billions: float, source: str) -> Published:
    return Published(name, billions * 1e9, billions * 1e9, source)


def _sparse(name: str, total: float, active: float, source: str) -> Published:
    return Published(name, total * 1e9, active * 1e9, source)


QWEN3 = "Qwen3 technical report (arXiv 2505.09388), tables 1 and 2, and model cards"
QWEN25 = "Qwen2.5 technical report (arXiv 2412.15115) and model cards"
LLAMA3 = "Llama 3.1 model card"
GPT_OSS = "gpt-oss model card (arXiv 2508.10925), table 1"
DEEPSEEK_V3 = "DeepSeek-V3 technical report (arXiv 2412.19437), abstract"
DEEPSEEK_R1 = "DeepSeek-R1 model card; distilled models: safetensors sizes on their own"
GLM45 = "GLM-4.5 technical report (arXiv 2508.06471), abstract"

_ROWS = (
    _sparse("deepseek-r1", 671, 37, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-llama-8b", 8.03, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-llama-70b", 70.6, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-qwen-1.5b", 1.78, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-qwen-7b", 7.62, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-qwen-14b", 14.8, DEEPSEEK_R1),
    _dense("deepseek-r1-distill-qwen-32b", 32.8, DEEPSEEK_R1),
    _sparse("deepseek-v2", 236, 21, "DeepSeek-V2 (arXiv 2405.04434), abstract"),
    _sparse("deepseek-v3", 671, 37, DEEPSEEK_V3),
    _sparse("deepseek-v3.1", 671, 37, "DeepSeek-V3.1 model card"),
    _sparse("glm-4.5", 355, 32, GLM45),
    _sparse("glm-4.5-air", 106, 12, GLM45),
    _sparse("gpt-oss-20b", 20.9, 3.6, GPT_OSS),
    _sparse("gpt-oss-120b", 116.8, 5.1, GPT_OSS),
    _sparse("kimi-k2", 1040, 32.6, "Kimi K2 (arXiv 2507.20534), table 2"),
    _dense("llama-3.1-8b", 8.03, LLAMA3),
    _dense("llama-3.1-70b", 70.6, LLAMA3),
    _dense("llama-3.1-405b", 405, LLAMA3),
    _dense("llama-3.3-70b", 70.6, "Llama 3.3 model card"),
    _sparse("mixtral-8x7b", 46.7, 12.9, "Mixtral of Experts (arXiv 2401.04088) and release note"),
    _sparse("mixtral-8x22b", 141, 39, "Mixtral 8x22B release note"),
    _dense("qwen2.5-7b", 7.61, QWEN25),
    _dense("qwen2.5-14b", 14.7, QWEN25),
    _dense("qwen2.5-32b", 32.5, QWEN25),
    _dense("qwen2.5-72b", 72.7, QWEN25),
    _dense("qwen3-0.6b", 0.6, QWEN3),
    _dense("qwen3-1.7b", 1.7, QWEN3),
    _dense("qwen3-4b", 4.0, QWEN3),
    _dense("qwen3-8b", 8.2, QWEN3),
    _dense("qwen3-14b", 14.8, QWEN3),
    _dense("qwen3-32b", 32.8, QWEN3),
    _sparse("qwen3-30b-a3b", 30.5, 3.3, QWEN3),
    _sparse("qwen3-235b-a22b", 235, 22, QWEN3),
    _dense("qwq-32b", 32.5, "QwQ-32B model card"),
    _dense("smollm2-135m", 0.1345, "SmolLM2-135M model card (safetensors size)"),
)
TABLE = {row.name: row for row in _ROWS}

_ALIASES = {
    "meta-llama-3.1-8b": "llama-3.1-8b",
    "meta-llama-3.1-70b": "llama-3.1-70b",
    "meta-llama-3.1-405b": "llama-3.1-405b",
}
_SAME_SIZE = re.compile(
    r"-(?:instruct|chat|base|thinking|it|preview|turbo|fp8|bf16|awq|gptq|int4|int8|mxfp4|hf"
    r"|v\d(?:\.\d)?|free|\d{4}|\d{6})$"
)


def published_names() -> tuple[str, ...]:
    """Every model in the table."""
    return tuple(sorted(TABLE))


def published(model: str) -> Published | None:
    """The published size of a model by its name at an endpoint or hub, or None when unknown.

    `published("deepseek-ai/DeepSeek-R1-0528")` is the row "deepseek-r1".
    """
    name = model.strip().lower().rsplit("/", 1)[-1].translate(str.maketrans("_:", "--"))
    while True:
        name = _ALIASES.get(name, name)
        if name in TABLE:
            return TABLE[name]
        shorter = _SAME_SIZE.sub("", name)
        if shorter == name:
            return None
        name = shorter
