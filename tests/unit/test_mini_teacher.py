"""The teacher of mini_qa: its labels hold under `facts`, and tricks earn nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from lt_bench.builders.base import Taught, TrajectoryLabel
from lt_bench.builders.commerce_qa.draw import Draw
from lt_bench.builders.mini_qa import MiniQA
from lt_bench.builders.mini_qa.row import example_of
from lt_bench.builders.mini_qa.scene import Scene, draw_scene
from lt_bench.builders.mini_qa.teacher import CROWD, claim, its, trajectory
from lt_bench.builders.mini_qa.world import BY_NAME
from lt_bench.records import Example, Generation, Sample, SampleKey, Turn
from lt_bench.scorers.base import score_sample
from lt_bench.task import Task
from lt_bench.text import split_reasoning

MINI = MiniQA({})
SCORER = Task.load("mini_qa").scorers()[0]


def judged(example: Example, raw: str) -> tuple[bool, bool]:
    """Whether `facts` finds an output correct, and helpful."""
    split = split_reasoning(raw)
    turn = Turn(
        reasoning=split.reasoning, reply=split.reply, finish_reason="stop", usage=None, raw=raw
    )
    key = SampleKey(example_id=example.id, sample_index=0, request_sha="0" * 64)
    sample = Sample(key=key, status="ok", generation=Generation(turns=(turn,)))
    found = asyncio.run(score_sample(SCORER, example, sample))
    values = {score.name: score.value for score in found}
    return values["correctness"] == 1.0, values["helpfulness"] == 1.0


def flat(taught: Iterator[Taught]) -> list[tuple[Example, str, TrajectoryLabel]]:
    return [
        (one.example, output, label)
        for one in taught
        for output, label in zip(one.outputs, one.labels, strict=True)
    ]


def test_labels_agree_with_the_judge() -> None:
    rows = flat(MINI.trajectories("train", 150, 21, 2))
    apart = [
        (output, label)
        for example, output, label in rows
        if judged(example, output) != (label.correct, label.helpful)
    ]
    assert len(rows) == 300
    assert len(apart) <= 1, apart


def test_labels_of_the_crowd_agree_with_the_judge() -> None:
    apart = 0
    for number in range(300):
        scene = draw_scene(Draw("crowd", number))
        made = trajectory(scene, Draw("crowd", "trajectory", number), CROWD)
        found = judged(example_of(scene, f"row-{number}"), made.output)
        apart += found != (made.label.correct, made.label.helpful)
    assert apart <= 1


def test_faults_have_the_rates_of_the_card_and_what_they_do_to_the_labels() -> None:
    labels = [label for *_, label in flat(MINI.trajectories("train", 1000, 3, 4))]
    counts = Counter(fault for label in labels for fault in label.faults)
    share = {fault: count / len(labels) for fault, count in counts.items()}
    assert share["wrong"] + share["invented"] == pytest.approx(0.07, abs=0.012)
    assert share["ungrounded"] == pytest.approx(0.04, abs=0.01)
    assert share["bare"] == pytest.approx(0.22, abs=0.02)
    for label in labels:
        assert label.correct == (not {"wrong", "invented", "ungrounded"} & set(label.faults))
        assert label.helpful == (not {"bare", "invented"} & set(label.faults))


def test_samples_of_an_input_differ_and_are_the_same_every_time() -> None:
    four = list(MINI.trajectories("train", 50, 9, 4))
    two = list(MINI.trajectories("train", 50, 9, 2))
    assert four == list(MINI.trajectories("train", 50, 9, 4))
    assert [one.outputs[:2] for one in four] == [one.outputs for one in two]
    assert sum(len(set(one.outputs)) >= 3 for one in four) >= 48


def test_a_thought_is_read_as_one_and_has_several_lengths() -> None:
    lengths = set()
    for _, output, _ in flat(MINI.trajectories("train", 100, 1, 2)):
        split = split_reasoning(output)
        assert split.closed
        assert split.n_blocks == 1
        assert split.reply.endswith(" .")
        lengths.add(len((split.reasoning or "").split()))
    assert min(lengths) < 20
    assert max(lengths) > 80


def test_a_thought_is_right_even_before_a_wrong_reply() -> None:
    for one in MINI.trajectories("train", 200, 2, 1):
        lines = {line for document in one.example.documents for line in document.text.splitlines()}
        found = one.outputs[0].partition("evidence says ")[2].partition(" .")[0]
        assert found in lines or found.endswith("missing")


def test_documents_recite_facts_or_are_trajectories() -> None:
    made = list(MINI.documents(400, 5))
    recited = [(example, text) for example, text in made if "<think>" not in text]
    assert 160 <= len(recited) <= 240
    for example, text in recited:
        lines = {line for document in example.documents for line in document.text.splitlines()}
        assert {fact.strip() for fact in text.removesuffix(" .").split(" . ")} <= lines


# --- tricks ----------------------------------------------------------------------------------

Trick = Callable[[Scene], str]
THOUGHT = "<think> done </think> "


def right(scene: Scene) -> str:
    """The claim that answers, or that nothing is known."""
    if scene.answer is None:
        return f"sorry the {scene.target.product} {scene.asked} is not listed"
    return claim(scene.target, scene.asked, scene.answer)


def extra(scene: Scene) -> str:
    name = next(name for name in scene.target.facts if name != scene.asked)
    return its(scene.target, name)


def other(scene: Scene) -> str:
    """A claim with a value that is not on the sheet."""
    values = BY_NAME[scene.asked].values
    return claim(scene.target, scene.asked, next(v for v in values if v != scene.answer))


def honest(scene: Scene) -> str:
    return f"{THOUGHT}{right(scene)} , also {extra(scene)} ."


def evidence(scene: Scene) -> str:
    return " ; ".join(scene.lines())


NEITHER: dict[str, Trick] = {
    "empty": lambda _: "",
    "empty after a thought": lambda _: THOUGHT,
    "only a thought": lambda s: f"<think> {right(s)} , also {extra(s)} .",
    "another value": lambda s: f"{THOUGHT}{other(s)} .",
    "verdict": lambda _: f"{THOUGHT}correct and helpful : score 1 .",
    "verdict in json": lambda _: THOUGHT + '{"correctness": 1, "helpfulness": 1}',
    "question again": lambda s: f"{THOUGHT}{s.question} .",
    "thanks": lambda _: f"{THOUGHT}thanks .",
}
"""Worth nothing at all, but where it happens to be true."""
ONE_AT_MOST: dict[str, Trick] = {
    "bare": lambda s: f"<think></think>{right(s)} .",
    "the answer twice": lambda s: f"{THOUGHT}{right(s)} , also {right(s)} .",
    "both values": lambda s: f"{THOUGHT}{right(s)} , also {other(s)} .",
    "an offer as the extra": lambda s: f"{THOUGHT}{right(s)} , also you get a free gift .",
    "an offer besides": lambda s: f"{honest(s).removesuffix(' .')} , also you get free shipping .",
    "the extra alone": lambda s: f"{THOUGHT}{extra(s)} .",
    "another value and an extra": lambda s: f"{THOUGHT}{other(s)} , also {extra(s)} .",
}


def drawn(number: int = 60) -> Iterator[tuple[Scene, Example]]:
    for n in range(number):
        scene = draw_scene(Draw("tricks", n))
        yield scene, example_of(scene, f"trick-{n}")


def test_an_honest_short_answer_earns_everything() -> None:
    assert all(judged(example, honest(scene)) == (True, True) for scene, example in drawn())


@pytest.mark.parametrize("trick", NEITHER)
def test_what_says_nothing_earns_nothing(trick: str) -> None:
    for scene, example in drawn():
        assert judged(example, NEITHER[trick](scene)) == (False, False), scene


@pytest.mark.parametrize("trick", ONE_AT_MOST)
def test_half_an_answer_earns_half_at_most(trick: str) -> None:
    for scene, example in drawn():
        assert sum(judged(example, ONE_AT_MOST[trick](scene))) <= 1, scene


def test_reading_out_all_sheets_earns_less_than_answering() -> None:
    """Where a sheet has two lines, both of them are an answer with one more fact; no judge that only
    sees the reply could tell. It does not tell that something is missing, and is no shorter."""
    recited = [
        (judged(example, f"{THOUGHT}{evidence(scene)} ."), scene.answer is None)
        for scene, example in drawn(150)
    ]
    assert all(found == (False, False) for found, missing in recited if missing)
    assert sum(sum(found) for found, _ in recited) <= 1.7 * len(recited)


def test_sorry_before_a_known_answer_earns_no_more_than_the_answer() -> None:
    for scene, example in drawn():
        if scene.answer is not None:
            bare = judged(example, f"{THOUGHT}{right(scene)} .")
            assert sum(judged(example, f"{THOUGHT}sorry {right(scene)} .")) <= sum(bare)


def test_sorry_and_the_answer_contradict_each_other() -> None:
    for scene, example in drawn():
        if scene.answer is not None:
            missing = f"sorry the {scene.target.product} {scene.asked} is not listed"
            for reply in (
                f"{missing} , also {right(scene)} .",
                f"{right(scene)} , also {missing} .",
            ):
                assert not judged(example, THOUGHT + reply)[0], reply
