"""Chinese replies: words, numbers, dates, negation, abstention, stock, slots and comparisons."""

from __future__ import annotations

import pytest

from lt_bench.claims.abstention import abstention
from lt_bench.claims.clauses import read
from lt_bench.claims.comparisons import direction
from lt_bench.claims.dates import scan_dates
from lt_bench.claims.languages import language_of
from lt_bench.claims.numbers import Quantity, agrees, scan
from lt_bench.claims.phrases import phrase, says
from lt_bench.claims.segmentation import segment
from lt_bench.claims.stock import stock_state
from lt_bench.claims.subjects import slots_named
from lt_bench.claims.units import unit_named
from lt_bench.claims.wording import fold, stems


def known(value: float, unit: str | None) -> Quantity:
    return Quantity(value, unit_named(unit), 0, 0)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1299元", 1299, "元"),
        ("一千二百九十九", 1299, None),
        ("1104块15", 1104.15, "元"),
        ("三块九毛九", 3.99, "元"),
        ("九块九包邮", 9.9, "元"),
        ("两斤半", 1250, "克"),
        ("一斤二两", 600, "g"),
        ("一百一十斤", 55, "kg"),
        ("一米六八", 168, "cm"),
        ("2万毫安", 20000, "mAh"),
        ("两万毫安时", 20000, "mAh"),
        ("1.5匹", 1.5, "匹"),
        ("20平", 20, "㎡"),
        ("一个半小时", 90, "分钟"),
        ("半年", 6, "个月"),
        ("两年", 24, "个月"),
        ("百分之二十", 20, "%"),
        ("八五折", 15, "%"),
        ("9折", 10, "%"),
        ("两成", 20, "%"),
        ("４８分贝", 48, "dB"),
        ("两百五", 250, None),
        ("三万五", 35000, None),
        ("水箱一升八", 1.8, "L"),
        ("零下十五度", -15, "℃"),
        ("最低能扛-15℃", -15, "℃"),
    ],
)
def test_a_number_as_people_say_it(text, value, unit):
    (found,) = scan(fold(text))
    assert agrees(found, known(value, unit))


@pytest.mark.parametrize(
    ("text", "value", "unit", "holds"),
    [
        ("两公斤不到", 1.9, "kg", True),
        ("两公斤不到", 2.1, "kg", False),
        ("三百块以内", 299, "元", True),
        ("三百块以内", 301, "元", False),
        ("不到1300", 1299, "元", True),
        ("三百多块", 329, "元", True),
        ("三百多块", 450, "元", False),
        ("两三天", 2, "天", True),
        ("两三天", 5, "天", False),
        ("三五天", 5, "天", True),
        ("十几天", 15, "天", True),
        ("30个小时左右", 31, "小时", True),
        ("快三百块了", 299, "元", True),
        ("两个多小时", 2.5, "小时", True),
        ("28平以内", 24, "㎡", False),
    ],
)
def test_a_bound_holds_within_reason(text, value, unit, holds):
    assert agrees(scan(fold(text))[0], known(value, unit)) is holds


@pytest.mark.parametrize(
    "text", ["9号链接", "九号", "第二天", "今晚8点", "星期三", "2026年", "一分钱一分货", "千万别错过", "百分百放心", "X120这款"]
)  # fmt: skip
def test_no_quantity_is_meant(text):
    assert scan(fold(text)) == []


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("3月31日", (3, 31)),
        ("3月31号之前", (3, 31)),
        ("三月三十一号", (3, 31)),
        ("三月底", (3, 31)),
        ("2026年5月20日", (5, 20)),
        ("5.20到期", (5, 20)),
    ],
)
def test_a_day_in_chinese(text, day):
    assert [(d.month, d.day) for d in scan_dates(fold(text))] == [day]


def test_a_chinese_comma_between_numbers_is_no_thousands_mark():
    values = [q.value for q in scan(fold("9号1299，899是12号。价格129。100元优惠"))]
    assert values == [1299, 899, 129, 100]


