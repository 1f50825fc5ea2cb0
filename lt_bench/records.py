"""The records that flow through lt-bench; everything on disk is one of these.

    Example -> Prompt -> Generation -> Score -> ResultCard

`Sample` and `Scored` are the journal lines that hold a Generation and its Scores. All records
are frozen and closed: a misspelt field is an error, NaN is not a number, and a value that could
not be had is None with a reason.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import core_schema

from lt_bench.errors import FailureKind

Status = Literal["ok", "truncated", "refused", "error"]
"""Fate of one sample. `truncated`: the cap was hit or thinking never closed; `refused`: the
provider's filter; `error`: infrastructure, nobody's fault, owed again on resume."""

Reason = Literal["no_answer", "judge_unparsed", "judge_refused", "judge_error", "not_applicable"]
"""Why a score has no value. Only `not_applicable` leaves the bounds of a metric as they are."""

Note = Literal[
    "open_tag_implied",
    "several_blocks",
    "quoted_tag",
    "empty_thinking",
    "unclosed_stop",
    "unclosed_length",
    "leaked_channels",
    "unknown_family",
    "system_merged",
    "empty_answer",
    "reasoning_uncounted",
    "retokenized",
    "token_drift",
    "stop_cut",
    "injection_suspected",
    "votes_split",
    "malformed_call",
    "unknown_tool",
    "turns_exhausted",
    "context_full",
    "tools_as_text",
    "end_unknown",
]
"""Short fixed codes for what a reader of one row should know. `end_unknown`: made elsewhere, and no one
says whether the cap cut it."""

Sway = Literal["steady", "sways", "unclear", "not_applicable"]
"""What a probe of a judge's biases came to. `unclear`: too few replies to tell."""

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
CountedBy = Literal["engine", "provider", "tokenizer"]
Lang = Literal["en", "zh", "mix"]
Unit = Literal["share", "tokens", "TFLOP", "count", "characters", "seconds", "coefficient"]
"""What a number counts. `coefficient`: kappa and its like, between -1 and 1."""


def _plain_number(value: Any) -> Any:
    """numpy and torch scalars as Python numbers, so that a row is never lost to its dtype."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", None) == 0 else value


class _Scalars:
    """Lets scalars of other libraries pass for numbers. In JSON there are none to look for, and a
    long journal is read twice as fast without looking."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        plain = handler(source)
        return core_schema.json_or_python_schema(
            json_schema=plain,
            python_schema=core_schema.no_info_before_validator_function(_plain_number, plain),
        )


Number = Annotated[float, _Scalars]
Tokens = Annotated[int, Field(ge=0)]


class Record(BaseModel):
    """Immutable and closed; JSON numbers only (no NaN, no infinity). What checks a record is built
    when the first of its kind is made: a command needs few of them."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


# --- Example ---------------------------------------------------------------------------------


class Utterance(Record):
    """One line of the dialogue before the question, as it was said in the room."""

    role: Literal["viewer", "host", "user", "assistant", "tool"]
    name: str = ""
    content: str


class Document(Record):
    """One piece of retrieved evidence. `product` holds schema.org Product fields where known;
    `supporting` is known only in multi-hop data; `slot` is the number viewers call it by."""

    id: str
    kind: Literal["product", "faq", "review", "policy", "paragraph", "evidence"] = "evidence"
    title: str = ""
    text: str
    product: dict[str, Any] | None = None
    slot: int | None = None
    supporting: bool | None = None


class World(Record):
    """The tool world a dialogue plays in: a seeded store plus this row's own changes."""

    kind: str
    seed: int
    patch: dict[str, Any] = Field(default_factory=dict)


class Hop(Record):
    """One step of a multi-hop question. "#1" in `question` stands for the answer of the first
    hop; `document` is the id of the one that holds the answer, None where it was taken out."""

    question: str
    answer: str
    document: str | None = None


class AnswersGold(Record):
    """Accepted short answers, the first one canonical; ids of the documents that support them;
    the steps that lead there, where they are known."""

    kind: Literal["answers"] = "answers"
    answers: tuple[str, ...]
    supporting: tuple[str, ...] = ()
    answerable: bool = True
    hops: tuple[Hop, ...] = ()


