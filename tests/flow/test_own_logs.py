"""The commands of docs/bring-your-own.md, run as they stand there."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

from support.warm import lt_bench

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "bring-your-own.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\n(.*?)```", DOCS, re.DOTALL)


def commands(block: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in block.strip().splitlines()]


def test_six_commands_lead_from_a_shop_and_a_log_to_a_score(tmp_path):
    folder = shutil.copytree(ROOT / "examples" / "own_logs", tmp_path / "own_logs")
    (folder / "products.jsonl").unlink()
    six = commands(BLOCKS[0])
    assert len(six) == 6
    said = []
    for command in six:
        done = lt_bench(*command, cwd=folder)
        assert done.returncode in (0, 3), (command, done.stdout, done.stderr)
        said.append(done.stdout)
    shop, log, valid, shown, counted, scored = said
    assert "3 Document rows" in shop
    assert "4 Example rows in 2 groups" in log
    assert "nothing wrong" in valid
    assert "which one holds more?" in shown
    assert "Capacity: 1.7 L" in shown
    assert "intent:comparison" in counted
    assert re.search(r"correctness\s+75\.0 %", scored)


def test_the_preview_names_problems_and_writes_nothing(tmp_path):
    folder = shutil.copytree(ROOT / "examples" / "own_logs", tmp_path / "own_logs")
    before = sorted(folder.iterdir())
    (command,) = commands(BLOCKS[1])
    assert lt_bench(*command, cwd=folder).returncode == 0
    text = (folder / "facts.yaml").read_text().replace("question: comment", "question: coment")
    (folder / "facts.yaml").write_text(text)
    done = lt_bench(*command, cwd=folder)
    assert done.returncode == 2
    assert "question: there is no column 'coment'. Did you mean 'comment'?" in done.stdout
    assert sorted(folder.iterdir()) == before
