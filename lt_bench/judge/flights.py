"""Work under way by key, so that two who want the same at the same time share it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Flights(Generic[T]):
    """The first caller of a key works; those who come before it is done wait and get the same."""

    def __init__(self) -> None:
        self._under_way: dict[str, asyncio.Future[T]] = {}

    async def share(self, key: str, work: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """What `work` gives, and whether this caller did it. An error is everyone's; where the
        worker was cancelled, the next one in line works."""
        while (flight := self._under_way.get(key)) is not None:
            try:
                return await asyncio.shield(flight), False
            except asyncio.CancelledError:
                if not flight.cancelled() or _being_cancelled():
                    raise
        return await self._work(key, work), True

    async def _work(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        flight = self._under_way[key] = asyncio.get_running_loop().create_future()
        try:
            result = await work()
        except asyncio.CancelledError:
            flight.cancel()
            raise
        except BaseException as error:
            flight.set_exception(error)
            flight.exception()  # Nobody may be waiting for it.
            raise
        else:
            flight.set_result(result)
            return result
        finally:
            del self._under_way[key]


def _being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
