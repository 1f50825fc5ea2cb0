"""What the attribute strings of Amazon's product QA sets say: in words, and as schema.org fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lt_bench.builders.importers.attribute_notation import Attribute, Scalar, Value, parse, words

__all__ = ["Attribute", "Leaf", "leaves", "parse", "product", "sentence", "words"]

_FIELDS = {"brand": "brand", "color": "color", "material": "material", "size": "size",
           "pattern": "pattern", "model_number": "model", "part_number": "mpn",
           "manufacturer": "manufacturer", "street_date": "releaseDate",
           "publication_date": "releaseDate", "country_as_labeled": "countryOfOrigin",
           "country_string": "countryOfOrigin"}  # fmt: skip
"""Keys that schema.org/Product has a field of text for."""
_QUANTITIES = {("item_weight", ""): "weight", ("item_dimensions", "width"): "width",
               ("item_dimensions", "height"): "height"}  # fmt: skip
"""Key and inner name of what schema.org/Product has a field of quantity for. It knows no length."""

_MAIN = ("value", "decimal_value", "string_value")
"""The keys that hold the value of an object, the better one first."""
_QUALIFIERS = ("type", "nutrient", "platform")
"""Keys beside a value that say what kind of value it is."""


@dataclass(frozen=True)
class Leaf:
    """One plain value, the name it has inside its attribute, its unit, and the same quantity in
    another unit (`also`)."""

    name: str
    value: Scalar
    unit: str | None = None
    also: str = ""


def sentence(attribute: Attribute) -> str:
    """The attribute in words: "item weight: 13 pounds"; "material: metal, plastic"."""
    said = []
    for leaf in leaves(attribute):
        name = f"{leaf.name} " if leaf.name else ""
        also = f" ({leaf.also})" if leaf.also else ""
        said.append(f"{name}{_amount(leaf)}{also}")
    return f"{words(attribute.key)}: {', '.join(said) or 'not given'}"


def product(attribute: Attribute) -> dict[str, Any]:
    """The attribute as fields of schema.org/Product; empty when it holds no value.

    Text fields join several values by commas, quantities are {value, unitText}, and what the
    schema has no field for is additionalProperty[{name, value, unitText}].
    """
    found = list(leaves(attribute))
    field = _FIELDS.get(attribute.key)
    if field and found and not any(leaf.name for leaf in found):
        return {field: ", ".join(_amount(leaf) for leaf in found)}
    fields: dict[str, Any] = {}
    others = []
    for leaf in found:
        quantity = _QUANTITIES.get((attribute.key, leaf.name))
        if quantity and quantity not in fields:
            fields[quantity] = _quantity(leaf)
        else:
            name = f"{words(attribute.key)} {leaf.name}".strip()
            others.append({"name": name, **_quantity(leaf)})
    return {**fields, "additionalProperty": others} if others else fields


def leaves(attribute: Attribute) -> Iterator[Leaf]:
    """Every plain value of an attribute."""
    for value in attribute.values:
        yield from _leaves("", value)


def _leaves(name: str, value: Value) -> Iterator[Leaf]:
    if isinstance(value, list):
        for item in value:
            yield from _leaves(name, item)
    elif not isinstance(value, dict):
        yield Leaf(name, value)
    elif main := next((key for key in _MAIN if _plain(value.get(key))), None):
        yield _quantified(name, value, value[main])
    else:
        unit = _unit(value.get("unit"))
        for key, part in value.items():
            inner = name if key == "value" else f"{name} {words(key)}".strip()
            if key != "unit" and _plain(part):
                yield Leaf(inner, part, unit)
            elif key != "unit":
                yield from _leaves(inner, part)


def _quantified(name: str, parts: dict[str, Value], value: Scalar) -> Leaf:
    """The value of an object with what its other keys say of it. A type beside a number is its
    unit ("6 fl oz"); beside a word it tells which one is meant ("published english")."""
    unit = _unit(parts.get("unit", parts.get("currency")))
    kinds = {key: kind for key in _QUALIFIERS if (kind := _unit(parts.get(key)))}
    if unit is None and not isinstance(value, str):
        unit = kinds.pop("type", None)
    if isinstance(value, str) and unit and value.endswith(unit):
        unit = None
    return Leaf(" ".join([name, *kinds.values()]).strip(), value, unit, _other_unit(parts))


def _unit(unit: Value) -> str | None:
    if isinstance(unit, dict):
        unit = unit.get("value")
    if not isinstance(unit, str | int | float) or str(unit).startswith("unknown"):
        return None
    return words(str(unit)) or None


def _other_unit(parts: dict[str, Value]) -> str:
    """The same quantity in another unit, where it is not the same again."""
    other = parts.get("normalized_value")
    if not isinstance(other, dict) or not _plain(other.get("value")):
        return ""
    if other.get("unit") == parts.get("unit"):
        return ""
    return f"{_written(other['value'])} {_unit(other.get('unit')) or ''}".strip()


def _plain(value: Value) -> bool:
    return value is not None and not isinstance(value, dict | list)


def _quantity(leaf: Leaf) -> dict[str, Any]:
    return {"value": leaf.value, **({"unitText": leaf.unit} if leaf.unit else {})}


def _amount(leaf: Leaf) -> str:
    return f"{_written(leaf.value)} {leaf.unit}" if leaf.unit else _written(leaf.value)


def _written(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.12g}" if isinstance(value, float) else str(value)
