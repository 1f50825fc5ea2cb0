"""TRL's GRPOTrainer behind our settings: prompts as an evaluation renders them, rewards that are
scores, completions that every step draws from its own seed, and the seed's objective word for word."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from accelerate.utils import gather_object
from datasets import Dataset
from torch import Tensor
from transformers import PrinterCallback
from trl import GRPOConfig, GRPOTrainer

from lt_bench.errors import LtBenchError
from lt_bench.train.advantages import advantages
from lt_bench.train.completions import Asked
from lt_bench.train.guards import Unscored
from lt_bench.train.objective import seed_loss
from lt_bench.train.playing import Drawn, Table, completions_of
from lt_bench.train.rewards import Scorekeeper
from lt_bench.train.rollouts import Rollout
from lt_bench.train.sealing import SEAL, load_weights

log = logging.getLogger(__name__)

Kept = Callable[[int, Sequence[Rollout]], None]
"""What is done with the rollouts of a draw: (step, those of all processes by prompt)."""
CHATTY: Final = "trl.trainer.grpo_trainer"
WHOLE_ROW: Final = "All reward functions returned None"
"""TRL prints the whole row for each draw with a dropped completion; the table counts them."""


class GroupTrainer(GRPOTrainer):  # type: ignore[misc]
    """Trains on rows of `asked`, in the order of `order`. `kept` is called after each draw, with the
    step about to be made (counted from 1), in every process; what it raises ends the training."""

    def __init__(
        self,
        *,
        model: Any,
        tokenizer: Any,
        args: GRPOConfig,
        asked: Sequence[Asked],
        order: Sequence[int],
        keeper: Scorekeeper,
        kept: Kept,
        table: Table | None = None,
        callbacks: Sequence[Any] = (),
        lora: Any = None,
    ) -> None:
        self._ids = {one.rendered.text: list(one.rendered.ids) for one in asked}
        self._keeper, self._kept = keeper, kept
        texts = [asked[row].rendered.text for row in order]
        super().__init__(
            model=model,
            reward_funcs=list(keeper.columns),
            args=args,
            train_dataset=Dataset.from_dict({"prompt": texts, "row": list(order)}),
            processing_class=tokenizer,
            callbacks=list(callbacks),
            peft_config=lora,
        )
        self.remove_callback(PrinterCallback)
        self._table, self._rows = table, list[int]()
        if table is not None:
            # Here, since TRL warns in its constructor that it may change this way of rolling out.
            self.rollout_func = self._dialogues

    def close(self) -> None:
        """Closes the judge on the loop that asked it."""
        asyncio.run_coroutine_threadsafe(self._keeper.close(), self.async_loop).result()

    def _send_telemetry(self) -> None:
        """Nobody is told what is trained here."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """A candidate has a card of lt-bench's own."""

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        spread = self.is_fsdp_enabled or self.is_deepspeed_enabled
        if spread or not (Path(resume_from_checkpoint) / "config.json").is_file():
            super()._load_from_checkpoint(resume_from_checkpoint, model)
        else:
            load_weights(self.model if model is None else model, Path(resume_from_checkpoint))

    def _tokenize_prompts(self, prompts: list[str]) -> tuple[list[list[int]], None, dict[str, Any]]:
        """The very ids that an evaluation sends: encoding the text again may add a second BOS."""
        return [self._ids[prompt] for prompt in prompts], None, {}

    def _dialogues(self, _prompts: list[str], _trainer: Any) -> dict[str, Any]:
        """Dialogues with tools in place of single completions."""
        assert self._table is not None

        def draw(prompts: list[list[int]], first: bool) -> Drawn:
            # vLLM draws a group from one prompt, but only where all of the group have the same.
            group = self.num_generations if first and len(prompts) == len(self._rows) else 1
            found: Drawn = self._generate_single_turn(prompts, None, {}, group)
            return found

        seats = self._table.play(self._rows, draw, self._summed)
        return completions_of(seats, counted=self.use_vllm)

    def _summed(self, number: int) -> int:
        return sum(gather_object([number]))

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        self._rows = [one["row"] for one in inputs]
        step = self.state.global_step + 1
        # A resumed run draws what an unbroken one would have drawn.
        torch.manual_seed(_mixed(self.args.seed, step, self.accelerator.process_index))
        output: dict[str, Any] = super()._generate_and_score_completions(inputs)
        found = self._keeper.take()
        output["advantages"] = self._advantages(found, output["advantages"])
        values = zip(found, output["advantages"].tolist(), strict=True)
        local = [one.model_copy(update={"step": step, "advantage": value}) for one, value in values]
        rollouts = _numbered(gather_object(local), self.num_generations)
        try:
            _raise_first(gather_object([self._keeper.fault]))
            self._kept(step, rollouts)
        except Unscored:
            self._keep_steps()
            raise
        return output

    def _keep_steps(self) -> None:
        """A checkpoint of the steps made so far, whatever `save_steps` is: a judge that went away is no
        reason to make them again. Completions are drawn before a step begins, so that it is whole."""
        done = self.state.global_step
        if not done or (Path(self.args.output_dir) / f"checkpoint-{done}" / SEAL).exists():
            return
        try:
            self._save_checkpoint(self.model, trial=None)
            self.callback_handler.on_save(self.args, self.state, self.control)
        except Exception:
            log.warning("step %d could not be kept", done, exc_info=log.isEnabledFor(logging.DEBUG))

    def _advantages(self, found: Sequence[Rollout], given: Tensor) -> Tensor:  # noqa: ARG002
        """The advantages of this process's completions; `given` are TRL's."""
        return given


