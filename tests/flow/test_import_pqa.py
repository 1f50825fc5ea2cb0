"""Product question sets through the real command: import, look, validate."""

from __future__ import annotations

import json

import pytest
from support.tables import save, table
from support.warm import lt_bench

from lt_bench.builders.importers.hetpqa import RANKING

ROWS = [
    ("7", "B01", "70", "does it float?", "floats:  { value:true }", "1", "attribute"),
    ("8", "B02", "80", "how tall is it?", "about a foot", "0", "review"),
]


def test_hetpqa_is_imported_and_valid(tmp_path):
    source = save(tmp_path, table(ROWS, RANKING, "\t"), "dev.csv")
    out = tmp_path / "rows.jsonl"
    done = lt_bench("data", "import", "hetpqa", source, "--out", out, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["hetpqa-7", "hetpqa-8"]
    first = out.read_bytes()
    lt_bench("data", "import", "hetpqa", source, "--out", out, cwd=tmp_path)
    assert out.read_bytes() == first
    assert "nothing wrong" in lt_bench("data", "validate", out, cwd=tmp_path).stdout


def test_every_problem_of_a_file_is_named(tmp_path):
    rows = [ROWS[0][:-1], (*ROWS[1][:5], "5", "review")]
    source = save(tmp_path, table(rows, RANKING, "\t"), "dev.csv")
    done = lt_bench("data", "validate", source, "--format", "hetpqa", cwd=tmp_path)
    assert done.returncode == 2
    assert "line 2, row: 6 cells where the header has 7" in done.stdout
    assert "line 3, label: '5' is no label" in done.stdout


@pytest.mark.parametrize("format_", ["epqa", "hetpqa", "semipqa", "xpqa", "amazonqa"])
def test_a_file_of_something_else_is_refused_with_a_fix(tmp_path, format_):
    source = save(tmp_path, "a,b\n1,2\n")
    out = tmp_path / "rows.jsonl"
    done = lt_bench("data", "import", format_, source, "--out", out, cwd=tmp_path)
    assert done.returncode == 2
    assert "line 1" in done.stderr
    assert "fix:" in done.stderr
    assert not out.exists()
