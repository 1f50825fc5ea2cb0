"""The wheel works in a clean environment and another folder; a plug-in joins without a change."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import environment

ROOT = Path(__file__).parents[2]
FOLDERS = ("tasks", "judges", "training", "leaderboards")

pytestmark = pytest.mark.packaging


def build(source: Path, out: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, source],
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def clean(tmp_path: Path, wheel: Path) -> Path:
    """A new environment with the wheel in it. Its libraries come from this environment by a .pth
    file, which lends packages but no editable install of lt-bench."""
    folder = tmp_path / "venv"
    venv.create(folder, with_pip=False)
    install(folder, wheel)
    lend = Path(sysconfig.get_path("purelib"))
    (packages(folder) / "lent.pth").write_text(f"{lend}\n")
    return folder


def packages(folder: Path) -> Path:
    return next((folder / "lib").glob("python*")) / "site-packages"


def install(folder: Path, *wheels: Path) -> None:
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "-q"),
            *("--no-deps", "--no-index", "--ignore-installed", *wheels),
        ],
        check=True,
        capture_output=True,
    )


def run(folder: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [folder / "bin" / "lt-bench", *arguments],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def test_the_wheel_carries_the_catalog_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    assert top == {"lt_bench", next(n for n in top if n.endswith(".dist-info"))}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and not path.name.startswith("."):
                assert f"lt_bench/_catalog/{path.relative_to(ROOT)}" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_declarations_hold_no_code() -> None:
    assert not [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]


def test_the_wheel_evaluates_from_another_folder(clean: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    where = subprocess.run(
        [clean / "bin" / "python", "-c", "import lt_bench; print(lt_bench.__file__)"],
        cwd=away,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(clean))
    replies = packages(clean) / "lt_bench/_catalog/tasks/musique/sample/replies.jsonl"
    done = run(
        clean, "eval", f"replay/{replies}", "--task", "musique", "--limit", "10", "--json", cwd=away
    )
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["metrics"]["em"]["value"] == 1.0
    assert card["stamp"]["environment"]["git_commit"] is None


def test_a_plug_in_of_another_package_joins(clean: Path, tmp_path: Path) -> None:
    (tmp_path / "plugin").mkdir()
    install(clean, build(ROOT / "examples" / "plugin", tmp_path / "plugin"))
    assert "echo" in run(clean, "list", "tasks", cwd=tmp_path).stdout
    assert "echo" in run(clean, "list", "backends", cwd=tmp_path).stdout
    done = run(clean, "eval", "echo/loud", "--task", "echo", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["echoed"]["value"] == 1.0


@pytest.mark.parametrize(
    ("group", "entry", "command", "parts"),
    [
        (
            "lt_bench.scorers",
            "cost = lt_bench_echo.scorer:EchoScorer",
            ["eval", "x/y"],
            ["two owners", "lt-bench", "evil"],
        ),
        (
            "lt_bench.backends",
            "hf = no_such_module:X",
            ["list", "backends"],
            ["two owners", "evil"],
        ),
        (
            "lt_bench.backends",
            "evil = no_such_module:X",
            ["eval", "evil/x", "--task", "musique"],
            ["does not load", "no_such_module"],
        ),
        (
            "lt_bench.catalogs",
            "evil = no_such_module",
            ["list", "tasks"],
            ["does not import", "no_such_module"],
        ),
    ],
)
def test_a_broken_or_colliding_plug_in_stops_with_a_message(
    clean: Path, tmp_path: Path, group: str, entry: str, command: list[str], parts: list[str]
) -> None:
    info = packages(clean) / "evil-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
    done = run(clean, *command, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) <= 6
    for part in parts:
        assert part in done.stderr


def test_an_editable_install_reads_the_checkout() -> None:
    from lt_bench import catalog

    assert catalog.find("tasks", "musique") == ROOT / "tasks" / "musique"
    assert not (ROOT / "lt_bench" / "_catalog").exists()
