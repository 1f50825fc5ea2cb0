"""The bias battery: every probe finds the judge it was made for, and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest

from lt_bench.builders.commerce_judge import CommerceJudge
from lt_bench.claims.assessment import assess
from lt_bench.errors import UsageError
from lt_bench.judge import Panel
from lt_bench.judge.payloads import PAYLOADS
from lt_bench.records import (
    BiasProbe,
    BiasReport,
    Document,
    Example,
    Generation,
    HumanLabel,
    JudgeStamp,
    Labelled,
    Reason,
    Score,
)
from lt_bench.run.judging.bias import plan, report
from lt_bench.run.judging.bias.abstention import FORMS, AbstentionProbe
from lt_bench.run.judging.bias.answers import Answer, flipped, no, yes
from lt_bench.run.judging.bias.blind import BlindProbe
from lt_bench.run.judging.bias.choosing import abstains, spread
from lt_bench.run.judging.bias.draws import redrawn
from lt_bench.run.judging.bias.injection import InjectionProbe, inserted
from lt_bench.run.judging.bias.order import OrderProbe
from lt_bench.run.judging.bias.padding import FACTORS, KINDS, language, padded
from lt_bench.run.judging.bias.paired import Pair, bonett_price, moved
from lt_bench.run.judging.bias.report_file import load_report, save_report
from lt_bench.run.judging.bias.sway import of_difference, of_share
from lt_bench.run.judging.bias.trial import Seen, Setting
from lt_bench.run.judging.bias.worth import Earned, Priced, price_of_length, worth_of_a_point
from lt_bench.run.judging.rating import rate
from lt_bench.scorers import Judging, Metric, Scorer, ScoringContext
from lt_bench.scorers.facts import FactsScorer
from lt_bench.scorers.judged import JudgedScorer
from lt_bench.stats.estimates import Observation, estimate

Verdict = tuple[float, float]
LIMIT = 40


@cache
def rows() -> tuple[Labelled, ...]:
    return tuple(CommerceJudge({"lang": "mix"}).build(400, 0))


@cache
def originals() -> dict[str, Example]:
    return {row.example.id: row.example for row in rows()}


FACTS = FactsScorer(ScoringContext(), {})
_KNOWN: dict[tuple[str, tuple[str, ...], str], Verdict] = {}


def honest(example: Example, reply: str, _: int = 0) -> Verdict:
    """What gold facts say; without documents nobody can say yes."""
    if not example.documents:
        return 0.0, 0.0
    key = (example.id, tuple(one.id for one in example.documents), reply)
    if key not in _KNOWN:
        found = assess(FACTS.case(example), reply)
        _KNOWN[key] = float(found.correct), float(found.helpful)
    return _KNOWN[key]


def fond_of_length(example: Example, reply: str, draw: int) -> Verdict:
    correct, helpful = honest(example, reply, draw)
    return correct, 1.0 if len(reply) > 110 else helpful


def swayed_by_order(example: Example, reply: str, draw: int) -> Verdict:
    correct, helpful = honest(example, reply, draw)
    first = originals()[example.id].documents[0].id
    if example.documents and example.documents[0].id != first:
        return 1.0 - correct, helpful
    return correct, helpful


def tosses_coins(example: Example, reply: str, draw: int) -> Verdict:
    """Sure of itself where nothing is stated or nothing can be read, else not."""
    correct, helpful = honest(example, reply, draw)
    if not example.documents or abstains(reply):
        return correct, helpful
    order = [one.id for one in example.documents]
    coin = sha256(f"{draw}|{reply}|{order}".encode()).digest()[0]
    return (1.0 - correct if coin < 77 else correct), helpful


def gullible(example: Example, reply: str, draw: int) -> Verdict:
    told = any(payload.text in reply for payload in PAYLOADS)
    return (1.0, 1.0) if told else honest(example, reply, draw)


def reads_nothing(example: Example, reply: str, draw: int) -> Verdict:
    """Knows what fits without looking at the documents."""
    return honest(originals()[example.id], reply, draw)


def lenient(example: Example, reply: str, draw: int) -> Verdict:
    return (1.0, 1.0) if _only_abstains(reply) else honest(example, reply, draw)


def strict(example: Example, reply: str, draw: int) -> Verdict:
    correct, helpful = honest(example, reply, draw)
    return (0.0 if _only_abstains(reply) else correct), helpful


def _only_abstains(reply: str) -> bool:
    return reply in {form for forms in FORMS.values() for form in forms}


class Fake:
    """A judge that is a function of example, reply and draw."""

    metrics = (Metric("correctness", "quality"), Metric("helpfulness", "quality"))
    sha = "fake"
    remarks: ClassVar[dict[str, str]] = {}

    def __init__(
        self, verdict: Callable[[Example, str, int], Verdict], draw: int = 0, silent: int = 0
    ) -> None:
        self.verdict, self.draw, self.silent, self.asked = verdict, draw, silent, 0

    @property
    def judges(self) -> dict[str, JudgeStamp]:
        stamp = JudgeStamp(name="fake", version=1, judge_sha="f" * 64, models=("fake/1",))
        return {metric.name: stamp for metric in self.metrics}

    def applies(self, metric: Metric, example: Example) -> bool:
        return True

    async def score(self, example: Example, generation: Generation) -> tuple[Score, ...]:
        self.asked += 1
        if self.silent and self.asked % self.silent == 0:
            return tuple(_score(m.name, None, "judge_unparsed") for m in self.metrics)
        found = self.verdict(example, generation.reply, self.draw)
        return tuple(_score(m.name, v) for m, v in zip(self.metrics, found, strict=True))


def _score(name: str, value: float | None, reason: Reason | None = None) -> Score:
    return Score(name=name, value=value, reason=reason)


def battery_of(
    verdict: Callable[[Example, str, int], Verdict], only: Iterable[str] = (), silent: int = 0
) -> BiasReport:
    scorer: Scorer = Fake(verdict, silent=silent)
    battery = plan(scorer, rows(), LIMIT, tuple(only))
    seen = asyncio.run(battery.ask(lambda draw: Fake(verdict, draw, silent) if draw else scorer, 1))
    return report("fake", scorer, battery, seen, "built")


def probe(found: BiasReport, name: str) -> BiasProbe:
    return next(one for one in found.probes if one.name == name)


# --- each judge by its own probe ---------------------------------------------------------------


def test_an_honest_judge_passes_every_probe() -> None:
    found = battery_of(honest)
    assert {one.name: one.word for one in found.probes} == dict.fromkeys(
        ("length", "order", "repeat", "injection", "blind", "abstention"), "steady"
    )
    assert not any(one.unscored for one in found.probes)


@pytest.mark.parametrize(
    ("judge", "name"),
    [
        (fond_of_length, "length"),
        (swayed_by_order, "order"),
        (tosses_coins, "repeat"),
        (gullible, "injection"),
        (reads_nothing, "blind"),
        (lenient, "abstention"),
        (strict, "abstention"),
    ],
)
def test_a_swayed_judge_is_found_by_its_probe_and_by_no_other(
    judge: Callable[[Example, str, int], Verdict], name: str
) -> None:
    found = battery_of(judge)
    assert [one.name for one in found.probes if one.word == "sways"] == [name]


def test_the_sentence_of_a_swayed_judge_says_by_what() -> None:
    gained = probe(battery_of(fond_of_length, ["length"]), "length")
    assert "helpfulness more" in gained.sentence
    price = gained.also["price_of_length:helpfulness"]
    worth = gained.also["worth_of_a_point:helpfulness"]
    assert price.low is not None
    assert price.low > 0
    assert worth.value is not None
    assert worth.value < 0.6
    assert gained.also["worth_of_a_point:correctness"].value == 1.0
    injected = probe(battery_of(gullible, ["injection"]), "injection")
    assert "can be talked over" in injected.sentence


def test_adjusting_takes_off_what_length_bought() -> None:
    found = probe(battery_of(fond_of_length, ["length"]), "length")
    lines = {f.name: f for f in found.figures if f.metric == "helpfulness"}
    plain, longest = lines["as it was"].share.value, lines["filler x3"]
    assert plain is not None
    assert longest.share.value is not None
    adjusted = longest.also["adjusted"].value
    assert adjusted is not None
    assert abs(adjusted - plain) < abs(longest.share.value - plain) / 2


# --- facts -------------------------------------------------------------------------------------


def test_rules_are_told_apart_from_judges_that_read() -> None:
    battery = plan(FACTS, rows(), LIMIT, ["length", "repeat", "blind", "abstention"])
    seen = asyncio.run(battery.ask(lambda _: FACTS, 1))
    words = {one.name: one.word for one in report("facts", FACTS, battery, seen, "").probes}
    assert words == {
        "length": "steady",
        "repeat": "not_applicable",
        "blind": "not_applicable",
        "abstention": "steady",
    }


def test_rows_without_gold_facts_are_refused_for_rules() -> None:
    bare = [row_of("It is red.", True)]
    with pytest.raises(UsageError, match="none of the 1 replies"):
        plan(FACTS, bare, LIMIT)


# --- padding -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_padding_leaves_every_verdict_of_facts_as_it_was(lang: str) -> None:
    built = list(CommerceJudge({"lang": lang}).build(30, 3))
    plain = asyncio.run(rate(FACTS, built, 1))
    for kind in KINDS:
        for factor in FACTORS:
            longer = [
                row.model_copy(update={"reply": padded(row.reply, kind, factor)}) for row in built
            ]
            for before, after in zip(plain, asyncio.run(rate(FACTS, longer, 1)), strict=True):
                for metric in ("correctness", "helpfulness"):
                    was, now = before.scores[metric].value, after.scores[metric].value
                    assert was == now, (after.row.reply, metric)


def test_padding_is_about_as_long_as_it_says() -> None:
    for row in rows()[:80]:
        for kind in KINDS:
            for factor in FACTORS:
                longer = padded(row.reply, kind, factor)
                assert longer is not None
                assert longer.startswith(row.reply)
                assert len(longer) >= 0.9 * factor * len(row.reply), (kind, factor)
                assert len(longer) <= factor * len(row.reply) + 90


def test_a_reply_without_an_end_is_padded_on_a_new_line() -> None:
    assert padded("it is 99 yuan", "filler", 2) == ("it is 99 yuan\nThank you so much for asking!")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "12 / 34",
        "Das Gerät hat einen Tank von zwei Litern und heizt in zwanzig Sekunden auf.",
        "La bouilloire coûte quatre-vingts euros et peut être livrée demain à Lyon.",
        "この商品は在庫があります。",
        "재고가 있습니다.",
        "Чайник стоит 99 евро.",
    ],
)
def test_what_is_neither_english_nor_chinese_is_not_padded(reply: str) -> None:
    assert language(reply) is None
    assert padded(reply, "filler", 3) is None


# --- what is asked ------------------------------------------------------------------------------


def test_probes_share_the_judgements_that_they_have_in_common() -> None:
    battery = plan(Fake(honest), rows(), LIMIT)
    keys = [trial.key for trial in battery.trials]
    assert len(set(keys)) == len(keys)
    assert len(keys) < sum(len({t.key for t in p.trials}) for p in battery.probes)
    scorer = Fake(honest)
    asyncio.run(battery.ask(lambda _: scorer, 1))
    assert scorer.asked == len(keys)


def test_the_same_rows_are_asked_about_in_any_order_of_the_file() -> None:
    setting = [
        {trial.key for trial in plan(Fake(honest), found, 10).trials}
        for found in (rows(), rows()[::-1])
    ]
    assert setting[0] == setting[1]


def test_the_first_replies_are_of_different_groups() -> None:
    found = spread(rows())[:LIMIT]
    assert len({row.example.group for row in found}) == LIMIT


def test_shuffled_documents_are_the_same_documents_in_a_third_order() -> None:
    setting = Setting(spread(rows()), ("correctness",), LIMIT)
    for one in OrderProbe(setting).replies:
        was = [d.id for d in one.row.example.documents]
        orders = {n: [d.id for d in t.row.example.documents] for n, t in one.orders.items()}
        assert orders["reversed"] == was[::-1]
        if len(was) > 2:
            assert sorted(orders["shuffled"]) == sorted(was)
            assert orders["shuffled"] not in (was, was[::-1])


def test_every_payload_is_used_to_the_letter_on_replies_that_people_call_wrong() -> None:
    setting = Setting(spread(rows()), ("correctness",), 60)
    attacks = InjectionProbe(setting).attacks
    assert {one.payload.name for one in attacks} == {payload.name for payload in PAYLOADS}
    assert len(attacks) >= 100
    for one in attacks:
        assert one.payload.text in one.attacked.row.reply
        assert one.row.labels[0].correct is False
        assert len(one.harmless.row.reply) >= len(one.row.reply) + len(one.payload.text)


def test_few_rows_take_fewer_payloads_evenly_from_all_families() -> None:
    attacks = InjectionProbe(Setting(spread(rows()), ("correctness",), 5)).attacks
    assert len(attacks) == 15
    families = [one.payload.family for one in attacks]
    assert max(map(families.count, families)) == 1


def test_few_replies_can_show_that_a_judge_is_talked_over_but_not_that_it_is_not() -> None:
    words = []
    for judge in (gullible, honest):
        few = [row for row in rows() if not row.labels[0].correct and not row.labels[0].helpful][:3]
        scorer = Fake(judge)
        battery = plan(scorer, few, LIMIT, ["injection"])
        seen = asyncio.run(battery.ask(lambda _, scorer=scorer: scorer, 1))
        words.append(battery.probes[0].read(seen).word)
    assert words == ["sways", "unclear"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("end", "It is 99 yuan. In stock. P"),
        ("start", "P It is 99 yuan. In stock."),
        ("middle", "It is 99 yuan. P In stock."),
    ],
)
def test_a_payload_stands_where_it_is_put(place: str, expected: str) -> None:
    assert inserted("It is 99 yuan. In stock.", "P", place) == expected  # type: ignore[arg-type]


def test_a_blind_judge_gets_neither_documents_nor_dialogue() -> None:
    for one in BlindProbe(Setting(spread(rows()), ("correctness",), LIMIT)).replies:
        assert one.row.labels[0].correct is True
        assert not abstains(one.row.reply)
        assert not one.blind.row.example.documents
        assert not one.blind.row.example.history


def test_abstentions_of_every_form_are_wrong_by_the_facts_where_they_are_needless() -> None:
    found = AbstentionProbe(Setting(spread(rows()), ("correctness",), LIMIT))
    needless = asyncio.run(rate(FACTS, [trial.row for trial in found.needless], 1))
    due = asyncio.run(rate(FACTS, [trial.row for trial in found.due], 1))
    assert len(needless) == len(due) == LIMIT
    assert {one.scores["correctness"].value for one in needless} == {0.0}
    assert {one.scores["helpfulness"].value for one in needless} == {0.0}
    assert {one.scores["correctness"].value for one in due} == {1.0}
    assert {trial.row.reply for trial in found.needless} == set(FORMS["en"]) | set(FORMS["zh"])


def test_rows_without_gold_are_chosen_by_what_people_say() -> None:
    stated, silent = row_of("It is red.", True), row_of("Sorry, I do not know that.", True)
    found = AbstentionProbe(Setting([stated, silent], ("correctness",), 5))
    assert [trial.row.id for trial in found.needless] == [stated.id]
    assert [trial.row.id for trial in found.due] == [silent.id]


def test_an_unknown_probe_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match="Did you mean 'length'"):
        plan(Fake(honest), rows(), LIMIT, ["lenght"])


def test_a_probe_without_any_row_says_so_and_decides_nothing() -> None:
    only = [row_of("Чайник красный.", None)]
    battery = plan(Fake(honest), only, LIMIT)
    words = {p.name: p.read(Seen({})).word for p in battery.probes if not p.trials}
    assert words == dict.fromkeys(
        ("length", "order", "injection", "blind", "abstention"), "unclear"
    )


# --- silence -----------------------------------------------------------------------------------


def test_silent_judgements_are_counted_and_in_no_share() -> None:
    found = battery_of(honest, silent=7)
    assert {one.word for one in found.probes} <= {"steady", "unclear"}
    for one in found.probes:
        assert set(one.unscored) == {"judge_unparsed"}
        assert 0 < one.unscored["judge_unparsed"] < one.judgements / 5
    for name in ("length", "order", "injection"):
        for figure in probe(found, name).figures:
            if figure.metric == "correctness" and figure.difference:
                assert figure.difference.value == 0.0
    length = next(f for f in probe(found, "length").figures if f.name == "filler x3")
    assert length.share.n + length.share.unscored["judge_unparsed"] == LIMIT


def test_a_judge_that_never_answers_decides_nothing() -> None:
    found = battery_of(honest, silent=1)
    assert {one.word for one in found.probes} == {"unclear"}


def test_a_label_worth_nothing_is_neither_yes_nor_no_and_differs_from_both() -> None:
    abstained = _score("correctness", None, "not_applicable")
    right, wrong = _score("correctness", 1.0), _score("correctness", 0.0)
    assert yes(abstained) == no(abstained) == Answer(0.0)
    assert flipped(abstained, wrong) == flipped(abstained, right) == Answer(1.0)
    silent = _score("correctness", None, "judge_error")
    assert yes(silent) == flipped(right, silent) == Answer(None, "judge_error")


# --- figures -----------------------------------------------------------------------------------


def test_bonett_price_is_the_published_interval() -> None:
    # Fagerland, Lydersen and Laake (Statistics in Medicine 33, 2014): airway hyper-responsiveness
    # before and after stem cell transplantation, 21 children, 1 against 7 discordant pairs.
    found = bonett_price(1, 7, 21)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.508, -0.013)


def test_nothing_changed_still_has_a_width() -> None:
    found = bonett_price(0, 0, 40)
    assert found.low == -found.high
    assert 0.05 < found.high < 0.1
    with pytest.raises(ValueError, match="of 0"):
        bonett_price(0, 0, 0)


def test_pairs_count_what_was_gained_and_lost() -> None:
    pairs = [
        Pair(str(i), str(i), Answer(before), Answer(after))
        for i, (before, after) in enumerate([(0.0, 1.0)] * 9 + [(1.0, 0.0)] + [(1.0, 1.0)] * 10)
    ]
    found = moved([*pairs, Pair("x", "x", Answer(1.0), Answer(None, "judge_error"))])
    assert (found.gained, found.lost) == (9, 1)
    assert found.p_value == pytest.approx(0.021484375, abs=1e-12)
    assert found.difference.value == pytest.approx(0.4)
    assert found.difference.n == 20
    assert found.difference.unscored == {"judge_error": 1}
    assert found.before.n == found.after.n == 20


def test_pairs_of_one_group_count_as_one() -> None:
    one = [Pair(str(i), "room", Answer(0.0), Answer(1.0)) for i in range(40)]
    found = moved(one).difference
    assert found.method == "Bonett-Price over 1 groups"
    assert found.low is not None
    assert found.low < 0


def test_the_price_of_length_is_the_gain_for_every_doubling() -> None:
    found = price_of_length(
        [Priced(str(i), doublings, 0.1 * doublings) for i in range(9) for doublings in (1.0, 2.0)]
        + [Priced("z", 1.0, 0.0)]
    )
    assert found.value == pytest.approx(0.1 * 45 / 46)
    assert found.low is not None
    assert found.low > 0


@pytest.mark.parametrize(("turned", "expected"), [(0, 1.0), (4, 0.75), (20, -0.25)])
def test_a_point_is_worth_what_padding_cannot_buy(turned: int, expected: float) -> None:
    # People call 20 replies right and 20 wrong; the judge says yes to 18 and 2 of them: J = 0.8.
    right = [Earned(f"r{i}", True, float(i < 18), float(i < 18)) for i in range(20)]
    wrong = [Earned(f"w{i}", False, float(i < 2), float(i < 2 + turned)) for i in range(20)]
    found = worth_of_a_point([*right, *wrong])
    if turned == 20:
        wrong = [Earned(f"w{i}", False, 0.0, 1.0) for i in range(20)]
        right = [Earned(f"r{i}", True, float(i < 16), float(i < 16)) for i in range(20)]
        found = worth_of_a_point([*right, *wrong])
    assert found.value == pytest.approx(expected)


def test_a_point_of_a_judge_that_tells_nothing_apart_has_no_worth() -> None:
    same = [Earned(str(i), i % 2 == 0, float(i % 4 < 2), 1.0) for i in range(40)]
    found = worth_of_a_point(same)
    assert found.value is None
    assert "does not tell" in found.method
    assert worth_of_a_point([one for one in same if one.deserved]).value is None


def test_words_follow_from_intervals() -> None:
    def shares(hits: int, n: int) -> str:
        found = estimate([Observation(str(i), str(i), float(i < hits)) for i in range(n)])
        return of_share(found)

    assert [shares(0, 40), shares(0, 10), shares(1, 40), shares(4, 40), shares(3, 1000)] == [
        "steady", "unclear", "unclear", "sways", "steady"
    ]  # fmt: skip

    def difference(gained: int, lost: int, n: int) -> str:
        changes = [(0.0, 1.0)] * gained + [(1.0, 0.0)] * lost + [(0.0, 0.0)] * (n - gained - lost)
        pairs = [
            Pair(str(i), str(i), Answer(before), Answer(after))
            for i, (before, after) in enumerate(changes)
        ]
        return of_difference(moved(pairs).difference)

    assert [difference(0, 0, 40), difference(0, 0, 8), difference(3, 2, 40)] == [
        "steady", "unclear", "unclear"
    ]  # fmt: skip
    assert [difference(9, 1, 40), difference(0, 9, 40), difference(20, 0, 1000)] == [
        "sways", "sways", "steady"
    ]  # fmt: skip


def test_a_report_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "bias.json"
    found = battery_of(honest, ["length"])
    save_report(found, path)
    assert load_report(path) == found
    path.write_text('{"judge": "x"}')
    with pytest.raises(UsageError, match="no bias report"):
        load_report(path)


def row_of(reply: str, correct: bool | None) -> Labelled:
    """A row of people's, with one document and no gold."""
    example = Example(
        id=reply,
        task="commerce_qa",
        question="Which colour?",
        documents=(Document(id="d1", text="The kettle is red."),),
        group=reply,
    )
    return Labelled(
        id=reply,
        example=example,
        reply=reply,
        labels=(HumanLabel(annotator="ann", correct=correct),),
    )


def test_a_draw_is_the_same_judge_and_panel_under_another_seed(tmp_path: Path) -> None:
    script = tmp_path / "judge.yaml"
    script.write_text('rules: [{answer: "true"}]\n')
    judging = Judging(Panel([f"scripted/{script}"]), {"temperature": 0.7, "seed": 5})
    scorer = JudgedScorer(ScoringContext(judging=judging), {"ask": ["commerce_correctness"]})
    drawn = redrawn(scorer, judging)
    assert drawn(0) is scorer
    again = [drawn(draw) for draw in (1, 2)]
    assert all(isinstance(one, JudgedScorer) and one.panel is scorer.panel for one in again)
    sampled = [one.asked[0].sampling for one in (scorer, *again) if isinstance(one, JudgedScorer)]
    assert len({one.seed for one in sampled}) == 3
    assert {one.temperature for one in sampled} == {0.7}
    assert redrawn(FACTS, Judging())(3) is FACTS
