"""What several people together say of one reply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, get_args

from lt_bench.records import HumanLabel

LabelField = Literal["correct", "helpful"]
"""What a person judges of a reply: a field of HumanLabel."""
FIELDS: Final[tuple[LabelField, ...]] = get_args(LabelField)


def consensus(labels: Iterable[HumanLabel], field: LabelField) -> bool | None:
    """What more than half of those say who said anything; None when they tie or nobody did.

    Two people decide only together; a third one settles what they dispute.
    """
    said = votes(labels, field)
    yes = sum(said)
    return None if 2 * yes == len(said) else 2 * yes > len(said)


def is_disputed(labels: Iterable[HumanLabel], field: LabelField) -> bool:
    """Whether people said something and have no majority: the reply has no label of them all."""
    said = votes(labels, field)
    return bool(said) and 2 * sum(said) == len(said)


def is_unanimous(labels: Iterable[HumanLabel], field: LabelField) -> bool:
    """Whether nobody contradicts anybody, which holds for silence too."""
    return len(set(votes(labels, field))) < 2


def votes(labels: Iterable[HumanLabel], field: LabelField) -> list[bool]:
    """Every yes and no on this field; who did not say is not in it."""
    said = (getattr(label, field) for label in labels)
    return [bool(vote) for vote in said if vote is not None]
