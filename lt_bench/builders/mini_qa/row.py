"""From a scene to a row: sheets with schema.org data, so that the scorer `facts` reads them as it reads
those of commerce_qa, and gold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from lt_bench.builders.mini_qa.scene import Scene, Sheet
from lt_bench.builders.mini_qa.world import ALL_FACTS, BY_NAME, Attribute, Value
from lt_bench.records import Document, Example, Fact, FactsGold, Utterance

TASK: Final = "mini_qa"
VERSION: Final = 1
SOURCE: Final = f"lt-bench {TASK} generator v{VERSION}"
LICENCE: Final = "Apache-2.0"


def example_of(scene: Scene, row_id: str) -> Example:
    """A row with its gold."""
    said = (Utterance(role="viewer", content=scene.said),) if scene.said else ()
    return Example(
        id=row_id,
        task=TASK,
        question=scene.question,
        history=said,
        documents=tuple(map(document_of, scene.sheets)),
        gold=_gold(scene),
        group=row_id,
        tags=tuple(_tags(scene)),
        source=SOURCE,
        license=LICENCE,
    )


def recital_of(scene: Scene, row_id: str) -> Example:
    """The evidence of a scene with the request to recite it; a row without gold."""
    return Example(
        id=row_id,
        task=TASK,
        question=ALL_FACTS,
        documents=tuple(map(document_of, scene.sheets)),
        group=row_id,
        tags=("intent:recital",),
        source=SOURCE,
        license=LICENCE,
    )


def document_of(sheet: Sheet) -> Document:
    """A sheet as text and as data."""
    return Document(
        id=sheet.product,
        kind="product",
        title=sheet.product,
        text="\n".join(sheet.lines()),
        product=_product(sheet),
    )


def _product(sheet: Sheet) -> dict[str, Any]:
    """schema.org Product."""
    data: dict[str, Any] = {"@type": "Product", "name": sheet.product}
    for name, value in sheet.facts.items():
        attribute = BY_NAME[name]
        if attribute.field == "offers.price":
            data["offers"] = {"@type": "Offer", "price": value, "priceCurrency": "USD"}
        elif attribute.field.endswith(".value"):
            field = attribute.field.removesuffix(".value")
            data[field] = _measured("QuantitativeValue", attribute, value)
        elif attribute.field:
            data[attribute.field] = value
        else:
            property_ = _measured("PropertyValue", attribute, value)
            data.setdefault("additionalProperty", []).append({**property_, "name": name})
    return data


def _measured(kind: str, attribute: Attribute, value: Value) -> dict[str, Any]:
    unit = {"unitText": attribute.unit} if attribute.unit else {}
    return {"@type": kind, "value": value, **unit}


def _gold(scene: Scene) -> FactsGold:
    facts = {name: _fact(scene.target, name) for name in scene.target.facts}
    required = [facts.pop(scene.asked)] if scene.asked in facts else []
    resolved = BY_NAME[scene.asked].asks[0].format(it=f"the {scene.target.product}")
    return FactsGold(
        answerability="full" if required else "none",
        required=tuple(required),
        helpful=tuple(facts.values()),
        resolved_question=resolved,
    )


def _fact(sheet: Sheet, name: str) -> Fact:
    attribute, value = BY_NAME[name], sheet.facts[name]
    return Fact(
        document=sheet.product, path=attribute.path, value=value, unit=attribute.unit or None
    )


def _tags(scene: Scene) -> Iterator[str]:
    yield f"intent:{scene.asked}"
    yield f"answerability:{'none' if scene.answer is None else 'full'}"
    if scene.said:
        yield "noise:ellipsis"
    if len(scene.sheets) > 1:
        yield "noise:distractor"
