"""Data sets on disk: equal inputs give equal bytes, all files are there or none, leaks are named."""

from __future__ import annotations

import fcntl
import hashlib
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import datasets
import pytest

from lt_bench.builders.base import Reference
from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.manifest import Origin, differences, read_manifest
from lt_bench.builders.musique import Musique
from lt_bench.builders.store import write_dataset, write_import
from lt_bench.builders.writing import Split
from lt_bench.errors import RunError, UsageError
from lt_bench.records import (
    AnswersGold,
    CallsGold,
    Document,
    Example,
    FactsGold,
    GoldCall,
    HumanLabel,
    Labelled,
    ReferenceGold,
    Utterance,
    World,
)

ORIGIN = Origin(maker="builder", name="musique", version=1, seed=0, options={"documents": 10})
EVERY_KIND = [
    Example(
        id="a",
        task="t",
        question="q\u2028",
        group="g",
        gold=AnswersGold(answers=("x", "\u2028"), answerable=False),
    ),
    Example(
        id="b",
        task="t",
        question="多少钱？\n",
        group="g",
        lang="zh",
        gold=FactsGold(answerability="none"),
        tags=("one", "two"),
    ),
    Example(
        id="c",
        task="t",
        question="",
        group="h",
        viewer="Mia",
        history=(Utterance(role="viewer", name="", content="hi"),),
        documents=(Document(id="d", text="x", slot=7, supporting=False),),
        gold=ReferenceGold(relevance={"d": 2}),
    ),
    Example(
        id="d",
        task="t",
        question="stop",
        group="g",
        world=World(kind="shop", seed=3, patch={"stock": {"a": [1, None, 2.5, "x"]}}),
        tools=({"name": "f", "parameters": {"type": "object"}},),
        gold=CallsGold(type="call", calls=(GoldCall(name="f", arguments={"x": 10**30}),)),
    ),
    Example(
        id="e",
        task="t",
        question="and?",
        group="g",
        documents=(
            Document(id="d", text="", product={"offers": None, "n": {"v": [1, 2.5]}}),
            Document(id="f", text="", product={"offers": 3, "n": "text"}),
        ),
    ),
]


def build(size=6, split="test"):
    return list(Musique({}).build(split, size, 0))


def splits(**rows):
    return {name: Split(iter(found), asked=len(found)) for name, found in rows.items()}


def write(folder, origin=ORIGIN, unit="question", **rows):
    return write_dataset(folder, splits(**rows), origin, unit=unit)


def example(example_id="a", **changes):
    fields = {"id": example_id, "task": "t", "question": f"q {example_id}", "group": example_id}
    return Example(**{**fields, **changes})


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def read_back(path):
    return [item.record for item in inspect_examples(path)]


def test_equal_inputs_give_equal_bytes_in_every_form(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name, test=build(), train=build(4, "train"))
    one = files(tmp_path / "one")
    assert one == files(tmp_path / "two")
    assert set(one) == {
        "README.md",
        "dataset_dict.json",
        "manifest.json",
        *(f"{split}.jsonl" for split in ("train", "test")),
        *(
            f"{split}/{name}"
            for split in ("train", "test")
            for name in ("data-00000-of-00001.arrow", "dataset_info.json", "state.json")
        ),
    }


def test_manifest_says_what_the_folder_holds(tmp_path):
    origin = ORIGIN.model_copy(update={"sources": {"dev.jsonl": "ab" * 32}})
    manifest = write(tmp_path, origin, test=build())
    assert read_manifest(tmp_path) == manifest
    test = manifest.splits["test"]
    for name, sha in test.files.items():
        assert sha == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    assert test.sha256 == test.files["test.jsonl"]
    assert (test.asked, test.stats.rows, test.stats.groups) == (6, 6, 3)
    assert sum(test.stats.tags.values()) == 6
    assert test.stats.licenses == {"Apache-2.0": 6}
    assert manifest.audit.rows == {"test": 6}
    assert manifest.audit.clean
    assert manifest.origin.sources == {"dev.jsonl": "ab" * 32}


def test_every_kind_of_example_comes_back_as_it_was_from_both_forms(tmp_path):
    write(tmp_path, unit=None, test=EVERY_KIND)
    assert read_back(tmp_path / "test.jsonl") == EVERY_KIND
    assert read_back(tmp_path / "test") == EVERY_KIND
    assert read_back(tmp_path) == EVERY_KIND
    assert (tmp_path / "test.jsonl").read_bytes().count(b"\n") == 5


