"""One folder per run: config.json, generations.jsonl, scores.jsonl, card.json, log.txt."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from lt_bench.backends import ModelFacts
from lt_bench.config import EvalConfig
from lt_bench.errors import RunError, UsageError
from lt_bench.records import Environment, Record, ResultCard, Sample, SampleKey, Scored
from lt_bench.run.journal import Journal
from lt_bench.run.session import mark

RUNS = Path("runs")
"""Where runs lie that were given no folder of their own."""

CONFIG, LOCK = "config.json", ".lock"
OWN = frozenset((LOCK, ".config.json.part"))
"""What a run that died before its config.json may have left."""


class RunFile(Record):
    """config.json: what was asked, of which model, on which file (None: the shipped sample), and how
    many rows of it are this run's."""

    config: EvalConfig
    model: ModelFacts
    environment: Environment
    data: str | None
    rows: int | None = None
    active_params: float | None = None


class RunDir:
    """The files of one run. Reading needs only the folder; writing needs `locked()`.

    `variant` names the scores and the card of another judge than the run's own, by the first digits
    of its scorers' sha: scores.VARIANT.jsonl and card.VARIANT.json stand beside the others.
    """

    def __init__(self, path: Path, variant: str = "") -> None:
        self.path, self.variant = path, variant
        suffix = f".{variant}" if variant else ""
        self.generations = Journal(path / "generations.jsonl", Sample)
        self.scores = Journal(path / f"scores{suffix}.jsonl", Scored)
        self.card_path = path / f"card{suffix}.json"

    @property
    def config_path(self) -> Path:
        return self.path / CONFIG

    def load(self) -> RunFile:
        """What this run was begun with.

        Raises:
            UsageError: the folder is not a run.
        """
        try:
            return RunFile.model_validate_json(self.config_path.read_bytes())
        except FileNotFoundError as error:
            raise UsageError(
                f"{self.path} is not a run: it has no config.json",
                "name a folder that `lt-bench eval` made (they lie under runs/)",
            ) from error
        except NotADirectoryError as error:
            raise UsageError(f"{self.path} is not a folder", "name the folder of a run") from error
        except ValidationError as error:
            raise UsageError(
                f"{self.config_path} is damaged: {error.errors()[0]['msg']}",
                "bring it back from a copy, or begin another run",
            ) from error

    def begin(self, file: RunFile) -> RunFile:
        """Starts the run, or resumes it with the same configuration.

        Raises:
            UsageError: the folder holds a run with another configuration; the keys are named.
        """
        if self.config_path.exists():
            before = self.load()
            changed = changes(before.config, file.config)
            if changed:
                raise UsageError(
                    f"{self.path} was begun with other settings, and mixed runs cannot be "
                    f"compared. Changed: {'; '.join(changed[:3])}",
                    "use another --run, or the settings it was begun with",
                )
            file = _with_first_ids(file, before)
        write_whole(self.config_path, file.model_dump_json(indent=2))
        mark(self.path / LOCK, self.generations.path)
        return file

    def asked(self, file: RunFile, model: ModelFacts) -> RunFile:
        """Keeps what only the first prompt told of the model: its token ids."""
        if model.first_prompt_ids is None:
            return file
        file = file.model_copy(update={"model": model})
        write_whole(self.config_path, file.model_dump_json(indent=2))
        return file

    def _make(self) -> None:
        """The folder, new or a run's own; never among other people's files."""
        try:
            if not self.config_path.exists() and _holds_other_files(self.path):
                raise UsageError(
                    f"{self.path} holds other files and is no run", "use another --run"
                )
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"cannot make {self.path}: {error.strerror}", "use another --run"
            ) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the run for this process, so that two of them cannot double its rows."""
        self._make()
        lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if not take_lock(lock):
                raise UsageError(f"{self.path} is being written by another process", "wait for it")
            yield
        finally:
            os.close(lock)

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Holds a run that is only read, so that nobody writes it meanwhile. Where it cannot be held
        (a read-only disk), nobody can write it either.

        Raises:
            UsageError: another process writes it.
        """
        try:
            lock = os.open(self.path / LOCK, os.O_RDONLY)
        except OSError:
            yield
            return
        try:
            if not take_lock(lock, shared=True):
                raise UsageError(f"{self.path} is being written by another process", "wait for it")
            yield
        finally:
            os.close(lock)

    def samples(self) -> dict[SampleKey, Sample]:
        """The latest outcome of each sample.

        Raises:
            RunError: a sample was answered twice, which no run of lt-bench does.
        """
        latest: dict[SampleKey, Sample] = {}
        for sample in self.generations:
            before = latest.get(sample.key)
            if before is not None and before.status != "error":
                raise RunError(
                    f"{self.generations.path} answers {sample.key.example_id} "
                    f"(sample {sample.key.sample_index}) twice",
                    "delete one of the two lines",
                )
            latest[sample.key] = sample
        return latest

    def scored(self, scorers_sha: str) -> dict[SampleKey, Scored]:
        """The scores that these scorers gave."""
        return {line.key: line for line in self.scores if line.scorers_sha == scorers_sha}

    def save_card(self, card: ResultCard) -> None:
        write_whole(self.card_path, card.model_dump_json(indent=2))

    def card(self) -> ResultCard:
        """The card of a finished run.

        Raises:
            UsageError: there is none yet.
        """
        try:
            return ResultCard.model_validate_json(self.card_path.read_bytes())
        except FileNotFoundError as error:
            raise UsageError(
                f"{self.path} has no card yet", "resume it with the command that began it"
            ) from error
        except ValidationError as error:
            raise UsageError(
                f"{self.card_path}: {error.errors()[0]['msg']}",
                f"write it anew: lt-bench score {self.path}",
            ) from error