class Fact(Record):
    """A value at a JSON path of a document's `product`, or (path "text") in its text.

    `accept` lists further wordings that state the same fact ("waterproof" for True).
    """

    document: str
    path: str
    value: str | int | float | bool
    unit: str | None = None
    accept: tuple[str, ...] = ()


class FactsGold(Record):
    """What a reply must state, may add, and must not say, so that no LLM is needed to check it.

    `answerability` "none": the evidence does not hold the answer and the reply must say so.
    """

    kind: Literal["facts"] = "facts"
    answerability: Literal["full", "partial", "none"]
    required: tuple[Fact, ...] = ()
    helpful: tuple[Fact, ...] = ()
    forbidden: tuple[Fact, ...] = ()
    resolved_question: str = ""


class ReferenceGold(Record):
    """Written answers and graded evidence of real rows that come without facts."""

    kind: Literal["reference"] = "reference"
    answers: tuple[str, ...] = ()
    relevance: dict[str, Literal[0, 1, 2]] = Field(default_factory=dict)


class GoldCall(Record):
    """One expected tool call. `accept` maps an argument to all its accepted values; without an entry
    the one of `arguments` is. `optional` arguments may be left out."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    accept: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    optional: tuple[str, ...] = ()


class GoldAnswer(Record):
    """What the last reply must and must not say. `accept` lists further wordings of an entry of
    `must_include` ("delivered": "has arrived")."""

    must_include: tuple[str, ...] = ()
    must_not_include: tuple[str, ...] = ()
    accept: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    reference: str = ""


class CallsGold(Record):
    """What a tool agent must do: the calls, the state they leave, and the answer after them."""

    kind: Literal["calls"] = "calls"
    type: Literal["call", "no_call", "clarify", "answer"]
    calls: tuple[GoldCall, ...] = ()
    order: Literal["strict", "any"] = "any"
    end_state: str | None = None
    answer: GoldAnswer | None = None


Gold = Annotated[AnswersGold | FactsGold | ReferenceGold | CallsGold, Field(discriminator="kind")]


class Example(Record):
    """One row of a data set before any model sees it: documents D, question Q, history H.

    `group` is the cluster for intervals and paired tests (room, product, dialogue): rows of one
    group are not independent. `viewer` is the name under which the one who asks speaks in the
    history, where several do.
    """

    id: str
    task: str
    question: str
    viewer: str = ""
    history: tuple[Utterance, ...] = ()
    documents: tuple[Document, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    world: World | None = None
    gold: Gold | None = None
    group: str
    tags: tuple[str, ...] = ()
    lang: Lang = "en"
    source: str = ""
    license: str = ""


# --- Prompt and Generation -------------------------------------------------------------------


class ToolCall(Record):
    """One call the model asked for. `malformed` holds the arguments as it wrote them when they
    are no JSON object (the whole call, where it was written as text); `arguments` is then empty."""

    id: str = ""
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    malformed: str | None = None


class ToolResult(Record):
    call_id: str
    content: str
    error: bool = False


class Message(Record):
    """`reasoning` is what the assistant thought before it, in an earlier turn of the same dialogue. It is
    shown to models whose template has a place for it, and is in no file."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str | None = Field(default=None, exclude=True)


class Prompt(Record):
    """Exactly what is sent first."""

    messages: tuple[Message, ...]
    tools: tuple[dict[str, Any], ...] = ()


class Usage(Record):
    """Tokens of one turn. `output` = `reasoning` + `markup` + `reply` wherever the parts are
    known; a part that cannot be told is None, never 0. `markup` is think and channel tags,
    tool-call text and EOS."""

    prompt: Tokens | None
    output: Tokens
    reasoning: Tokens | None = None
    reply: Tokens | None = None
    markup: Tokens | None = None
    counted_by: CountedBy

    @model_validator(mode="after")
    def _parts_add_up(self) -> Self:
        parts = (self.reasoning, self.reply, self.markup)
        known = [part for part in parts if part is not None]
        if sum(known) > self.output or (len(known) == 3 and sum(known) != self.output):
            raise ValueError(f"parts {parts} do not add up to output {self.output}")
        return self

    def __add__(self, other: Usage) -> Usage:
        """Sum over turns; a part that one side does not know is unknown in the sum."""

        def both(a: int | None, b: int | None) -> int | None:
            return None if a is None or b is None else a + b

        return Usage(
            prompt=both(self.prompt, other.prompt),
            output=self.output + other.output,
            reasoning=both(self.reasoning, other.reasoning),
            reply=both(self.reply, other.reply),
            markup=both(self.markup, other.markup),
            counted_by=self.counted_by,
        )


