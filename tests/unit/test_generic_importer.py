"""The generic importer: a company's own logs in any table form, by a map of their columns."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lt_bench.builders import IMPORTERS
from lt_bench.builders.base import Reading
from lt_bench.builders.importers import field_map
from lt_bench.builders.problem import Problem, Row
from lt_bench.errors import UsageError
from lt_bench.records import (
    AnswersGold,
    Document,
    Example,
    Fact,
    FactsGold,
    ReferenceGold,
    Utterance,
)

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_logs"
PRODUCTS = [
    Document(
        id="mug", kind="product", title="Mug", text="Mug\nPrice: 9.50 EUR",
        product={"@type": "Product", "name": "Mug", "sku": "M-1", "offers": {"price": 9.5},
                 "additionalProperty": [{"name": "dishwasher safe", "value": True}]},
    ),
    Document(
        id="shirt", kind="product", title="Shirt", text="Shirt",
        product={"@type": "ProductGroup", "name": "Shirt",
                 "hasVariant": [{"sku": "S-1"}, {"sku": "S-2"}, {"sku": "M-9"}]},
    ),
    Document(id="cap", kind="product", title="Cap", text="Cap",
             product={"name": "Cap", "hasVariant": {"sku": "M-9"}}),
    Document(id="hat", kind="product", title="Hat", text="Hat",
             product={"name": "Hat", "hasVariant": [{"sku": "M-9"}]}),
]  # fmt: skip
LOG = [
    {
        "mid": "m1",
        "txt": "how much?",
        "who": "mira",
        "sku": "M-1",
        "answer": "9.50",
        "kind": "price",
    },
    {"mid": "m2", "txt": 'big,\n"really"?', "who": "jo", "sku": "shirt", "answer": "", "kind": ""},
]
MAP = """
id: mid
question: txt
viewer: who
documents: {from: products.jsonl, by: sku}
gold: {kind: reference, answers: answer}
tags: [kind, {value: live}]
"""


def save(tmp_path: Path, data, name: str) -> Path:
    path = tmp_path / name
    if not isinstance(data, str | bytes):
        data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def table(rows=LOG, delimiter=",", end="\n") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def importer(tmp_path: Path, text: str):
    lines = "".join(document.model_dump_json() + "\n" for document in PRODUCTS)
    (tmp_path / "products.jsonl").write_text(lines)
    return IMPORTERS.get("generic")({"map": str(save(tmp_path, text, "map.yaml"))})


def imported(tmp_path, data, text=MAP, name="log.jsonl") -> list[Example]:
    return list(importer(tmp_path, text).read(save(tmp_path, data, name)))


def one(tmp_path, row, text) -> Example:
    (example,) = imported(tmp_path, [row], text)
    return example


def problems(tmp_path, data, text=MAP, name="log.jsonl") -> list[Problem]:
    path = save(tmp_path, data, name)
    return [item for item in importer(tmp_path, text).inspect(path) if isinstance(item, Problem)]


def refused(tmp_path, data, text=MAP, name="log.jsonl") -> str:
    with pytest.raises(UsageError) as caught:
        imported(tmp_path, data, text, name)
    assert str(caught.value).count("\n") < 6
    assert caught.value.fix
    return str(caught.value)


def bad_map(tmp_path, text) -> str:
    with pytest.raises(UsageError) as caught:
        field_map.load(save(tmp_path, text, "map.yaml"))
    assert str(caught.value).count("\n") < 6
    assert caught.value.fix
    assert len(str(caught.value)) < 600
    return str(caught.value)


# --- rows ----------------------------------------------------------------------------------------


def test_a_row_becomes_an_example(tmp_path):
    first, second = imported(tmp_path, table(), name="log.csv")
    assert first == Example(
        id="m1",
        task="commerce_qa",
        question="how much?",
        viewer="mira",
        documents=(PRODUCTS[0],),
        gold=ReferenceGold(answers=("9.50",)),
        group="m1",
        tags=("kind:price", "live"),
    )
    assert second.question == 'big,\n"really"?'
    assert second.documents == (PRODUCTS[1],)
    assert second.gold is None
    assert second.tags == ("live",)


@pytest.mark.parametrize(
    "form", ["bom_crlf", "tsv", "semicolon", "utf16", "gzip", "jsonl", "array", "parquet", "bare"]
)
def test_f89_every_form_of_a_log_gives_the_same_examples(tmp_path, form):
    forms = {
        "bom_crlf": ("a.csv", b"\xef\xbb\xbf" + table(end="\r\n").encode()),
        "tsv": ("a.tsv", table(delimiter="\t")),
        "semicolon": ("a.csv", table(delimiter=";")),
        "utf16": ("a.csv", table().encode("utf-16")),
        "gzip": ("a.csv.gz", gzip.compress(table().encode(), mtime=0)),
        "jsonl": ("a.jsonl", LOG),
        "array": ("a.json", "\ufeff" + json.dumps(LOG, indent=1)),
        "bare": ("log", table()),
    }
    if form == "parquet":
        import pyarrow
        from pyarrow import parquet

        path = tmp_path / "a.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(LOG), path)
        forms["parquet"] = (path.name, path.read_bytes())
    name, data = forms[form]
    assert imported(tmp_path, data, name=name) == imported(tmp_path, table(), name="log.csv")


def test_parquet_keeps_nested_columns_and_loses_nan(tmp_path):
    import datetime

    import pyarrow
    from pyarrow import parquet

    row = {
        "q": "which?",
        "talk": [{"role": "host", "content": "hi"}],
        "meta": {"lang": "zh-CN", "score": float("nan")},
        "at": datetime.datetime(2026, 3, 2, 19, 4, tzinfo=datetime.UTC),
        "n": 3,
    }
    path = tmp_path / "log.parquet"
    parquet.write_table(pyarrow.Table.from_pylist([row]), path)
    text = (
        "question: q\nhistory: talk\nlang: meta.lang\nsource: at\ngroup: n\n"
        "tags: {column: meta.score, prefix: 's'}\n"
    )
    (example,) = importer(tmp_path, text).read(path)
    assert example.history == (Utterance(role="host", content="hi"),)
    assert example.lang == "zh"
    assert example.source.startswith("2026-03-02T19:04")
    assert example.group == "3"
    assert example.tags == ()


def test_parquet_that_is_broken_is_refused(tmp_path):
    assert "broken Parquet" in refused(tmp_path, b"PAR1 and then nothing", name="a.parquet")


def test_a_row_without_id_is_known_by_its_content(tmp_path):
    text = "question: q"
    first, second = imported(tmp_path, [{"q": "a"}, {"q": "b"}], text)
    assert first.id != second.id
    assert len(first.id) == 16
    again, _ = imported(tmp_path, [{"q": "a"}, {"q": "b"}], text)
    assert again.id == first.id == first.group
    assert "line 2, id: " in refused(tmp_path, [{"q": "a"}, {"q": "a"}], text)


def test_paths_defaults_and_constants(tmp_path):
    row = {"a.b": "dotted", "meta": {"who": "jo", "n": [{"x": "deep"}]}, "json": '{"k": "v"}'}
    text = """