def _holds_other_files(folder: Path) -> bool:
    return folder.is_dir() and any(path.name not in OWN for path in folder.iterdir())


def _with_first_ids(file: RunFile, before: RunFile) -> RunFile:
    """A resumed run may have nothing left to ask: the ids of its first prompt stay known."""
    ids = before.model.first_prompt_ids
    model = file.model.model_copy(update={"first_prompt_ids": ids})
    return file.model_copy(update={"model": model})


def find_run(name: Path) -> RunDir:
    """The run in this folder, or of this name under runs/."""
    named = RUNS / name
    by_name = len(name.parts) == 1 and not (name / CONFIG).exists() and (named / CONFIG).exists()
    return RunDir(named if by_name else name)


def run_folder(name: str | Path) -> Path:
    """Where a run of this name is to lie: a str without a slash is a name under runs/."""
    is_folder = isinstance(name, Path) or "/" in name or "\\" in name
    return Path(name) if is_folder else RUNS / name


def changes(before: EvalConfig, after: EvalConfig) -> list[str]:
    """ "sampling.temperature: 0.0 -> 0.7" for every setting that differs."""
    return differences(before.model_dump(mode="json"), after.model_dump(mode="json"))


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The same for two trees of plain settings."""
    old, new = _flat(before), _flat(after)
    keys = [*old, *(key for key in new if key not in old)]
    return [
        f"{key}: {_short(old.get(key))} -> {_short(new.get(key))}"
        for key in keys
        if old.get(key) != new.get(key)
    ]


def _short(value: object) -> str:
    """A hash by its first digits, anything else whole."""
    text = str(value)
    return f"{text[:8]}…" if re.fullmatch(r"[0-9a-f]{64}", text) else text


def _flat(tree: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def write_whole(path: Path, text: str) -> None:
    """Replaces a file in one step: a reader sees the old text or the new one, never half."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(
            f"cannot write {path}: {error.strerror}", "free some space and repeat"
        ) from error


def take_lock(file: int, *, shared: bool = False) -> bool:
    """Whether this process got the lock, `shared` with other readers or its own; it goes with the
    process, however it dies."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there the journal's doubled-row check remains.
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
