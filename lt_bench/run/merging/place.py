"""Where a joined run is written: beside its place until it is whole, or into the run that is there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lt_bench.errors import RunError, UsageError
from lt_bench.run.changes import changes
from lt_bench.run.disk import sync_folder, write_whole
from lt_bench.run.rundir import LOCK, RunDir, RunFile


@contextmanager
def place(out: Path, file: RunFile) -> Iterator[RunDir]:
    """The run to add to, locked. A new one stands beside its place until the block ends well.

    Raises:
        UsageError: `out` holds something else.
        RunError: it cannot be written.
    """
    there = RunDir(out)
    if there.begun:
        with there.locked():
            changed = changes(there.load().config, file.config)
            if changed:
                raise UsageError(
                    f"{out} is another run. Changed: {'; '.join(changed[:3])}", "use another --out"
                )
            yield there
        return
    if _is_taken(out):
        raise UsageError(f"{out} holds other files and is no run", "use another --out")
    made = RunDir(out.with_name(f".{out.name}.merging"))
    with made.locked():
        _clear(made.path)
        try:
            write_whole(made.config_path, file.model_dump_json(indent=2))
            yield made
            _publish(made.path, out)
        except BaseException:
            shutil.rmtree(made.path, ignore_errors=True)
            raise


def _is_taken(out: Path) -> bool:
    try:
        return out.exists() and not (out.is_dir() and not any(out.iterdir()))
    except OSError as error:
        raise UsageError(f"cannot make {out}: {error.strerror}", "use another --out") from error


def _clear(folder: Path) -> None:
    """Takes away what a killed merge left, config.json last: until then it is known for a run."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name == "config.json"):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def _publish(made: Path, out: Path) -> None:
    try:
        if out.exists():
            out.rmdir()
        made.rename(out)
    except OSError as error:
        raise RunError(f"cannot make {out}: {error.strerror}", "use another --out") from error
    sync_folder(out.parent)
