"""`lt-bench flops`: parameters of a model and the work of its answers, each by its name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lt_bench.flops import Parameters, Published, Work


@dataclass(frozen=True)
class Size:
    """What is known of the model asked about. `active` is the N of 2 N T; the counts and the
    formula of `exact` are known from a config.json only."""

    active: float
    named: str
    source: str
    counted: Parameters | None = None
    work: Work | None = None
    published: Published | None = None


@dataclass(frozen=True)
class Answer:
    """How many tokens go in and come out of one response; None where not asked."""

    tokens: float | None
    prompt: int | None


def flops(
    model: Annotated[
        str | None,
        typer.Argument(help="Folder, config.json, hf/OWNER/NAME, or a name such as qwen3-30b-a3b."),
    ] = None,
    active_params: Annotated[
        float | None, typer.Option(help="Active parameters instead of MODEL, e.g. 3.0e9.")
    ] = None,
    tokens: Annotated[
        float | None, typer.Option(help="Output tokens per response (TPR), e.g. 153.")
    ] = None,
    prompt_tokens: Annotated[
        int | None, typer.Option(help="Prompt tokens; `exact` counts the prefill with them.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Count a model's parameters and a response's TFLOP.

    `paper` is 2 N T over the output tokens; `exact` is prefill + decode with attention. Work is a
    number of operations, not a rate. Unknown sizes are an error, never a guess.
    """
    import json as jsonlib

    answer = _checked(model, active_params, tokens, prompt_tokens)
    size = _given(active_params) if active_params is not None else _of_model(model or "")
    found = _as_json(model, size, answer)
    text = jsonlib.dumps(found, ensure_ascii=False) if json else "\n".join(_lines(size, answer))
    typer.echo(text)


def _checked(
    model: str | None, active: float | None, tokens: float | None, prompt: int | None
) -> Answer:
    from lt_bench.errors import UsageError

    if (not model) == (active is None):
        raise UsageError(
            "give either MODEL or --active-params",
            "e.g. lt-bench flops qwen3-30b-a3b --tokens 153",
        )
    example = "e.g. --active-params 3.0e9 --tokens 153"
    if active is not None and tokens is None:
        raise UsageError("--active-params needs --tokens", example)
    for flag, value, least in (("--active-params", active, 1), ("--tokens", tokens, 0)):
        if value is not None and not (math.isfinite(value) and value >= least):
            raise UsageError(f"{flag} must be a number of at least {least}, got {value}", example)
    if prompt is not None and prompt < 0:
        raise UsageError(f"--prompt-tokens cannot be negative, got {prompt}", "e.g. 1024")
    return Answer(tokens, prompt)


def _given(active: float) -> Size:
    return Size(active, "active_params as given", "--active-params")


def _of_model(model: str) -> Size:
    from lt_bench.cli.model_config import find
    from lt_bench.flops import Published, parameters, work

    found = find(model)
    if isinstance(found, Published):
        return Size(found.active, "active_params as published", found.source, published=found)
    counted = parameters(found.config)
    return Size(
        float(counted.active_matmul),
        "active_matmul_params",
        found.source,
        counted=counted,
        work=work(found.config),
    )


def _as_json(model: str | None, size: Size, answer: Answer) -> dict[str, Any]:
    from lt_bench.flops import flop_paper

    counted, row, exact = size.counted, size.published, _exact(size, answer)
    given = size.active if counted is None and row is None else None
    return {
        "model": model,
        "source": size.source,
        "family": counted.family if counted else None,
        "total_params": counted.total if counted else row.total if row else None,
        "active_params": counted.active if counted else row.active if row else given,
        "active_matmul_params": counted.active_matmul if counted else None,
        "tokens": answer.tokens,
        "prompt_tokens": answer.prompt,
        "tflop_paper": None if answer.tokens is None else flop_paper(size.active, answer.tokens),
        "tflop_exact": exact[0] + exact[1] if exact else None,
        "tflop_exact_prefill": exact[0] if exact else None,
        "tflop_exact_decode": exact[1] if exact else None,
    }


def _exact(size: Size, answer: Answer) -> tuple[float, float] | None:
    """Prefill and decode in TFLOP, where config, prompt and a whole number of tokens are known."""
    if size.work is None or answer.prompt is None or answer.tokens is None:
        return None
    if not answer.tokens.is_integer():
        return None
    found = size.work.flops(answer.prompt, int(answer.tokens))
    return found.prefill / 1e12, found.decode / 1e12


def _lines(size: Size, answer: Answer) -> Iterator[str]:
    yield from _counts(size)
    if answer.tokens is not None:
        yield from _work(size, answer, answer.tokens)


def _counts(size: Size) -> Iterator[str]:
    counted, row = size.counted, size.published
    if counted is not None:
        yield f"{counted.family} ({size.source})"
        yield _count("total_params", counted.total, "every weight once")
        yield _count("active_params", counted.active, "published convention, embeddings included")
        yield _count(
            "active_matmul_params",
            counted.active_matmul,
            "multiplied per token: output matrix included, embedding lookup excluded",
        )
    elif row is not None:
        yield f"{row.name} (published: {row.source})"
        yield _count("total_params", row.total, "as published")
        yield _count("active_params", row.active, "as published")
        yield f"{'active_matmul_params':<21}{'unknown':>10}  needs its config.json"


def _work(size: Size, answer: Answer, tokens: float) -> Iterator[str]:
    from lt_bench.flops import flop_paper

    paper = _tflop(flop_paper(size.active, tokens))
    yield f"paper  {paper}  2 N T, N = {_short(size.active)} ({size.named}), T = {tokens:g} output tokens"
    exact, work = _exact(size, answer), size.work
    if exact is not None and work is not None:
        pairs = sum(term.pair_flops for term in work.attention)
        yield (
            f"exact  {_tflop(sum(exact))}  prefill {_tflop(exact[0])} + decode {_tflop(exact[1])}, "
            f"P = {answer.prompt} prompt tokens"
        )
        yield "       prefill 2 (B P + H) + A P²; decode 2 (B + H) (T - 1) + A (keys met)"
        yield (
            f"       B = {_short(work.body)} in the layers, H = {_short(work.head)} in the output matrix, "
            f"A = {pairs:,} a query-key pair"
        )
    else:
        yield f"exact  unknown: {_why_unknown(size, answer)}"


def _why_unknown(size: Size, answer: Answer) -> str:
    if size.work is None:
        return "needs the model's config.json"
    if answer.prompt is None:
        return "needs --prompt-tokens"
    return "needs a whole number of --tokens"


def _count(name: str, value: float, meaning: str) -> str:
    return f"{name:<21}{_short(value):>10}  {meaning}"


def _short(value: float) -> str:
    """Parameters as vendors print them: 3.04 B, 134.5 M."""
    for size, letter, digits in ((1e12, "T", 3), (1e9, "B", 2), (1e6, "M", 1), (1e3, "K", 1)):
        if value >= size:
            return f"{value / size:.{digits}f} {letter}"
    return f"{value:g}"


def _tflop(value: float) -> str:
    return f"{value:,.0f} TFLOP" if value >= 1000 else f"{value:.3g} TFLOP"
