"""Settings: typed by YAML rules, closed, with the nearest name in the message."""

from __future__ import annotations

import traceback

import pytest

from lt_bench import yaml
from lt_bench.config import Sampling, assignments, digest, grouped, validate
from lt_bench.errors import UsageError

GROUPS = ("sampling", "backend", "task", "builder")


def test_values_follow_yaml_1_2() -> None:
    found = assignments(
        ["a.x=1e-6", "a.y=yes", "a.z=true", "a.w=none", "a.v=[1, b]", "a.u=a=b", "a.t="]
    )
    assert found == {
        "a.x": 1e-6,
        "a.y": "yes",
        "a.z": True,
        "a.w": "none",
        "a.v": [1, "b"],
        "a.u": "a=b",
        "a.t": None,
    }


@pytest.mark.parametrize("pair", ["temperature", "=3", "", " = "])
def test_a_setting_without_key_or_value_is_refused(pair: str) -> None:
    with pytest.raises(UsageError, match="is not KEY=VALUE"):
        assignments([pair])


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="twice"):
        assignments(["a.b=1", "a.b=2"])


def test_an_unknown_group_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'sampling'"):
        grouped({"samplin.temperature": 1}, GROUPS)


def test_an_unknown_key_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError, match="Did you mean 'temperature'") as caught:
        validate(Sampling, {"temprature": 0.7}, "sampling")
    assert "max_tokens" in caught.value.fix


def test_a_value_that_does_not_fit_names_the_key() -> None:
    with pytest.raises(UsageError, match="sampling: temperature: .*got -1"):
        validate(Sampling, {"temperature": -1}, "sampling")
    with pytest.raises(UsageError, match="sampling: max_tokens"):
        validate(Sampling, {"max_tokens": "many"}, "sampling")


def test_digests_do_not_depend_on_key_order_but_on_every_value() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    assert digest(Sampling()) == digest(Sampling(temperature=0.0))
    assert digest("\ud800") != digest("?")


def test_yaml_errors_name_the_line() -> None:
    with pytest.raises(UsageError, match="task.yaml, line 3"):
        yaml.parse("a: 1\nb: [1\nc: 2", "task.yaml")
    with pytest.raises(UsageError, match="task.yaml"):
        yaml.parse("a: 1\na: 2", "task.yaml")
    with pytest.raises(UsageError):
        yaml.parse("a: !!python/object/apply:os.system ['true']", "task.yaml")


def test_yaml_gives_only_what_json_has() -> None:
    assert yaml.parse("day: 2026-01-02", "x") == {"day": "2026-01-02"}
    assert assignments(["task.day=2026-01-02"]) == {"task.day": "2026-01-02"}


def test_yaml_nested_too_deep_is_an_error() -> None:
    with pytest.raises(UsageError, match="nested too deep"):
        yaml.parse("[" * 3000, "x")
    assert assignments(["task.a=" + "[" * 3000])


def test_every_refusal_names_a_fix() -> None:
    for data in ({"temperature": -1}, {"temprature": 1}, {"stop": "x"}):
        with pytest.raises(UsageError) as refused:
            validate(Sampling, data, "sampling")
        assert refused.value.fix


def test_a_secret_in_the_wrong_place_is_in_no_traceback() -> None:
    secret = "sk" + "-1234567"  # in two pieces: a traceback quotes this line
    with pytest.raises(UsageError) as refused:
        validate(Sampling, {"api_key": secret}, "sampling")
    assert secret not in "".join(traceback.format_exception(refused.value))


def test_both_halves_of_a_character_are_one_and_half_of_one_is_refused() -> None:
    assert yaml.parse('title: "\\ud83d\\ude00"', "x.yaml") == {"title": "\U0001f600"}
    with pytest.raises(UsageError, match="line 2: half a character"):
        yaml.parse('task: a\ntitle: "\\ud83d"', "x.yaml")
