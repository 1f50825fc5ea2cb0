"""vLLM in this process: `vllm/FOLDER_OR_ID`.

    async with VllmBackend("path/to/model", {"tensor_parallel_size": 2}) as backend:
        generation = await backend.generate(request)

Prompts are rendered, and answers split, stopped and counted, exactly as `hf/` does it; vLLM gets
token ids and gives token ids. Only the request's sampling decides how tokens are drawn.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Self

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.endpoint_flags import refuse_endpoint_flags
from lt_bench.backends.transformers.answering import Speller, stop_check, turn_of
from lt_bench.backends.transformers.folder import (
    ADAPTER,
    ModelFiles,
    fingerprint,
    looks_local,
    read_json,
)
from lt_bench.backends.transformers.locate import locate
from lt_bench.backends.transformers.prompting import Rendered, Renderer
from lt_bench.backends.vllm.engine import Answer, Engine, end_children
from lt_bench.backends.vllm.options import answer_settings, at_once, parse_options
from lt_bench.backends.vllm.presence import require_vllm
from lt_bench.config import Sampling
from lt_bench.errors import RowError, UsageError
from lt_bench.records import Generation, Message, Prompt
from lt_bench.text.families import check as check_family
from lt_bench.text.tool_calls import check as check_form
from lt_bench.text.tool_calls import form_for

log = logging.getLogger(__name__)

LORA_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""The ranks vLLM can make room for."""


@dataclass(frozen=True)
class _Ready:
    """What exists between entering and leaving the backend."""

    engine: Engine
    renderer: Renderer
    spell: Speller
    end_ids: frozenset[int]
    context: int
    facts: ModelFacts


class VllmBackend:
    """A `Backend` over vLLM's asynchronous engine, which batches whatever is in flight.

    Raises:
        UsageError: vLLM is not installed, an option is unknown, or the folder holds no model.
    """

    def __init__(self, target: str, options: Mapping[str, Any]) -> None:
        self.name = f"vllm/{target}"
        elsewhere = {key: value for key, value in options.items() if key != "concurrency"}
        refuse_endpoint_flags(self.name, elsewhere)
        require_vllm()
        self.options, self.engine_options = parse_options(options)
        check_family(self.options.family)
        check_form(self.options.tool_form)
        self.concurrency = at_once(self.options, self.engine_options)
        self._target = target
        if looks_local(target):
            self._files()
        self._ready: _Ready | None = None
        self._first_ids: tuple[int, ...] | None = None
        self._shortened = self._schema_refused = False

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model; `first_prompt_ids` once one prompt was sent."""
        return self._entered.facts.model_copy(update={"first_prompt_ids": self._first_ids})

    async def generate(self, request: Request) -> Generation:
        """One answer. Cancelling it takes the request out of the engine.

        Raises:
            RowError: "bad_request" (the template refuses the messages, the prompt is longer than
                the context, vLLM refuses a value), "model" (vLLM failed at this one).
            RunError: the engine died.
        """
        asked, ready = perf_counter(), self._entered
        rendered = ready.renderer.render(request.prompt)
        if self._first_ids is None:
            self._first_ids = rendered.ids
        stop = (*request.sampling.stop, *ready.renderer.stop)
        answer = await self._ask(request, rendered, stop, asked)
        turn = turn_of(
            answer,
            rendered,
            ready.spell,
            eos_ids=ready.end_ids,
            stop=stop,
            family=self.options.family,
            tool_form=form_for(request.prompt, self.options.tool_form),
            asked=asked,
        )
        return Generation(turns=(turn,))

    async def __aenter__(self) -> Self:
        """Start the engine and wait until the model is loaded.

        Raises:
            UsageError: the model's files are missing or broken, or vLLM does not start with it.
        """
        before = multiprocessing.active_children()
        starting = asyncio.create_task(asyncio.to_thread(self._start))
        try:
            self._ready = await asyncio.shield(starting)
        except asyncio.CancelledError:
            # without its processes the start fails at once, and puts our output back
            end_children(before)
            with suppress(Exception):
                (await starting).engine.close()
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            await asyncio.to_thread(ready.engine.close)

    @property
    def _entered(self) -> _Ready:
        if self._ready is None:
            raise RuntimeError("the backend has not been entered: async with backend")
        return self._ready

    def _files(self) -> ModelFiles:
        if self._target.endswith(".gguf"):
            raise UsageError("vllm/ does not run GGUF files here", f"hf/{self._target} does")
        try:
            return locate(self._target, self.options.as_transformers())
        except UsageError as error:
            if "hf/" in error.fix and ".gguf" not in error.fix:
                raise UsageError(error.cause, error.fix.replace("hf/", "vllm/")) from error
            raise

    def _start(self) -> _Ready:
        from lt_bench.backends.transformers.loading import load_tokenizer, quiet

        files = self._files()
        log.info("loading %s", self.name)
        with quiet():
            tokenizer = load_tokenizer(files, self.options.as_transformers())
        renderer = Renderer(
            tokenizer, family=self.options.family, variables=self.options.template_kwargs
        )
        _check_template(self.name, renderer)
        ends = end_ids(files, tokenizer)
        engine = Engine(self._arguments(files), str(files.adapter) if files.adapter else None)
        hidden = {tokenizer.bos_token_id, tokenizer.pad_token_id, *ends} - {None}
        return _Ready(
            engine,
            renderer,
            Speller(tokenizer, frozenset(hidden)),
            ends,
            int(engine.config.max_model_len),
            self._facts(files, renderer, engine),
        )

    def _arguments(self, files: ModelFiles) -> dict[str, Any]:
        """vLLM's engine arguments: those we answer for, and the user's."""
        ours: dict[str, Any] = {
            "model": str(files.folder),
            "tokenizer": str(files.tokenizer),
            "trust_remote_code": self.options.trust_remote_code,
            "max_num_seqs": self.concurrency,
        }
        if files.adapter is not None:
            ours |= {"enable_lora": True, "max_lora_rank": lora_rank(files)}
        return {**ours, **self.engine_options}

    def _facts(self, files: ModelFiles, renderer: Renderer, engine: Engine) -> ModelFacts:
        dtype = str(engine.config.dtype).removeprefix("torch.")
        return ModelFacts(
            name=self.name,
            backend="vllm",
            fingerprint=fingerprint(files),
            counted_by="engine",
            settings={**answer_settings(self.options, self.engine_options), "dtype": dtype},
            chat_template_sha=renderer.template_sha,
            architecture=read_json(files.folder / "config.json"),
            dtype=dtype,
            device=engine.device,
            batch_invariant=batch_invariant(dtype, self.concurrency, engine, self.engine_options),
        )

    async def _ask(
        self, request: Request, rendered: Rendered, stop: tuple[str, ...], asked: float
    ) -> Answer:
        """The answer, in the form that the request's schema has where vLLM can hold a model to it."""
        family = self.options.family
        # a schema from the first token on would leave an opened thought no way to end
        schema = None if rendered.opened or self._schema_refused else request.answer_schema

        async def ask(schema: Mapping[str, Any] | None) -> Answer:
            return await self._entered.engine.ask(
                rendered.ids,
                self._params(request.sampling, len(rendered.ids), schema),
                asked=asked,
                done=stop_check(
                    self._entered.spell,
                    stop,
                    family=family,
                    opened=rendered.opened,
                    tool_form=form_for(request.prompt, self.options.tool_form),
                ),
            )

        try:
            return await ask(schema)
        except RowError as error:
            if schema is None or error.kind != "bad_request":
                raise
            # its grammar compilers do not know every keyword of JSON Schema
            self._schema_refused = True
            log.warning("vLLM cannot hold the model to this form (%s): asked freely", error.cause)
            return await ask(None)

    def _params(self, sampling: Sampling, prompt: int, schema: Mapping[str, Any] | None) -> Any:
        return self._entered.engine.params(
            max_tokens=self._room(prompt, sampling.max_tokens),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            seed=sampling.seed,
            stop_token_ids=sorted(self._entered.end_ids),
            schema=schema,
        )

    def _room(self, prompt: int, wanted: int) -> int:
        """Tokens that may follow the prompt: `wanted`, or what the context leaves."""
        context = self._entered.context
        if prompt >= context:
            raise RowError(
                "bad_request",
                f"the prompt has {prompt} tokens, the model's context {context}",
                no_room=True,
            )
        if prompt + wanted > context and not self._shortened:
            self._shortened = True
            log.warning(
                "some answers are capped below max_tokens: the context holds %d tokens", context
            )
        return min(wanted, context - prompt)


