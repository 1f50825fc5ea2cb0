"""Rows in two languages: half and half by room, each the same row as in its own language."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from lt_bench.builders.commerce_qa import CommerceQA, Row
from lt_bench.builders.commerce_qa.builder import LANGUAGES
from lt_bench.builders.commerce_qa.language import Language


@pytest.fixture(scope="module")
def mixed() -> list[Row]:
    return list(CommerceQA({"lang": "mix"}).rows("train", 600, 0))


def test_rooms_are_of_either_language_half_and_half(mixed: list[Row]) -> None:
    rooms = {row.example.group: row.example.lang for row in mixed}
    counts = Counter(rooms.values())
    assert counts.keys() == {"en", "zh"}
    assert 0.4 <= counts["en"] / len(rooms) <= 0.6


def test_ids_and_lang_tell_the_language(mixed: list[Row]) -> None:
    for row in mixed:
        assert row.example.id.startswith(f"commerce-{row.example.lang}-train-0-")
        assert row.example.lang == row.moment.scene.language.code


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rows_of_a_mix_are_those_of_the_language_alone(mixed: list[Row], lang: str) -> None:
    alone = {row.example.id: row for row in CommerceQA({"lang": lang}).rows("train", 600, 0)}
    mine = [row for row in mixed if row.example.lang == lang]
    assert [alone[row.example.id] for row in islice(mine, 200)] == mine[:200]


def test_row_k_of_a_mix_does_not_depend_on_the_size(mixed: list[Row]) -> None:
    assert list(CommerceQA({"lang": "mix"}).rows("train", 41, 0)) == mixed[:41]


@pytest.mark.parametrize("language", LANGUAGES["mix"], ids=lambda language: language.code)
def test_no_brand_is_in_two_splits(language: Language) -> None:
    starts = [syllable for split in language.brands.starts.values() for syllable in split]
    assert len(starts) == len(set(starts))
    assert not [a for a in starts for b in starts if a != b and a.startswith(b)]


def test_languages_have_the_same_categories_and_purposes() -> None:
    english, chinese = LANGUAGES["mix"]
    assert [c.name for c in english.categories] == [c.name for c in chinese.categories]
    core = ("ask.", "short.", "ref.", "lead.", "say.", "answer.", "extra.", "accept.", "host.")
    purposes = [{p for p in one.phrases if p.startswith(core)} for one in (english, chinese)]
    assert purposes[0] == purposes[1]