def test_saved_form_is_what_datasets_loads(tmp_path):
    write(tmp_path, train=build(130, "train"), test=build())
    loaded = datasets.load_from_disk(str(tmp_path))
    assert {name: len(table) for name, table in loaded.items()} == {"test": 6, "train": 130}
    first, row = build(130, "train")[0], loaded["train"][0]
    assert row["question"] == first.question
    assert [document["text"] for document in row["documents"]] == [d.text for d in first.documents]
    assert json.loads(row["gold"])["answers"] == list(first.gold.answers)
    saved_again = tmp_path / "again"
    loaded["test"].save_to_disk(str(saved_again))
    assert read_back(saved_again) == build()


def test_labelled_rows_are_saved_with_their_example(tmp_path):
    rows = [
        Labelled(
            id=f"r{i}",
            example=example("same"),
            reply="99 yuan",
            labels=(HumanLabel(annotator="maker", correct=i == 1, helpful=None),),
        )
        for i in range(3)
    ]
    manifest = write_dataset(
        tmp_path, {"labels": Split(iter(rows), kind=Labelled, asked=3)}, ORIGIN, unit=None
    )
    stats = manifest.splits["labels"].stats
    assert (stats.records, stats.labels) == ("Labelled", {"correct": 1, "not correct": 2})
    assert manifest.audit is None
    table = datasets.load_from_disk(str(tmp_path))["labels"]
    assert table[1]["example"]["question"] == "q same"
    assert table[1]["labels"] == [{"annotator": "maker", "correct": True, "helpful": None}]


def test_replies_are_written_beside_their_rows_for_replay(tmp_path):
    rows = [
        Reference(example("a"), "yes", ("short", "a long trace")),
        Reference(example("b"), "no\u2028"),
    ]
    manifest = write_dataset(
        tmp_path, {"test": Split(iter(rows), asked=2, replies=True)}, ORIGIN, unit="row"
    )
    text = (tmp_path / "test.replies.jsonl").read_bytes()
    assert [json.loads(line) for line in text.split(b"\n")[:-1]] == [
        {"id": "a", "sample_index": 0, "reasoning": "short", "output": "yes"},
        {"id": "a", "sample_index": 1, "reasoning": "a long trace", "output": "yes"},
        {"id": "b", "output": "no\u2028"},
    ]
    assert "test.replies.jsonl" in manifest.splits["test"].files


def test_references_of_the_commerce_builder_are_its_rows():
    builder = CommerceQA({})
    assert [r.example for r in builder.references("test", 20, 3)] == list(
        builder.build("test", 20, 3)
    )


def test_build_can_be_read_by_its_builder(tmp_path):
    write(tmp_path, test=build())
    for path in (tmp_path / "test.jsonl", tmp_path / "test", tmp_path):
        assert list(Musique({}).read(path)) == build()


def test_second_split_of_the_same_origin_joins_the_first(tmp_path):
    write(tmp_path, test=build())
    manifest = write(tmp_path, train=build(4, "train"))
    assert list(manifest.splits) == ["test", "train"]
    assert manifest.audit.rows == {"test": 6, "train": 4}
    assert len(datasets.load_from_disk(str(tmp_path))) == 2


def test_split_that_joins_is_audited_against_the_one_that_is_there(tmp_path):
    write(tmp_path, test=build())
    before = files(tmp_path)
    leaked = build()[2].model_copy(update={"id": "other"})
    with pytest.raises(RunError, match=f"train other = test {build()[2].id}"):
        write(tmp_path, train=[*build(4, "train"), leaked])
    assert files(tmp_path) == before


def test_split_that_was_changed_by_hand_is_not_joined(tmp_path):
    write(tmp_path, test=build())
    with (tmp_path / "test.jsonl").open("a") as file:
        file.write("{}\n")
    with pytest.raises(UsageError, match=r"test\.jsonl is not as it was built"):
        write(tmp_path, train=build(4, "train"))


def test_other_size_and_form_replace_all_files_of_the_split(tmp_path):
    write(tmp_path, test=build(8), train=build(4, "train"))
    manifest = write_dataset(
        tmp_path,
        splits(test=build(6), train=build(4, "train")),
        ORIGIN,
        unit="question",
        forms=("jsonl",),
    )
    assert set(files(tmp_path)) == {"README.md", "manifest.json", "test.jsonl", "train.jsonl"}
    assert not (tmp_path / "test").exists()
    assert manifest.splits["test"].stats.rows == 6


