"""A judge of the tests' own, and what it is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lt_bench.judge import Judge, Subject
from lt_bench.judge.subject import Evidence

YES, NO = '{"reason": "so it says", "correct": true}', '{"reason": "no", "correct": false}'

DECLARED = """\
name: right
version: 1
summary: Is it right?
metric: correctness
labels:
  correct: {says: true, value: 1.0}
  incorrect: {says: false, value: 0.0}
  elsewhere: {says: elsewhere, value: null}
answer: {form: json, field: correct}
sampling: {temperature: 0.0, max_tokens: 100}
"""
PROMPT = """\
[system]
You judge replies. The nonce is {{ nonce }}.
[user]
{{ evidence }}
{{ question }}
{{ reply }}
"""


def declared(folder: Path, prompt: str = PROMPT, **sampling: Any) -> Judge:
    """A judge with the labels correct, incorrect and elsewhere."""
    home = folder / "right"
    home.mkdir(parents=True, exist_ok=True)
    (home / "judge.yaml").write_text(DECLARED)
    (home / "prompt.md").write_text(prompt)
    return Judge(home, sampling)


def about(reply: str = "It is red.") -> Subject:
    """A reply about one document."""
    document = Evidence("d1", "product", "Kettle", "The kettle is red.")
    return Subject(question="Which colour?", reply=reply, documents=(document,))
