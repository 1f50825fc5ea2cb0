"""The time before the first row: what is loaded then stays, so that no garbage is looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

THRESHOLDS: Final = (20_000, 20, 20)
"""Objects that are made before the youngest are looked through, and rounds of that before the older
ones are."""


@contextmanager
def loading() -> Iterator[None]:
    """Python looks through all that there is again and again while it grows, a fifth of the time that
    loading takes. Afterwards it looks at what came since, and less often: a row makes hundreds of
    objects, none of them a circle."""
    gc.disable()
    try:
        yield
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
    finally:
        gc.enable()
