"""prompt.md: the messages that are sent, with the data of a row filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from lt_bench.errors import UsageError, did_you_mean
from lt_bench.records import Document, Example, Message, Record, Utterance

MESSAGE = re.compile(r"^\[(system|user|history)\][ \t]*$", re.MULTILINE)
"""A line of prompt.md that starts a message, or stands for the messages of a row's history."""

Part = Literal["system", "user", "history"]


class PromptTemplate:
    """prompt.md: `[system]` and `[user]` lines start messages, each a jinja2 template; where a line
    `[history]` stands, the dialogue before the question is sent as messages (`text.history`).

    The file is cut into messages before any data is filled in, and filled in a sandbox in one
    pass, so that no text of a row can open a message or run a template. `names` are those that it
    takes from outside.
    """

    def __init__(self, path: Path) -> None:
        from jinja2 import TemplateSyntaxError, meta

        try:
            self.path, self.text = path, path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read {path}: {error}", "check the file") from error
        environment = _sandbox()
        try:
            # A message without any `{` is the same for every row.
            self.parts = [
                (role, environment.from_string(body) if "{" in body else body.strip())
                for role, body in self._messages()
            ]
            self._shows_history = any(role == "history" for role, _ in self.parts)
            self.names = frozenset(
                name
                for _, body in self._messages()
                for name in meta.find_undeclared_variables(environment.parse(body))
            ) | ({"example"} if self._shows_history else set())
        except TemplateSyntaxError as error:
            raise UsageError(
                f"{path}, line {error.lineno}: {error.message}", "correct the template"
            ) from error

    def _messages(self) -> Iterator[tuple[Part, str]]:
        before, *rest = MESSAGE.split(self.text)
        if before.strip() or not rest:
            raise UsageError(f"{self.path} must begin with a line [system] or [user]", "add one")
        for role, body in zip(rest[::2], rest[1::2], strict=True):
            if role == "history" and body.strip():
                raise UsageError(
                    f"{self.path}: words after [history], which a row's own dialogue takes the place of",
                    "put them under a line [system] or [user]",
                )
            yield cast("Part", role), body
        if rest[::2].count("history") > 1:
            raise UsageError(f"{self.path} has two lines [history]", "remove one")

    def render(self, **values: Any) -> tuple[Message, ...]:
        """The messages for one row.

        Raises:
            UsageError: the template names something that the row does not have, or fails on it.
        """
        try:
            texts = [
                (role, part if isinstance(part, str) else part.render(values).strip())
                for role, part in self.parts
            ]
        except Exception as error:
            raise UsageError(
                f"{self.path} does not fill in: {_plainly(error)}", "correct the template"
            ) from error
        if self._shows_history:
            if "example" not in values:
                raise UsageError(
                    f"{self.path}: [history] has no place here", "use it in the prompt.md of a task"
                )
            return _with_history(texts, values["example"])
        return tuple(
            Message(role=role, content=text) for role, text in texts if text and role != "history"
        )


def _with_history(texts: Sequence[tuple[Part, str]], example: Example) -> tuple[Message, ...]:
    """The messages, those of the history in their place. Where the last line of it and the question are
    both the user's, they are one message."""
    from lt_bench.text.history import joined, messages_of

    found = list[Message]()
    for role, text in texts:
        if role == "history":
            found += messages_of(example.history)
        elif text:
            found.append(Message(role=role, content=text))
    return joined(found)


@cache
def _sandbox() -> Any:
    """The environment of every template. The fields of a record are data: they are handed out at
    once, since asking the sandbox about each of them takes longer than everything else together."""
    from jinja2 import StrictUndefined
    from jinja2.runtime import LoopContext
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandbox(ImmutableSandboxedEnvironment):
        def getattr(self, obj: Any, attribute: str) -> Any:
            kind = type(obj)
            if Record in kind.__mro__ and attribute in (fields := obj.__dict__):
                return fields[attribute]
            if kind is LoopContext and attribute == "index":
                return obj.index
            return super().getattr(obj, attribute)

    return Sandbox(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )


def _plainly(error: Exception) -> str:
    """A name that is not there, said without the words of Python and with the nearest one."""
    lacking = re.search(r"has no attribute '(\w+)'", str(error))
    if lacking is None:
        return str(error)
    known = {*Example.model_fields, *Document.model_fields, *Utterance.model_fields}
    return f"there is no {lacking[1]!r}.{did_you_mean(lacking[1], known)}"
