"""Paths into products."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.claims.paths import MISSING, lookup, value_at
from lt_bench.records import Document

PRODUCT = {
    "name": "Glow",
    "gift": None,
    "weight": {"value": 1.5, "unitText": "kg"},
    "offers": {"price": 129.0, "priceSpecification": [{"name": "A1", "price": 99.0}]},
    "additionalProperty": [
        {"name": "Noise level", "value": 48},
        {"name": "dimmable", "value": False},
    ],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("name", "Glow"),
        ("gift", None),
        ("weight.value", 1.5),
        ("offers.price", 129.0),
        ("offers[0].price", 129.0),
        ("offers.priceSpecification[0].price", 99.0),
        ("offers.priceSpecification.price", 99.0),
        ("offers.priceSpecification[-1].name", "A1"),
        ("additionalProperty[name=noise level].value", 48),
        ("additionalProperty[name=dimmable].value", False),
        ("additionalProperty[1].value", False),
    ],
)
def test_a_path_leads_to_its_value(path, value):
    assert lookup(PRODUCT, path) == value


@pytest.mark.parametrize(
    "path",
    ["", "nothing", "name.first", "offers[3]", "additionalProperty[name=x].value", "weight[", "a]b", "offers.price.x", "[", "]"],
)  # fmt: skip
def test_a_path_that_leads_nowhere_is_missing(path):
    assert lookup(PRODUCT, path) is MISSING
    assert lookup(None, path or "name") is MISSING


def test_path_text_is_the_text_of_the_document():
    document = Document(id="d", text="Rinse it.", product=PRODUCT)
    assert value_at(document, "text") == "Rinse it."
    assert value_at(document, "offers.price") == 129.0


@given(st.text(max_size=30))
def test_no_path_raises(path):
    lookup(PRODUCT, path)
