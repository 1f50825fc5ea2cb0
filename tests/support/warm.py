"""Runs the real `lt-bench` command in a fork of a process that has loaded it already.

What a command costs is mostly loading; a test that is not about loading or limits need not pay for it.
Each command has its own process, streams, folder and environment, as in `command`, and can be killed.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from support.command import environment

_COMMAND = (
    "datasets", "datasketch", "encodings.idna", "encodings.unicode_escape", "importlib.readers",
    "jinja2.meta", "jinja2.sandbox", "numpy", "pandas", "pyarrow", "rich._emoji_codes",
    "rich.progress", "ruamel.yaml", "scipy.special", "typer._adapters", "typer._click.decorators",
    "uvloop",
    "lt_bench.backends.openai.aiohttp_transport", "lt_bench.backends.openai.backend",
    "lt_bench.backends.replay.backend", "lt_bench.backends.scripted.backend",
    "lt_bench.builders.audit.near", "lt_bench.builders.audit.spool",
    "lt_bench.builders.commerce_judge", "lt_bench.builders.commerce_qa",
    "lt_bench.builders.mini_qa", "lt_bench.builders.musique", "lt_bench.builders.musique.builder",
    "lt_bench.builders.recognise", "lt_bench.builders.store", "lt_bench.builders.tool_dialogue",
    "lt_bench.claims.clauses", "lt_bench.replay.writing", "lt_bench.run", "lt_bench.run.card",
    "lt_bench.run.evaluation", "lt_bench.run.labelling.session", "lt_bench.scorers.cost", "lt_bench.scorers.decisions",
    "lt_bench.scorers.facts", "lt_bench.scorers.judged", "lt_bench.scorers.length",
    "lt_bench.scorers.qa", "lt_bench.scorers.tools", "lt_bench.stats.intervals",
    "lt_bench.study.reporting", "lt_bench.study.running", "lt_bench.train.plan_json",
    "lt_bench.train.preparation",
    "lt_bench.cli.cards", "lt_bench.cli.evaluate", "lt_bench.cli.judge.calibration_table",
    "lt_bench.cli", "lt_bench.cli.data.difference", "lt_bench.cli.data.figures",
    "lt_bench.cli.data.makers", "lt_bench.cli.data.page", "lt_bench.cli.data.progress",
    "lt_bench.cli.failure", "lt_bench.cli.flops", "lt_bench.cli.latency", "lt_bench.cli.leaderboard", "lt_bench.cli.listing", "lt_bench.cli.notices",
    "lt_bench.cli.progress", "lt_bench.cli.replay", "lt_bench.cli.replay_show",
    "lt_bench.cli.reproduce", "lt_bench.cli.reproduce_html", "lt_bench.cli.reproduce_tables", "lt_bench.cli.runs",
    "lt_bench.cli.running", "lt_bench.cli.score", "lt_bench.cli.train", "lt_bench.cli.train_plan",
)  # fmt: skip
_MODEL = (
    "torch", "transformers.models.llama.modeling_llama",
    "transformers.models.qwen3.modeling_qwen3", "transformers.models.qwen3_moe.modeling_qwen3_moe",
    "lt_bench.backends.transformers.backend", "lt_bench.backends.transformers.engine",
)  # fmt: skip
_TRAINING = (
    *_MODEL,
    "peft", "trl", "lt_bench.train.distilling", "lt_bench.train.grpo_trainer",
    "lt_bench.train.pretraining", "lt_bench.train.reinforcing", "lt_bench.train.sft_trainer",
)  # fmt: skip
LOADED: Mapping[str, tuple[str, ...]] = {
    "command": (),
    "model": _MODEL,
    "training": _TRAINING,
}
"""What a command finds loaded, beside what every one does: torch for a model, and the trainers."""


class Running:
    """A command under way, with what a test does to a `subprocess.Popen`."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._streams = Path(tempfile.mkdtemp())
        (self._streams / "in").write_text(request.get("stdin", ""), "utf-8")
        self.returncode: int | None = None
        self.pid = _asked({**request, "streams": str(self._streams)})

    def poll(self) -> int | None:
        """How it ended, or None while it goes on."""
        if self.returncode is None:
            code = _asked({"pid": self.pid})
            self.returncode = None if code == _GOES_ON else code
        return self.returncode

    def wait(self, timeout: float = 300) -> int:
        """How it ended; one that is not over in time is killed."""
        deadline, pause = time.monotonic() + timeout, 0.001
        while self.poll() is None:
            if time.monotonic() > deadline:
                self.send_signal(signal.SIGKILL)
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float = 300) -> tuple[str, str]:
        """Stdout and stderr, once it has ended."""
        self.wait(timeout)
        out, err = (
            path.read_text("utf-8", "replace") if path.exists() else ""
            for path in (self._streams / "out", self._streams / "err")
        )
        shutil.rmtree(self._streams, ignore_errors=True)
        return out, err

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def start(
    *arguments: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    loaded: str = "command",
) -> Running:
    """The command, running."""
    words = [str(argument) for argument in arguments]
    return Running(_request(cwd, env, loaded, arguments=words, stdin=stdin))


