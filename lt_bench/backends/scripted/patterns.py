"""Regular expressions that take time in proportion to the text, whatever they are.

The pattern is the user's, but the text may come from a stranger: with Python's `re` a reply could
make a careless pattern run for hours. pydantic brings the engine of Rust's regex crate, which
cannot; it knows neither look-around nor back-references.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import SchemaError, SchemaValidator, core_schema


def found(pattern: str, text: str) -> bool:
    """Whether the pattern matches anywhere in the text."""
    # The engine takes valid Unicode only; half a surrogate pair matches nothing but "?".
    return _compiled(pattern).isinstance_python(text.encode("utf-8", "replace").decode())


def checked(pattern: str) -> str:
    """The pattern, if it is one.

    Raises:
        ValueError: it does not compile, or would take too much memory.
    """
    try:
        _compiled(pattern)
    except SchemaError as error:
        raise ValueError(f"{pattern!r} cannot be used: {_reason(error)}") from None
    return pattern


Expression = Annotated[str, AfterValidator(checked)]
"""A setting that is a regular expression."""


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> SchemaValidator:
    return SchemaValidator(core_schema.str_schema(pattern=pattern, strict=True))


def _reason(error: SchemaError) -> str:
    """The last line of what the engine says, which is the cause."""
    last = str(error).strip().splitlines()[-1].strip()
    return last.removeprefix("SchemaError:").removeprefix("error:").strip()
