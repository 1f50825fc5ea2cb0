"""Stage `pretrain`: a model from nothing learns the documents of the task's builder.

Plain language modelling, with the loss on what follows the prompt: the prompts are those of the task,
and a model of a hundred words has no use for learning to ask.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from lt_bench.builders.base import Reciting
from lt_bench.config import digest
from lt_bench.errors import UsageError
from lt_bench.records import Example
from lt_bench.train.lesson import Lesson
from lt_bench.train.newborn import new_model, new_tokenizer, unknown_words
from lt_bench.train.recipe import PretrainStage
from lt_bench.train.saving import Finish, save_whole
from lt_bench.train.sft_trainer import learn
from lt_bench.train.stage import StageContext, StageResult
from lt_bench.train.targets import Row, Writer, Written
from lt_bench.train.weights import Router

TOKENIZER = "tokenizer"


def run(context: StageContext) -> StageResult:
    """Runs the stage to its end, going on where a killed process stopped.

    Raises:
        UsageError: the builder has no documents, or words that its vocabulary lacks.
        RunError: the disk is full.
    """
    stage = context.stage
    assert isinstance(stage, PretrainStage)
    builder = _reciting(context)
    context.folder.mkdir(parents=True, exist_ok=True)
    tokenizer = new_tokenizer(
        builder.vocabulary(), builder.chat_template(), context.folder / TOKENIZER
    )
    written, sha = _rows(context, stage, builder, tokenizer)
    model = new_model(stage.architecture, tokenizer, stage.seed)
    router = Router.of(model.config)
    trainer, learnt = learn(_lesson(context, stage, written, sha), model, tokenizer)
    save_whole(
        trainer, Finish(tokenizer, tokenizer.eos_token_id, model.dtype, router), context.candidate
    )
    return StageResult(
        rows=len(written.rows),
        data_sha=sha,
        metrics={
            "documents": len(written.rows),
            "parameters": model.num_parameters(),
            "vocabulary": len(tokenizer),
            "steps": learnt.steps,
            "loss": learnt.loss,
            "target_tokens": learnt.target_tokens,
        },
        remarks=written.told,
    )


def _reciting(context: StageContext) -> Reciting:
    assert isinstance(context.stage, PretrainStage)
    builder, name = context.task.builder, context.task.spec.name
    if not isinstance(builder, Reciting):
        raise UsageError(
            f"task {name} has no closed vocabulary to train a model from nothing with",
            "start from a model instead",
        )
    if context.stage.rows.file is not None:
        raise UsageError(
            f"stage {context.name}: documents are made by the builder, not read from a file",
            "remove rows.file",
        )
    return builder


def _rows(
    context: StageContext, stage: PretrainStage, builder: Reciting, tokenizer: Any
) -> tuple[Written, str]:
    """The documents as rows, and the sha256 (hex) of their texts."""
    rows, left_out, sha = list[Row](), Counter[Any](), hashlib.sha256()
    writer: Writer | None = None
    for example, text in _documents(stage, builder):
        prompt = context.task.prompt(example)
        writer = writer or Writer(tokenizer, prompt, stage.optimizer.max_length)
        row = writer.continuation(prompt, text)
        _check_known(tokenizer, row, text, *(message.content for message in prompt.messages))
        sha.update(digest([[one.content for one in prompt.messages], text]).encode())
        if len(row.input_ids) > stage.optimizer.max_length:
            left_out["too_long"] += 1
        else:
            rows.append(row)
    return Written(tuple(rows), dict(left_out)), sha.hexdigest()


def _documents(stage: PretrainStage, builder: Reciting) -> Iterator[tuple[Example, str]]:
    return islice(builder.documents(stage.rows.rows, stage.rows.seed), stage.rows.limit)


def _check_known(tokenizer: Any, row: Row, *texts: str) -> None:
    if tokenizer.unk_token_id not in (*row.prompt, *row.target):
        return
    unknown = [word for text in texts for word in unknown_words(tokenizer, text)]
    raise UsageError(
        f"the builder's vocabulary lacks {', '.join(map(repr, unknown[:3])) or 'a word'}",
        "have its vocabulary() give every word of prompts, documents and chat template",
    )


def _lesson(context: StageContext, stage: PretrainStage, written: Written, sha: str) -> Lesson:
    return Lesson(
        rows=written.rows,
        label=digest([sha, stage.architecture.model_dump(mode="json")]),
        optimizer=stage.optimizer,
        precision=stage.precision,
        seed=stage.seed,
        aux_loss=stage.aux_loss,
        checkpoints=context.checkpoints,
        log=context.log,
    )
