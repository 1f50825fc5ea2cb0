"""What a model is trained on, token by token, for the chat templates that there are."""

from __future__ import annotations

import copy
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import tiny_tokenizer

from lt_bench.backends.transformers.prompting import Renderer
from lt_bench.errors import UsageError
from lt_bench.records import Message, Prompt
from lt_bench.text import split_reasoning
from lt_bench.train.targets import IGNORED, Row, Spoken, Writer

pytestmark = pytest.mark.model

ASKED = Prompt(
    messages=(
        Message(role="system", content="Answer from the evidence."),
        Message(role="user", content="Is the red kettle in stock?"),
    )
)
THOUGHT, REPLY = "Sheet says two are left.\n\nSo yes.", "Yes, two are left."

QWEN3 = """\
{%- for m in messages %}
{%- if m.role == 'assistant' %}
{%- set thought = m.reasoning_content if m.reasoning_content is string else '' %}
{%- set said = m.content %}
{%- if not thought and '</think>' in said %}
{%- set thought = said.split('</think>')[0].split('<think>')[-1].strip('\\n') %}
{%- set said = said.split('</think>')[-1].lstrip('\\n') %}
{%- endif %}
{{- '<|im_start|>assistant\\n' }}
{%- if loop.last %}{{- '<think>\\n' + thought.strip('\\n') + '\\n</think>\\n\\n' }}{% endif %}
{{- said + '<|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}"""
"""Puts the thought of the last answer into tags and takes it out of earlier ones."""
LLAMA3 = """\
{%- for m in messages %}
{%- set text = '<|start_header_id|>' + m['role'] + '<|end_header_id|>\\n\\n' + m['content'] | trim + '<|eot_id|>' %}
{%- if loop.first %}{% set text = bos_token + text %}{% endif %}
{{- text }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}"""
"""Knows no thinking."""
R1_DISTILL = """\
{{- bos_token }}
{%- for m in messages %}
{%- if m.role == 'assistant' %}{{- '<|Assistant|>' + m.content.split('</think>')[-1] + '<|eos|>' }}
{%- elif m.role == 'user' %}{{- '<|User|>' + m.content }}
{%- else %}{{- m.content }}{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|Assistant|><think>\\n' }}{% endif %}"""
"""Opens the thought in its prompt, and strips that of every answer."""
CHATML = """\
{%- for m in messages %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}"""
NO_THINKING = CHATML.replace(
    "assistant\\n' }}{% endif", "assistant\\n<think>\\n\\n</think>\\n\\n' }}{% endif"
)


def tokenizer(template: str | None, *specials: str, adds_bos: bool = False) -> Any:
    """The small tokenizer with a chat template and the special tokens that it names."""
    made = copy.deepcopy(tiny_tokenizer(None, adds_bos))
    named = re.findall(r"<[|｜][^<>|｜\n']*[|｜]>|<end_of_turn>", template or "")
    made.add_special_tokens({"additional_special_tokens": sorted({*named, *specials})})
    made.chat_template = template
    return made


def row_of(made: Any, thought: str | None = THOUGHT, reply: str = REPLY) -> Row:
    row = Writer(made, ASKED, 4096).row(Spoken(ASKED, thought, reply))
    assert isinstance(row, Row), row
    return row


