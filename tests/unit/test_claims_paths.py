"""Paths into products."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.claims.paths import MISSING, lookup, unit_beside, value_at
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


SHEET = {
    "weight": {"value": 1.5, "unitText": "kg"},
    "depth": [{"value": 4, "unitCode": "CMT"}],
    "aggregateRating": {"ratingValue": 4.6, "reviewCount": 20},
    "offers": {
        "price": 129.0,
        "priceCurrency": "USD",
        "inventoryLevel": 4,
        "priceSpecification": [{"name": "A1", "price": 99.0}, {"price": 9, "priceCurrency": "EUR"}],
        "shippingRate": {"value": 5, "currency": "GBP"},
    },
    "additionalProperty": [{"name": "noise", "value": 48, "unitText": "dB"}, {"value": 3}],
}


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("weight.value", "kg"),
        ("depth.value", "CMT"),
        ("depth[0].value", "CMT"),
        ("offers.price", "USD"),
        ("offers.lowPrice", "USD"),
        ("offers.priceSpecification[0].price", "USD"),
        ("offers.priceSpecification[1].price", "EUR"),
        ("offers.shippingRate.value", "GBP"),
        ("offers.inventoryLevel", None),
        ("aggregateRating.ratingValue", None),
        ("additionalProperty[name=noise].value", "dB"),
        ("additionalProperty[1].value", None),
        ("additionalProperty[name=power].value", None),
        ("text", None),
        ("", None),
    ],
)
def test_a_value_has_the_unit_that_stands_beside_it(path, unit):
    assert unit_beside(Document(id="d", text="", product=SHEET), path) == unit


@given(st.text(max_size=30))
def test_no_path_raises_when_its_unit_is_asked_for(path):
    unit_beside(Document(id="d", text="", product=SHEET), path)
    unit_beside(Document(id="d", text=""), path)
