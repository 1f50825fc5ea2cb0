"""The leak audit on generated rows: cost, what it catches, and how far the threshold is from both.

    python benchmarks/audit.py [--train 8000] [--test 400] [--lang en|zh|mix] [--json]

Prints rows per CPU second and bytes of memory per row of a clean data set, which must give no hit;
the highest similarity of each test row with any train row, by brute force; then, for each way of
planting test rows in train, how many are caught and how similar the least similar is. Every planted
row must be caught, or the command exits 1.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from lt_bench.builders.audit import Audit, Auditor
from lt_bench.builders.audit.measure import SHARE, RowMeasure
from lt_bench.builders.audit.normal import tokens
from lt_bench.builders.audit.unit import texts
from lt_bench.builders.commerce_qa import CommerceQA
from lt_bench.records import Example, Utterance

Change = Callable[[Example, random.Random], Iterator[Example]]
LINE = {"en": "is the other one still there in olive green", "zh": "另外那个军绿色的还有没有货呀"}
WORD = {"en": "umbrella", "zh": "雨伞"}


def nothing(row: Example, _draw: random.Random) -> Iterator[Example]:
    yield row


def a_space(row: Example, draw: random.Random) -> Iterator[Example]:
    at = draw.randrange(1, len(row.question))
    yield row.model_copy(update={"question": row.question[:at] + "  " + row.question[at:]})


def case_and_punctuation(row: Example, _draw: random.Random) -> Iterator[Example]:
    yield row.model_copy(update={"question": f"«{row.question.upper()}» …!"})


def one_word(row: Example, draw: random.Random) -> Iterator[Example]:
    words = row.question.split() if row.lang == "en" else list(row.question)
    words[draw.randrange(len(words))] = WORD["zh" if row.lang == "zh" else "en"]
    yield row.model_copy(update={"question": (" " if row.lang == "en" else "").join(words)})


def documents_reordered(row: Example, draw: random.Random) -> Iterator[Example]:
    documents = list(row.documents)
    while len(documents) > 1 and documents == list(row.documents):
        draw.shuffle(documents)
    yield row.model_copy(update={"documents": tuple(documents)})


def one_document_dropped(row: Example, _draw: random.Random) -> Iterator[Example]:
    """Each in turn: a row is as hard as its largest document."""
    for at in range(len(row.documents)):
        kept = row.documents[:at] + row.documents[at + 1 :]
        yield row.model_copy(update={"documents": kept})


def a_line_added(row: Example, draw: random.Random) -> Iterator[Example]:
    line = f"{LINE['zh' if row.lang == 'zh' else 'en']} {draw.randrange(10**6)}"
    said = Utterance(role="viewer", name="Zed", content=line)
    at = draw.randint(0, len(row.history))
    history = (*row.history[:at], said, *row.history[at:])
    yield row.model_copy(update={"history": history})


CHANGES: dict[str, Change] = {
    "nothing changed": nothing,
    "a space changed": a_space,
    "case, punctuation": case_and_punctuation,
    "one word of the question": one_word,
    "documents reordered": documents_reordered,
    "one document dropped": one_document_dropped,
    "another viewer's line": a_line_added,
}


def audit(train: Sequence[Example], test: Sequence[Example]) -> Audit:
    auditor = Auditor("row")
    for split, rows in (("train", train), ("test", test)):
        for row in rows:
            auditor.add(split, row)
    return auditor.finish()


def cost(train: Sequence[Example], test: Sequence[Example]) -> tuple[Audit, dict[str, Any]]:
    """CPU seconds and growth of the peak memory, after the libraries are loaded."""
    audit(train[:200], test[:20])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    found = audit(train, test)
    seconds = time.process_time() - start
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory)
    rows = len(train) + len(test)
    return found, {
        "rows": rows,
        "cpu_s": round(seconds, 1),
        "rows_per_cpu_s": round(rows / seconds),
        "bytes_per_row": round(grown / rows),
        "between": found.between_counts,
        "within": found.within_counts,
    }


def highest(train: Sequence[Example], test: Sequence[Example]) -> np.ndarray:
    """The highest Jaccard similarity of each test row with any train row, without MinHash."""
    measure, kept = RowMeasure(), []
    numbers: dict[str, int] = {}
    for row in chain(train, test):
        parts = texts(row, "row")
        kept.append(measure.keep(parts, [tokens(part) for part in parts]))
        measure.learn(kept[-1], numbers.setdefault(row.group, len(numbers)))
    sets = [measure.rare(data) for data in kept]
    _, columns = np.unique(np.concatenate(sets), return_inverse=True)
    sizes = np.array([len(one) for one in sets])
    places = np.concatenate(([0], np.cumsum(sizes)))
    table = csr_matrix((np.ones(len(columns), dtype=np.int32), columns, places))
    shared = csr_matrix(table[len(train) :] @ table[: len(train)].T).toarray()
    union = sizes[len(train) :, None] + sizes[None, : len(train)] - shared
    best: np.ndarray = (shared / union).max(axis=1)
    return best


def planted(change: Change, train: Sequence[Example], test: Sequence[Example]) -> dict[str, Any]:
    """How many changed copies of test rows are named with their original. Rows of one room share
    their evidence, so that no audit holds two of them: each copy must be caught by itself."""
    draw, places = random.Random(0), Counter[str]()
    rounds: dict[tuple[int, int], list[tuple[Example, Example]]] = {}
    for row in test:
        for number, changed in enumerate(change(row, draw)):
            moved = {"id": f"planted:{row.id}", "group": f"planted:{row.id}"}
            pairs = rounds.setdefault((places[row.group], number), [])
            pairs.append((changed.model_copy(update=moved), row))
        places[row.group] += 1
    similarities: list[float] = []
    for pairs in rounds.values():
        copies, rows = zip(*pairs, strict=True)
        found = audit([*train, *copies], rows)
        hits = [hit for hit in found.between if hit.first == f"planted:{hit.second}"]
        similarities += [hit.similarity or 0.0 for hit in hits]
    return {
        "planted": sum(len(pairs) for pairs in rounds.values()),
        "caught": len(similarities),
        "least_similar": round(min(similarities, default=0), 3),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=int, default=8000)
    parser.add_argument("--test", type=int, default=400)
    parser.add_argument("--lang", default="en")
    parser.add_argument(
        "--around", type=int, default=300, help="train rows around the planted ones"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    builder = CommerceQA({} if args.lang == "en" else {"lang": args.lang})
    train, test = (
        list(builder.build("train", args.train, 0)),
        list(builder.build("test", args.test, 0)),
    )
    found, result = cost(train, test)
    quantiles = np.quantile(highest(train, test), (0.5, 0.9, 0.99, 1)).round(3).tolist()
    result["threshold"] = SHARE
    result["highest_similarity"] = dict(zip(("p50", "p90", "p99", "max"), quantiles, strict=True))
    result["planted"] = {
        name: planted(change, train[: args.around], test) for name, change in CHANGES.items()
    }
    print(json.dumps(result) if args.json else "\n".join(f"{k}: {v}" for k, v in result.items()))
    missed = any(one["caught"] < one["planted"] for one in result["planted"].values())
    return 0 if found.clean and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
