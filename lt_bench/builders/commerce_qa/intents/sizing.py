"""Questions for the right size, from what the viewer tells of her body."""

from __future__ import annotations

from lt_bench.builders.commerce_qa.plan import More, Plan, Scene
from lt_bench.builders.commerce_qa.schema import Chart, Size
from lt_bench.builders.commerce_qa.statement import Statement

OTHER_UNITS = 0.3


def sizing(scene: Scene) -> Plan | None:
    """Every measure lies well inside one size, or (one time in five) one measure in the next
    larger: then the sheet's rule counts, which says to take the larger."""
    chart = scene.room.category.chart
    if chart is None or scene.sold_out:
        return None
    between = len(chart.units) > 1 and scene.draw.chance(0.2)
    number = scene.draw.below(len(chart.sizes) - between)
    size = chart.sizes[number + between]
    body = _body(scene, chart, number, between)
    lead, tags = _tell(scene, chart, body)
    said = scene.speaker.size(scene.target, size)
    return Plan(
        intent="sizing",
        asks=scene.wordings("size"),
        lead=lead,
        answer=scene.speaker.say("answer.plain", clause=said.clause),
        required=said.facts,
        extras=_stock(scene, size),
        more=More(scene.target, said.facts, "fit"),
        tags=(*tags, *(("asks:between_sizes",) if between else ())),
    )


def _body(scene: Scene, chart: Chart, number: int, between: bool) -> dict[str, int]:
    """Measures within the ranges, away from their ends so that other units round to the same."""
    larger = scene.draw.pick(tuple(chart.units)) if between else ""
    body = {}
    for i, (measure, low, high) in enumerate(chart.sizes[number].ranges):
        if measure == larger:
            _, low, high = chart.sizes[number + 1].ranges[i]
        body[measure] = scene.draw.between(low + 2, high - 2)
    return body


def _tell(scene: Scene, chart: Chart, body: dict[str, int]) -> tuple[str, tuple[str, ...]]:
    language = scene.language
    if scene.draw.chance(OTHER_UNITS):
        converted = {m: language.convert(v, chart.units[m]) for m, v in body.items()}
        return scene.draw.pick(chart.tell_other).format(**converted), ("noise:other_units",)
    spoken = {m: language.quantity(v, chart.units[m]) for m, v in body.items()}
    return scene.draw.pick(chart.tell).format(**spoken), ()


def _stock(scene: Scene, size: Size) -> tuple[Statement, ...]:
    """Whether that size is there, in one of the colours."""
    variants = scene.target.product.data["hasVariant"]
    fitting = [i for i, variant in enumerate(variants) if variant["size"] == size.name]
    fitting.sort(key=lambda number: variants[number]["offers"]["availability"] == "OutOfStock")
    return tuple(scene.speaker.variant(scene.target, number) for number in fitting[:1])
