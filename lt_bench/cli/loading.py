"""The time before the first row: what is loaded then stays, so that no garbage is looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Python looks through all that there is again and again while it grows, a fifth of the time that
    loading takes. Afterwards it looks at what came since."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
