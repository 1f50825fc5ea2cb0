"""What the metrics of the shipped tasks are, in a line each, for whoever looks at a board first."""

from __future__ import annotations

from typing import Final

MEANS: Final = {
    "correctness": "replies without a wrong or unsupported statement that say what was asked",
    "helpfulness": "replies that answer the question, with what a viewer needs beside it",
    "correct_and_helpful": "replies that are both",
    "em": "exact match with a gold answer, after normalisation",
    "f1": "overlap of words with the best gold answer",
    "support_f1": "paragraphs named as evidence against those that are",
    "tpr": "tokens per response: all output tokens, reasoning and markup included",
    "tflop_paper": "work of a response as the papers count it: 2 x active parameters x output tokens",
    "tflop_exact": "work of a response, every matrix product of prefill and decode counted",
    "truncated": "answers cut at the limit of tokens",
    "task_success": "dialogues with the right end state and answer, by calls where some are wanted",
    "pass_k": "rows of which all k samples succeed",
    "tool_f1": "calls against gold calls, one to one",
    "no_call_accuracy": "rows that want no call, and got none",
    "over_calling": "dialogues with a call that nobody wanted",
    "under_calling": "dialogues that lack a wanted call",
    "answer_correctness": "last replies that say what they must and nothing that they must not",
}
"""Metric -> its meaning. docs/card.md has them in full; metrics of tasks elsewhere have none here."""
