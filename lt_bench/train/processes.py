"""The processes of one launch: which of them writes, and where all wait for each other.

`accelerate launch -m lt_bench train …` starts the command once a device and sets RANK and WORLD_SIZE.
Without it there is one process, and torch is not loaded to find that out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any, Final, Self

from lt_bench.errors import UsageError

COLLECTIVE: Final = timedelta(hours=2)
"""How long a training step of one process may lag behind the others': its rewards may be slow."""
PATIENCE: Final = timedelta(days=30)
"""How long the others wait while the main process samples and judges alone."""


@dataclass(frozen=True)
class Processes:
    """`rank` of this process among `count`; the one of rank 0 is the main one."""

    rank: int = 0
    count: int = 1

    @classmethod
    def here(cls) -> Self:
        """What the launcher says.

        Raises:
            UsageError: RANK and WORLD_SIZE are no such numbers.
        """
        rank, count = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
        try:
            found = cls(int(rank), int(count))
        except ValueError:
            found = cls(-1, 0)
        if not 0 <= found.rank < found.count:
            raise UsageError(
                f"RANK={rank} of WORLD_SIZE={count} is no process of a launch",
                "start it with `accelerate launch`, or unset both",
            )
        return found

    @property
    def main(self) -> bool:
        """Whether this one samples, judges and writes."""
        return self.rank == 0

    def wait(self) -> None:
        """Returns once every process has come here. A process that ends with an error is the
        launcher's to notice: it ends the others."""
        if self.count > 1:
            import torch.distributed

            torch.distributed.barrier(group=_waiting_room())


@cache
def _waiting_room() -> Any:
    """A group of its own on gloo: a barrier of NCCL would busy the devices and give up early."""
    import torch.distributed
    from accelerate import PartialState

    on_cpu = os.environ.get("ACCELERATE_USE_CPU", "").lower() in ("1", "true", "yes")
    PartialState(cpu=on_cpu or not torch.accelerator.is_available(), timeout=COLLECTIVE)
    return torch.distributed.new_group(backend="gloo", timeout=PATIENCE)
