"""The classes that lm-eval makes of our tasks: lm-eval's own, with our rows, prompts and scores.

What lm-eval cannot express in YAML is why they are classes: several messages a row, and rules of ours
for stops. Everything else (limits, caching, logging, aggregation) is lm-eval's.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from lm_eval.api.task import ConfigurableTask

from lt_bench.backends.recount import Tokenizer, load_tokenizer
from lt_bench.backends.transformers.prompting import PLAIN_STOP
from lt_bench.errors import UsageError
from lt_bench.integrations.lm_eval.prompts import ChatTemplate, messages_of, sent
from lt_bench.integrations.lm_eval.scoring import (
    FIRST_TURN,
    RECOUNTED,
    first_turn,
    quality,
    recounted,
    scores_of,
    turn_of,
)
from lt_bench.integrations.lm_eval.settings import settings_of
from lt_bench.records import AnswersGold, Example, FactsGold, ReferenceGold, Turn
from lt_bench.scorers import Metric
from lt_bench.task import Task

log = logging.getLogger(__name__)


class LtTask(ConfigurableTask):  # type: ignore[misc]
    """One task of lt-bench. `config` is what lm-eval read: the YAML file, `--metadata` and the
    arguments of the model.

    Raises:
        UsageError: rows that cannot be read, or settings of another kind.
    """

    NAME: ClassVar[str]

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        metadata = dict((config or {}).get("metadata") or {})
        self._settings = settings_of(metadata, self.NAME)
        self._task = Task.load(
            self.NAME, options=self._settings.options, builder=self._settings.builder
        )
        self._scorers = self._task.scorers()
        rows = self._task.stream(self._settings.data or self._task.sample)
        self._examples = {example.id: example for example in rows}
        self._opened: set[str] = set()
        self._told = False
        super().__init__(
            config={
                "task": f"lt_{self.NAME}",
                "tag": "lt_bench",
                "output_type": "generate_until",
                "test_split": "test",
                "doc_to_text": "question",
                "doc_to_target": "target",
                "process_results": _ours,  # metrics of its own, which lm-eval need not know
                "generation_kwargs": self._generation(),
                "num_fewshot": 0,
                "metric_list": [_entry(metric) for metric in (*self._metrics(), RECOUNTED)],
                "metadata": {**metadata, "version": self._task.spec.version},
            }
        )

    def _generation(self) -> dict[str, Any]:
        sampling = self._task.sampling({})
        drawn = sampling.temperature > 0
        return {
            "until": list(sampling.stop),
            "max_gen_toks": sampling.max_tokens,
            "do_sample": drawn,
            **({"temperature": sampling.temperature, "top_p": sampling.top_p} if drawn else {}),
        }

    def _metrics(self) -> list[Metric]:
        return quality(self._scorers)

    def download(self, *_: Any, **__: Any) -> None:
        """The rows, as lm-eval holds them: what they are scored by stays with us."""
        import datasets

        self.dataset = {
            "test": datasets.Dataset.from_list(
                [
                    {"id": one.id, "question": one.question, "target": _target(one)}
                    for one in self._examples.values()
                ]
            )
        }

    def fewshot_docs(self) -> None:
        """None: our prompts show no solved rows."""
        return

    def fewshot_context(
        self,
        doc: Mapping[str, Any],
        num_fewshot: int = 0,
        system_instruction: str | None = None,
        apply_chat_template: bool = False,
        fewshot_as_multiturn: bool = False,  # noqa: ARG002
        chat_template: ChatTemplate | None = None,
        gen_prefix: str | None = None,  # noqa: ARG002
    ) -> Any:
        """The prompt of a row, by the chat template where lm-eval was told to apply one.

        Raises:
            UsageError: solved rows were asked for, which our prompts have no place for.
        """
        if num_fewshot:
            raise UsageError(
                f"lt_{self.NAME} shows no solved rows, and --num_fewshot asks for {num_fewshot}",
                "leave --num_fewshot out",
            )
        if not apply_chat_template and not self._told:
            self._told = True
            self._tell()
        prompt = self._task.prompt(self._examples[doc["id"]])
        messages = messages_of(prompt, system_instruction)
        found = sent(messages, chat_template if apply_chat_template else None)
        if found.opened:
            self._opened.add(doc["id"])
        return found.context

    def _tell(self) -> None:
        log.warning(
            "lt_%s: prompts are plain text, as for a base model; for a model with a chat template add "
            "--apply_chat_template, as lt-bench applies it",
            self.NAME,
        )

    def construct_requests(self, doc: Mapping[str, Any], ctx: Any, **kwargs: Any) -> Any:
        """One request. A base model ends its reply where it begins to write the next question."""
        plain = not kwargs.get("apply_chat_template", False)
        request = super().construct_requests(doc, ctx, **kwargs)
        generation = request.arguments[1]
        if plain and PLAIN_STOP not in generation["until"]:
            generation["until"] = [*generation["until"], PLAIN_STOP]
        return request

    def process_results(self, doc: Mapping[str, Any], results: list[str]) -> dict[str, float]:
        """Metric -> value; what a row cannot have is left out, and is in no mean."""
        example = self._examples[doc["id"]]
        turn = turn_of(results[0], example, opened=doc["id"] in self._opened)
        found = self._scores(example, turn)
        if self._tokenizer is not None:
            found[RECOUNTED.name] = recounted(turn, self._tokenizer)
        return found

    def _scores(self, example: Example, turn: Turn) -> dict[str, float]:
        return scores_of(self._scorers, example, turn)

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        """None: the model has none here (a server), so nobody counts."""
        if self._settings.tokenizer is None:
            return None
        try:
            return load_tokenizer(self._settings.tokenizer)
        except UsageError as error:
            log.warning("lt_%s: tokens are not counted: %s", self.NAME, error.cause)
            return None


class CommerceQa(LtTask):
    """Replies to viewers of a shopping stream, scored by rules from the facts of each row."""

    NAME = "commerce_qa"


class Musique(LtTask):
    """Multi-hop questions: EM, F1 and the documents that an answer rests on."""

    NAME = "musique"


class ToolDialogue(LtTask):
    """The first turn of a dialogue with tools: lm-eval asks once, so no tool is run."""

    NAME = "tool_dialogue"

    def _metrics(self) -> list[Metric]:
        return list(FIRST_TURN)

    def _scores(self, example: Example, turn: Turn) -> dict[str, float]:
        return first_turn(self._scorers, example, turn)


def _ours(doc: Mapping[str, Any], results: list[str]) -> dict[str, float]:
    """Stands in a task's config, which lm-eval copies and prints; `LtTask.process_results` scores."""
    raise NotImplementedError(f"{len(results)} results of {doc['id']} are scored by the class")


def _entry(metric: Metric) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "aggregation": "mean",
        "higher_is_better": metric.higher_is_better,
    }


def _target(example: Example) -> str:
    """What lm-eval logs as the wanted answer; scores do not come from it."""
    gold = example.gold
    if isinstance(gold, AnswersGold | ReferenceGold):
        return gold.answers[0] if gold.answers else ""
    if isinstance(gold, FactsGold):
        return "; ".join(f"{fact.path}={fact.value}" for fact in gold.required)
    return "" if gold is None else gold.type