question: a.b
viewer: meta.who
source: meta.n.0.x
license: json.k
group: {column: nowhere, default: g}
lang: {value: zh}
tags: [{column: meta.who, prefix: ""}, {column: gone, default: none}]
"""
    example = one(tmp_path, row, text)
    assert example.question == "dotted"
    assert (example.viewer, example.source, example.license) == ("jo", "deep", "v")
    assert (example.group, example.lang) == ("g", "zh")
    assert example.tags == ("jo", "gone:none")


def test_tags_come_from_lists_numbers_and_truth(tmp_path):
    row = {"q": "x", "topics": ["a", "b"], "vip": True, "new": False, "stars": 4.0}
    example = one(tmp_path, row, "question: q\ntags: [topics, vip, new, stars]")
    assert example.tags == ("topics:a", "topics:b", "vip", "stars:4")


# --- history -------------------------------------------------------------------------------------


def test_history_from_a_list_of_objects_or_its_json(tmp_path):
    lines = [{"speaker": "Seller", "text": "hello"}, {"speaker": "anna", "text": "hi"}, {"speaker": "anna", "text": " "}]  # fmt: skip
    text = """
question: q
history:
  column: chat
  each: {role: speaker, content: text}
  roles: {seller: host}
  others: viewer
"""
    said = (Utterance(role="host", content="hello"), Utterance(role="viewer", name="anna", content="hi"))  # fmt: skip
    assert one(tmp_path, {"q": "x", "chat": lines}, text).history == said
    assert one(tmp_path, {"q": "x", "chat": json.dumps(lines)}, text).history == said
    assert one(tmp_path, {"q": "x", "chat": None}, text).history == ()


def test_history_from_one_text(tmp_path):
    text = "question: q\nhistory: {column: chat, separator: ' | ', roles: {主播: host}, others: viewer}"
    row = {"q": "x", "chat": "主播: 大家好 | mira: at 10: 30 | : lost | host: yes"}
    assert one(tmp_path, row, text).history == (
        Utterance(role="host", content="大家好"),
        Utterance(role="viewer", name="mira", content="at 10: 30 | : lost"),
        Utterance(role="host", content="yes"),
    )
    strict = "question: q\nhistory: {column: chat, separator: ' | '}"
    (said,) = one(tmp_path, {"q": "x", "chat": "host: come | at 10: 30"}, strict).history
    assert said.content == "come | at 10: 30"
    lines = "question: q\nhistory: {column: chat, separator: \"\\n\", speaker: '>'}"
    assert len(one(tmp_path, {"q": "x", "chat": "host> a\nviewer> b\n"}, lines).history) == 2


def test_speakers_that_nobody_knows_are_named(tmp_path):
    text = "question: q\nhistory: {column: chat, separator: ' | '}"
    message = refused(tmp_path, [{"q": "x", "chat": "boss: hi"}], text)
    assert "line 1, history: 'boss: hi' begins with no speaker" in message
    text = "question: q\nhistory: chat"
    message = refused(tmp_path, [{"q": "x", "chat": [{"role": "boss", "content": "hi"}]}], text)
    assert "line 1, history.0.role: the map does not say who 'boss' is" in message
    assert "is text" in refused(tmp_path, [{"q": "x", "chat": ["hi"]}], text)
    assert "no object" in refused(tmp_path, [{"q": "x", "chat": [3]}], text)
    assert "broken JSON" in refused(tmp_path, [{"q": "x", "chat": '[{"role": '}], text)


TALK = [
    {"d": "r1", "at": "10", "who": "host", "name": "Koji", "say": "Number 9!", "sku": ""},
    {"d": "r2", "at": "2", "who": "buyer", "name": "eve", "say": "cheap?", "sku": "M-1"},
    {"d": "r1", "at": "9", "who": "host", "name": "Koji", "say": "Welcome", "sku": ""},
    {"d": "r1", "at": "11", "who": "buyer", "name": "mira", "say": "how much?", "sku": "M-1"},
    {"d": "r1", "at": "12", "who": "host", "name": "Koji", "say": "9.50", "sku": ""},
    {"d": "r1", "at": "13", "who": "buyer", "name": "jo", "say": "and blue?", "sku": "shirt"},
    {"d": "r1", "at": "14", "who": "buyer", "name": "jo", "say": "in M", "sku": "shirt"},
    {"d": "r1", "at": "15", "who": "host", "name": "Koji", "say": "yes", "sku": ""},
    {"d": "r3", "at": "1", "who": "host", "name": "Koji", "say": "alone", "sku": ""},
]
TALK_MAP = """
dialogue: {by: d, order: at, role: who, name: name, content: say, roles: {buyer: viewer}%s}
documents: {from: products.jsonl, by: sku}
"""


def test_rows_of_a_dialogue_are_brought_together_and_ordered(tmp_path, caplog):
    r1, r2 = imported(tmp_path, table(TALK), TALK_MAP % "", name="log.csv")
    assert (r1.question, r1.viewer, r1.group) == ("in M", "jo", "r1")
    assert [line.content for line in r1.history] == [
        "Welcome", "Number 9!", "how much?", "9.50", "and blue?",
    ]  # fmt: skip
    assert r1.documents == (PRODUCTS[1],)
    assert r1.gold is None
    assert (r2.question, r2.history) == ("cheap?", ())
    assert "1 dialogues have no line of a viewer ('r3' is the first)" in caplog.text


def test_each_question_of_a_dialogue_with_its_answer(tmp_path):
    text = TALK_MAP % ", ask: each, answered_by: host, keep: 2"
    rows = imported(tmp_path, table(TALK), text, name="log.csv")
    assert [(row.question, row.gold and row.gold.answers) for row in rows] == [
        ("how much?", ("9.50",)), ("and blue?", None), ("in M", ("yes",)), ("cheap?", None),
    ]  # fmt: skip
    assert [len(row.history) for row in rows] == [2, 2, 2, 0]


def test_dialogues_without_order_or_key_are_refused(tmp_path):
    assert "line 2, dialogue.order: is empty" in refused(
        tmp_path, table([{**TALK[0], "at": ""}]), TALK_MAP % "", name="log.csv"
    )
    assert "line 2, dialogue.by: is empty" in refused(
        tmp_path, table([{**TALK[0], "d": ""}]), TALK_MAP % "", name="log.csv"
    )


# --- documents -----------------------------------------------------------------------------------


def test_documents_from_texts_lists_and_products_stand_in_order(tmp_path):
    row = {
        "q": "x", "sheet": "Mug: 9.50", "name": "Mug", "notes": ["a", "", "b"],
        "found": [{"ref": "f1", "body": "[sold out] again", "sort": "faq"}], "on": "M-1; S-2;M-1", "nos": "3;7;3",
    }  # fmt: skip
    text = """
