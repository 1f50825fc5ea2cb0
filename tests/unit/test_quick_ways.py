"""The quick ways give what the thorough ones give: hashes, splits, leaks, prompts, shared scores."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lt_bench.config import Sampling, digest
from lt_bench.errors import UsageError
from lt_bench.records import Document, Example, Message, Prompt, ToolCall
from lt_bench.run.generate import plan, sample_seed
from lt_bench.scorers import measured, not_applicable
from lt_bench.task import Task
from lt_bench.template import PromptTemplate
from lt_bench.text import leaked_markup, split_reasoning
from lt_bench.text import split as splitting

ANY_TEXT = st.text(st.characters(), max_size=60)
"""Control characters and all planes among them."""


class OneAnswer:
    """A task whose prompt is given."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt

    def prompt(self, example: Example) -> Prompt:
        return self._prompt


def planned(prompt: Prompt, sampling: Sampling, fingerprint: str) -> list[str]:
    example = Example(id="x", task="t", question="q", group="g")
    work = plan(OneAnswer(prompt), [example], 2, sampling, fingerprint)  # type: ignore[arg-type]
    return [one.key.request_sha for one in work]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT, st.floats(0, 1e6))
def test_a_planned_row_is_filed_under_the_digest_of_what_is_asked(
    system: str, user: str, fingerprint: str, temperature: float
) -> None:
    asked = (Message(role="system", content=system), Message(role="user", content=user))
    prompt, sampling = Prompt(messages=asked), Sampling(temperature=temperature, stop=("\n", "天"))
    seeds = [sample_seed(0, "x", index) for index in range(2)]
    own = [sampling.model_copy(update={"seed": seed}).model_dump(mode="json") for seed in seeds]
    dumped = prompt.model_dump(mode="json")
    assert planned(prompt, sampling, fingerprint) == [
        digest([dumped, one, fingerprint]) for one in own
    ]


def test_a_prompt_with_tools_is_filed_under_the_same_digest() -> None:
    call = ToolCall(id="1", name="f", arguments={"b": 1e16, "a": [0.1, 10**20, None]})
    prompt = Prompt(
        messages=(Message(role="assistant", tool_calls=(call,)),),
        tools=({"z": 1e-7, "a": {"k": True}},),
    )
    own = Sampling().model_copy(update={"seed": sample_seed(0, "x", 0)})
    assert planned(prompt, Sampling(), "m")[0] == digest(
        [prompt.model_dump(mode="json"), own.model_dump(mode="json"), "m"]
    )


WORDS = ["analysis", "assistant", "final", "commentary", "It is red.", "\n", " ", "Answer:", "天"]


@given(st.one_of(ANY_TEXT, st.lists(st.sampled_from(WORDS)).map("".join)))
def test_plain_texts_are_split_and_searched_as_all_others(text: str) -> None:
    def found() -> list[object]:
        families = ("auto", "think", "harmony", "none")
        return [*(split_reasoning(text, family=one) for one in families), leaked_markup(text)]

    quick = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitting.families, "may_hold_tags", lambda _: True)
        assert quick == found()


def test_scores_that_are_shared_are_those_that_were_asked_for() -> None:
    draw = random.Random(0)
    for _ in range(500):
        value = draw.choice((0.0, 1.0, draw.random(), float(draw.randrange(10**6))))
        score = measured("f1", value)
        assert (score.name, score.value, score.reason) == ("f1", value, None)
    assert not_applicable("tpr").reason == "not_applicable"
    assert measured("tpr", None) == not_applicable("tpr")
    assert measured("em", 1) == measured("em", 1.0)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused_every_time(value: float) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="finite"):
            measured("f1", value)


def template(folder: Path, text: str) -> PromptTemplate:
    path = folder / "prompt.md"
    path.write_text(text, encoding="utf-8")
    return PromptTemplate(path)


EXAMPLE = Example(
    id="x",
    task="t",
    question="Red? {{ example.id }}",
    documents=(Document(id="a", text="A"), Document(id="b", text="B", product={"k": [1]})),
    group="g",
)


def test_rows_are_filled_in_once_and_loops_count(tmp_path: Path) -> None:
    made = template(
        tmp_path,
        "[system]\n Plain words. \n[user]\n{% for d in example.documents %}"
        "{{ loop.index }}/{{ loop.length }}{{ loop.last }} {{ d.text }} {% endfor %}"
        "{{ example.question }}{{ example.documents[1].product.k[0] }}",
    )
    system, user = made.render(example=EXAMPLE)
    assert system.content == "Plain words."
    assert user.content == "1/2False A 2/2True B Red? {{ example.id }}1"


@pytest.mark.parametrize(
    "hostile",
    [
        "{{ example.__class__ }}",
        "{{ example.__dict__ }}",
        "{{ example.model_config }}{{ example.model_copy.__globals__ }}",
        "{{ example.documents[1].product.update({'k': 2}) }}",
        "{{ loop.__init__ }}",
        "{% for d in example.documents %}{{ loop._iterator }}{% endfor %}",
        "{{ example.nothing }}",
    ],
)
def test_the_sandbox_holds(hostile: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not fill in"):
        template(tmp_path, f"[user]\n{hostile}").render(example=EXAMPLE)


def test_the_shipped_prompts_are_what_they_were(tmp_path: Path) -> None:
    """A sandbox without the short cut fills in the same words."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    plain = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    for name in ("commerce_qa", "musique"):
        task = Task.load(name)
        bodies = [body for _, body in task.template._messages()]
        for example in task.examples(task.sample, 12):
            values = {"example": example, "options": task.options}
            words = [plain.from_string(body).render(**values).strip() for body in bodies]
            assert [m.content for m in task.prompt(example).messages] == [w for w in words if w]
