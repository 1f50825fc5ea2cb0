"""What a candidate says of itself: all of it for programs, the gist for people, no path of a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.stages import FakeRunner, training_of

from lt_bench import yaml
from lt_bench.text.paths import portable
from lt_bench.train.candidate import Candidate, card, plain_numbers
from lt_bench.train.stages import train
from lt_bench.train.workdir import TrainingRun


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    train(training_of(tmp_path / "base"), TrainingRun(tmp_path / "run"), None, FakeRunner().all)
    return tmp_path / "run"


def candidate_in(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "candidate" / "candidate.json").read_text())
    return found


def front_matter(card_text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.parse(card_text.split("---\n")[1], "card")
    return found


def test_a_candidate_knows_how_it_was_made(trained: Path) -> None:
    rft, rl = candidate_in(trained / "rft"), candidate_in(trained / "rl")
    assert (rl["recipe"], rl["stage"], rl["kind"], rl["task"]) == (
        *("demo/two", "rl", "grpo", "commerce_qa"),
    )
    assert (rl["parent"], rl["parent_sha"]) == ("rft", rft["sha"])
    assert (rl["rows"], rl["data_sha"], rl["judge"]["name"]) == (40, "ab" * 32, "facts")
    assert rl["settings"]["optimizer"]["learning_rate"] == 2e-6
    assert rl["metrics"] == {"loss": 1.25, "kl": None, "steps": 10}
    assert rl["packages"]["lt-bench"]
    assert Candidate.model_validate(rl)


def test_a_candidate_holds_no_path_of_the_machine(trained: Path, tmp_path: Path) -> None:
    for file in ("candidate.json", "README.md"):
        text = (trained / "rft" / "candidate" / file).read_text()
        assert str(tmp_path.parent) not in text
    assert candidate_in(trained / "rft")["parent"] == f"{tmp_path.name}/base"


def test_the_card_is_one_that_the_hub_and_people_can_read(trained: Path) -> None:
    text = (trained / "rl" / "candidate" / "README.md").read_text()
    front = front_matter(text)
    assert front["library_name"] == "transformers"
    assert {"lt-bench", "grpo"} <= set(front["tags"])
    assert "lt-bench eval hf/FOLDER --task commerce_qa" in text
    assert "Rewards: 0.4 correctness, 0.3 length" in text
    assert "| kl | not known |" in text
    assert "Two rows were refused." in text
    for heading in ("How it was made", "Measured while training", "Limits", "Evaluate it"):
        assert f"## {heading}" in text


def test_the_card_of_an_adapter_names_its_base(trained: Path) -> None:
    found = Candidate.model_validate(candidate_in(trained / "rft"))
    settings = {**found.settings, "lora": {"rank": 8, "merge": False}}
    change = {"parent": "Qwen/Qwen3-0.6B", "settings": settings}
    front = front_matter(card(found.model_copy(update=change)))
    assert front["library_name"] == "peft"
    assert front["base_model"] == "Qwen/Qwen3-0.6B"
    assert front["base_model_relation"] == "adapter"


def test_the_card_of_a_hostile_name_stays_readable(trained: Path) -> None:
    found = Candidate.model_validate(candidate_in(trained / "rl"))
    text = card(found.model_copy(update={"parent": 'x"\n---\nlicense: mit', "metrics": {}}))
    assert "license" not in front_matter(text)
    assert "Nothing was." in text


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("/home/ada/models/student", "models/student"),
        ("hf//home/ada/models/student", "hf/models/student"),
        ("replay//data/x.jsonl", "replay/data/x.jsonl"),
        (r"C:\Users\ada\student", "ada/student"),
        ("/x", "x"),
        ("Qwen/Qwen3-0.6B", "Qwen/Qwen3-0.6B"),
        ("runs/train/a/rft", "runs/train/a/rft"),
        ("http://host/v1", "http://host/v1"),
        ("a sentence / with a slash", "a sentence / with a slash"),
        (None, None),
        (3, 3),
    ],
)
def test_paths_of_a_machine_are_shortened(given: object, shown: object) -> None:
    assert portable(given) == shown
    assert portable({"a": [given]}) == {"a": [shown]}


def test_what_is_no_number_is_null() -> None:
    found = plain_numbers({"a": float("nan"), "b": float("inf"), "c": None, "d": 0.5, "e": 3})
    assert found == {"a": None, "b": None, "c": None, "d": 0.5, "e": 3}
