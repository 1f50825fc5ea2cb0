"""YAML 1.2 as plain data: `yes` and a date stay strings, `1e-6` is a number, a duplicate key is an
error."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from lt_bench.errors import UsageError

MAX_DEPTH = 100
"""Nobody writes more by hand, and the reader takes time by the square of it."""


def parse(text: str, where: str) -> Any:
    """Plain dicts, lists and scalars of one document; `where` names it in errors."""
    from ruamel.yaml.composer import MaxDepthExceededError
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return _loaded(text)
    except (RecursionError, MaxDepthExceededError) as error:
        raise UsageError(f"{where} is nested too deep", "correct the YAML") from error
    except MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise UsageError(f"{where}{line}: {error.problem}", "correct the YAML") from error
    except YAMLError as error:
        raise UsageError(f"{where} is not YAML: {error}", "correct the YAML") from error


def load(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file.

    Raises:
        UsageError: the file is missing, is not YAML, or is not a mapping.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", "check the file") from error
    data = parse(text, str(path))
    if not isinstance(data, dict):
        raise UsageError(f"{path} must be a mapping of keys to values", "write KEY: VALUE lines")
    return data


def scalar(text: str) -> Any:
    """The value that `text` has on the right side of a YAML key: 0.7, true, none-of-these."""
    from ruamel.yaml.error import YAMLError

    try:
        return _loaded(text)
    except (YAMLError, RecursionError):
        return text


def _loaded(text: str) -> Any:
    """A copy of its own for each who asks: one file is read several times in one command."""
    return deepcopy(_read(text))


@lru_cache(maxsize=64)
def _read(text: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.composer import MaxDepthExceededError
    from ruamel.yaml.constructor import ConstructorError, SafeConstructor
    from ruamel.yaml.scanner import Scanner

    class Plain(SafeConstructor):
        """Makes nothing that JSON does not have."""

        def whole_text(self, node: Any) -> str:
            """Both halves of a character, as JSON writes emoji, are that character; half of one is an error."""
            text: str = self.construct_yaml_str(node)
            if text.isascii():
                return text
            try:
                return text.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeDecodeError as error:
                raise ConstructorError(
                    problem="half a character (a lone surrogate)", problem_mark=node.start_mark
                ) from error

    class Shallow(Scanner):
        """Looks no deeper than `MAX_DEPTH`, which the composer would notice only later."""

        def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:  # noqa: N803
            if self.flow_level >= MAX_DEPTH:
                raise MaxDepthExceededError(problem="too deep")
            super().fetch_flow_collection_start(TokenClass, to_push)

    for kind in ("str", "timestamp"):
        Plain.add_constructor(f"tag:yaml.org,2002:{kind}", Plain.whole_text)
    reader = YAML(typ="safe", pure=True)
    reader.Constructor = Plain
    reader.Scanner = Shallow
    reader.max_depth = MAX_DEPTH
    return reader.load(text)
