"""The trainer under attack: what a policy, a user or a disk may try, and what it gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from support.reinforcing import context, parent, stage
from support.server import Call, Reply, serve
from support.stages import FakeRunner, training_of, write_model
from support.teachers import EMPTY, GOOD, SILENT, taught

from lt_bench.errors import RunError, UsageError
from lt_bench.records import Generation, Turn
from lt_bench.run.judging.choice import JudgeChoice
from lt_bench.train.admission import admit, finished
from lt_bench.train.blank import is_blank
from lt_bench.train.identity import identity
from lt_bench.train.lengths import LengthBudget
from lt_bench.train.rewards import LengthRule
from lt_bench.train.rollouts import Rollout
from lt_bench.train.sampling import sample
from lt_bench.train.stage import StageContext, StageResult
from lt_bench.train.stages import train
from lt_bench.train.workdir import TrainingRun

UNSEEN = ["", " \n", "\u00a0\u2003", "\u200b\u200d\ufeff", "\u2800", "\u3164", "\u00ad", "\x00\x07"]


def completion(reply: str) -> Rollout:
    turn = Turn(reply=reply, reasoning="I looked.", finish_reason="stop", usage=None)
    return Rollout(example_id="a", length=45, generation=Generation(turns=(turn,)))


@pytest.mark.parametrize("reply", UNSEEN)
def test_characters_that_nobody_sees_earn_no_length(reply: str) -> None:
    rule = LengthRule(LengthBudget(upper=0.5, lower=0.4), mean=100.0)
    assert is_blank(reply)
    assert rule.reward(completion(reply)) == 0.0
    assert rule.reward(completion(f"{reply}99")) == 1.0


@pytest.mark.parametrize("reply", ["99", "没有", "👍", ".", "\u200bNo"])
def test_what_is_seen_is_a_reply(reply: str) -> None:
    assert not is_blank(reply)


# --- recipes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("stages.rft.teacher.model", "gpt-9", "'gpt-9' is no model"),
        ("stages.rft.teacher.model", "opnai/gpt-9", "Did you mean 'openai'?"),
        ("stages.rft.teacher.model", "openai/", "is no model"),
        ("stages.rft.teacher.options", {"api_key": "sk-1"}, "stages.rft.teacher.options: unknown"),
        ("stages.rl.rollouts.max_tokens", 4096, "leave no room for a prompt"),
        ("stages.rft.from", "/", "a folder without a model"),
    ],
)
def test_what_would_stop_a_late_stage_stops_before_the_first(
    tmp_path: Path, path: str, value: object, said: str
) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        training_of(tmp_path, {path: value})
    assert "sk-1" not in str(raised.value)


def test_a_key_among_a_judges_settings_is_refused_and_not_kept(tmp_path: Path) -> None:
    judge = {"name": "llm", "models": ["openai/judge"]}
    with pytest.raises(UsageError, match="judge_backend: unknown key 'api_key'") as raised:
        training_of(tmp_path, {"judge": judge, "judge_backend": {"api_key": "sk-1"}})
    assert "sk-1" not in str(raised.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("stages.rft.seed", -1),
        ("stages.rft.seed", 2**32),
        ("stages.rft.optimizer.epochs", 1e18),
        ("stages.rft.optimizer.steps", 10**15),
        ("stages.rft.lora", {"targets": []}),
        ("summary", "\udcff"),
    ],
)
def test_values_that_no_training_can_take_are_refused(
    tmp_path: Path, path: str, value: object
) -> None:
    with pytest.raises(UsageError):
        training_of(tmp_path, {path: value})


# --- stages ----------------------------------------------------------------------------------


def run_in(folder: Path, runner: FakeRunner, only: str | None = None) -> TrainingRun:
    run = TrainingRun(folder / "run")
    train(training_of(folder / "base"), run, only, runners=runner.all)
    return run


def test_checkpoints_go_once_the_candidate_is_sealed(tmp_path: Path) -> None:
    class Leaving(FakeRunner):
        def __call__(self, context: StageContext) -> StageResult:
            (context.checkpoints / "checkpoint-2").mkdir(parents=True)
            return super().__call__(context)

    run = run_in(tmp_path, Leaving())
    assert not list(run.path.glob("*/checkpoints"))
    left = run.stage_folder("rft") / "checkpoints" / "checkpoint-2"
    left.mkdir(parents=True)  # killed after it was sealed
    run_in(tmp_path, FakeRunner())
    assert not left.exists()


def test_checkpoints_of_a_stage_that_failed_stay(tmp_path: Path) -> None:
    class Failing(FakeRunner):
        def __call__(self, context: StageContext) -> StageResult:
            (context.checkpoints / "checkpoint-2").mkdir(parents=True)
            raise RunError("the judge is gone", "mend it")

    with pytest.raises(RunError):
        run_in(tmp_path, Failing())
    assert (tmp_path / "run/rft/checkpoints/checkpoint-2").is_dir()


def test_a_candidate_that_was_changed_between_two_stages_is_no_parent(tmp_path: Path) -> None:
    runner = FakeRunner()
    run = run_in(tmp_path, runner, "rft")
    write_model(run.candidate("rft"), weight=7.0)
    with pytest.raises(UsageError, match="was changed after stage rft was finished"):
        run_in(tmp_path, runner, "rl")
    assert runner.calls == ["rft"]
    assert not run.stage_folder("rl").exists()


@pytest.mark.parametrize("said", ["File too large (os error 27)", "No space left on device"])
def test_a_full_disk_is_told_whichever_library_met_it(tmp_path: Path, said: str) -> None:
    """The tokenizers library has no error of its own for it."""

    class Full(FakeRunner):
        def __call__(self, context: StageContext) -> StageResult:
            raise Exception(said)

    with pytest.raises(RunError, match="free some space"):
        run_in(tmp_path, Full())


def test_another_fault_of_a_library_is_left_as_it_is(tmp_path: Path) -> None:
    class Faulty(FakeRunner):
        def __call__(self, context: StageContext) -> StageResult:
            raise TypeError("no such thing")

    with pytest.raises(TypeError, match="no such thing"):
        run_in(tmp_path, Faulty())


# --- what a model lacks ----------------------------------------------------------------------


@pytest.mark.model
def test_what_cannot_be_adapted_or_ended_is_refused_with_its_name(tmp_path: Path) -> None:
    from lt_bench.train.policy import check_start
    from lt_bench.train.recipe import Lora
    from lt_bench.train.weights import Parent, adapters

    found = Parent.find(str(parent(tmp_path / "m", "qwen3")))
    tokenizer = found.tokenizer()
    check_start(found, tokenizer, stage())
    tokenizer.eos_token = None
    with pytest.raises(UsageError, match="no token that ends a turn"):
        check_start(found, tokenizer, stage())
    model = found.load(torch.float32)
    for targets in (("q_proj",), ("self_attn.q_proj", "mlp.up_proj")):
        assert adapters(Lora(targets=targets), model).target_modules == set(targets)
    with pytest.raises(UsageError, match="has no 'q_prod'. Did you mean 'q_proj'"):
        adapters(Lora(targets=("v_proj", "q_prod")), model)


# --- a teacher that goes away ----------------------------------------------------------------


@pytest.mark.parametrize("lost", [EMPTY, SILENT])
def test_a_corpus_is_not_made_of_what_came_before_the_end(tmp_path: Path, lost: Any) -> None:
    answers = [[GOOD]] * 9 + [[lost]]
    there = taught(tmp_path / "rft", answers, parent=tmp_path / "nobody")
    teacher = there.stage.teacher  # type: ignore[union-attr]
    offered = sample(there, there.task.examples(there.task.sample, len(answers)))
    strict = there.stage.model_copy(
        update={"teacher": teacher.model_copy(update={"unanswered": 0.05})}
    )
    with pytest.raises(RunError, match="10% of 10 trajectories were not answered or not judged"):
        admit(there.folder, strict, offered)  # type: ignore[arg-type]
    assert finished(there.folder) is None
    assert admit(there.folder, there.stage, offered).admitted == 9  # type: ignore[arg-type]


def test_what_may_be_lost_may_change_from_one_start_to_the_next(tmp_path: Path) -> None:
    first = identity(training_of(tmp_path), "rft")
    assert identity(training_of(tmp_path, {"stages.rft.teacher.unanswered": 1.0}), "rft") == first


# --- a judge that goes away ------------------------------------------------------------------


@pytest.mark.model
def test_a_judge_that_goes_away_costs_no_step(tmp_path: Path) -> None:
    """Without any save_steps: what was made before it went is kept, and ends as if it had stayed."""
    from lt_bench.train import reinforcing

    model = parent(tmp_path / "m", "qwen3")
    stops = False

    def answer(call: Call) -> Reply:
        if stops and there.log.exists() and there.log.read_bytes().count(b"\n") >= 2:
            return Reply(content="I would rather not say.")
        about = "helpful" if "helpful" in call.text else "correct"
        return Reply(content=json.dumps({"reason": "so", about: len(call.text) % 2 == 0}))

    one = stage(
        rows={"rows": 6},
        rewards={"weights": {"correctness": 1.0}, "length": None},
        rollouts={"group": 2, "max_tokens": 12},
        optimizer={"batch_size": 2, "steps": 3},
    )
    ended = {}
    for name in ("unbroken", "left alone"):
        stops = name == "left alone"
        with serve(answer) as server:
            options = {"base_url": server.url}
            judge = JudgeChoice(
                "commerce_correctness", ("openai/judge",), options=options, cache=False
            )
            there = context(tmp_path / name, model, one, judge=judge)
            if stops:
                with pytest.raises(RunError, match="no completion of step 3 could be scored"):
                    reinforcing.run(there)
                assert [path.name for path in there.checkpoints.iterdir()] == ["checkpoint-2"]
                stops = False
            reinforcing.run(there)
        lines = (there.folder / "rollouts.jsonl").read_text("utf-8").splitlines()
        ended[name] = [(row["step"], row["generation"]) for row in map(json.loads, lines)]
    assert ended["left alone"] == ended["unbroken"]