question: q
documents:
  - {text: sheet, title: name, id: {value: sheet}, kind: {value: product}}
  - {column: notes}
  - {column: found, each: {id: ref, text: body, kind: sort}}
  - {from: products.jsonl, by: "on", separator: ";", slots: nos}
"""
    documents = one(tmp_path, row, text).documents
    assert [(d.id, d.kind, d.slot) for d in documents] == [
        ("sheet", "product", None), ("d2", "evidence", None), ("d3", "evidence", None),
        ("f1", "faq", None), ("mug", "product", 3), ("shirt", "product", 7),
    ]  # fmt: skip
    assert documents[3].text == "[sold out] again"
    assert documents[0].title == "Mug"


def test_a_product_is_found_by_id_or_sku_and_a_missing_one_is_named(tmp_path, caplog):
    text = "question: q\ndocuments: {from: products.jsonl, by: sku%s}"
    assert one(tmp_path, {"q": "x", "sku": ["mug", "S-1"]}, text % "").documents == tuple(
        PRODUCTS[:2]
    )
    assert one(tmp_path, {"q": "x", "sku": None}, text % "").documents == ()
    message = refused(tmp_path, [{"q": "x", "sku": "M-2"}], text % "")
    assert "line 1, documents: products.jsonl has no product 'M-2'. Did you mean" in message
    assert one(tmp_path, {"q": "x", "sku": "M-2"}, text % ", missing: skip").documents == ()
    assert "products.jsonl has no M-2 (1 products); left out" in caplog.text
    message = refused(tmp_path, [{"q": "x", "sku": "M-9"}], text % "")
    assert "'M-9' is a SKU of shirt and hat" in message


def test_a_product_file_that_is_missing_or_another_is_refused(tmp_path):
    text = "question: q\ndocuments: {from: %s, by: sku}"
    assert "no such file" in refused(tmp_path, [{"q": "x"}], text % "product.jsonl")
    assert "Did you mean 'products.jsonl'" in refused(
        tmp_path, [{"q": "x"}], text % "product.jsonl"
    )
    assert "is a folder" in refused(tmp_path, [{"q": "x"}], text % "..")
    save(tmp_path, [{"q": "x"}], "other.jsonl")
    message = refused(tmp_path, [{"q": "x"}], text % "other.jsonl")
    assert "other.jsonl, line 1, id" in message
    twice = PRODUCTS[0].model_dump()
    save(tmp_path, [twice, twice], "twice.jsonl")
    assert "line 2, id: 'mug' is there twice" in refused(
        tmp_path, [{"q": "x"}], text % "twice.jsonl"
    )


def test_the_map_and_the_files_that_it_joins_are_read_too(tmp_path):
    reader, log = importer(tmp_path, MAP), tmp_path / "log.csv"
    assert isinstance(reader, Reading)
    assert [path.name for path in reader.files(log)] == ["map.yaml", "products.jsonl", "log.csv"]
    assert len(importer(tmp_path, "question: q").files(log)) == 2


def test_documents_that_clash_or_do_not_fit_are_named(tmp_path):
    each = "question: q\ndocuments: {column: d, each: {id: i, text: t, slot: {column: s, default: null}, kind: {column: k, default: faq}}}"  # fmt: skip
    row = {"q": "x", "d": [{"i": "a", "t": "one"}, {"i": "a", "t": "two"}]}
    assert "two documents have the id 'a'" in refused(tmp_path, [row], each)
    row = {"q": "x", "d": [{"i": "a", "t": "one", "s": "no. 3"}]}
    assert "documents.slot: 'no. 3' is no whole number" in refused(tmp_path, [row], each)
    row = {"q": "x", "d": [{"i": "a", "t": "one", "k": "sheet"}]}
    assert "documents.kind" in refused(tmp_path, [row], each)
    slots = "question: q\ndocuments: {from: products.jsonl, by: sku, slots: s}"
    message = refused(tmp_path, [{"q": "x", "sku": ["mug", "shirt"], "s": [1]}], slots)
    assert "1 slots for 2 products" in message


# --- gold ----------------------------------------------------------------------------------------


def test_answers_gold_as_musique_has_it(tmp_path):
    row = {"q": "x", "a": "Paris", "more": ["Lutetia", "Paris"], "p": [{"i": "p1", "t": "one"}], "s": ["p1"], "ok": "yes"}  # fmt: skip
    text = """
