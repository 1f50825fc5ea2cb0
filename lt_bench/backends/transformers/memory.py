"""How much memory a device has left, and what running out of it looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psutil
import torch

_RESERVE = 20
"""The part of a machine's memory that is left alone: one in so many."""
_CGROUP = Path("/sys/fs/cgroup")


def is_out_of_memory(error: BaseException) -> bool:
    """Whether `error` is the device or the machine running out of memory."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    words = ("out of memory", "can't allocate memory", "not enough memory")
    return isinstance(error, RuntimeError) and any(word in str(error).lower() for word in words)


def free_memory() -> None:
    """Give back what a failed batch held on the device."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()


def ask_for(size: int, device: Any) -> None:
    """Refuse `size` bytes that the machine does not have.

    A GPU says so itself. Where the processor's memory runs out, the system ends the process
    without a word, so it is asked first.

    Raises:
        MemoryError: they do not fit beside the reserve.
    """
    if device.type == "cpu" and size > (free := free_bytes()):
        raise MemoryError(f"{size >> 20} MB are not there: {max(free, 0) >> 20} MB are free")


def free_bytes() -> int:
    """Bytes of main memory that may still be taken, by the machine and by this container."""
    machine = psutil.virtual_memory()
    free = machine.available - machine.total // _RESERVE
    limit, used = _container("memory.max"), _container("memory.current")
    if limit is None or used is None:
        return int(free)
    # what the container caches of files counts as used, but is given up when needed
    return int(min(free, limit - limit // _RESERVE - used + (_file_cache() or 0)))


def _container(name: str) -> int | None:
    try:
        return int((_CGROUP / name).read_text())
    except (OSError, ValueError):
        return None


def _file_cache() -> int | None:
    try:
        lines = (_CGROUP / "memory.stat").read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("file ")), None)
    except (OSError, ValueError):
        return None
