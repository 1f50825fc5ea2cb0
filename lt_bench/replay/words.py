"""Codes of records in words, for people who look at rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lt_bench.records import Note
from lt_bench.replay.diagnosis import Code

NAMES: Final[Mapping[Code, str]] = {
    "unanswered": "not answered",
    "failed": "failed",
    "truncated": "truncated",
    "leak": "leak",
    "needless_refusal": "needless refusal",
    "unsupported": "unsupported",
    "evasive": "evasive",
    "wrong": "wrong",
    "unscored": "not scored",
    "long": "long",
    "right": "right",
}

VERDICTS: Final[Mapping[str, str]] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_in_documents": "not in the evidence",
    "not_a_claim": "no claim",
}
"""Of claims."""

NOTES: Final[Mapping[Note, str]] = {
    "open_tag_implied": "the prompt opened the thinking, the answer only closed it",
    "several_blocks": "it thought in several blocks; they were joined",
    "quoted_tag": "a thinking tag stands in quotation marks or code and was taken as a word",
    "empty_thinking": "the thinking is empty",
    "unclosed_stop": "it stopped inside its thinking",
    "unclosed_length": "the cap cut it inside its thinking",
    "leaked_channels": "channel names without their marks are in the text",
    "unknown_family": "markup of thinking of an unknown kind",
    "system_merged": "the system message was put into the user's",
    "empty_answer": "the answer is empty",
    "reasoning_uncounted": "the provider did not count the thinking",
    "retokenized": "tokens were counted from the text again",
    "token_drift": "counts of the provider and of the tokenizer differ",
    "stop_cut": "a stop string cut the reply",
    "injection_suspected": "the reply seems to speak to the judge",
    "votes_split": "the judges' votes were split",
    "malformed_call": "a tool call is not valid JSON",
    "unknown_tool": "it called a tool that is not offered",
    "turns_exhausted": "the dialogue reached its cap of turns",
    "context_full": "the dialogue became longer than the model's context",
    "tools_as_text": "the template knows no tools; they were told in words",
    "end_unknown": "made elsewhere, and nobody says whether the cap cut it",
}
