"""Data of a row as text between marks that nothing in the row can imitate."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lt_bench.config import digest
from lt_bench.judge.subject import Evidence, Subject
from lt_bench.records import Utterance


class Blocks:
    """The parts of a subject, each between `<<<NAME nonce` and `NAME nonce>>>`.

    The nonce is a hash over the whole subject: it is the same every time, so that equal requests
    can be cached, and no text of the row can hold it, since it would have to hold its own hash.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    @cached_property
    def nonce(self) -> str:
        """Twelve hex digits, new for every subject."""
        s = self.subject
        parts = [
            s.question,
            s.reply,
            s.viewer,
            list(s.claims),
            [[d.id, d.kind, d.title, d.text, d.slot] for d in s.documents],
            [[u.role, u.name, u.content] for u in s.history],
        ]
        return digest(["lt-bench judge", parts])[:12]

    @property
    def evidence(self) -> str:
        """All documents, each in a block of its own; one line says so where there is none."""
        if not self.subject.documents:
            return self._block("DOCUMENT", "(there is no document)")
        return "\n".join(self._document(one) for one in self.subject.documents)

    @property
    def history(self) -> str:
        """The dialogue before the question; empty where there was none."""
        if not self.subject.history:
            return ""
        return self._block("HISTORY", "\n".join(_line(one) for one in self.subject.history))

    @property
    def question(self) -> str:
        """The question, as it was asked."""
        return self._block("QUESTION", self.subject.question)

    @property
    def viewer(self) -> str:
        """Who asks, for the history; empty where nobody has a name. A block like all data."""
        return self._block("ASKED_BY", self.subject.viewer) if self.subject.viewer else ""

    @property
    def reply(self) -> str:
        """The reply to judge, to the letter."""
        return self._block("REPLY", self.subject.reply)

    @property
    def claims(self) -> str:
        """The numbered statements of the reply, one a line, so that none of them can pass for
        another number; empty where no ledger is kept."""
        numbered = [
            f"[{n}] {' '.join(text.split())}" for n, text in enumerate(self.subject.claims, 1)
        ]
        return self._block("CLAIMS", "\n".join(numbered)) if numbered else ""

    def _document(self, one: Evidence) -> str:
        head = [f"id: {one.id}", f"kind: {one.kind}"]
        if one.slot is not None:
            head.append(f"slot: {one.slot}")
        if one.title:
            head.append(f"title: {one.title}")
        return self._block("DOCUMENT", "\n".join([*head, one.text]))

    def _block(self, name: str, text: str) -> str:
        return f"<<<{name} {self.nonce}\n{text}\n{name} {self.nonce}>>>"


def _line(one: Utterance) -> str:
    """ "ann (viewer): big?", or "host: …" where the speaker has no name. Further lines of one who
    speaks are indented, so that none of them can pass for somebody else's."""
    speaker = f"{one.name} ({one.role})" if one.name else one.role
    name, *rest = f"{speaker}: {one.content}".splitlines() or [""]
    return "\n".join([name, *(f"    {line}" for line in rest)])


def nonces(text: str) -> Iterator[str]:
    """The nonces that open blocks in a prompt, in order."""
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        if mark.startswith("<<<") and rest:
            yield rest
