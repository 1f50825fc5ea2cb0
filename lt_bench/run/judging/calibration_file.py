"""Calibrations on disk, and whether one fits the judge of a run."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from pydantic import ValidationError

from lt_bench.config import digest
from lt_bench.errors import RunError, UsageError, did_you_mean
from lt_bench.records import Calibration, JudgeStamp, MetricCalibration
from lt_bench.run.disk import write_whole

FOLDER = Path("calibrations")
"""Where calibrations lie that were given no file of their own."""
MAX_BYTES = 64 * 2**20
"""A larger file is no calibration."""


def default_path(calibration: Calibration) -> Path:
    """calibrations/NAME-SHA8.json, the same for the same judge on the same labels."""
    shas = [one.judge_sha for one in calibration.metrics.values()]
    sha = digest([shas, calibration.labels_sha])[:8]
    return FOLDER / f"{calibration.judge}-{sha}.json"


def check_place(path: Path) -> None:
    """Makes the folder of a file that is to be written; better found out before the judge is asked.

    Raises:
        UsageError: it is a folder itself, or nothing can be written there.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder", "name the file to write")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror or error}", "name another place"
        ) from error


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Writes or replaces the file in one step.

    Raises:
        RunError: the disk does not take it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}", "name another place") from error
    write_whole(path, calibration.model_dump_json(indent=2))


def load_calibration(path: Path) -> Calibration:
    """A calibration that was written before.

    Raises:
        UsageError: there is none, or it is damaged.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path} is no calibration: it is too large", "check the path")
        return Calibration.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        if isinstance(error, ValidationError):
            raise UsageError(f"{path} is no calibration: {_first(error)}", _MADE) from error
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {path}: {reason}", _MADE) from error


def matching(calibration: Calibration, stamp: JudgeStamp, metric: str) -> MetricCalibration:
    """What the calibration says of the judge that gave `metric` in a run.

    Raises:
        UsageError: it does not hold this metric, or is of another judge, other models, another
            rubric or prompt: then it says nothing about this one.
    """
    found = calibration.metrics.get(metric)
    if found is None:
        raise UsageError(
            f"the calibration of {calibration.judge} does not hold {metric}."
            f"{did_you_mean(metric, calibration.metrics)}",
            f"it holds: {', '.join(calibration.metrics)}",
        )
    if found.judge_sha != stamp.judge_sha:
        raise UsageError(
            f"the calibration of {metric} is stale: {_change(calibration, found, stamp)}",
            "measure the judge as it is now: lt-bench judge calibrate",
        )
    return found


def _change(calibration: Calibration, found: MetricCalibration, stamp: JudgeStamp) -> str:
    """What tells the judge of the calibration from that of the run, as far as both know."""
    if found.judge != stamp.name:
        return f"it is of the judge {found.judge}, not of {stamp.name}"
    changed = []
    if calibration.models != stamp.models:
        changed.append(f"models {_listed(calibration.models)} became {_listed(stamp.models)}")
    if found.version != stamp.version:
        changed.append(f"version {found.version} of the rubric became {stamp.version}")
    if found.votes != stamp.votes:
        changed.append(f"{found.votes} votes became {stamp.votes}")
    if not changed:
        return "the prompt, the sampling or the weights of the judge changed since"
    return "; ".join(changed)


def _listed(models: tuple[str, ...]) -> str:
    return " + ".join(models) or "no model"


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


_MADE = "name a file that `lt-bench judge calibrate` wrote"
