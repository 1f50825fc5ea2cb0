"""Plots as SVG that stands in a page by itself: lines and points on two axes, in the page's own colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

WIDTH, HEIGHT = 640.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 14.0, 14.0, 44.0
HUES: Final = 6
"""Colours that the page has: classes h0 to h5."""
DASHES: Final = ("none", "7 4", "2 3", "9 3 2 3")
LABEL: Final = (6.4, 13.0)
"""Width of a letter of a label and height of a line, in the plot's units."""


@dataclass(frozen=True)
class Axis:
    """A range and what is counted along it."""

    low: float
    high: float
    title: str
    show: Callable[[float], str] = "{:g}".format

    @classmethod
    def over(
        cls,
        values: Sequence[float],
        title: str,
        *,
        zero: bool = False,
        show: Callable[[float], str] = "{:g}".format,
    ) -> Axis:
        """A range that holds these values, ends at ticks, and begins at 0 if `zero`."""
        low, high = min([*values, 0.0] if zero else values), max(values)
        step = _step((high - low) or abs(high) or 1.0)
        first = math.floor(low / step + 1e-9) * step
        last = math.ceil(high / step - 1e-9) * step
        return cls(first, last if last > first else first + step, title, show)

    @property
    def ticks(self) -> list[float]:
        step = _step(self.high - self.low)
        count = round((self.high - self.low) / step)
        return [self.low + place * step for place in range(count + 1)]

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Line:
    """Points in order; a None is a gap. `hue` and `dash` tell it from others."""

    name: str
    points: Sequence[tuple[float, float | None]]
    hue: int = 0
    dash: int = 0
    dots: bool = False


@dataclass(frozen=True)
class Point:
    """One labelled point with intervals along both axes."""

    label: str
    x: float
    y: float
    across: tuple[float, float] | None = None
    upright: tuple[float, float] | None = None
    hue: int = 0


def line_plot(lines: Sequence[Line], x: Axis, y: Axis, title: str) -> Markup:
    """Lines on two axes, with their names below."""
    parts = [*_frame(x, y)]
    for line in lines:
        parts += _drawn(line, x, y)
    legend = Markup("").join(map(_entry, lines))
    return Markup('{}<ul class="legend">{}</ul>').format(_svg(parts, title), legend)