task: musique
question: q
documents: {column: p, each: {id: i, text: t, kind: {value: paragraph}}}
gold: {kind: answers, answers: [a, more], supporting: s, answerable: ok}
"""
    example = one(tmp_path, row, text)
    assert example.task == "musique"
    assert example.gold == AnswersGold(answers=("Paris", "Lutetia"), supporting=("p1",))
    none = one(tmp_path, {**row, "a": "", "more": [], "ok": 0}, text)
    assert none.gold == AnswersGold(answers=(), supporting=("p1",), answerable=False)
    assert one(tmp_path, {**row, "a": "", "more": []}, text).gold is None
    message = refused(tmp_path, [{**row, "s": ["p2"]}], text)
    assert "line 1, gold.supporting.0: the row has no document 'p2'" in message
    assert "'perhaps' is neither yes nor no" in refused(tmp_path, [{**row, "ok": "perhaps"}], text)


def test_reference_gold_with_relevance_by_name_or_in_order(tmp_path):
    text = "question: q\ndocuments: {column: t}\ngold: {kind: reference, answers: a, relevance: r}"
    row = {"q": "x", "t": ["one", "two"], "a": "yes"}
    expected = ReferenceGold(answers=("yes",), relevance={"d1": 2, "d2": 0})
    for relevance in ([2, 0], '["2", "0"]', {"d1": 2, "d2": "0"}):
        assert one(tmp_path, {**row, "r": relevance}, text).gold == expected
    assert one(tmp_path, {**row, "r": None}, text).gold == ReferenceGold(answers=("yes",))
    assert "3 values for 2 documents" in refused(tmp_path, [{**row, "r": [1, 2, 0]}], text)
    assert "gold.relevance.d1" in refused(tmp_path, [{**row, "r": [5, 0]}], text)
    assert "no document 'd3'" in refused(tmp_path, [{**row, "r": {"d3": 1}}], text)


FACTS_MAP = """
question: q
documents: {from: products.jsonl, by: sku}
gold:
  kind: facts
  answerability: known
  required: {document: sku, path: fact, value: value, unit: {value: EUR}, accept: words}
  helpful: [{column: more, default: []}]