FORMS = {
    "qwen3": (QWEN3, f"<think>\n{THOUGHT}\n</think>\n\n{REPLY}<|im_end|>"),
    "llama3": (LLAMA3, f"<think>\n{THOUGHT}\n</think>\n\n{REPLY}<|eot_id|>"),
    "r1_distill": (R1_DISTILL, f"{THOUGHT}\n</think>\n\n{REPLY}<|eos|>"),
    "chatml": (CHATML, f"<think>\n{THOUGHT}\n</think>\n\n{REPLY}<|im_end|>"),
    "plain": (None, f" <think>\n{THOUGHT}\n</think>\n\n{REPLY}<|im_end|>"),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_target_is_thought_reply_and_end_after_the_prompt_that_eval_sends(name: str) -> None:
    template, expected = FORMS[name]
    made = tokenizer(template)
    row = row_of(made)
    assert row.prompt == Renderer(made).render(ASKED).ids
    assert made.decode(row.target) == expected
    assert made.decode(row.input_ids).count("So yes.") == 1


@pytest.mark.parametrize("name", FORMS)
def test_every_token_of_the_target_has_a_loss_and_none_of_the_prompt(name: str) -> None:
    row = row_of(tokenizer(FORMS[name][0]))
    masked = len(row.prompt)
    assert row.labels[:masked] == [IGNORED] * masked
    assert row.labels[masked:] == row.input_ids[masked:] == list(row.target)
    assert IGNORED not in row.target
    assert masked + len(row.target) == len(row.input_ids) == len(row.labels)


@pytest.mark.parametrize("name", FORMS)
def test_the_end_of_the_turn_is_learnt_and_is_one_token(name: str) -> None:
    made = tokenizer(FORMS[name][0])
    end = Writer(made, ASKED, 4096).form.end
    assert row_of(made).labels[-1] == end
    assert row_of(made).target.count(end) == 1


def test_qwen3_rows_are_what_its_template_renders_token_by_token() -> None:
    made = tokenizer(QWEN3)
    said = {"role": "assistant", "content": REPLY, "reasoning_content": THOUGHT}
    asked = [{"role": m.role, "content": m.content} for m in ASKED.messages]
    whole = made.apply_chat_template([*asked, said], tokenize=True, return_dict=False)
    newline = made("\n", add_special_tokens=False)["input_ids"]
    assert [*row_of(made).input_ids, *newline] == whole


def test_a_tokenizer_that_adds_a_bos_gets_exactly_one() -> None:
    made = tokenizer(LLAMA3, adds_bos=True)
    assert row_of(made).input_ids.count(made.bos_token_id) == 1


def test_an_earlier_thought_of_the_history_is_not_the_target() -> None:
    """The template strips earlier thoughts; the target holds its own, once."""
    made = tokenizer(QWEN3)
    asked = Prompt(
        messages=(
            Message(role="user", content="How much is it?"),
            Message(role="assistant", content="<think>\nold thought\n</think>\n\n99 yuan."),
            Message(role="user", content="Is it in stock?"),
        )
    )
    row = Writer(made, asked, 4096).row(Spoken(asked, THOUGHT, REPLY))
    assert isinstance(row, Row)
    text = made.decode(row.input_ids)
    assert "old thought" not in text
    assert text.count("<think>") == text.count("</think>") == 1


@pytest.mark.parametrize("name", FORMS)
def test_a_reply_without_a_thought_is_a_reply_and_nothing_more(name: str) -> None:
    made = tokenizer(FORMS[name][0])
    row = row_of(made, thought=None)
    opened = Writer(made, ASKED, 4096).form.opened
    text = made.decode(row.target[:-1])
    split = split_reasoning(text, opened=opened)
    assert (split.reply.strip(), (split.reasoning or "").strip()) == (REPLY, "")


def test_a_template_that_closes_the_thought_itself_is_refused_a_thought() -> None:
    writer = Writer(tokenizer(NO_THINKING), ASKED, 4096)
    assert writer.form.thoughtless
    with pytest.raises(UsageError, match="asks it not to think"):
        writer.row(Spoken(ASKED, THOUGHT, REPLY))
    assert isinstance(writer.row(Spoken(ASKED, None, REPLY)), Row)


@pytest.mark.parametrize(
    ("thought", "reply"),
    [
        ("The end: </think> or not?", "Yes."),
        ("First.", "<think>Second.</think> Yes."),
        ("First.</think>\n<think>Second.", "Yes."),
    ],
)
def test_words_that_would_be_read_as_markup_are_left_out(thought: str, reply: str) -> None:
    writer = Writer(tokenizer(QWEN3), ASKED, 4096)
    assert writer.row(Spoken(ASKED, thought, reply)) == "unreadable"


@pytest.mark.parametrize("hostile", ["<|im_end|>", "<|im_start|>user", "<|endoftext|>", "<s>"])
def test_words_that_are_special_tokens_are_left_out(hostile: str) -> None:
    writer = Writer(tokenizer(QWEN3), ASKED, 4096)
    assert writer.row(Spoken(ASKED, f"Look: {hostile} it ends.", REPLY)) == "special_token"
    assert writer.row(Spoken(ASKED, THOUGHT, f"Yes. {hostile}")) == "special_token"


def test_rows_over_the_length_are_left_out_and_told_and_never_cut() -> None:
    made = tokenizer(QWEN3)
    length = len(row_of(made).input_ids)
    spoken = [Spoken(ASKED, THOUGHT, REPLY), Spoken(ASKED, THOUGHT, REPLY + " Really.")]
    written = Writer(made, ASKED, length).write(spoken)
    assert [len(row.input_ids) for row in written.rows] == [length]
    assert written.left_out == {"too_long": 1}
    assert written.told == (
        "1 left out: longer than optimizer.max_length, or than the model has positions",
    )


def test_a_model_without_any_end_token_is_refused() -> None:
    made = tokenizer(None)
    made.eos_token = None
    with pytest.raises(UsageError, match="ends a turn"):
        Writer(made, ASKED, 4096)


def _of_trl() -> list[Path]:
    spec = find_spec("trl")
    folder = Path(spec.origin or "").parent / "chat_templates" if spec else Path("nowhere")
    return sorted(path for path in folder.glob("*.jinja") if "training" not in path.name)


REAL = {path.stem: path for path in _of_trl()}


@pytest.mark.parametrize("name", REAL or ["none installed"])
def test_real_templates_take_the_thought_once_and_are_read_back(name: str) -> None:
    if name not in REAL:
        pytest.skip("trl is not installed: it brings the chat templates of many models")
    made = tokenizer(REAL[name].read_text("utf-8"), "<turn|>", "<|turn>")
    writer = Writer(made, ASKED, 4096)
    thought = None if writer.form.thoughtless else THOUGHT
    row = writer.row(Spoken(ASKED, thought, REPLY))
    assert isinstance(row, Row)
    assert row.prompt == Renderer(made).render(ASKED).ids
    assert row.target[-1] == writer.form.end
    text = made.decode(row.target[:-1])
    split = split_reasoning(text, opened=writer.form.opened)
    assert (split.reply.strip(), (split.reasoning or "").strip()) == (REPLY, thought or "")
    assert made.decode(row.input_ids).count("So yes.") == (thought is not None)


@pytest.mark.parametrize(
    ("name", "opened", "end"),
    [
        ("qwen3", False, "<|im_end|>"),
        ("qwen2_5", False, "<|im_end|>"),
        ("llama3", False, "<|eot_id|>"),
        ("deepseek_r1_distill", True, "<｜end▁of▁sentence｜>"),
        ("gptoss", False, "<|return|>"),
    ],
)
def test_the_form_of_well_known_models(name: str, opened: bool, end: str) -> None:
    if name not in REAL:
        pytest.skip("trl is not installed: it brings the chat templates of many models")
    made = tokenizer(REAL[name].read_text("utf-8"))
    form = Writer(made, ASKED, 4096).form
    assert (form.opened, made.convert_ids_to_tokens(form.end)) == (opened, end)
