"""Attribute strings of Amazon's product QA sets: how they are read, said and kept as fields."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import real_rows

from lt_bench.builders.importers import attributes


@pytest.mark.parametrize(
    ("text", "said", "fields"),
    [
        ('brand:  { value:"adidas" }', "brand: adidas", {"brand": "adidas"}),
        (
            'material:  { value:"metal" }; { value:"gel" }',
            "material: metal, gel",
            {"material": "metal, gel"},
        ),
        (
            "capacity:  { unit:cubic_feet, value:0. }",
            "capacity: 0 cubic feet",
            {"additionalProperty": [{"name": "capacity", "value": 0.0, "unitText": "cubic feet"}]},
        ),
        (
            "batteries_required:  { value:false }",
            "batteries required: no",
            {"additionalProperty": [{"name": "batteries required", "value": False}]},
        ),
        (
            "item_weight:  { unit:ounces, normalized_value:{ unit:pounds, value:0.72 }, value:11.5 }",
            "item weight: 11.5 ounces (0.72 pounds)",
            {"weight": {"value": 11.5, "unitText": "ounces"}},
        ),
        (
            "item_dimensions:  { width:{ unit:cm, value:7 }, length:{ unit:cm, value:3 } }",
            "item dimensions: width 7 cm, length 3 cm",
            {
                "width": {"value": 7, "unitText": "cm"},
                "additionalProperty": [
                    {"name": "item dimensions length", "value": 3, "unitText": "cm"}
                ],
            },
        ),
        (
            "display:  { size:[ { unit:inches, value:13 } ] }",
            "display: size 13 inches",
            {"additionalProperty": [{"name": "display size", "value": 13, "unitText": "inches"}]},
        ),
        ("size:  { unit:inches, value:13 }", "size: 13 inches", {"size": "13 inches"}),
        (
            'color:  { standardized_values:[ "multi" ], value:"black/white" }',
            "color: black/white",
            {"color": "black/white"},
        ),
        (
            'unit_count:  { type:{ value:"fl oz" }, value:6. }',
            "unit count: 6 fl oz",
            {"additionalProperty": [{"name": "unit count", "value": 6.0, "unitText": "fl oz"}]},
        ),
        (
            "language:  { type:published, value:english }; { type:unknown, value:thai }",
            "language: published english, thai",
            {
                "additionalProperty": [
                    {"name": "language published", "value": "english"},
                    {"name": "language", "value": "thai"},
                ]
            },
        ),
        (
            'item_diameter:  { unit:inches, string_value:"12", decimal_value:12 }',
            "item diameter: 12 inches",
            {"additionalProperty": [{"name": "item diameter", "value": 12, "unitText": "inches"}]},
        ),
        (
            'cord:  { length:[ { unit:feet, string_value:"25 feet" } ] }',
            "cord: length 25 feet",
            {"additionalProperty": [{"name": "cord length", "value": "25 feet"}]},
        ),
        (
            "food:  { carbohydrate:[ { total:30., unit:grams } ] }",
            "food: carbohydrate total 30 grams",
            {
                "additionalProperty": [
                    {"name": "food carbohydrate total", "value": 30.0, "unitText": "grams"}
                ]
            },
        ),
        (
            "list_price:  { currency:usd, value:146.93 }",
            "list price: 146.93 usd",
            {"additionalProperty": [{"name": "list price", "value": 146.93, "unitText": "usd"}]},
        ),
        (
            "platform:  { value:windows_xp }",
            "platform: windows xp",
            {"additionalProperty": [{"name": "platform", "value": "windows xp"}]},
        ),
        ('size:  { value:"9|" x 16.3|" x 13|"" }', 'size: 9" x 16.3" x 13"', {"size": '9" x 16.3" x 13"'}),
        (r'size:  { value:"8 1/2\" x 2\"" }', 'size: 8 1/2" x 2"', {"size": '8 1/2" x 2"'}),
        ('size:  { value:"a|b" }', "size: a|b", {"size": "a|b"}),
        ('size:  { value:"a|" }', "size: a|", {"size": "a|"}),
        (
            "street_date:  { value:2018-08-20t00:00:01z }",
            "street date: 2018-08-20",
            {"releaseDate": "2018-08-20"},
        ),
        (
            "street_date:  { value:2018-08-20t14:30:00z }",
            "street date: 2018-08-20T14:30:00Z",
            {"releaseDate": "2018-08-20T14:30:00Z"},
        ),
        ("upc:  { value:012345678905 }", "upc: 012345678905",
         {"additionalProperty": [{"name": "upc", "value": "012345678905"}]}),
        ("x:  { value:'a b' }", "x: a b", {"additionalProperty": [{"name": "x", "value": "a b"}]}),
        ('x:  { value:"a: b; {c}" }', "x: a: b; {c}", {"additionalProperty": [{"name": "x", "value": "a: b; {c}"}]}),
        ("x:  { value:-.5 }", "x: -0.5", {"additionalProperty": [{"name": "x", "value": -0.5}]}),
        ("x:  { value:nan }", "x: nan", {"additionalProperty": [{"name": "x", "value": "nan"}]}),
        ("outer:  { }", "outer: not given", {}),
    ],
)  # fmt: skip
def test_attributes_are_said_and_kept(text, said, fields):
    found = attributes.parse(text)
    assert attributes.sentence(found) == said
    assert attributes.product(found) == fields


@pytest.mark.parametrize(
    "text",
    [
        "", "no colon", "a sentence: { value:1 }", "x:", "x: {", "x: { value }", "x: { value:1",
        "x: { value:1 } { value:2 }", "x: { value:1 };", "x: { , }", 'x: { value:"a "b" c" }',
        'x: { "a }', "x: " + "[" * 5000, "x: " + "{a:" * 5000,
    ],
)  # fmt: skip
def test_other_strings_stay_text(text):
    assert attributes.parse(text) is None


def test_long_digits_stay_words():
    for digits in ("9" * 5000, "9" * 16):
        assert attributes.parse(f"x: {{ value:{digits} }}").values == ({"value": digits},)
    assert attributes.parse("x: { value:999999999999999 }").values == ({"value": 10**15 - 1},)


@given(st.text(alphabet="ab1.{}[]:;,\"' _-|\\\n", max_size=40))
def test_any_string_parses_or_stays_text(text):
    found = attributes.parse("key:" + text)
    if found is not None:
        assert attributes.sentence(found)
        json.dumps(attributes.product(found), allow_nan=False)


def test_hostile_strings_take_linear_time():
    start = time.process_time()
    for text in ('"|' * 50_000, "|" * 100_000, '"' + '|"' * 50_000, "\\" * 100_000, "{a:" * 30_000):
        attributes.parse("x: " + text)
    assert time.process_time() - start < 10


# --- real files ----------------------------------------------------------------------------------

REAL = [
    ("ePQA_dev_head1000.csv", ",", "candidate"),
    ("hetPQA_evidence_ranking_dev_head300.csv", "\t", "candidate"),
    ("hetPQA_answer_generation_dev_head100.csv", "\t", "candidate"),
    ("semiPQA_attribute_ranking_dev_head400.csv", "\t", "candidate"),
    ("semiPQA_data_to_text_dev_head100.csv", "\t", "data"),
]


def test_97_percent_of_real_attribute_strings_become_fields(shared_data):
    strings = [
        row[column]
        for name, delimiter, column in REAL
        for row in real_rows(shared_data / "commerce" / name, delimiter)
        if row.get("source", "attribute").lower() == "attribute"
    ]
    kept = [text for text in strings if (a := attributes.parse(text)) and attributes.product(a)]
    share = len(kept) / len(strings)
    lost = sorted(set(strings) - set(kept))
    print(f"{len(kept)} of {len(strings)} attribute strings are fields: {share:.2%}")
    assert len(strings) > 600
    assert share >= 0.97, f"{len(kept)} of {len(strings)} ({share:.2%}); not: {lost[:5]}"