def point_plot(points: Sequence[Point], x: Axis, y: Axis, title: str) -> Markup:
    """Labelled points, and the front of those that none beats on both axes (less x, more y)."""
    parts = [*_frame(x, y), *_front(points, x, y)]
    for point in points:
        parts += _whiskers(point, x, y)
    for point, at in zip(points, _label_places(points, x, y), strict=True):
        across, up = _place(point.x, point.y, x, y)
        parts.append(
            Markup('<circle class="h{}" cx="{:.1f}" cy="{:.1f}" r="4"/>').format(
                point.hue % HUES, across, up
            )
        )
        parts.append(
            Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(
                at[0], at[1], at[2], point.label
            )
        )
    return _svg(parts, title)


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats: none has less x and at least as much y. By x."""
    found: list[Point] = []
    for point in sorted(points, key=lambda one: (one.x, -one.y)):
        if not found or point.y > found[-1].y:
            found.append(point)
    return found


def _svg(parts: Sequence[Markup], title: str) -> Markup:
    return Markup('<svg viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, title, Markup("").join(parts)
    )


def _place(across: float, up: float, x: Axis, y: Axis) -> tuple[float, float]:
    return (
        LEFT + x.share(across) * (WIDTH - LEFT - RIGHT),
        HEIGHT - BOTTOM - y.share(up) * (HEIGHT - TOP - BOTTOM),
    )


def _frame(x: Axis, y: Axis) -> Iterator[Markup]:
    """Grid, ticks and titles."""
    rule = Markup('<path class="grid" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>')
    text = Markup('<text class="tick" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>')
    for tick in y.ticks:
        _, up = _place(x.low, tick, x, y)
        yield rule.format(LEFT, up, WIDTH - RIGHT, up)
        yield text.format(LEFT - 7, up + 4, "end", y.show(_clean(tick)))
    for tick in x.ticks:
        across, _ = _place(tick, y.low, x, y)
        yield rule.format(across, TOP, across, HEIGHT - BOTTOM)
        yield text.format(across, HEIGHT - BOTTOM + 17, "middle", x.show(_clean(tick)))
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>').format(
        middle, HEIGHT - 7, x.title
    )
    half = (TOP + HEIGHT - BOTTOM) / 2
    yield Markup(
        '<text transform="translate(14 {:.1f}) rotate(-90)" text-anchor="middle">{}</text>'
    ).format(half, y.title)


def _drawn(line: Line, x: Axis, y: Axis) -> Iterator[Markup]:
    path: list[str] = []
    pen = "M"
    for across, up in line.points:
        if up is None:
            pen = "M"
            continue
        at = _place(across, up, x, y)
        path.append(f"{pen}{at[0]:.1f} {at[1]:.1f}")
        pen = "L"
        if line.dots:
            yield Markup('<circle class="h{}" cx="{:.1f}" cy="{:.1f}" r="4"/>').format(
                line.hue % HUES, *at
            )
    yield Markup('<path class="line h{}" stroke-dasharray="{}" d="{}"/>').format(
        line.hue % HUES, DASHES[line.dash % len(DASHES)], "".join(path)
    )


def _entry(line: Line) -> Markup:
    return Markup(
        '<li><svg viewBox="0 0 30 10" class="swatch" aria-hidden="true">'
        '<path class="line h{}" stroke-dasharray="{}" d="M1 5L29 5"/></svg>{}</li>'
    ).format(line.hue % HUES, DASHES[line.dash % len(DASHES)], line.name)


def _whiskers(point: Point, x: Axis, y: Axis) -> Iterator[Markup]:
    rule = Markup('<path class="whisker h{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>')
    if point.across is not None:
        ends = [_place(end, point.y, x, y) for end in point.across]
        yield rule.format(point.hue % HUES, *ends[0], *ends[1])
    if point.upright is not None:
        ends = [_place(point.x, end, x, y) for end in point.upright]
        yield rule.format(point.hue % HUES, *ends[0], *ends[1])


def _front(points: Sequence[Point], x: Axis, y: Axis) -> Iterator[Markup]:
    """Steps: up to the next point only where its tokens are spent."""
    best = front(points)
    if len(best) < 2:
        return
    path: list[str] = []
    before = best[0]
    for point in best:
        corner, at = _place(point.x, before.y, x, y), _place(point.x, point.y, x, y)
        path.append(
            f"{'L' if path else 'M'}{corner[0]:.1f} {corner[1]:.1f}L{at[0]:.1f} {at[1]:.1f}"
        )
        before = point
    yield Markup('<path class="front" d="{}"/>').format("".join(path))


def _label_places(points: Sequence[Point], x: Axis, y: Axis) -> list[tuple[float, float, str]]:
    """Where labels stand so that none lies on another: beside their points, or moved down or up."""
    letter, line = LABEL
    taken: list[tuple[float, float, float]] = []
    found = []
    for point in points:
        across, up = _place(point.x, point.y, x, y)
        wide = letter * len(point.label)
        left = across + 8 + wide > WIDTH - RIGHT
        begin = across - 8 - wide if left else across + 8
        spots = (up + 4 + move * line for move in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5))
        free = (
            spot
            for spot in spots
            if TOP < spot < HEIGHT - BOTTOM and not _meets(taken, begin, begin + wide, spot)
        )
        height = next(free, up + 4)
        taken.append((begin, begin + wide, height))
        found.append((across - 8 if left else across + 8, height, "end" if left else "start"))
    return found


def _meets(
    taken: Sequence[tuple[float, float, float]], begin: float, end: float, height: float
) -> bool:
    return any(
        abs(height - other) < LABEL[1] - 1 and begin < last and first < end
        for first, last, other in taken
    )


def _step(span: float) -> float:
    """1, 2 or 5 times a power of ten, so that a range has about five parts."""
    rough = span / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * unit for unit in (1, 2, 5, 10) if power * unit >= rough * (1 - 1e-9))


def _clean(value: float) -> float:
    """Without the last bits of a sum of steps."""
    return float(f"{value:.10g}") + 0.0