class SeedTrainer(GroupTrainer):
    """The seed's objective and advantages instead of TRL's. `kl` is β."""

    def __init__(self, *, kl: float, **rest: Any) -> None:
        self._kl = kl
        super().__init__(**rest)

    def _advantages(self, found: Sequence[Rollout], given: Tensor) -> Tensor:
        group, index = self.num_generations, self.accelerator.process_index
        rewards: list[float | None] = gather_object([one.reward for one in found])
        parts = [rewards[at : at + group] for at in range(0, len(rewards), group)]
        whole = [value for part in parts for value in advantages(part)]
        mine = whole[index * len(found) : (index + 1) * len(found)]
        return torch.tensor(mine, dtype=given.dtype, device=given.device)

    def _compute_loss(self, model: Any, inputs: Mapping[str, Any]) -> Tensor:
        completion, seen = inputs["completion_ids"], inputs["completion_mask"]
        mask = seen * inputs["tool_mask"] if "tool_mask" in inputs else seen
        logps, entropies, aux_loss = self._get_per_token_logps_and_entropies(
            model,
            torch.cat([inputs["prompt_ids"], completion], dim=1),
            torch.cat([inputs["prompt_mask"], seen], dim=1),
            completion.size(1),
            compute_entropy=True,
            compute_aux_loss=self.aux_loss_enabled,
        )
        old = inputs.get("old_per_token_logps")
        loss, divergence, ratio = seed_loss(
            logps,
            logps.detach() if old is None else old,
            mask,
            inputs["advantages"] * self._correction(inputs),
            clip=self.epsilon_low,
            kl=self._kl,
        )
        if self.aux_loss_enabled:
            loss = loss + self.router_aux_loss_coef * aux_loss
            self._note("aux_loss", aux_loss)
        self._note("kl", divergence / mask.sum(-1).clamp(min=1))
        self._note("entropy", (entropies * mask).sum() / mask.sum().clamp(min=1))
        self._note("clip_ratio/region_mean", ((ratio - 1).abs() > self.epsilon_low).float())
        return loss / (self.current_gradient_accumulation_steps if self.model.training else 1)

    def _correction(self, inputs: Mapping[str, Any]) -> Tensor | float:
        """How much likelier the trained policy makes a whole reply than vLLM, which drew it."""
        weight = inputs.get("importance_sampling_ratio")
        if weight is None:
            return 1.0
        found: Tensor = weight.squeeze(-1)
        return found

    def _note(self, name: str, value: Tensor) -> None:
        mode = "train" if self.model.training else "eval"
        mean = value.detach().float().mean()
        self._metrics[mode][name].append(self.accelerator.gather(mean).mean().item())


def _numbered(rollouts: Sequence[Rollout], group: int) -> list[Rollout]:
    """All rollouts of a draw with their place in their group; a group may be spread over processes."""
    return [one.model_copy(update={"index": place % group}) for place, one in enumerate(rollouts)]


def _raise_first(faults: Sequence[LtBenchError | None]) -> None:
    """The first fault of any process, in all of them: none is left waiting for another."""
    for fault in faults:
        if fault is not None:
            raise fault


def _mixed(seed: int, step: int, process: int) -> int:
    """A seed for the draws of one process in one step."""
    return (seed * 1_000_003 + step) * 4096 + process


@contextmanager
def quiet_rows() -> Iterator[None]:
    """Without TRL's print of a whole row for a completion that was dropped."""
    logger = logging.getLogger(CHATTY)

    def other(record: logging.LogRecord) -> bool:
        return WHOLE_ROW not in record.getMessage()

    logger.addFilter(other)
    try:
        yield
    finally:
        logger.removeFilter(other)
