"""What `lm-eval --metadata` may set, the prompts it sends, and the command that names its folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from support.warm import lt_bench

from lt_bench.errors import UsageError
from lt_bench.integrations.lm_eval import TASKS
from lt_bench.integrations.lm_eval.prompts import messages_of, sent
from lt_bench.integrations.lm_eval.scoring import finished
from lt_bench.integrations.lm_eval.settings import settings_of
from lt_bench.records import Message, Prompt


def test_a_file_may_be_for_every_task_or_for_one() -> None:
    assert settings_of({"data": "rows.jsonl"}, "musique").data == Path("rows.jsonl")
    by_name = {"data": {"musique": "m.jsonl", "lt_commerce_qa": "c.jsonl"}}
    assert settings_of(by_name, "musique").data == Path("m.jsonl")
    assert settings_of(by_name, "commerce_qa").data == Path("c.jsonl")
    assert settings_of(by_name, "tool_dialogue").data is None


def test_options_are_the_tasks_own_and_keys_of_the_model_are_passed_over() -> None:
    given = {"options": {"extract": "none"}, "pretrained": "models/x", "dtype": "float32"}
    found = settings_of(given, "musique")
    assert found.options == {"extract": "none"}
    assert found.tokenizer == "models/x"
    assert settings_of({**given, "tokenizer": "t"}, "musique").tokenizer == "t"


@pytest.mark.parametrize("given", [{"data": 3}, {"data": ["a"]}, {"options": "extract"}])
def test_settings_of_another_kind_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--metadata"):
        settings_of(given, "musique")


def test_the_folder_holds_one_declaration_a_task_and_nothing_else(tmp_path: Path) -> None:
    done = lt_bench("lm-eval-path", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{TASKS}\n")
    names = {path.name for path in TASKS.iterdir() if path.name != "__pycache__"}
    assert names == {"lt_commerce_qa.yaml", "lt_musique.yaml", "lt_tool_dialogue.yaml"}


def test_printing_the_folder_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['lt-bench', 'lm-eval-path']\n"
        "from lt_bench.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('torch', 'transformers', 'lm_eval', 'datasets') if m in sys.modules])"
    )
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


PROMPT = Prompt(
    messages=(Message(role="system", content="Be brief."), Message(role="user", content="Why?"))
)


def test_a_base_model_reads_a_transcript() -> None:
    assert sent(messages_of(PROMPT), None).context == "Be brief.\n\nUser: Why?\nAssistant:"


def test_a_template_that_drops_the_system_message_gets_it_with_the_question() -> None:
    def users_only(messages: Any) -> str:
        return "".join(f"[{one['content']}]" for one in messages if one["role"] == "user")

    assert sent(messages_of(PROMPT), users_only).context == "[Be brief.\n\nWhy?]"


def test_a_think_block_that_the_template_opens_is_noticed() -> None:
    def thinking(messages: Any) -> str:
        return "".join(one["content"] for one in messages) + "<|assistant|>\n<think>\n"

    assert sent(messages_of(PROMPT), thinking).opened
    assert not sent(messages_of(PROMPT), lambda messages: str(messages)).opened


@pytest.mark.model
@pytest.mark.parametrize(
    "template", ["chatml", "think", "no_system", "drops_system", "with_bos", None]
)
def test_the_prompt_is_the_text_that_our_own_backend_sends(template: str | None) -> None:
    from support.tiny_models import tiny_tokenizer

    from lt_bench.backends.transformers.prompting import Renderer

    tokenizer = tiny_tokenizer(template)

    def of_lm_eval(messages: Any, tools: None = None) -> str:
        """As its hf models do: a template that refuses the system message goes without."""
        from jinja2.exceptions import TemplateError

        given = {"tokenize": False, "add_generation_prompt": True}
        try:
            return str(tokenizer.apply_chat_template(messages, **given))
        except TemplateError:
            rest = [one for one in messages if one["role"] != "system"]
            return str(tokenizer.apply_chat_template(rest, **given))

    found = sent(messages_of(PROMPT), of_lm_eval if template else None)
    ours = Renderer(tokenizer).render(PROMPT)
    assert (found.context, found.opened) == (ours.text, ours.opened)


def test_tools_are_told_in_words() -> None:
    tool = {"type": "function", "function": {"name": "check_stock", "parameters": {}}}
    found = messages_of(PROMPT.model_copy(update={"tools": (tool,)}))
    assert "check_stock" in found[0].content
    assert "<tool_call>" in found[0].content


def test_a_scorer_that_waits_is_refused() -> None:
    import asyncio

    async def waits() -> None:
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="asks a model"):
        finished(waits())