@pytest.mark.parametrize("change", [lambda text: text, lambda text: text.replace(" ", "  ", 1)])
def test_row_of_test_in_train_fails_the_build_with_both_ids(tmp_path, change):
    test = build(20)
    train = build(40, "train")
    planted = test[7].model_copy(
        update={"id": "planted", "question": change(test[7].question), "group": "other"}
    )
    with pytest.raises(RunError) as caught:
        write(tmp_path / "out", train=[*train, planted], test=test)
    assert f"test {test[7].id} = train planted" in caught.value.cause
    assert caught.value.fix
    assert not (tmp_path / "out").exists()


def test_of_many_leaks_three_are_named_and_the_rest_counted(tmp_path):
    test = build(12)
    train = [
        row.model_copy(update={"id": f"t-{row.id}", "group": f"t-{row.group}"}) for row in test
    ]
    with pytest.raises(RunError) as caught:
        write(tmp_path, train=train, test=test)
    assert caught.value.cause.count(" = ") == 3
    assert "and 9 more" in caught.value.cause


def test_rows_that_repeat_in_one_split_are_counted_and_written(tmp_path):
    row = build(1)[0]
    again = row.model_copy(update={"id": "again", "group": "other"})
    manifest = write(tmp_path, test=[row, again])
    assert manifest.audit.within_counts == {"exact": 1}
    assert manifest.splits["test"].stats.rows == 2
    assert (
        "Rows that repeat another of their own split: 1 exact."
        in (tmp_path / "README.md").read_text()
    )


def test_data_set_of_another_origin_is_not_overwritten(tmp_path):
    write(tmp_path, test=build())
    before = files(tmp_path)
    with pytest.raises(UsageError, match="seed: 0 there, 1 now"):
        write(tmp_path, ORIGIN.model_copy(update={"seed": 1}), test=build())
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", ["README.md", "test.jsonl", "dataset_dict.json"])
def test_files_of_somebody_else_are_not_overwritten(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=f"{name}, which no build of lt-bench wrote"):
        write(tmp_path, test=build())
    assert files(tmp_path) == {name: b"mine"}


@pytest.mark.parametrize("failure", [KeyboardInterrupt, UsageError("x"), OSError(5, "x")])
def test_failure_in_the_middle_leaves_what_was_there(tmp_path, failure):
    write(tmp_path, test=build())
    before = files(tmp_path)

    def broken():
        yield from build(2)
        raise failure

    with pytest.raises((KeyboardInterrupt, UsageError, OSError)):
        write_dataset(tmp_path, {"test": Split(broken(), asked=6)}, ORIGIN, unit="question")
    assert files(tmp_path) == before
    with pytest.raises((KeyboardInterrupt, UsageError, OSError)):
        write_dataset(
            tmp_path / "new" / "folder", {"test": Split(broken())}, ORIGIN, unit="question"
        )
    assert not (tmp_path / "new").exists()


def test_what_a_killed_build_left_is_cleared_and_no_other_hidden_file(tmp_path):
    (tmp_path / ".data.part" / "train").mkdir(parents=True)
    (tmp_path / ".data.part" / "train" / "half").write_text("{")
    (tmp_path / ".data.part" / "test.jsonl").write_text("{")
    (tmp_path / ".git").write_text("mine")
    write(tmp_path, test=build())
    assert not (tmp_path / ".data.part").exists()
    assert (tmp_path / ".git").read_text() == "mine"
    assert read_back(tmp_path / "test.jsonl") == build()


def test_build_that_was_killed_while_its_files_moved_is_brought_to_its_end(tmp_path):
    write(tmp_path / "whole", test=build(), train=build(4, "train"))
    whole = files(tmp_path / "whole")
    broken = tmp_path / "broken"
    for name, data in whole.items():
        place = broken / ("" if name == "test.jsonl" else ".data.part") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (broken / ".data.part" / ".gone.json").write_text("[]")
    manifest = write(broken, test=build(2))
    assert list(manifest.splits) == ["test", "train"]
    assert read_back(broken / "train") == build(4, "train")


