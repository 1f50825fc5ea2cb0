"""Runs made elsewhere: a log of another harness becomes a run folder like any other.

    format.read(FILE) -> Log ──> matched to the rows of a task ──> generations.jsonl ──> scores, card

What a log does not tell is not made up: an answer without a count has none, and one of which nobody says
whether the cap cut it says so (note `end_unknown`).
"""
