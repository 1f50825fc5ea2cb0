"""The pages of docs/commands say what `--help` says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_commands", DOCS / "make_commands.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_pages_of_the_commands_are_what_help_says() -> None:
    assert maker().drifted() == [], "run: make docs"


def test_a_page_that_drifted_is_found_and_written_anew(tmp_path: Path) -> None:
    make = maker()
    make.write(tmp_path)
    assert make.drifted(tmp_path) == []
    page = tmp_path / "run.md"
    assert "lt-bench run import" in page.read_text("utf-8")
    page.write_text(page.read_text("utf-8").replace("--tokenizer FOLDER", "--tokeniser FOLDER"))
    (tmp_path / "gone.md").write_text("# a command that is no more\n")
    (tmp_path / "eval.md").unlink()
    assert make.drifted(tmp_path) == ["eval.md", "gone.md", "run.md"]
    make.write(tmp_path)
    assert make.drifted(tmp_path) == []
