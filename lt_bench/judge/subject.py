"""What a judge may see of a row: documents, question, history and reply; never a trace or gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from lt_bench.records import Example, Generation, Utterance


@dataclass(frozen=True)
class Evidence:
    """One document as a judge reads it. Whether it supports the answer is gold and not here."""

    id: str
    kind: str
    title: str
    text: str
    slot: int | None = None


@dataclass(frozen=True)
class Subject:
    """One reply and what it was given to. `claims` are the statements of the reply, in order, for
    judges that keep a ledger."""

    question: str
    reply: str
    documents: tuple[Evidence, ...] = ()
    history: tuple[Utterance, ...] = ()
    viewer: str = ""
    claims: tuple[str, ...] = ()

    @classmethod
    def of(cls, example: Example, generation: Generation, claims: tuple[str, ...] = ()) -> Self:
        """The subject of one generation. What its tools returned is evidence too."""
        given = [
            Evidence(one.id, one.kind, one.title, one.text, one.slot) for one in example.documents
        ]
        returned = [result for turn in generation.turns for result in turn.tool_results]
        tools = [
            Evidence(f"tool{number}", "tool result", "", result.content)
            for number, result in enumerate(returned, 1)
        ]
        return cls(
            question=example.question,
            reply=generation.reply,
            documents=(*given, *tools),
            history=example.history,
            viewer=example.viewer,
            claims=claims,
        )
