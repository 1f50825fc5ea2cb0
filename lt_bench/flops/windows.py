"""Which layers look back only so far: sliding-window attention by the rule of each family."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lt_bench.errors import UsageError
from lt_bench.flops.fields import Fields

Rule = Callable[[Fields, int], Sequence[int | None]]
"""(config, number of layers) -> each layer's window in tokens, None for full attention."""


def never(_: Fields, depth: int) -> Sequence[int | None]:
    """Full attention everywhere."""
    return [None] * depth


def every(default: int | None) -> Rule:
    """All layers, where a window is set. An explicit null means none."""

    def rule(fields: Fields, depth: int) -> Sequence[int | None]:
        return [_window(fields, default)] * depth

    return rule


def alternate(default: int) -> Rule:
    """The first layer slides, the second does not, and so on."""

    def rule(fields: Fields, depth: int) -> Sequence[int | None]:
        window = _window(fields, default)
        return [window if index % 2 == 0 else None for index in range(depth)]

    return rule


def five_of_six(default: int) -> Rule:
    """All but every n-th layer, n = `sliding_window_pattern`, 6 where it is not given."""

    def rule(fields: Fields, depth: int) -> Sequence[int | None]:
        window, pattern = _window(fields, default), fields.whole("sliding_window_pattern", 6)
        return [window if (index + 1) % pattern else None for index in range(depth)]

    return rule


def when_used(fields: Fields, depth: int) -> Sequence[int | None]:
    """All layers, but only under `use_sliding_window`."""
    used = fields.flag("use_sliding_window", False)
    return [_window(fields, 4096) if used else None] * depth


def after_max_window_layers(fields: Fields, depth: int) -> Sequence[int | None]:
    """The layers from `max_window_layers` on, under `use_sliding_window`."""
    first = fields.whole("max_window_layers", 28, least=0)
    return [
        window if index >= first else None for index, window in enumerate(when_used(fields, depth))
    ]


def alternate_below_max_window_layers(fields: Fields, depth: int) -> Sequence[int | None]:
    """Every other layer before `max_window_layers`, under `use_sliding_window`."""
    end = fields.whole("max_window_layers", 28, least=0)
    return [
        window if index < end and index % 2 == 0 else None
        for index, window in enumerate(when_used(fields, depth))
    ]


def without_rope(fields: Fields, depth: int) -> Sequence[int | None]:
    """The layers without rotary positions: every `no_rope_layer_interval`-th, or those listed."""
    if not (fields.flag("use_sliding_window", False) and fields.has("sliding_window")):
        return never(fields, depth)
    interval = fields.whole("no_rope_layer_interval", 4)
    every_nth = [int((index + 1) % interval != 0) for index in range(depth)]
    rotary = fields.items("no_rope_layers") or every_nth
    window = fields.whole("sliding_window")
    return [None if has_rope else window for has_rope in rotary]


def windows(fields: Fields, depth: int, rule: Rule) -> Sequence[int | None]:
    """Each layer's window: as `layer_types` lists them, else by the family's rule.

    Raises:
        UsageError: a kind of layer that is no attention over keys, or lists of another length.
    """
    kinds = fields.items("layer_types")
    spans = [_span(fields, kind) for kind in kinds] if kinds else rule(fields, depth)
    if len(spans) != depth:
        raise UsageError(
            f"config.json ({fields.family}) lists {len(spans)} layers but has {depth}",
            "use the model's own config.json",
        )
    return spans


def _span(fields: Fields, kind: object) -> int | None:
    if kind == "full_attention":
        return None
    if kind == "sliding_attention":
        return fields.whole("sliding_window")
    raise UsageError(
        f"config.json ({fields.family}): unknown kind of layer {str(kind)[:40]!r}",
        "give the size with --active-params",
    )


def _window(fields: Fields, default: int | None) -> int | None:
    if "sliding_window" not in fields.values:
        return default
    return fields.whole("sliding_window") if fields.has("sliding_window") else None
