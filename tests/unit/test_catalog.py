"""Declarations are found by name, and nothing broken is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from lt_bench import catalog
from lt_bench.errors import UsageError
from lt_bench.registry import Registry


def task(root: Path, name: str) -> Path:
    folder = root / "tasks" / name
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(f"name: {name}\n")
    return folder


def test_a_folder_adds_a_task(tmp_path: Path) -> None:
    folder = task(tmp_path, "mine")
    assert catalog.find("tasks", "mine", [tmp_path]) == folder
    assert "musique" in catalog.entries("tasks", [tmp_path])


def test_the_environment_adds_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task(tmp_path, "mine")
    monkeypatch.setenv("LT_BENCH_CATALOG", str(tmp_path))
    assert "mine" in catalog.entries("tasks")


def test_two_owners_of_one_name_stop_with_both_named(tmp_path: Path) -> None:
    task(tmp_path, "musique")
    with pytest.raises(UsageError, match="two catalogs declare tasks entry 'musique'") as caught:
        catalog.entries("tasks", [tmp_path])
    assert str(tmp_path) in caught.value.cause


def test_a_folder_without_its_declaration_is_no_silent_skip(tmp_path: Path) -> None:
    (tmp_path / "tasks" / "half").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"half has no task\.yaml"):
        catalog.entries("tasks", [tmp_path])


def test_a_typo_names_the_nearest_and_all_known() -> None:
    with pytest.raises(UsageError, match="Did you mean 'musique'") as caught:
        catalog.find("tasks", "musqiue")
    assert "commerce_qa" in caught.value.fix


def test_a_catalog_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        catalog.entries("tasks", [tmp_path / "nowhere"])


def test_a_registry_names_the_nearest_and_the_missing_library() -> None:
    registry: Registry[object] = Registry(
        "thing",
        "lt_bench.nothing",
        {"real": "json:loads", "heavy": "no_such_library:X"},
        {"heavy": "hf"},
    )
    assert registry.get("real") is __import__("json").loads
    with pytest.raises(UsageError, match="unknown thing 'reel'. Did you mean 'real'"):
        registry.get("reel")
    with pytest.raises(UsageError, match="does not load") as caught:
        registry.get("heavy")
    assert caught.value.fix == "pip install 'lt-bench[hf]'"


def test_a_catalog_named_twice_is_one_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task(tmp_path, "mine")
    monkeypatch.setenv("LT_BENCH_CATALOG", str(tmp_path))
    assert "mine" in catalog.entries("tasks", [tmp_path])
