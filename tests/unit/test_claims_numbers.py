"""Quantities, units, spelled numbers and days, as replies and product sheets write them."""

from __future__ import annotations

import pytest

from lt_bench.claims.dates import scan_dates
from lt_bench.claims.numbers import agrees, scan
from lt_bench.claims.wording import fold

READ = [
    ("It's $129.99", [(129.99, "usd")]),
    ("129.00 USD", [(129.0, "usd")]),
    ("USD 1,299", [(1299.0, "usd")]),
    ("129 dollars and 50 cents", [(129.5, "usd")]),
    ("£5", [(5.0, "gbp")]),
    ("99元", [(99.0, "cny")]),
    ("1.5kg", [(1.5, "kg")]),
    ("重1.5公斤", [(1.5, "kg")]),
    ("two point one kilos", [(2.1, "kg")]),
    ("half a kilo", [(0.5, "kg")]),
    ("sixty bucks", [(60.0, "usd")]),
    ("a hundred and twenty nine dollars", [(129.0, "usd")]),
    ("twenty-four", [(24.0, None)]),
    ("一百二十九元", [(129.0, "cny")]),
    ("两百五十块", [(250.0, "cny")]),
    ("二点一公斤", [(2.1, "kg")]),
    ("20 x 30 x 40 cm", [(20.0, "cm"), (30.0, "cm"), (40.0, "cm")]),
    ("10-12 business days", [(10.0, "business day"), (12.0, "business day")]),
    ("$20-30", [(20.0, "usd"), (30.0, "usd")]),
    ("5 ft 4 in tall", [(5 + 4 / 12, "ft")]),
    ("1 h 30 min", [(1.5, "h")]),
    ("3 1/2 inches", [(3.5, "in")]),
    ("38 dB(A)", [(38.0, "db")]),
    ("20,000 mAh", [(20000.0, "mah")]),
    ("24 m² rooms", [(24.0, "m2")]),
    ("24 square metres", [(24.0, "m2")]),
    ("5 %", [(5.0, "%")]),
    ("4.5 out of 5 stars", [(4.5, "star"), (5.0, "star")]),
    ("$1.2k", [(1200.0, "usd")]),
    ("size 42", [(42.0, None)]),
]


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text for text, _ in READ])
def test_quantities_are_read_with_their_units(text, expected):
    found = [(round(q.value, 9), q.unit.name if q.unit else None) for q in scan(fold(text))]
    assert found == [(round(value, 9), unit) for value, unit in expected]


@pytest.mark.parametrize(
    "text",
    ["no. 9", "number 12 please", "#4", "the X9 and the RM5118R", "AC-2000", "at 8 pm", "20:30", "June 30, 2026", "2026-06-30", "open 24/7", "one of them", "a", "3号"],
)  # fmt: skip
def test_names_slots_times_and_days_are_no_quantities(text):
    assert not [q for q in scan(fold(text)) if not q.loose]


AGREE = [
    ("1.5 kg", "1500 g", True),
    ("1.5 kg", "3.3 lb", True),
    ("3.3 lbs", "1.5 kg", True),
    ("62 lbs", "28 kg", True),
    ("63.5 lbs", "28 kg", False),
    ("1.5 kg", "1.6 kg", False),
    ("$129", "129.00 USD", True),
    ("$129", "129.99 USD", False),
    ("$129", "129 EUR", False),
    ("about 130 dollars", "129 USD", True),
    ("about 150 dollars", "129 USD", False),
    ("under 60 bucks", "59 USD", True),
    ("under 60 bucks", "61 USD", False),
    ("up to 15.6 inches", "17 inches", False),
    ("24 months", "2 years", True),
    ("30 days", "30 business days", False),
    ("1.5", "1.5 kg", True),
    ("5'000", "5000", False),
]


@pytest.mark.parametrize(("said", "known", "expected"), AGREE)
def test_agreement_of_two_quantities(said, known, expected):
    assert agrees(scan(fold(said))[0], scan(fold(known))[0]) is expected


@pytest.mark.parametrize(
    "text", ["2026-06-30", "June 30, 2026", "30 June 2026", "the 30th of June", "Jun 30", "6/30/2026", "2026年6月30日", "6月30日"]
)  # fmt: skip
def test_one_day_in_many_spellings(text):
    day = scan_dates("2026-06-30")[0]
    assert [found.agrees(day) for found in scan_dates(fold(text))] == [True]


def test_other_days_and_years_do_not_agree():
    day = scan_dates("2026-06-30")[0]
    assert not any(d.agrees(day) for d in scan_dates("june 29, 2026 and 2025-06-30 and 13/45/2026"))


@pytest.mark.parametrize(
    "text", ["İstanbul €5", "ﬁve", "ß", "ＡＢＣ１２３", "a\u200bb", "\ud800x", "“q”"]
)
def test_folding_keeps_every_offset(text):
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)
