"""The jobs of a study at work: order, how many at once, what is left out, and what goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lt_bench.errors import UsageError
from lt_bench.study import children
from lt_bench.study.jobs import Job
from lt_bench.study.running import Worker
from lt_bench.study.times import JobTime, times


def job(
    name: str, needs: Iterable[str] = (), folder: str | None = None, root: Path = Path()
) -> Job:
    done = root / f"{name}.done"
    return Job(
        name=name,
        kind="stage",
        seed=1,
        row=name,
        needs=tuple(needs),
        command=("--version",),
        folder=root / (folder or name),
        log=root / f"{name}.log",
        is_done=done.exists,
    )


@dataclass
class Commands:
    """Stands in for processes: each ends at the second look, and makes what its job is for."""

    root: Path
    failing: frozenset[str] = frozenset()
    begun: list[str] = field(default_factory=list)
    alive: set[str] = field(default_factory=set)
    folders: set[Path] = field(default_factory=set)
    most: int = 0
    interrupt_at: str = ""
    signals: list[tuple[str, int]] = field(default_factory=list)

    def launch(self, job: Job) -> Command:
        if job.name == self.interrupt_at:
            raise KeyboardInterrupt
        assert job.folder not in self.folders, "two commands in one folder"
        self.begun.append(job.name)
        self.alive.add(job.name)
        self.folders.add(job.folder)
        self.most = max(self.most, len(self.alive))
        return Command(self, job)


@dataclass
class Command:
    commands: Commands
    job: Job
    looks: int = 0
    ended: bool = False

    def poll(self) -> JobTime | None:
        self.looks += 1
        if self.looks < 2 and not self.ended:
            return None
        self.commands.alive.discard(self.job.name)
        self.commands.folders.discard(self.job.folder)
        fails = self.job.name in self.commands.failing or self.ended
        if fails:
            self.job.log.write_text("step 1\n\nerror: the disk is full\nfix: free some\n")
        else:
            (self.commands.root / f"{self.job.name}.done").touch()
        return JobTime(
            job=self.job.name, began="2026-01-01T00:00:00+00:00", cpu=30, wall=45, exit=4 * fails
        )

    def send(self, sign: signal.Signals) -> None:
        self.commands.signals.append((self.job.name, sign))
        self.ended = True


def worker(
    commands: Commands, jobs: list[Job], told: list[str] | None = None, **changes: object
) -> Worker:
    said = told if told is not None else []
    return Worker(
        jobs,
        times(commands.root / "times.jsonl"),
        said.append,
        launch=commands.launch,
        pause=0.0,
        **changes,  # type: ignore[arg-type]
    )


def chain(root: Path) -> list[Job]:
    """base -> rft -> rl, and sft from base in the same folder as rl."""
    return [
        job("rl", ["rft"], "moe", root),
        job("base", [], "moe", root),
        job("rft", ["base"], "moe", root),
        job("sft", ["base"], "moe", root),
        job("alone", ["rft"], "alone", root),
        job("rows", [], "rows", root),
    ]


def test_a_job_begins_after_what_it_needs_and_alone_in_its_folder(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    outcomes = worker(commands, chain(tmp_path)).run(3)
    assert {one.fate for one in outcomes.values()} == {"done"}
    at = commands.begun.index
    assert at("base") < at("rft") < at("rl")
    assert at("rft") < at("alone")
    assert sorted(commands.begun) == sorted({*commands.begun})


@pytest.mark.parametrize("most", [1, 2, 4])
def test_no_more_run_at_once_than_asked(tmp_path: Path, most: int) -> None:
    commands = Commands(tmp_path)
    jobs = [job(f"j{n}", root=tmp_path) for n in range(6)]
    worker(commands, jobs).run(most)
    assert commands.most == most


def test_what_needs_a_failed_job_is_left_out_and_all_else_goes_on(tmp_path: Path) -> None:
    commands, told = Commands(tmp_path, frozenset({"rft"})), []
    outcomes = worker(commands, chain(tmp_path), told).run(2)
    assert {name: one.fate for name, one in outcomes.items()} == {
        "base": "done",
        "sft": "done",
        "rows": "done",
        "rft": "failed",
        "rl": "left",
        "alone": "left",
    }
    assert "error: the disk is full" in outcomes["rft"].why
    assert "exit code 4" in outcomes["rft"].why
    assert "it needs rft" in outcomes["rl"].why
    assert any("the disk is full" in line for line in told)


def test_a_command_that_makes_nothing_has_failed_whatever_it_returns(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    one = job("a", root=tmp_path)
    never = Job(**{**vars(one), "is_done": lambda: False})
    assert worker(commands, [never]).run(1)["a"].fate == "failed"


def test_finished_jobs_are_not_run_again(tmp_path: Path) -> None:
    worker(Commands(tmp_path), chain(tmp_path)).run(2)
    again = Commands(tmp_path)
    outcomes = worker(again, chain(tmp_path)).run(2)
    assert again.begun == []
    assert {one.fate for one in outcomes.values()} == {"before"}


def test_a_failed_job_is_tried_again_by_the_next_command(tmp_path: Path) -> None:
    worker(Commands(tmp_path, frozenset({"rft"})), chain(tmp_path)).run(2)
    again = Commands(tmp_path)
    worker(again, chain(tmp_path)).run(2)
    assert sorted(again.begun) == ["alone", "rft", "rl"]


def test_what_was_made_otherwise_stops_the_command_before_anything_begins(tmp_path: Path) -> None:
    def other() -> bool:
        raise UsageError("stage a was trained with other settings", "use another --run")

    commands = Commands(tmp_path)
    wrong = Job(**{**vars(job("z", root=tmp_path)), "is_done": other})
    with pytest.raises(UsageError, match="other settings"):
        worker(commands, [job("a", root=tmp_path), wrong]).run(2)
    assert commands.begun == []


def test_a_folder_that_another_process_holds_is_waited_for(tmp_path: Path) -> None:
    commands, told, looks = Commands(tmp_path), [], iter([True, True, False])

    def is_busy(one: Job) -> bool:
        busy = one.name == "base" and next(looks, False)
        if one.name == "base" and not busy:
            (tmp_path / "base.done").touch()  # the other one has done it meanwhile
        return busy

    outcomes = worker(commands, chain(tmp_path), told, is_busy=is_busy).run(2)
    assert outcomes["base"].fate == "before"
    assert "base" not in commands.begun
    assert "rl" in commands.begun
    assert sum("another process" in line for line in told) == 1


def test_an_interrupted_study_ends_its_commands_and_goes_on_later(tmp_path: Path) -> None:
    commands = Commands(tmp_path, interrupt_at="rft")
    with pytest.raises(KeyboardInterrupt):
        worker(commands, chain(tmp_path)).run(2)
    assert commands.alive == set()
    done = {path.stem for path in tmp_path.glob("*.done")}
    again = Commands(tmp_path)
    outcomes = worker(again, chain(tmp_path)).run(2)
    assert set(again.begun) == {"rl", "base", "rft", "sft", "alone", "rows"} - done
    assert all(one.fate in ("done", "before") for one in outcomes.values())


def test_times_add_up_over_commands_of_several_studies(tmp_path: Path) -> None:
    told: list[str] = []
    worker(Commands(tmp_path, frozenset({"rft"})), chain(tmp_path)).run(2)
    worker(Commands(tmp_path), chain(tmp_path), told).run(2)
    taken = list(times(tmp_path / "times.jsonl"))
    assert len(taken) == 7
    assert sum(one.job == "rft" for one in taken) == 2
    assert "3.5 CPU minutes" in told[-1]


def test_a_command_is_a_process_with_a_log_and_its_processor_time(tmp_path: Path) -> None:
    done = children.launch(job("a", root=tmp_path))
    while (took := done.poll()) is None:
        pass
    assert took.exit == 0
    assert took.cpu is not None
    assert 0 < took.cpu < 30
    assert "lt-bench" in (tmp_path / "a.log").read_text()


def test_a_process_can_be_ended(tmp_path: Path) -> None:
    long = Job(**{**vars(job("a", root=tmp_path)), "command": ("list", "tasks")})
    running = children.launch(long)
    running.send(signal.SIGKILL)
    while (took := running.poll()) is None:
        pass
    assert took.exit == -signal.SIGKILL


def test_the_end_of_a_log_is_told_without_what_says_nothing(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(b"one\n\n\xff\xfe two \n   \nthree\n")
    assert children.tail(log, 2) == ["\ufffd\ufffd two", "three"]
    assert children.tail(tmp_path / "none.log") == []
