"""The scripted server as a process, and commands that are killed in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.warm import Running

SERVER = Path(__file__).with_name("server.py")


@contextmanager
def server_process(folder: Path, *arguments: str) -> Iterator[str]:
    """URL (ending in /v1) of a scripted server that answers by a hash of the prompt."""
    port_file = folder / "port"
    command = [sys.executable, str(SERVER), "--port-file", str(port_file), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not port_file.exists() or not port_file.read_text().strip():
            assert process.poll() is None, "the scripted server died"
            assert time.monotonic() < deadline, "the scripted server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port_file.read_text().strip()}/v1"
    finally:
        process.terminate()
        process.wait(10)


def kill_when(process: Running, path: Path, rows: int, late: float) -> bool:
    """kill -9 once the journal holds `rows` whole lines and `late` more seconds have passed;
    False if the command ended before that."""
    while process.poll() is None:
        if path.exists() and path.read_bytes().count(b"\n") >= rows:
            time.sleep(late)
            break
        time.sleep(0.001)
    alive = process.poll() is None
    if alive:
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    return alive
