"""A row's own changes to a shop: `{"lang": "zh", TABLE: {KEY: {column: value}}}`.

KEY is the primary key; where that has two parts, "A12345/P1234-02". A known KEY changes the columns
that are named, an unknown one adds a row with all its columns, and `KEY: None` takes a row out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast, get_args

from lt_bench.environments.shop.coherence import contradictions
from lt_bench.environments.shop.records import ShopLang
from lt_bench.environments.shop.tables import COLUMNS, KEYS, NUMBERS, insert
from lt_bench.errors import UsageError, did_you_mean

LANGS: Final[tuple[ShopLang, ...]] = get_args(ShopLang)
_LARGEST: Final = 10**9
_LONGEST: Final = 300
_FORM: Final = '{"lang": "zh", "variants": {"P1234-02": {"stock": 0}}}'


def lang_of(patch: Mapping[str, Any]) -> ShopLang:
    """The language of a shop, English unless the patch says another.

    Raises:
        UsageError: there is no such market.
    """
    lang = patch.get("lang", "en")
    if lang not in LANGS:
        raise _wrong(f"lang {lang!r} is unknown", f"known: {', '.join(LANGS)}")
    return cast("ShopLang", lang)


def apply(store: sqlite3.Connection, patch: Mapping[str, Any]) -> None:
    """Changes a store as the patch says; all of it or nothing.

    Raises:
        UsageError: a table, key, column or value does not exist or does not fit, or the shop would
            contradict itself.
    """
    tables = {name: rows for name, rows in patch.items() if name != "lang"}
    if not tables:
        return
    changes = list(_checked(tables))
    store.execute("BEGIN")
    try:
        store.execute("PRAGMA defer_foreign_keys = ON")
        for table, key, row in changes:
            _change(store, table, key, row)
        for contradiction in contradictions(store, lang_of(patch), tables.keys()):
            raise _wrong(contradiction, "change the rows that belong together in one patch")
        store.execute("COMMIT")
    except sqlite3.IntegrityError as error:
        store.execute("ROLLBACK")
        raise _wrong(f"the rows do not fit each other: {error}") from error
    except BaseException:
        store.execute("ROLLBACK")
        raise


def _wrong(cause: str, fix: str = "") -> UsageError:
    return UsageError(f"patch of the shop: {cause}", fix or f"write it like {_FORM}")


Key = tuple[str, ...]


def _checked(tables: Mapping[str, Any]) -> Iterator[tuple[str, Key, dict[str, Any] | None]]:
    """Every change, parents before children, whatever the order they are written in."""
    for name in tables:
        if name not in COLUMNS:
            raise _wrong(f"there is no table {name!r}.{did_you_mean(str(name), COLUMNS)}")
    for table in COLUMNS:
        rows = tables.get(table, {})
        if not isinstance(rows, Mapping):
            raise _wrong(f"{table} is no object of rows")
        for name in sorted(rows, key=str):
            yield table, _key(table, name), _row(table, name, rows[name])


def _key(table: str, name: Any) -> Key:
    parts = tuple(name.split("/")) if isinstance(name, str) else ()
    if len(parts) != len(KEYS[table]) or not all(map(_is_text, parts)):
        raise _wrong(f"{table}: {name!r} is no key; it consists of {'/'.join(KEYS[table])}")
    return parts


def _row(table: str, name: str, row: Any) -> dict[str, Any] | None:
    if row is None:
        return None
    if not isinstance(row, Mapping) or not row:
        raise _wrong(f"{table}: {name!r} is neither an object of columns nor null")
    known = [column for column in COLUMNS[table] if column not in KEYS[table]]
    for column, value in row.items():
        if column not in known:
            hint = did_you_mean(str(column), known)
            raise _wrong(f"{table} has no column {column!r}.{hint}", f"known: {', '.join(known)}")
        if not _fits(column, value):
            wanted = "a whole number" if column in NUMBERS else f"text up to {_LONGEST} characters"
            wanted = "true or false" if column == "returnable" else wanted
            raise _wrong(f"{table}: {column} of {name!r} is not {wanted}")
    return dict(row)


def _fits(column: str, value: Any) -> bool:
    if column == "returnable":
        return isinstance(value, bool)
    if column in NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST
    return _is_text(value)


def _is_text(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > _LONGEST or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _change(store: sqlite3.Connection, table: str, key: Key, row: dict[str, Any] | None) -> None:
    where = " AND ".join(f"{column} = ?" for column in KEYS[table])
    known = store.execute(f"SELECT 1 FROM {table} WHERE {where}", key).fetchone()  # noqa: S608
    if known is None:
        _add(store, table, key, row)
    elif row is None:
        store.execute(f"DELETE FROM {table} WHERE {where}", key)  # noqa: S608
    else:
        changed = ", ".join(f"{column} = ?" for column in row)
        values = (*(int(v) if c in NUMBERS else v for c, v in row.items()), *key)
        store.execute(f"UPDATE {table} SET {changed} WHERE {where}", values)  # noqa: S608


def _add(store: sqlite3.Connection, table: str, key: Key, row: dict[str, Any] | None) -> None:
    name = "/".join(key)
    if row is None:
        raise _wrong(f"{table} has no row {name!r} to take out")
    whole = {**dict(zip(KEYS[table], key, strict=True)), **row}
    missing = [column for column in COLUMNS[table] if column not in whole]
    if missing:
        raise _wrong(
            f"{table} has no row {name!r}",
            f"name a row that is there, or for a new one also {', '.join(missing)}",
        )
    values = [int(whole[c]) if c in NUMBERS else whole[c] for c in COLUMNS[table]]
    insert(store, table, [tuple(values)])
