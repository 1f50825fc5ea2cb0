"""Local models through transformers: folders, hub ids, LoRA adapters and GGUF files.

    async with TransformersBackend("path/to/model", {}) as backend:
        generation = await backend.generate(request)

Only the request's sampling decides how tokens are drawn: temperatures and penalties that a
model's generation config recommends are not applied, its end tokens are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Self

from lt_bench.backends.base import ModelFacts, Request
from lt_bench.backends.batcher import Batcher
from lt_bench.backends.endpoint_flags import refuse_endpoint_flags
from lt_bench.backends.transformers.answering import Speller, stop_check, turn_of
from lt_bench.backends.transformers.decoding import Decoder, Draw, Row
from lt_bench.backends.transformers.engine import Answer, Engine, Job
from lt_bench.backends.transformers.folder import fingerprint, looks_local
from lt_bench.backends.transformers.form import Form, SchemaForms
from lt_bench.backends.transformers.loading import Loaded, load, pick_device, pick_dtype
from lt_bench.backends.transformers.locate import TransformersOptions, locate
from lt_bench.backends.transformers.memory import free_memory
from lt_bench.backends.transformers.prompting import Rendered, Renderer
from lt_bench.config import validate
from lt_bench.errors import RowError, UsageError, first_line
from lt_bench.records import Generation, Message, Prompt
from lt_bench.text.families import check as check_family
from lt_bench.text.tool_calls import check as check_form
from lt_bench.text.tool_calls import form_for

log = logging.getLogger(__name__)

BATCH_SIZE = "--set backend.batch_size=N sets how many rows run at once"


@dataclass(frozen=True)
class _Ready:
    """What exists between entering and leaving the backend."""

    model: Loaded
    renderer: Renderer
    spell: Speller
    batcher: Batcher[Job, Answer]
    facts: ModelFacts
    forms: SchemaForms | None


class TransformersBackend:
    """A `Backend` that decodes on this machine, many rows at once.

    `name` is what the card calls the model. `prepare` makes the model folder before it is read
    and returns its path; the bundled model is made so.
    """

    def __init__(
        self,
        target: str,
        options: Mapping[str, Any],
        *,
        name: str | None = None,
        backend: str = "hf",
        prepare: Callable[[], str] | None = None,
    ) -> None:
        self.name, self.backend = name or f"{backend}/{target}", backend
        refuse_endpoint_flags(self.name, options, instead=BATCH_SIZE)
        self.options = validate(TransformersOptions, options, f"{backend} backend")
        check_family(self.options.family)
        check_form(self.options.tool_form)
        pick_dtype(self.options.dtype, pick_device(self.options.device))
        if prepare is None and looks_local(target):
            locate(target, self.options)
        # callers ahead of the running rows, so that there is something to sort by length
        self.concurrency = 4 * self.options.batch_size
        self._target, self._prepare = target, prepare
        self._ready: _Ready | None = None
        self._first_ids: tuple[int, ...] | None = None
        self._shortened = self._unheld = False

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model; `first_prompt_ids` once one prompt was sent."""
        return self._entered.facts.model_copy(update={"first_prompt_ids": self._first_ids})

    async def generate(self, request: Request) -> Generation:
        """One answer, decoded together with others that wait.

        Raises:
            RowError: "bad_request" (the template refuses the messages, the prompt is longer than
                the context), "out_of_memory" (does not fit even alone), "model".
            RunError: the device failed.
        """
        asked, ready = perf_counter(), self._entered
        rendered = ready.renderer.render(request.prompt)
        if self._first_ids is None:
            self._first_ids = rendered.ids
        stop = (*request.sampling.stop, *ready.renderer.stop)
        job = self._job(rendered, request, stop)
        answer = await ready.batcher.submit(job, key=job.draw, length=len(rendered.ids))
        turn = turn_of(
            answer,
            rendered,
            ready.spell,
            eos_ids=ready.model.eos_ids,
            stop=stop,
            family=self.options.family,
            tool_form=form_for(request.prompt, self.options.tool_form),
            asked=asked,
        )
        return Generation(turns=(turn,))

    async def __aenter__(self) -> Self:
        """Load the model.

        Raises:
            UsageError: its files are missing, broken or of an unknown kind.
        """
        self._ready = await asyncio.to_thread(self._load)
        return self

    async def __aexit__(self, *exc: object) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            await ready.batcher.close()
            del ready
            free_memory()

    @property
    def _entered(self) -> _Ready:
        if self._ready is None:
            raise RuntimeError("the backend has not been entered: async with backend")
        return self._ready

    def _load(self) -> _Ready:
        target = self._prepare() if self._prepare is not None else self._target
        log.info("loading %s", self.name)
        model = load(locate(target, self.options), self.options)
        renderer = Renderer(
            model.tokenizer,
            family=self.options.family,
            variables=self.options.template_kwargs,
        )
        _check_template(self.name, renderer)
        tokenizer = model.tokenizer
        pad = tokenizer.pad_token_id or 0
        hidden = {tokenizer.bos_token_id, tokenizer.pad_token_id, *model.eos_ids} - {None}
        size = self.options.batch_size
        decoder = Decoder(model.model, eos_ids=model.eos_ids, pad_id=pad, slots=size)
        return _Ready(
            model,
            renderer,
            Speller(tokenizer, frozenset(hidden)),
            Batcher(Engine(decoder), size=size),
            self._facts(model, renderer),
            self._forms(model, renderer),
        )

    def _forms(self, model: Loaded, renderer: Renderer) -> SchemaForms | None:
        """What holds answers to a schema; None where that is not wanted, or its library is missing."""
        wanted = self.options.structured
        if wanted is False or (wanted is None and renderer.thinks):
            return None
        try:
            return SchemaForms(model.tokenizer, model.vocabulary)
        except ImportError as error:
            if wanted:
                raise UsageError(
                    f"backend.structured: {error}", "pip install 'lt-bench[hf]'"
                ) from error
            return None

    def _facts(self, model: Loaded, renderer: Renderer) -> ModelFacts:
        settings = self.options.model_dump(
            include={
                *("adapter", "family", "template_kwargs", "revision", "tokenizer", "structured"),
                "tool_form",
            },
            exclude_defaults=True,
        )
        return ModelFacts(
            name=self.name,
            backend=self.backend,
            fingerprint=fingerprint(model.files),
            counted_by="engine",
            settings={"dtype": model.dtype, **settings},
            chat_template_sha=renderer.template_sha,
            architecture=model.architecture,
            dtype=model.dtype,
            device=model.device,
            batch_invariant=_batch_invariant(model.dtype, self.options.batch_size),
        )

    def _job(self, rendered: Rendered, request: Request, stop: tuple[str, ...]) -> Job:
        ready, sampling, schema = self._entered, request.sampling, request.answer_schema
        if max(rendered.ids) >= ready.model.vocabulary:
            raise RowError(
                "bad_request",
                f"the tokenizer's token {max(rendered.ids)} is unknown to the model, "
                f"which has {ready.model.vocabulary}",
            )
        row = Row(
            ids=rendered.ids,
            max_new_tokens=self._room(len(rendered.ids), sampling.max_tokens),
            seed=sampling.seed,
            done=stop_check(
                ready.spell,
                stop,
                family=self.options.family,
                opened=rendered.opened,
                tool_form=form_for(request.prompt, self.options.tool_form),
            ),
            form=self._form(schema),
        )
        if sampling.temperature == 0:
            return Job(row, Draw())
        return Job(row, Draw(sampling.temperature, sampling.top_p, sampling.top_k))

    def _form(self, schema: Mapping[str, Any] | None) -> Callable[[], Form] | None:
        """What holds an answer to its schema, where that is wanted and can be."""
        forms = self._entered.forms
        if forms is None or schema is None:
            return None
        try:
            return forms.of(schema)
        except ValueError as error:
            cause = f"answers cannot be held to their schema: {first_line(error)}"
            if self.options.structured:
                raise RowError("bad_request", cause) from error
            if not self._unheld:
                self._unheld = True
                log.warning("%s", cause)
            return None

    def _room(self, prompt: int, wanted: int) -> int:
        """Tokens that may follow the prompt: `wanted`, or what the context leaves."""
        context = self._entered.model.context
        if context is None:
            return wanted
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


def _check_template(name: str, renderer: Renderer) -> None:
    """A template that cannot render one question is refused before anything is generated."""
    try:
        renderer.render(Prompt(messages=(Message(role="user", content="Is it in stock?"),)))
    except RowError as error:
        raise UsageError(
            f"{name}: {error.cause}", "give another with --set backend.chat_template=FILE"
        ) from error


def _batch_invariant(dtype: str, batch_size: int) -> bool | None:
    """Alone, a row has no batch mates; half precision is known to depend on them; float32 is
    equal wherever it was measured, which proves nothing for other models."""
    if batch_size == 1:
        return True
    return None if dtype == "float32" else False
