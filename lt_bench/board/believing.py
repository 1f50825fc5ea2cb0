"""Whether the judge of a metric has been measured against people, which decides on ranks."""

from __future__ import annotations

from lt_bench.board.model import Belief, JudgeState
from lt_bench.records import JudgeStamp, MetricCalibration, ResultCard
from lt_bench.run.judging.belief import metric_belief

RANKED: tuple[Belief, ...] = ("rules", "calibrated")

JOINED = "correct_and_helpful"
PARTS = ("correctness", "helpfulness")


def judge_states(card: ResultCard) -> dict[str, JudgeState]:
    """Every judged metric of a card. A metric that joins two others is believed as far as both are."""
    states = {metric: _state(metric, stamp) for metric, stamp in card.judges.items()}
    joined = states.get(JOINED)
    if joined and joined.belief != "rules" and all(part in states for part in PARTS):
        weakest = next(
            (states[part] for part in PARTS if states[part].belief not in RANKED), states[PARTS[0]]
        )
        states[JOINED] = joined.model_copy(
            update={"belief": weakest.belief, "sentence": weakest.sentence}
        )
    return states


def _state(metric: str, stamp: JudgeStamp) -> JudgeState:
    if not stamp.models:
        version = f"{stamp.name}, version {stamp.version}"
        return JudgeState(stamp=stamp, belief="rules", sentence=f"rules: {version}")
    if stamp.calibration is None:
        return JudgeState(
            stamp=stamp,
            belief="uncalibrated",
            sentence=f"nobody has measured {who(stamp)} on {metric} against people",
        )
    belief, sentence = _measured(metric, stamp.calibration, who(stamp))
    return JudgeState(stamp=stamp, belief=belief, sentence=sentence)


def _measured(metric: str, found: MetricCalibration, name: str) -> tuple[Belief, str]:
    belief = metric_belief(found, metric, name)
    if found.by_construction:
        return "by construction", (
            f"{name} was measured on {metric} only with labels by construction, which nobody read"
        )
    named: dict[str, Belief] = {
        "judge": "calibrated",
        "no judge": "no judge",
        "not measured": "uncalibrated",
    }
    return named[belief.standing], belief.sentence


def who(stamp: JudgeStamp) -> str:
    """The models that judge, or the rules."""
    return " + ".join(stamp.models) or stamp.name