class Timings(Record):
    """Seconds since the request was handed over. None: this backend cannot tell."""

    queued: Number | None = 0.0
    first_token: Number | None = None
    first_reply_token: Number | None = None
    total: Number | None = None


class Turn(Record):
    """One answer of the model: the trace it thought and the reply it speaks.

    `reasoning` is None when the model has no trace, "" when it was empty. `usage` is None when
    nobody counted (a replay file without counts and without a tokenizer). `raw` is the text as
    generated, markup included. `attempts` counts the requests it took, the good one included.
    """

    reasoning: str | None
    reply: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()
    finish_reason: FinishReason
    usage: Usage | None
    timings: Timings = Timings()
    attempts: int = 1
    raw: str = ""
    notes: tuple[Note, ...] = ()


class Generation(Record):
    """What a model did for one sample; one-turn tasks have one Turn."""

    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]
    end_state_sha: str | None = None

    @property
    def reply(self) -> str:
        """What the user hears in the end."""
        return self.turns[-1].reply

    @property
    def usage(self) -> Usage | None:
        """Sum over the turns; None as soon as one turn was not counted."""
        total: Usage | None = None
        for turn in self.turns:
            if turn.usage is None:
                return None
            total = turn.usage if total is None else total + turn.usage
        return total

    @property
    def status(self) -> Literal["ok", "truncated"]:
        """`truncated`: some turn hit the cap or stopped inside its thinking, or the dialogue hit the cap
        of its turns or filled the model's context."""
        cut = any(
            turn.finish_reason == "length"
            or "unclosed_stop" in turn.notes
            or "turns_exhausted" in turn.notes
            or "context_full" in turn.notes
            for turn in self.turns
        )
        return "truncated" if cut else "ok"


class Failure(Record):
    kind: FailureKind
    message: str
    attempts: int = 1


class SampleKey(Record):
    """Identity of one request: which row, which of its samples, and a hash of everything that
    determines the answer (prompt, sampling, model)."""

    example_id: str
    sample_index: int
    request_sha: str


class Sample(Record):
    """One line of generations.jsonl."""

    key: SampleKey
    status: Status
    generation: Generation | None = None
    failure: Failure | None = None

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        answered = self.status in ("ok", "truncated")
        if answered != (self.generation is not None) or answered == (self.failure is not None):
            raise ValueError(f"status {self.status!r} does not fit the outcome")
        return self


# --- Score -----------------------------------------------------------------------------------


class Claim(Record):
    """One statement of a reply and what the evidence says about it. `evidence` is an exact
    substring of the document `document`."""

    text: str
    verdict: Literal["supported", "contradicted", "not_in_documents", "not_a_claim"]
    document: str | None = None
    evidence: str | None = None


class Ballot(Record):
    """One vote of one judge model: a label of the judge, or the reason why there is none.

    `rationale` is what the model gave as its reason or, without a label, what it said instead.
    `usage` counts every answer this vote took (`requests` of them, 0 when it came from the cache,
    whose tokens were paid earlier and are not counted again).
    """

    model: str
    label: str | None
    reason: Reason | None = None
    rationale: str = ""
    claims: tuple[Claim, ...] = ()
    usage: Usage | None = None
    requests: int = 0

    @model_validator(mode="after")
    def _label_or_reason(self) -> Self:
        if (self.label is None) == (self.reason is None):
            raise ValueError("a ballot needs a label or a reason, and not both")
        return self


class Verdict(Record):
    """A judge's answer. `label` is None when it gave none, and `rationale` then says what it
    said instead. `ballots` are the votes behind it where a model was asked."""

    judge: str
    judge_sha: str
    label: str | None
    claims: tuple[Claim, ...] = ()
    rationale: str = ""
    ballots: tuple[Ballot, ...] = ()


class Score(Record):
    """One named number for one sample, or None with the reason."""

    name: str
    value: Number | None
    reason: Reason | None = None
    verdict: Verdict | None = None
    notes: tuple[Note, ...] = ()

    @model_validator(mode="after")
    def _value_or_reason(self) -> Self:
        if (self.value is None) == (self.reason is None):
            raise ValueError(f"score {self.name!r} needs a value or a reason, and not both")
        return self