def test_traditional_and_full_width_characters_are_folded_at_the_same_length():
    text = "９號現價１２９９元，還有現貨"
    assert fold(text).startswith("9号现价1299元")
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("重量", "weight"),
        ("包邮", "free shipping"),
        ("防水", "waterproof"),
        ("黑色", "black"),
        ("质保", "warranty"),
        ("多少钱", "price"),
        ("料子", "material"),
    ],
)
def test_a_word_and_its_english_name_have_the_same_stems(one, other):
    assert set(stems(one)) == set(stems(other))


def test_unknown_words_become_pairs_of_characters_and_keep_their_places():
    assert segment("羊羔绒的") == (("羊羔", 0, 2), ("羔绒", 1, 3))
    assert set(stems("羊羔绒")) <= set(stems("是纯羊羔绒做的"))


def test_language_is_that_of_the_sentence_around_a_name():
    assert language_of(fold("9号 X120 有货，LIVE15 可用")).name == "zh"
    assert language_of(fold("The 清风 costs 1299 yuan and is in stock.")).name == "en"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("这款防水", True),
        ("这款不防水", False),
        ("防水没有哦", False),
        ("防水是没有的", False),
        ("没有防水功能", False),
        ("没有一款防水", False),
        ("不仅防水还轻", True),
        ("防水没问题", True),
        ("不重，而且防水", True),
        ("不降噪但防水", True),
        ("防水吗", None),
        ("防不防水没写", None),
        ("如果您想要防水的", None),
    ],
)
def test_negation_decides_what_is_said(text, expected):
    answers = {says(c, phrase("防水")) for c in read(text).clauses if c.asserts} - {None}
    assert answers == ({expected} if expected is not None else set())


@pytest.mark.parametrize(
    "text",
    [
        "资料里没写", "没有标注", "这个我不太确定", "防不防水没写", "我这边没有40号的信息", "手机连接的信息没有",
        "这个不好说", "我帮您问一下厂家", "不敢跟您打包票", "没法确认", "说不准哦", "查不到", "商品页没提这个",
    ],
)  # fmt: skip
def test_missing_information_is_an_abstention(text):
    assert abstention(read(text).clauses).missing


@pytest.mark.parametrize(
    "text", ["没有货了", "不防水", "没有提臀设计", "不包邮", "没有说明书", "知道您喜欢", "不到一斤", "不用担心", "没问题"]
)  # fmt: skip
def test_a_negative_statement_is_no_abstention(text):
    assert not abstention(read(text).clauses).any


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("有现货", "in"),
        ("还剩12件", "in"),
        ("不缺货", "in"),
        ("没货了", "out"),
        ("暂时没有了", "out"),
        ("已经售罄", "out"),
        ("没有现货", "out"),
        ("现在是预售", "preorder"),
        ("续航30小时", None),
        ("还有，包邮哦", None),
    ],
)
def test_availability(text, state):
    assert stock_state(read(text).clauses[0]) == state


def test_slots_are_called_by_numerals_too_and_are_no_days_or_sizes():
    clauses = read("九号和12号链接都有，3月31号截止，5号电池不送").clauses
    assert [[slot for slot, _ in slots_named(c)] for c in clauses] == [[9, 12], [], []]


@pytest.mark.parametrize(
    ("text", "ranked"),
    [("9号更轻", "less"), ("12号贵一些", "more"), ("比12号便宜", "less"), ("哪个续航更久", "more"), ("很轻松", "")],
)  # fmt: skip
def test_a_comparison_ranks(text, ranked):
    folded = fold(text)
    assert direction(folded, language_of(folded)) == ranked


def test_clauses_end_at_commas_conjunctions_and_emojis_but_not_at_enumerations():
    texts = [c.text.strip(",﹐ ") for c in read("黑色S、M、L都有，但是不包邮😊运费8元").clauses]
    assert texts == ["黑色s、m、l都有", "但是不包邮", "运费8元"]
