"""Local answers held to the JSON that a judge asks for."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.tiny_models import tiny_model, tiny_tokenizer

from lt_bench.backends.base import Request
from lt_bench.backends.transformers.backend import TransformersBackend
from lt_bench.backends.transformers.form import LONGEST, SchemaForms, bounded
from lt_bench.config import Sampling
from lt_bench.errors import RowError
from lt_bench.records import Message, Prompt, Turn

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[2]

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "correct": {"type": "boolean"}},
    "required": ["reason", "correct"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("models") / "llama", "llama")


def turns(
    folder: Path, schemas: list[dict[str, Any] | None], tokens: int = 512, **options: Any
) -> list[Turn]:
    """One turn for each schema, all asked at once."""

    async def main() -> list[Turn]:
        async with TransformersBackend(str(folder), options) as backend:
            requests = [
                Request(
                    Prompt(messages=(Message(role="user", content=f"question {n}?"),)),
                    Sampling(max_tokens=tokens),
                    f"row-{n}",
                    0,
                    schema,
                )
                for n, schema in enumerate(schemas)
            ]
            found = await asyncio.gather(*(backend.generate(one) for one in requests))
            return [one.turns[0] for one in found]

    return asyncio.run(main())


def test_a_model_that_knows_nothing_still_answers_in_form(llama: Path) -> None:
    (turn,) = turns(llama, [SCHEMA])
    found = json.loads(turn.reply)
    assert sorted(found) == ["correct", "reason"]
    assert isinstance(found["correct"], bool)
    assert len(found["reason"]) <= LONGEST
    assert turn.finish_reason == "stop"
    assert turn.usage is not None
    assert turn.usage.output <= 512


def test_rows_without_a_form_are_what_they_were_beside_rows_with_one(llama: Path) -> None:
    alone = turns(llama, [None, None, None], tokens=24)
    mixed = turns(llama, [None, SCHEMA, None], tokens=24)
    assert [mixed[0].raw, mixed[2].raw] == [alone[0].raw, alone[2].raw]
    assert mixed[1].raw != alone[1].raw
    assert mixed[1].raw.startswith('{"reason":"')


def test_it_can_be_switched_off_and_is_off_where_a_model_thinks(
    llama: Path, tmp_path: Path
) -> None:
    free = turns(llama, [None], tokens=24)[0].raw
    assert turns(llama, [SCHEMA], tokens=24, structured=False)[0].raw == free
    template = tmp_path / "thinking.jinja"
    template.write_text(
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        "<|im_start|>assistant\n{# may <think> #}"
    )
    thinking = {"chat_template": str(template)}
    free = turns(llama, [None], tokens=24, **thinking)[0].raw
    assert turns(llama, [SCHEMA], tokens=24, **thinking)[0].raw == free
    held = turns(llama, [SCHEMA], tokens=24, structured=True, **thinking)[0].raw
    assert held.startswith('{"reason":"')


def test_only_free_strings_are_bounded() -> None:
    schema = {
        "type": "object",
        "properties": {
            "free": {"type": "string"},
            "few": {"type": "string", "enum": ["a", "b"]},
            "own": {"type": "string", "maxLength": 5},
            "list": {"type": "array", "items": {"type": "string"}},
        },
    }
    found = bounded(schema)["properties"]
    assert found["free"]["maxLength"] == LONGEST
    assert found["few"] == schema["properties"]["few"]
    assert found["own"]["maxLength"] == 5
    assert found["list"]["items"]["maxLength"] == LONGEST


NOT = {"type": "string", "not": {"const": "x"}}


def test_a_schema_that_cannot_be_held_to_is_told_once_and_the_answer_is_free(
    llama: Path, caplog: pytest.LogCaptureFixture
) -> None:
    free = turns(llama, [None, None], tokens=12)
    found = turns(llama, [NOT, NOT], tokens=12)
    assert [turn.raw for turn in found] == [turn.raw for turn in free]
    assert caplog.text.count("cannot be held to their schema") == 1
    with pytest.raises(RowError, match="cannot be held to their schema") as raised:
        turns(llama, [NOT], tokens=12, structured=True)
    assert raised.value.kind == "bad_request"


def test_a_form_allows_what_its_grammar_allows_and_breaks_on_anything_else() -> None:
    import torch

    tokenizer = tiny_tokenizer()
    width = len(tokenizer) + 5
    form = SchemaForms(tokenizer, width).of({"enum": ["ab", "ac"]})()
    (quote,) = tokenizer.convert_tokens_to_ids(['"'])
    logits = torch.zeros(1, width)
    form.restrict(logits)
    allowed = {tokenizer.decode([place]) for place in logits[0].isfinite().nonzero().flatten()}
    assert allowed == {'"'}
    assert not form.take(quote)
    assert not form.take(quote), "no answer is complete that broke its form"
    with pytest.raises(ValueError, match="doesn't satisfy the grammar"):
        form.restrict(logits)


def test_holding_to_a_form_compiles_nothing(llama: Path) -> None:
    program = (
        "import sys; from pathlib import Path; sys.path += ['tests', 'tests/unit']\n"
        "from test_structured_local import SCHEMA, turns\n"
        f"(turn,) = turns(Path({str(llama)!r}), [SCHEMA], tokens=4)\n"
        "assert turn.raw.startswith('{'), turn.raw\n"
        "print('llguidance.torch' in sys.modules, 'torch._inductor.compile_fx' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split()[-2:] == ["False", "False"]