def end_ids(files: ModelFiles, tokenizer: Any) -> frozenset[int]:
    """Every token that ends an answer: the generation config's (where there is none, the
    config's) and the tokenizer's."""
    places = [files.folder / "generation_config.json", files.folder / "config.json"]
    config = read_json(next(place for place in places if place.is_file()))
    named = config.get("eos_token_id")
    ids = named if isinstance(named, list) else [named]
    return frozenset(token for token in (*ids, tokenizer.eos_token_id) if token is not None)


def lora_rank(files: ModelFiles) -> int:
    """The smallest rank that vLLM has room for and the adapter fits in.

    Raises:
        UsageError: the adapter's rank is unknown or too large.
    """
    assert files.adapter is not None
    rank = read_json(files.adapter / ADAPTER).get("r")
    fitting = [each for each in LORA_RANKS if isinstance(rank, int) and rank <= each]
    if not fitting:
        raise UsageError(
            f"{files.adapter / ADAPTER} has rank {rank!r}, which vLLM cannot load",
            "merge the adapter into its base, or run it with hf/",
        )
    return fitting[0]


def batch_invariant(
    dtype: str, concurrency: int, engine: Engine, options: Mapping[str, Any]
) -> bool | None:
    """vLLM's own batch-invariant mode promises it. Otherwise: alone and without a prefix cache, a
    row has no batch mates; half precision is known to depend on them; float32 may."""
    if engine.batch_invariant:
        return True
    alone = options.get("max_num_seqs", concurrency) == 1
    if alone and options.get("enable_prefix_caching") is False:
        return True
    return None if dtype == "float32" else False


def _check_template(name: str, renderer: Renderer) -> None:
    """A template that cannot render one question is refused before the model is loaded."""
    try:
        renderer.render(Prompt(messages=(Message(role="user", content="Is it in stock?"),)))
    except RowError as error:
        raise UsageError(
            f"{name}: {error.cause}", "give another with --set backend.chat_template=FILE"
        ) from error