def start_code(
    code: str, *, cwd: Path, env: Mapping[str, str] | None = None, loaded: str = "command"
) -> Running:
    """Python code, running as that of `python -c` would."""
    return Running(_request(cwd, env, loaded, code=code))


def lt_bench(
    *arguments: str | Path,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
    stdin: str = "",
    loaded: str = "command",
) -> subprocess.CompletedProcess[str]:
    """The finished command: returncode, stdout, stderr. One that is not over in time is killed."""
    process = start(*arguments, cwd=cwd, env=env, stdin=stdin, loaded=loaded)
    out, err = process.communicate(timeout)
    assert process.returncode is not None
    return subprocess.CompletedProcess(
        [str(argument) for argument in arguments], process.returncode, out, err
    )


def launch(count: int, begin: Callable[[Mapping[str, str]], Running], timeout: float = 300) -> None:
    """So many processes that train together; `begin` starts one in the environment that a launcher
    would give it. All must end well: one that fails ends the others, as a launcher does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = {
        "WORLD_SIZE": str(count),
        "LOCAL_WORLD_SIZE": str(count),
        "ACCELERATE_USE_CPU": "true",
    }
    where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    started = [
        begin({**shared, **where, "RANK": str(rank), "LOCAL_RANK": str(rank)})
        for rank in range(count)
    ]
    deadline = time.monotonic() + timeout
    while any(process.poll() is None for process in started):
        if any(process.returncode for process in started) or time.monotonic() > deadline:
            for process in started:
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
        time.sleep(0.02)
    for process in started:
        _, err = process.communicate()
        assert process.returncode == 0, err[-4000:]


_GOES_ON = 256
"""Told of a process that has not ended: no exit code is that high."""
_SPEAKING = threading.Lock()


def _request(
    cwd: Path, env: Mapping[str, str] | None, loaded: str, **work: Any
) -> Mapping[str, Any]:
    return {
        "cwd": str(cwd),
        "env": environment(**(env or {})),
        "load": LOADED[loaded],
        **work,
    }


def _asked(request: Mapping[str, Any]) -> int:
    """What the server answers: the pid of a new process, or the exit code of an old one."""
    server = _server()
    assert server.stdin
    assert server.stdout
    with _SPEAKING:
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        return int(server.stdout.readline())


@functools.cache
def _server() -> subprocess.Popen[str]:
    """Ends when its stdin does, that is with the tests."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        env={**environment(), "PYTHONPATH": str(Path(__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


# --- in the server -----------------------------------------------------------------------------


def _serve() -> None:
    # A command does not see the tests: TRL would take the folder tests/vllm for vLLM.
    for folder in (Path(__file__).parent, Path(__file__).parents[1]):
        sys.path.remove(str(folder))
    _load(_COMMAND)
    for line in sys.stdin:
        request = json.loads(line)
        if "pid" in request:
            print(_code_of(request["pid"]), flush=True)
            continue
        _load(request["load"])
        child = os.fork()
        if not child:
            _run(request)
        print(child, flush=True)


def _load(names: tuple[str, ...]) -> None:
    import gc
    import importlib

    if all(name in sys.modules for name in names):
        return
    for name in names:
        importlib.import_module(name)
    _complete()
    gc.collect()
    gc.freeze()  # or the first collection in a fork would copy every page


def _complete() -> None:
    """Records are built when one is first made, which every fork would do anew."""
    from pydantic import BaseModel

    waiting = [BaseModel]
    while waiting:
        record = waiting.pop()
        waiting += record.__subclasses__()
        if record.__module__.startswith("lt_bench.") and not record.__pydantic_complete__:
            record.model_rebuild(raise_errors=False)


def _code_of(pid: int) -> int:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else _GOES_ON


def _run(request: dict[str, Any]) -> None:
    """The command itself, in the fork."""
    for number, name in ((1, "out"), (2, "err")):
        descriptor = os.open(f"{request['streams']}/{name}", os.O_WRONLY | os.O_CREAT)
        os.dup2(descriptor, number)
    os.dup2(os.open(f"{request['streams']}/in", os.O_RDONLY), 0)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    code: object = 1
    try:
        _work(request)
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001
        import traceback

        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


def _work(request: dict[str, Any]) -> None:
    if "code" in request:
        exec(compile(request["code"], "<string>", "exec"), {"__name__": "__main__"})
        return
    from lt_bench.cli import main

    sys.argv = ["lt-bench", *request["arguments"]]
    main()


if __name__ == "__main__":
    _serve()