class Scored(Record):
    """One line of scores.jsonl."""

    key: SampleKey
    scorers_sha: str
    scores: tuple[Score, ...]


class HumanLabel(Record):
    annotator: str
    correct: bool | None = None
    helpful: bool | None = None


class Labelled(Record):
    """A reply and what people said of it: the calibration format."""

    id: str
    example: Example
    reply: str
    labels: tuple[HumanLabel, ...]


# --- ResultCard ------------------------------------------------------------------------------


class Estimate(Record):
    """A mean with its 95 % interval. `n` + the sum of `unscored` is the number of samples.

    `value` is None when nothing was scored; `low`/`high` are None when no interval can be
    given, and `method` says why.
    """

    value: Number | None
    low: Number | None
    high: Number | None
    n: int
    unscored: dict[Reason, int] = Field(default_factory=dict)
    method: str
    unit: Unit = "share"

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The mean if every unscored row were all wrong, and if it were all right. None where
        nothing is missing or the unit has no worst case."""
        missing = sum(count for why, count in self.unscored.items() if why != "not_applicable")
        if self.unit != "share" or not missing:
            return None
        total = (self.value or 0.0) * self.n
        return total / (self.n + missing), (total + missing) / (self.n + missing)


class Environment(Record):
    """Where and with what the answers were made. `git_commit` is that of the lt-bench checkout,
    None when it was installed from a wheel."""

    lt_bench: str
    packages: dict[str, str] = Field(default_factory=dict)
    git_commit: str | None = None
    hardware: str


class Stamp(Record):
    """What one must know to believe a card, or to repeat it. `data` is None for the sample that
    ships with the task."""

    data: str | None
    data_sha: str
    prompt_sha: str
    config_sha: str
    scorers_sha: str
    model_fingerprint: str
    chat_template_sha: str | None = None
    counted_by: CountedBy | None = None
    seed: int
    environment: Environment
    batch_invariant: bool | None = None
    created: str


class Confusion(Record):
    """Counts of replies: what the judge says against what people say. "Positive" is a yes."""

    true_positive: int
    false_positive: int
    true_negative: int
    false_negative: int

    @property
    def n(self) -> int:
        """All replies that both sides labelled."""
        return self.positives + self.negatives

    @property
    def positives(self) -> int:
        """Replies that people call right."""
        return self.true_positive + self.false_negative

    @property
    def negatives(self) -> int:
        """Replies that people call wrong."""
        return self.true_negative + self.false_positive


class Agreement(Record):
    """How far two raters agree over some replies: a judge against people, or two people.

    An estimate has the value None where it is not defined (no positives: no sensitivity). `base_rate`
    is the share that people call right. `unscored` counts replies on which the judge was silent.
    """

    counts: Confusion
    agreement: Estimate
    base_rate: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Estimate
    ac1: Estimate
    unscored: dict[Reason, int] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _shares_are_those_of_the_counts(self) -> Self:
        found = self.counts
        for share, part, whole in (
            (self.agreement, found.true_positive + found.true_negative, found.n),
            (self.base_rate, found.positives, found.n),
            (self.sensitivity, found.true_positive, found.positives),
            (self.specificity, found.true_negative, found.negatives),
        ):
            value = part / whole if whole else None
            if (value is None) != (share.value is None) or abs(
                (value or 0.0) - (share.value or 0.0)
            ) > 1e-6:
                raise ValueError(f"a share of {share.value} is not {part} of {whole}")
        return self


class MetricCalibration(Record):
    """One metric of a judge against people's labels.

    `judge_sha` binds it to prompt, model and sampling; `version` and `votes` are its rubric's and its
    panel's. `slices` holds the same figures over some of the replies ("source:…", "length:…",
    "lang:…", "answerability:…"); `baselines` those of judges that read nothing. `disputed` replies,
    on which people disagree, are in none of them; `disputed_yes` is the share of those that the judge
    calls right. `unlabelled` replies have no label for this metric; `left_out` were not drawn.
    `annotators` is one person against another, where two labelled the same replies. `by_construction`:
    nobody read the replies, their labels follow from how they were made.
    """

    judge: str
    judge_sha: str
    version: int = 1
    votes: int = 1
    overall: Agreement
    slices: dict[str, Agreement] = Field(default_factory=dict)
    baselines: dict[str, Agreement] = Field(default_factory=dict)
    annotators: Agreement | None = None
    disputed: int = 0
    disputed_yes: Estimate | None = None
    unlabelled: int = 0
    left_out: int = 0
    by_construction: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """All labelled replies that were read, whatever became of them."""
        told = self.overall.counts.n + sum(self.overall.unscored.values())
        return told + self.disputed + self.unlabelled + self.left_out


class Calibration(Record):
    """The file that `judge calibrate` writes: how far a judge can be believed, by metric. `rows`
    labelled replies were read; every metric accounts for all of them."""

    judge: str
    models: tuple[str, ...] = ()
    labels: str
    labels_sha: str
    rows: int
    balanced: bool = False
    metrics: Annotated[dict[str, MetricCalibration], Field(min_length=1)]
    environment: Environment
    created: str

    @model_validator(mode="after")
    def _conservation(self) -> Self:
        """Every reply is compared, unscored with a reason, disputed, unlabelled or left out."""
        for name, metric in self.metrics.items():
            if metric.rows != self.rows:
                raise ValueError(f"{name!r} accounts for {metric.rows} of {self.rows} replies")
        return self


class JudgeStamp(Record):
    """Who gave a metric, and how far it can be believed. `models` are empty for rules; without a
    `calibration` nobody has measured this judge against people."""

    name: str
    version: int
    judge_sha: str
    models: tuple[str, ...] = ()
    votes: int = 1
    calibration: MetricCalibration | None = None


class JudgeBill(Record):
    """What the judging of one run asked for. `cached` votes were known from earlier requests,
    `failed` ones got no answer; neither has tokens. Tokens are None where a server did not count;
    `cost` is in the currency of the given prices, None without prices."""

    requests: int
    cached: int
    failed: int = 0
    prompt: Tokens | None
    output: Tokens | None
    cost: Number | None = None


class Corrected(Record):
    """A judged share, corrected for the judge's own errors.

    `unclipped` is the plain estimate and may leave [0, 1]: then `feasible` is False, `value` is
    None, and labels and rows contradict each other. It is None where there is none: a judge no better
    than chance, or labels of one class only. `low`/`high` are 95 % bounds within [0, 1] that
    count the errors of both; `standard_error` is that of `unclipped`. `labels` is the number of
    people's labels behind it. `detectable` is the smallest difference of two such values that these
    rows and labels can separate.
    """

    method: str
    raw: Number
    unclipped: Number | None
    value: Number | None
    low: Number
    high: Number
    standard_error: Number | None = None
    feasible: bool
    n: int
    labels: int
    detectable: Number | None = None
    sentence: str


class BiasFigure(Record):
    """One line of a probe: what a judge says of changed replies, for one metric.

    `share` is what the probe counts (replies called right, verdicts flipped, …); `control` is the
    same of replies that were left as they were, or changed harmlessly; `difference` is the first
    less the second, reply by reply, between -1 and 1. `gained` and `lost` replies changed their
    verdict to and from a yes, `p_value` is McNemar's, exact. `also` holds further figures of the
    line. `word` is what the interval says; None for a line that decides nothing.
    """

    name: str
    metric: str
    share: Estimate
    control: Estimate | None = None
    difference: Estimate | None = None
    gained: int | None = None
    lost: int | None = None
    p_value: Number | None = None
    also: dict[str, Estimate] = Field(default_factory=dict)
    word: Sway | None = None


class BiasProbe(Record):
    """One thing that may sway a judge, tried out.

    `sentence` says what came of it. `margin` is how far an interval may reach for "steady".
    `judgements` counts all that it looked at, `unscored` those without a verdict, by reason.
    """

    name: str
    word: Sway
    sentence: str
    margin: Number | None = None
    rows: int = 0
    judgements: int = 0
    unscored: dict[Reason, int] = Field(default_factory=dict)
    figures: tuple[BiasFigure, ...] = ()
    also: dict[str, Estimate] = Field(default_factory=dict)


class BiasReport(Record):
    """The file that `judge bias` writes. `judge_sha` binds it to prompt, model and sampling;
    `judgements` were asked for in all, `rows` labelled replies were there to choose from."""

    judge: str
    judge_sha: str
    models: tuple[str, ...] = ()
    labels: str
    labels_sha: str
    rows: int
    limit: int
    judgements: int
    probes: tuple[BiasProbe, ...]
    bill: JudgeBill | None = None
    environment: Environment
    created: str


class CallShare(Record):
    """The rows of which one share of the samples calls (all rows: 0 or 1, with one sample each).

    `rows` have just this share, and `needed` is how many of them need a call: a calibrated agent has
    both alike. `precision`, `recall` and `f1` are those of calling wherever at least this share calls;
    None at 0, where everything would be called.
    """

    share: Number
    rows: int
    needed: Estimate
    precision: Estimate | None = None
    recall: Estimate | None = None
    f1: Estimate | None = None


class CallDecisions(Record):
    """Whether an agent called where a call was needed, whatever it called.

    `counts`, `precision`, `recall` and `f1` are over samples: a positive is a call that was needed.
    `brier` is the mean squared distance of the share of a row's samples that call from what the row
    needs (0 or 1); `certainty` the mean share of samples that decide as most of their row do. `shares`
    is the trade-off, from never to always. `unanswered` samples have no decision.
    """

    counts: Confusion
    unanswered: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    brier: Estimate
    certainty: Estimate
    shares: tuple[CallShare, ...]


class ResultCard(Record):
    """The one comparable summary of a run; a leaderboard is a folder of these.

    `slices` holds the same metrics over some of the rows: `status:ok` is "on completed answers".
    `judges` says who gave each judged metric, `labels` how often it gave each of its labels, and
    `corrected` what its values are worth after people's labels, by each method that
    these labels allow. `passes` holds pass^1 to pass^k of metrics that ask for every sample, `calls`
    what a tool agent decided. `note_counts` counts the rows with each note; `remarks` say how a metric
    was computed.
    """

    task: str
    version: int
    model: str
    backend: str
    samples: dict[Status, int]
    metrics: dict[str, Estimate]
    slices: dict[str, dict[str, Estimate]] = Field(default_factory=dict)
    judges: dict[str, JudgeStamp] = Field(default_factory=dict)
    labels: dict[str, dict[str, int]] = Field(default_factory=dict)
    corrected: dict[str, tuple[Corrected, ...]] = Field(default_factory=dict)
    passes: dict[str, tuple[Estimate, ...]] = Field(default_factory=dict)
    calls: CallDecisions | None = None
    bill: JudgeBill | None = None
    headline: tuple[str, ...] = ()
    note_counts: dict[Note, int] = Field(default_factory=dict)
    remarks: dict[str, str] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    stamp: Stamp

    @model_validator(mode="after")
    def _conservation(self) -> Self:
        """Every sample is accounted for in every metric: scored, or unscored with a reason."""
        total = sum(self.samples.values())
        for name, estimate in self.metrics.items():
            seen = estimate.n + sum(estimate.unscored.values())
            if seen != total:
                raise ValueError(f"metric {name!r} accounts for {seen} of {total} samples")
        return self


# --- Latency ---------------------------------------------------------------------------------

Fate = Literal["ok", "truncated", "refused", "error", "dropped", "cancelled"]
"""What became of one request of a load. `dropped`: too many were outstanding, it was not sent;
`cancelled`: the measurement was ended before its answer, so it says nothing of the server."""

Felt = Literal["lag", "queueing", "first_token", "first_spoken", "total", "per_token"]
"""What is timed. `lag`: intended arrival to sent; `queueing`: intended arrival to the start of
work, as far as the server tells; `per_token`: seconds a token after the first. The others are
seconds since the intended arrival."""

Heard = Literal["first_audio", "finished"]
"""What is timed at the ends of the whole path: speech begins, the reply is finished."""


class Quantile(Record):
    """One percentile. `value` is a time that was observed; `low`/`high` are its distribution-free 95 %
    interval. What is None has its `reason`."""

    value: Number | None = None
    low: Number | None = None
    high: Number | None = None
    reason: str = ""


class LatencyFigures(Record):
    """One time over the requests of a window, in seconds.

    `quantiles` ("p50", "p95", "p99") count a request that failed as one that took for ever: `never`
    of them. `answered` are the quantiles, and `mean` the mean, of the `n` that came; `answered` is
    empty where all did. `unmeasured` requests were answered, but nobody can tell this time.
    """

    n: int
    never: int = 0
    unmeasured: int = 0
    mean: Number | None = None
    quantiles: dict[str, Quantile]
    answered: dict[str, Quantile] = Field(default_factory=dict)


class Goodput(Record):
    """Share of requests that met the deadline, with its Wilson interval. `n` counts hits and misses;
    a request that failed is a miss. `cancelled` requests and those of which it cannot be told
    (`unmeasured`) are in neither."""

    good: int
    n: int
    value: Number | None
    low: Number | None = None
    high: Number | None = None
    unmeasured: int = 0
    cancelled: int = 0


class Saturation(Record):
    """Whether a server kept up with a rate; `saturated` None: too few requests to tell. `growth`:
    seconds by which the time to answer grew over the window, `p_value` of its slope."""

    saturated: bool | None
    sentence: str
    growth: Number | None = None
    p_value: Number | None = None


class RateReport(Record):
    """One window of a sweep: a rate, and what a service of it would feel.

    `offered` and `achieved` are requests a second, arrived and answered; `window` is the time over
    which the `requests` arrived, `drain` how long the last ones took after it, in seconds. `quality`
    is the score that `goodput` asks for, over the replies. `end_to_end` adds the delays of the path.
    """

    rate: Number
    requests: int
    warmup: int
    offered: Number | None
    achieved: Number | None
    window: Number
    drain: Number
    most_outstanding: int
    outcomes: dict[Fate, int]
    failures: dict[FailureKind, int] = Field(default_factory=dict)
    measured: dict[Felt, LatencyFigures]
    end_to_end: dict[Heard, LatencyFigures]
    goodput: Goodput
    in_time: Goodput
    quality: Estimate
    saturation: Saturation

    @model_validator(mode="after")
    def _conservation(self) -> Self:
        """Every request is accounted for in every figure."""
        found = {"outcomes": sum(self.outcomes.values())}
        for name, share in (("goodput", self.goodput), ("in_time", self.in_time)):
            found[name] = share.n + share.unmeasured + share.cancelled
        cancelled = self.outcomes.get("cancelled", 0)
        for name, figures in (*self.measured.items(), *self.end_to_end.items()):
            found[name] = figures.n + figures.never + figures.unmeasured + cancelled
        for name, total in found.items():
            if total != self.requests:
                raise ValueError(f"{name!r} accounts for {total} of {self.requests} requests")
        return self


class LatencyReport(Record):
    """latency.json: a sweep over rates. `deadline` is in seconds from the viewer's question to the end
    of the reply or, with `start_by`, to the first sound of it; `asked_for` names the score that must
    be 1. `path` are the delays that were added, as they were given; `stopped` says why rates were
    left out. `bound`: requests that may be outstanding."""

    model: str
    backend: str
    fingerprint: str
    task: str
    version: int
    data: str | None
    data_sha: str
    rows: int
    deadline: Number
    start_by: bool
    timeout: Number
    bound: int
    arrivals: str
    seed: int
    path: dict[str, str] = Field(default_factory=dict)
    virtual: bool = False
    asked_for: str
    judges: dict[str, JudgeStamp] = Field(default_factory=dict)
    bill: JudgeBill | None = None
    counted_by: CountedBy | None = None
    rates: tuple[RateReport, ...]
    stopped: str = ""
    interrupted: bool = False
    note_counts: dict[Note, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    environment: Environment
    created: str


class TimedRequest(Record):
    """One line of requests.jsonl. `arrived`: the intended arrival, `sent` and `ended` when that
    happened, in seconds since the window began; the times after that as in `Felt` and `Heard`, in
    seconds, None where they never came or nobody can tell (`status` and `generation` say which).
    `delays` were drawn for this request. `in_time` and `good` None: not counted."""

    rate: Number
    index: int
    warmup: bool
    example_id: str
    sample_index: int
    arrived: Number
    sent: Number | None
    ended: Number | None
    status: Fate
    failure: Failure | None = None
    generation: Generation | None = None
    times: dict[Felt, Number | None]
    delays: dict[str, Number] = Field(default_factory=dict)
    end_to_end: dict[Heard, Number | None]
    in_time: bool | None = None
    good: bool | None = None
    scores: tuple[Score, ...] = ()