"""


def test_facts_gold_from_flat_columns_and_from_lists(tmp_path):
    row = {"q": "x", "sku": "mug", "known": "Full", "fact": "offers.price", "value": "9.50",
           "words": "", "more": '[{"document": "mug", "path": "additionalProperty[name=dishwasher safe].value", "value": "yes"}]'}  # fmt: skip
    (example,) = imported(tmp_path, table([row]), FACTS_MAP, name="log.csv")
    assert example.gold == FactsGold(
        answerability="full",
        required=(Fact(document="mug", path="offers.price", value=9.5, unit="EUR"),),
        helpful=(
            Fact(document="mug", path="additionalProperty[name=dishwasher safe].value", value=True),
        ),
    )
    message = refused(tmp_path, table([{**row, "value": "9.90"}]), FACTS_MAP, "log.csv")
    assert "line 2, gold.required.0.value: 9.9 is not what stands at 'offers.price'" in message
    message = refused(tmp_path, table([{**row, "fact": "offers.prise"}]), FACTS_MAP, "log.csv")
    assert "leads nowhere in document 'mug'. Did you mean 'offers.price'?" in message
    (none,) = imported(tmp_path, table([{**row, "known": ""}]), FACTS_MAP, name="log.csv")
    assert none.gold is None
    (no_value,) = imported(tmp_path, table([{**row, "value": ""}]), FACTS_MAP, name="log.csv")
    assert no_value.gold.required == ()
    assert "gold.answerability" in refused(tmp_path, table([{**row, "known": "so so"}]), FACTS_MAP, "log.csv")  # fmt: skip


# --- faults --------------------------------------------------------------------------------------


def test_a_missing_column_is_named_with_line_field_and_fix(tmp_path):
    message = refused(tmp_path, table(), MAP.replace("txt", "text"), "log.csv")
    assert "log.csv, line 2, question: there is no column 'text'. Did you mean 'txt'?" in message
    assert "default" in message
    rows = [LOG[0], {k: v for k, v in LOG[1].items() if k != "who"}]
    assert "line 2, viewer: there is no column 'who'" in refused(tmp_path, rows)
    nested = refused(tmp_path, [{"m": {"text": "x"}}], "question: m.txt")
    assert "Did you mean 'm.text'?" in nested


def test_every_problem_of_a_log_is_named_and_the_rest_is_read(tmp_path):
    rows = [LOG[0], {**LOG[1], "sku": "none"}, {**LOG[1], "txt": " "}, {**LOG[0], "txt": "again"}, {**LOG[0], "mid": "m9"}]  # fmt: skip
    path = save(tmp_path, rows, "log.jsonl")
    items = list(importer(tmp_path, MAP).inspect(path))
    assert [(p.line, p.field) for p in items if isinstance(p, Problem)] == [
        (2, "documents"), (3, "question"), (4, "id"),
    ]  # fmt: skip
    assert [item.record.id for item in items if isinstance(item, Row)] == ["m1", "m9"]


def test_columns_that_are_not_mapped_are_said_once(tmp_path):
    rows = [{**row, "extra": 1, "more": 2} for row in LOG]
    (warning,) = problems(tmp_path, rows)
    assert (warning.level, warning.field) == ("warning", "map")
    assert warning.message == "columns that are not used: extra, more"
    assert problems(tmp_path, rows, MAP + "ignore: [extra, more]\n") == []


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        ("", "a.csv", "a.csv is empty"),
        ("", "a.jsonl", "holds no rows"),
        ("mid,txt,who,sku,answer,kind\n", "a.csv", "holds no rows"),
        ("[]", "a.json", "holds no rows"),
        ('{"mid": NaN}', "a.jsonl", "line 1: broken JSON at column 9: NaN and Infinity"),
        ('{"mid": "\\ud800"}', "a.jsonl", "lone surrogate"),
        (b"mid,txt,who,sku,answer,kind\n1,\xed\xa0\x80,a,mug,b,c\n", "a.csv", "line 2, txt: byte 0xed"),
        ("mid,txt,who,sku,answer,kind\n1,2\n", "a.csv", "2 cells where the header has 6"),
        ("mid,mid\n1,2\n", "a.csv", "two columns are called 'mid'"),
        ('mid,txt,who,sku,answer,kind\n1,"x,a,mug,b,c\n', "a.csv", "double quote is open"),
        (b"PK\x03\x04xxxx", "a.csv", "a spreadsheet or a zip archive"),
        (
            "mid,txt,who,sku,answer,kind\n1," + "x" * (50 * 2**20) + ",a,mug,b,c\n",
            "a.csv",
            "a cell is over",
        ),
    ],
)  # fmt: skip
def test_hostile_logs_are_refused_with_cause_and_fix(tmp_path, data, name, words):
    assert words in refused(tmp_path, data, name=name)


def test_a_folder_or_nothing_in_place_of_a_log(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        list(importer(tmp_path, MAP).read(tmp_path))
    with pytest.raises(UsageError, match=r"no such file.*Did you mean 'map\.yaml'"):
        list(importer(tmp_path, MAP).read(tmp_path / "mapp.yaml"))


def test_a_row_of_50_mb_is_read_as_it_is(tmp_path):
    long = "x" * (50 * 2**20)
    example = one(tmp_path, {"q": long}, "question: q")
    assert len(example.question) == len(long)


# --- the map -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("question: q\nquestoin: x", "unknown key 'questoin'. Did you mean 'question'?"),
        ("question: {column: q, defalt: x}", "unknown key 'question.defalt'. Did you mean 'default'?"),
        ("question: {value: q, column: x}", "unknown key 'question.column'"),
        ("question: q\ngold: {kind: reference, anwers: a}", "unknown key 'gold.anwers'. Did you mean 'answers'?"),
        ("question: q\ngold: {kind: truth}", "gold: "),
        ("question: q\ngold: {answers: a}", "gold: "),
        ("question: q\ndocuments: [{from: p, byy: s}]", "unknown key 'documents.0.byy'. Did you mean 'by'?"),
        ("question: q\ndocuments: [{from: p}]", "'documents.0.by' is missing"),
        ("question: q\nhistory: {column: c, each: {rol: x}}", "'history.each.rol'. Did you mean 'role'?"),
        ("question: q\nhistory: {column: c, roles: {a: boss}}", "history.roles.a: Input should be 'viewer'"),
        ("question: q\nhistory: {separator: '|'}", "'history.column' is missing"),
        ("question: q\ntags: [{prefx: a, column: b}]", "'tags.0.prefx'. Did you mean 'prefix'?"),
        ("question: 7", "question: says no column"),
        ("question: [a, b]", "question: says no column"),
        ("question: {column: 7}", "question.column: "),
        ("question: q\nlang: null", "lang: says no column"),
        ("task: x", "needs `question:`, or `dialogue:`"),
        ("question: q\ndialogue: {by: d, role: r, content: c}", "take those keys out"),
        ("dialogue: {by: d, role: r, content: c, keep: -1}", "dialogue.keep"),
        ("dialogue: {by: d, role: r, content: c, answered_by: host}\ngold: {kind: reference}", "take `gold:` out"),
        ("- question", "must be a mapping"),
        ("", "must be a mapping"),
        ("question: q\nquestion: r", "line 2"),
        ("question: [", "map.yaml"),
        ("question: !!python/object/apply:os.system ['true']", "map.yaml"),
    ],
)  # fmt: skip
def test_a_map_that_cannot_be_is_refused(tmp_path, text, words):
    assert words in bad_map(tmp_path, text)


def test_anchors_cannot_fill_the_machine(tmp_path):
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12)
    )
    assert "stands for more than 5,000 values" in bad_map(tmp_path, bomb)
    assert "stands for more than 5,000 values" in bad_map(tmp_path, "question: &a [*a]")
    assert "too large for a map" in bad_map(tmp_path, "#" * (2**16 + 1))
    assert "nested too deep" in bad_map(tmp_path, "question: " + "[" * 1000)


def test_a_map_with_a_byte_order_mark_and_an_anchor_is_a_map(tmp_path):
    text = "\ufeffquestion: q\r\nsource: &s {value: shop}\r\nlicense: *s\r\n"
    found = field_map.load(save(tmp_path, text, "map.yaml"))
    assert found.source == found.license


def test_the_map_is_needed_and_must_be_there(tmp_path):
    with pytest.raises(UsageError, match="needs a field map"):
        IMPORTERS.get("generic")({})
    with pytest.raises(UsageError, match="no such file"):
        IMPORTERS.get("generic")({"map": str(tmp_path / "none.yaml")})
    with pytest.raises(UsageError, match="unknown key 'mapp'"):
        IMPORTERS.get("generic")({"map": "x", "mapp": "y"})


def test_unknown_languages_are_refused(tmp_path):
    text = "question: q\nlang: l"
    for told, lang in {"en-US": "en", "zh_CN": "zh", "Chinese": "zh", "MIX": "mix"}.items():
        assert one(tmp_path, {"q": "x", "l": told}, text).lang == lang
    assert "line 1, lang: 'klingon' is no language" in refused(tmp_path, [{"q": "x", "l": "klingon"}], text)  # fmt: skip


# --- the example that the docs use ---------------------------------------------------------------


def test_the_example_folder_imports(tmp_path):
    shop = IMPORTERS.get("shopify")({"currency": "EUR"})
    written = "".join(d.model_dump_json() + "\n" for d in shop.read(EXAMPLE / "products.json"))
    assert written == (EXAMPLE / "products.jsonl").read_text(encoding="utf-8")
    reader = IMPORTERS.get("generic")({"map": str(EXAMPLE / "map.yaml")})
    items = list(reader.inspect(EXAMPLE / "log.csv"))
    rows = [item.record for item in items if isinstance(item, Row)]
    assert len(items) == len(rows) == 4
    assert [row.group for row in rows] == ["2026-03-02 evening"] * 3 + ["2026-03-03 morning"]
    kettles = rows[2]
    assert [(d.id, d.slot) for d in kettles.documents] == [("kettra-k20", 2), ("kettra-k30", 3)]
    assert kettles.history[-1] == Utterance(role="viewer", name="pavel99", content="111")
    assert kettles.tags == ("intent:comparison",)
    assert rows[3].gold is None
    assert "\n" in rows[3].history[0].content


def test_the_example_with_facts_imports():
    reader = IMPORTERS.get("generic")({"map": str(EXAMPLE / "facts.yaml")})
    items = list(reader.inspect(EXAMPLE / "log.csv"))
    golds = [item.record.gold for item in items if isinstance(item, Row)]
    assert len(items) == len(golds) == 4
    assert [gold.answerability for gold in golds] == ["full", "full", "full", "none"]
    assert [fact.value for gold in golds for fact in gold.required] == ["OutOfStock", 39, "1.7"]


def test_the_maps_of_the_docs_are_maps(tmp_path):
    docs = (EXAMPLE.parents[1] / "docs" / "bring-your-own.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", docs, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        field_map.load(save(tmp_path, block, "map.yaml"))
    named = set(re.findall(r"`(\w+)`", docs))
    assert set(field_map.FieldMap.model_fields) <= named


def test_importing_the_importers_loads_no_heavy_library():
    names = [
        "generic",
        "labelled",
        "ragtruth",
        "shopify",
        "schema_org",
        "google_merchant",
        "tau_products",
    ]
    code = (
        "import sys\n"
        + "".join(f"import lt_bench.builders.importers.{name}\n" for name in names)
        + "print(sorted({'pyarrow', 'pandas', 'duckdb', 'datasets', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