def test_two_builds_of_one_folder_do_not_mix(tmp_path):
    (tmp_path / ".data.part").mkdir()
    descriptor = os.open(tmp_path / ".data.part", os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        with pytest.raises(UsageError, match="another command is writing"):
            write(tmp_path, test=build())
    finally:
        os.close(descriptor)
    assert write(tmp_path, test=build()).splits["test"].stats.rows == 6


def test_kill_at_any_moment_leaves_old_data_or_new(tmp_path):
    write(tmp_path, test=build(6), train=build(6, "train"))
    old = files(tmp_path)
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[2])\n"
        "from lt_bench.builders.musique import Musique\n"
        "from lt_bench.builders.store import write_dataset\n"
        "from lt_bench.builders.writing import Split\n"
        "from lt_bench.builders.manifest import Origin\n"
        "o = Origin(maker='builder', name='musique', version=1, seed=0, options={'documents': 10})\n"
        "m = Musique({})\n"
        "print('go', flush=True)\n"
        "s = {n: Split(m.build(n, 300, 0), asked=300) for n in ('train', 'test')}\n"
        "write_dataset(pathlib.Path(sys.argv[1]), s, o, unit='question')\n"
    )
    for delay in (0.0, 0.15, 0.4):
        command = [sys.executable, "-c", code, str(tmp_path), ""]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"go\n"
        time.sleep(delay)
        process.kill()
        process.wait()
        seen = {name: data for name, data in files(tmp_path).items() if ".part/" not in name}
        if process.returncode:
            assert seen == old
    manifest = write(tmp_path, test=build(6), train=build(6, "train"))
    assert manifest.splits["test"].stats.rows == 6
    assert set(files(tmp_path)) == set(old)


def test_kill_between_any_two_moves_is_made_good_by_the_next_build(tmp_path):
    """The new form leaves out files of the old one, which nobody may find without a manifest."""
    rows = {"test": build(4), "train": build(2, "train")}
    write(tmp_path / "old", **rows)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    fewer = {"unit": "question", "forms": ("jsonl",)}
    write_dataset(tmp_path / "new", splits(**rows), ORIGIN, **fewer)
    for count in range(100):
        folder = tmp_path / f"killed-{count}"
        shutil.copytree(tmp_path / "old", folder)
        child = os.fork()
        if not child:
            kill_after(count)
            write_dataset(folder, splits(**rows), ORIGIN, **fewer)
            os._exit(0)
        whole = os.waitpid(child, 0)[1] == 0
        if (folder / "manifest.json").exists():
            seen = {name: data for name, data in files(folder).items() if ".part/" not in name}
            assert seen in (files(tmp_path / "old"), files(tmp_path / "new"))
        write_dataset(folder, splits(**rows), ORIGIN, **fewer)
        assert files(folder) == files(tmp_path / "new")
        if whole:
            break
    assert whole
    assert count > 10


def kill_after(count):
    """Ends this process at its next change of a folder after `count` others."""
    left = itertools.count(count, -1)

    def watch(event, _):
        if event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir") and not next(left):
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def test_import_does_not_replace_links_and_devices(tmp_path):
    origin = Origin(maker="importer", name="x", version=1)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "target.jsonl").write_text("mine")
    (tmp_path / "link.jsonl").symlink_to("target.jsonl")
    for name in ("pipe", "link.jsonl"):
        with pytest.raises(UsageError, match="a link, a pipe or a device"):
            write_import(tmp_path / name, [Document(id="a", text="")], origin)
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link.jsonl").is_symlink()
    assert set(files(tmp_path)) == {"target.jsonl", "link.jsonl"}


def test_text_of_a_user_is_only_text_in_the_card(tmp_path):
    evil = "<script>x</script> ![i](http://e) [a](javascript:x) `c` | \x1b[31m\n# heading\u202e"
    write(tmp_path, test=[example(tags=(evil,), license=evil)])
    card = (tmp_path / "README.md").read_text()
    for part in ("<script", "![i", "[a](", "\x1b", "\u202e", "\n# heading"):
        assert part not in card
    assert "&lt;script&gt;" in card


def test_two_rows_of_one_id_are_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match="two rows have the id 'a'"):
        write(tmp_path / "out", test=[example("a"), example("a")])
    assert not (tmp_path / "out").exists()


def test_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write .*file"):
        write(tmp_path / "file" / "out", test=[example()])


