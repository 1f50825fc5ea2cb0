"""Could k of n rows give a printed percentage? An audit of reported figures by their decimals alone.

A share of n rows can only be k / n. A figure that no k gives at its printed decimals is no such share:
rows may have been left out, several samples averaged, another n used, or a digit mistaken. (N. Brown and
J. Heathers, The GRIM test, Soc. Psychol. Personal. Sci. 8, 2017, for means of whole numbers.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lt_bench.errors import UsageError


@dataclass(frozen=True)
class Audit:
    """The counts k of `rows` that print as the figure; none: it is not explained by k of n."""

    printed: str
    rows: int
    counts: tuple[int, ...]

    @property
    def consistent(self) -> bool:
        return bool(self.counts)

    @property
    def sentence(self) -> str:
        """ "consistent: 269 of 400"; never more than the figures say."""
        if not self.counts:
            return f"not explained by k of {self.rows}"
        first, last = self.counts[0], self.counts[-1]
        counts = f"{first}" if first == last else f"{first} to {last}"
        return f"consistent: {counts} of {self.rows}"


def audit(printed: str, rows: int) -> Audit:
    """A percentage as it is printed ("67.3": one decimal), as a share of `rows` rows. A share halfway
    between two printed figures may have been rounded either way.

    Raises:
        UsageError: no plain decimal number of percent, or fewer than one row.
    """
    value, decimals = _read(printed)
    if rows < 1:
        raise UsageError(f"{rows} rows give no percentage", "name the size of the test set")
    half = Fraction(1, 2 * 10**decimals)
    low, high = (value - half) * rows / 100, (value + half) * rows / 100
    first, last = max(0, -((-low.numerator) // low.denominator)), min(rows, high // 1)
    return Audit(printed, rows, tuple(range(first, last + 1)))


def _read(printed: str) -> tuple[Fraction, int]:
    """The number and its decimals, exactly."""
    whole, _, part = printed.strip().partition(".")
    digits = whole + part
    if not (digits.isascii() and digits.isdecimal() and whole) or len(digits) > 15:
        raise UsageError(
            f"{printed!r} is no printed percentage", 'write it as it stands in the paper: "67.3"'
        )
    value = Fraction(int(digits), 10 ** len(part))
    if value > 100:
        raise UsageError(f"{printed!r} is above 100 %", "write the percentage as it is printed")
    return value, len(part)
