"""The parts of a field map: what each field of an Example can be made from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from lt_bench.config import Config

Role = Literal["viewer", "host", "user", "assistant", "tool"]
Kind = Literal["product", "faq", "review", "policy", "paragraph", "evidence"]
Plain = str | int | float | bool | None


class Column(Config):
    """A column, or a dotted path into one. Without `default` it must be in every row."""

    column: str
    default: Plain | list[Plain] = None

    @property
    def optional(self) -> bool:
        return "default" in self.model_fields_set


class Constant(Config):
    """The same for every row."""

    value: Plain | list[Plain]


def _cell(given: Any) -> Any:
    return {"column": given} if isinstance(given, str) else given


def _cell_kind(given: Any) -> str:
    constant = isinstance(given, Constant) or (isinstance(given, dict) and "value" in given)
    return "<constant>" if constant else "<column>"


Cell = Annotated[
    Annotated[Column, Tag("<column>")] | Annotated[Constant, Tag("<constant>")],
    Discriminator(_cell_kind),
    BeforeValidator(_cell),
]


class FromColumn(Config):
    """A part that is made from one column."""

    column: str
    default: Plain | list[Plain] = None

    @property
    def cell(self) -> Column:
        """The column with its default, where it has one."""
        given = {"default": self.default} if "default" in self.model_fields_set else {}
        return Column(column=self.column, **given)


class TagCell(FromColumn):
    """A column whose values become tags "PREFIXvalue"; the prefix is "COLUMN:" unless given."""

    prefix: str | None = None


def _tag_kind(given: Any) -> str:
    return "<tag>" if _cell_kind(given) == "<column>" else "<constant>"


TagSource = Annotated[
    Annotated[TagCell, Tag("<tag>")] | Annotated[Constant, Tag("<constant>")],
    Discriminator(_tag_kind),
    BeforeValidator(_cell),
]


class Speaking(Config):
    """`roles` maps the log's names of speakers to roles; `others` is the role of every further
    one, whose name is then kept."""

    roles: dict[str, Role] = Field(default_factory=dict)
    others: Role | None = None


class LineCells(Config):
    """Where an entry of a list holds who speaks and what."""

    role: Cell = Column(column="role")
    content: Cell = Column(column="content")
    name: Cell = Column(column="name", default="")


class ListHistory(Speaking, FromColumn):
    """A column that holds a list of lines: objects, or JSON text of them."""

    each: LineCells = LineCells()


class TextHistory(Speaking, FromColumn):
    """A column of text, lines parted by `separator`, speaker and words by `speaker`:
    "host: hello | anna: hi"."""

    separator: str
    speaker: str = ":"


def _history(given: Any) -> Any:
    return {"column": given} if isinstance(given, str) else given


def _history_kind(given: Any) -> str:
    text = isinstance(given, TextHistory) or (isinstance(given, dict) and "separator" in given)
    return "<text history>" if text else "<list history>"


History = Annotated[
    Annotated[TextHistory, Tag("<text history>")] | Annotated[ListHistory, Tag("<list history>")],
    Discriminator(_history_kind),
    BeforeValidator(_history),
]


class Dialogue(Speaking):
    """For a log with one line of talk a row: rows of one `by` are a dialogue, in the order of
    `order`. `ask`: which lines become questions; `answered_by`: the role whose next line is the
    reference answer; `keep`: how many lines before the question stay."""

    by: str
    order: str | None = None
    role: Cell
    content: Cell
    name: Cell = Constant(value="")
    ask: Literal["last", "each"] = "last"
    answered_by: Role | None = None
    keep: int = Field(default=20, ge=0)


class DocumentCells(Config):
    """Where a document's fields stand, in the row or in an entry of a list."""

    text: Cell
    id: Cell | None = None
    title: Cell | None = None
    product: Cell | None = None
    slot: Cell | None = None
    supporting: Cell | None = None
    kind: Cell | None = None


class InlineDocument(DocumentCells):
    """Documents that stand in the row: a text, or a list of texts."""


class ListDocuments(FromColumn):
    """A column that holds a list of documents: objects, or JSON text of them."""

    each: DocumentCells


class JoinedDocuments(Config):
    """Products of a file that a catalogue importer wrote, by their id or SKU in column `by`: one,
    a list, or several parted by `separator`. `slots` holds their numbers in the stream.
    `missing: skip` leaves out those that the file does not have."""

    from_: str
    by: Cell
    separator: str | None = None
    slots: Cell | None = None
    missing: Literal["error", "skip"] = "error"

    @model_validator(mode="before")
    @classmethod
    def _from(cls, given: Any) -> Any:
        if isinstance(given, dict) and "from" in given:
            return {"from_" if key == "from" else key: value for key, value in given.items()}
        return given


def _documents(given: Any) -> Any:
    column = isinstance(given, dict) and "column" in given and "each" not in given
    return {"text": given} if column or isinstance(given, str) else given


def _documents_kind(given: Any) -> str:
    if isinstance(given, dict):
        return (
            "<joined documents>"
            if "from" in given
            else "<list documents>"
            if "each" in given
            else "<inline documents>"
        )
    if isinstance(given, JoinedDocuments):
        return "<joined documents>"
    return "<list documents>" if isinstance(given, ListDocuments) else "<inline documents>"


DocumentSource = Annotated[
    Annotated[InlineDocument, Tag("<inline documents>")]
    | Annotated[ListDocuments, Tag("<list documents>")]
    | Annotated[JoinedDocuments, Tag("<joined documents>")],
    Discriminator(_documents_kind),
    BeforeValidator(_documents),
]


def listed(given: Any) -> Any:
    """One part of a map, or a list of them, as a list."""
    return given if isinstance(given, list | tuple) else [given]


class AnswersMap(Config):
    """Short accepted answers, from one or several columns."""

    kind: Literal["answers"]
    answers: Annotated[tuple[Cell, ...], BeforeValidator(listed)]
    supporting: Cell | None = None
    answerable: Cell | None = None


class ReferenceMap(Config):
    """Written answers; `relevance` holds 0, 1 or 2 a document, as an object or in their order."""

    kind: Literal["reference"]
    answers: Annotated[tuple[Cell, ...], BeforeValidator(listed)] = ()
    relevance: Cell | None = None


class FactCells(Config):
    """Where a fact's fields stand, in the row or in an entry of a list."""

    document: Cell = Column(column="document")
    path: Cell = Column(column="path")
    value: Cell = Column(column="value")
    unit: Cell = Column(column="unit", default=None)
    accept: Cell = Column(column="accept", default=[])


class ListFacts(FromColumn):
    """A column that holds a list of facts: objects, or JSON text of them."""

    each: FactCells = FactCells()


def _facts_kind(given: Any) -> str:
    listed = isinstance(given, ListFacts) or (isinstance(given, dict) and "column" in given)
    return "<list of facts>" if listed else "<fact>"


FactSource = Annotated[
    Annotated[ListFacts, Tag("<list of facts>")] | Annotated[FactCells, Tag("<fact>")],
    Discriminator(_facts_kind),
    BeforeValidator(_cell),
]
FactSources = Annotated[tuple[FactSource, ...], BeforeValidator(listed)]


class FactsMap(Config):
    """Facts that a reply must state, may add, must not say."""

    kind: Literal["facts"]
    answerability: Cell
    required: FactSources = ()
    helpful: FactSources = ()
    forbidden: FactSources = ()
    resolved_question: Cell = Constant(value="")


GoldMap = Annotated[AnswersMap | ReferenceMap | FactsMap, Discriminator("kind")]
