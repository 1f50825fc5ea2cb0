"""Data sets on disk: rows as JSON Lines and as a saved data set of `datasets`, a manifest, a card.

Equal inputs give equal bytes: no clock, no version of the machine, no order of a set. Rows are
written as they come and audited on the way, so that memory does not grow with their text. All
files of a data set appear together, or none does and what was there before stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from lt_bench.builders import saved
from lt_bench.builders.audit import Audit, Auditor, Hit
from lt_bench.builders.base import AuditUnit, Imported
from lt_bench.builders.datacard import data_card
from lt_bench.builders.examples import inspect_examples
from lt_bench.builders.manifest import (
    CARD,
    MANIFEST,
    Manifest,
    Origin,
    SplitSummary,
    differences,
    read_manifest,
)
from lt_bench.builders.problem import strict
from lt_bench.builders.progress import Progress, Silent, part
from lt_bench.builders.staging import Staging
from lt_bench.builders.writing import FORMS, Form, Names, Split, write_split
from lt_bench.config import file_sha
from lt_bench.errors import RunError, UsageError

SHOWN_PAIRS: Final = 3


def write_dataset(
    folder: Path,
    splits: Mapping[str, Split],
    origin: Origin,
    *,
    unit: AuditUnit | None,
    forms: Sequence[Form] = FORMS,
    progress: Progress | None = None,
) -> Manifest:
    """Write each split in each form, and what says what they are. Splits that the folder already
    has from the same origin stay in it, and are audited with the new ones.

    `unit` is what must not occur in two splits; None: these rows need no audit.

    Raises:
        UsageError: the folder holds something else, or two rows share an id.
        RunError: a row of one split is in another too, or the disk does not take it. What was
            there before is still there.
    """
    shown, auditor = progress or Silent(), Auditor(unit) if unit else None
    with Staging(folder, "data", MANIFEST) as staging:
        before = _standing(folder, origin, splits)
        done = {name: split for name, split in before.items() if name not in splits}
        if auditor:
            _audit_again(folder, done, auditor)
        for name, split in splits.items():
            done[name] = write_split(
                staging,
                Names(name),
                split,
                forms=forms,
                audited=auditor.add if auditor else None,
                progress=shown,
            )
        audit = _finish(auditor, shown) if auditor else None
        manifest = Manifest(origin=origin, splits=dict(sorted(done.items())), audit=audit)
        _describe(staging, manifest)
        staging.commit(_gone(before, manifest))
    return manifest


def write_import(
    out: Path, records: Iterable[Imported], origin: Origin, progress: Progress | None = None
) -> Manifest:
    """Write one file of records, and `STEM.manifest.json` beside it.

    Raises:
        UsageError: `out` is a folder, a link or a device, or two rows share an id.
        RunError: the disk does not take it. What was there before is still there.
    """
    if out.is_dir():
        raise UsageError(f"{out} is a folder", "name a file to write, e.g. rows.jsonl")
    if out.is_symlink() or (out.exists() and not out.is_file()):
        # A new file takes the place of the old one, which must not befall /dev/null.
        raise UsageError(f"{out} is a link, a pipe or a device", "name a file to write")
    names, last = Names(out.stem, out.name), f"{out.stem}.{MANIFEST}"
    with Staging(out.parent, out.name, last) as staging:
        summary = write_split(
            staging, names, Split(records), forms=("jsonl",), progress=progress or Silent()
        )
        manifest = Manifest(origin=origin, splits={names.split: summary})
        staging.write(last, manifest.text)
        staging.commit()
    return manifest


def _standing(folder: Path, origin: Origin, splits: Iterable[str]) -> dict[str, SplitSummary]:
    """The splits that the folder has from the same origin.

    Raises:
        UsageError: it holds another data set, or files that this one would replace.
    """
    if not (folder / MANIFEST).exists():
        before, ours = None, set[str]()
    else:
        before = read_manifest(folder)
        ours = {*before.files, CARD, saved.DICT}
        if before.origin != origin:
            raise UsageError(
                f"{folder} holds another data set ({differences(before.origin, origin)})",
                "write to another folder, or remove this one",
            )
    wanted = {CARD, saved.DICT, *(name for split in splits for name in Names(split).all())}
    foreign = sorted(name for name in wanted - ours if (folder / name).exists())
    if foreign:
        raise UsageError(
            f"{folder} holds {', '.join(foreign[:3])}, which no build of lt-bench wrote",
            "write to another folder",
        )
    return dict(before.splits) if before else {}


def _audit_again(folder: Path, kept: Mapping[str, SplitSummary], auditor: Auditor) -> None:
    """Tells the auditor of rows that were written before."""
    for name, split in kept.items():
        for file, sha in split.files.items():
            if not (folder / file).exists() or file_sha(folder / file) != sha:
                raise UsageError(
                    f"{folder / file} is not as it was built", "write to another folder"
                )
        names = Names(name)
        rows = folder / (names.rows if names.rows in split.files else name)
        for example in strict(rows, inspect_examples(rows)):
            auditor.add(name, example)


def _finish(auditor: Auditor, progress: Progress) -> Audit:
    with part(progress, "audit"):
        audit = auditor.finish()
    if not audit.clean:
        raise RunError(leaks(audit), "take one row of each pair out of the source, or split anew")
    return audit


def leaks(audit: Audit) -> str:
    """What stands in two splits: the first pairs, and how many more there are."""
    shown = ", ".join(f"{pair(hit)}" for hit in audit.between[:SHOWN_PAIRS])
    more = sum(audit.between_counts.values()) - SHOWN_PAIRS
    rest = f" and {more} more" if more > 0 else ""
    return f"rows of one split stand in another; nothing was written: {shown}{rest}"


def pair(hit: Hit) -> str:
    """ "test a = train b (exact)"."""
    (first, second), kind = hit.splits, hit.kind
    if kind == "group":
        return f"group {hit.group} is in {first} ({hit.first}) and in {second} ({hit.second})"
    alike = f"{kind}, {hit.similarity:.2f}" if kind == "near" and hit.similarity else kind
    return f"{second} {hit.second} = {first} {hit.first} ({alike})"


def _describe(staging: Staging, manifest: Manifest) -> None:
    tables = [name for name, split in manifest.splits.items() if Names(name).table in split.files]
    if tables:
        staging.write(saved.DICT, saved.split_list(tables))
    staging.write(CARD, data_card(manifest))
    staging.write(MANIFEST, manifest.text)


def _gone(before: Mapping[str, SplitSummary], manifest: Manifest) -> list[str]:
    """Files of the splits as they were that the new ones do not have."""
    old = {name for split in before.values() for name in split.files}
    gone = old - set(manifest.files)
    if not any(name.endswith(saved.ARROW) for name in manifest.files) and gone:
        gone.add(saved.DICT)
    return sorted(gone)