def test_value_that_no_json_holds_is_refused_with_its_row(tmp_path):
    deep = 1
    for _ in range(400):
        deep = {"a": deep}
    row = example("deep", documents=(Document(id="d", text="", product={"a": deep}),))
    with pytest.raises(UsageError, match="row 'deep' cannot be written as JSON"):
        write(tmp_path / "out", unit=None, test=[row])
    with pytest.raises(UsageError, match="row 'half' cannot be written as JSON"):
        write(tmp_path / "out", unit=None, test=[example("half", question="\ud800")])


def test_number_too_large_for_a_column_is_named_and_fits_into_jsonl(tmp_path):
    row = example("big", documents=(Document(id="d", text="", slot=2**70),))
    with pytest.raises(UsageError, match="rows big to big do not fit"):
        write(tmp_path / "out", unit=None, test=[row])
    write_dataset(tmp_path, splits(test=[row]), ORIGIN, unit=None, forms=("jsonl",))
    assert read_back(tmp_path / "test.jsonl") == [row]


@pytest.mark.parametrize("text", ["{}", "not json", '{"origin": {}, "splits": {}}'])
def test_foreign_manifest_is_refused(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UsageError, match=r"manifest\.json"):
        write(tmp_path, test=build())


def test_card_is_written_from_the_manifest_alone(tmp_path):
    origin = ORIGIN.model_copy(update={"sources": {"a|b.jsonl": "cd" * 32}})
    write_dataset(tmp_path, {"test": Split(iter(build()), asked=9)}, origin, unit="question")
    card = (tmp_path / "README.md").read_text()
    assert "lt-bench data build musique --out FOLDER --train 0 --test 9 --seed 0" in card
    assert "--set builder.documents=10" in card
    assert "6 (of 9 asked)" in card
    assert "a\\|b.jsonl" in card
    assert "| 2hop |" in card
    assert "Rows of one split that stand in another: 0." in card
    assert all(f"| `{name}` |" in card for name in Example.model_fields)


def test_import_writes_its_file_and_a_manifest_beside_it(tmp_path):
    rows = [Document(id="a", kind="product", text="A kettle"), Document(id="b", text="")]
    origin = Origin(maker="importer", name="shopify", version=1, sources={"x.json": "00" * 32})
    manifest = write_import(tmp_path / "deep" / "goods.jsonl", rows, origin)
    assert set(files(tmp_path / "deep")) == {"goods.jsonl", "goods.manifest.json"}
    assert read_manifest(tmp_path / "deep" / "goods.manifest.json") == manifest
    stats = manifest.splits["goods"].stats
    assert (stats.records, stats.rows, stats.kinds) == (
        "Document",
        2,
        {"evidence": 1, "product": 1},
    )


@pytest.mark.parametrize("name", ["goods.json", "goods", "goods.tar.jsonl", "数据.jsonl"])
def test_import_writes_the_file_that_was_named(tmp_path, name):
    rows = [Document(id="a", text="A kettle")]
    write_import(tmp_path / name, rows, Origin(maker="importer", name="x", version=1))
    assert json.loads((tmp_path / name).read_text())["id"] == "a"


def test_import_that_fails_leaves_the_older_file(tmp_path):
    origin = Origin(maker="importer", name="x", version=1)
    write_import(tmp_path / "a.jsonl", [Document(id="a", text="")], origin)
    before = files(tmp_path)
    with pytest.raises(UsageError):
        write_import(tmp_path / "a.jsonl", [Document(id="b", text="")] * 2, origin)
    assert files(tmp_path) == before
    with pytest.raises(UsageError, match="is a folder"):
        write_import(tmp_path, [], origin)


def test_memory_does_not_hold_the_rows(tmp_path):
    """At most what ids and the audit need: far under the 20 KB of text of each of these rows."""
    import tracemalloc

    def rows(count):
        for i in range(count):
            text = f"{i} " + "filler " * 3000
            yield example(f"row-{i}", documents=(Document(id="d", text=text),))

    peaks = []
    for count in (200, 800):
        tracemalloc.start()
        out = tmp_path / str(count)
        write_dataset(out, {"test": Split(rows(count))}, ORIGIN, unit=None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 600 < 1000


def test_differences_name_options_in_words() -> None:
    before = Origin(maker="builder", name="commerce_qa", version=1, seed=0)
    after = before.model_copy(update={"options": {"lang": "zh", "full": True}, "seed": None})
    assert differences(before, after) == (
        "seed: 0 there, none now, full: default there, true now, lang: default there, zh now"
    )
