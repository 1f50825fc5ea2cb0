"""Invented names, bijective with numbers, so that splits never share one and anchors never repeat."""

from __future__ import annotations

import math
import random
from hashlib import sha256

from lt_bench.errors import UsageError

ONSETS = ("b", "br", "d", "dr", "g", "gl", "h", "k", "l", "m", "n", "p", "r", "st", "t", "v")
VOWELS = ("a", "e", "i", "o", "u")
CODAS = ("l", "n", "r", "s", "th", "m", "nd", "rk", "x", "ck")
SPLITS = ("train", "test", "dev")
SYLLABLES = len(ONSETS) * len(VOWELS)
ANCHORS = SYLLABLES**3 * len(CODAS) // len(SPLITS)
"""How many anchors a split has, and so how many rows."""

_GIVEN = (
    "Ada Anton Bela Bruno Cara Cyril Dana Dario Edda Emil Fenna Filip Gerda Goran Hanna Hugo "
    "Ilka Ivo Jana Jonas Katia Konrad Lena Ludo Mara Milan Nadia Nils Oda Oskar Petra Piet "
    "Quirin Rosa Rafael Sanna Stefan Tilda Tomas Ulla Urban Vera Viktor Wanda Willem Xenia "
    "Yara Yuri Zita Zoran"
)
GIVEN = tuple(_GIVEN.split())
WORDS = frozenset(
    (
        "River",
        "Taken",
        "Began",
        "Gives",
        "Names",
        "Novel",
        "Lives",
        "Later",
        "States",
        "Given",
        "Rival",
        "Paper",
        "Heron",
    )
)
"""Words of the sentences that are also spellings; like given names, they are no roots."""


def spell(number: int, syllables: int) -> str:
    """A name for each number below SYLLABLES ** syllables * len(CODAS), all different.

    Consonants and vowels alternate in groups, so that a name can be read back in one way only.
    """
    number, coda = divmod(number, len(CODAS))
    parts = []
    for _ in range(syllables):
        number, syllable = divmod(number, SYLLABLES)
        onset, vowel = divmod(syllable, len(VOWELS))
        parts.append(ONSETS[onset] + VOWELS[vowel])
    return ("".join(parts) + CODAS[coda]).capitalize()


def split_number(split: str) -> int:
    """The place of a split in `SPLITS`.

    Raises:
        UsageError: the generator has no such split.
    """
    if split not in SPLITS:
        raise UsageError(f"unknown split {split!r}", f"known: {', '.join(SPLITS)}")
    return SPLITS.index(split)


def seeded(*parts: object) -> random.Random:
    """A source of draws that depends on nothing but `parts`."""
    text = "|".join(str(part) for part in parts)
    return random.Random(int.from_bytes(sha256(text.encode()).digest()[:16], "big"))


def anchor_root(split: str, seed: int, index: int) -> str:
    """The root of the name that row `index` asks about: three syllables, once in a split."""
    if index >= ANCHORS:
        raise UsageError(f"a split has at most {ANCHORS:,} rows", "ask for fewer")
    draw = seeded("anchor", seed, split)
    step, shift = draw.randrange(1, ANCHORS), draw.randrange(ANCHORS)
    while math.gcd(step, ANCHORS) != 1:
        step += 1
    return spell(len(SPLITS) * ((step * index + shift) % ANCHORS) + split_number(split), 3)


class Names:
    """Roots of two syllables for one row, none of them twice."""

    def __init__(self, split: str) -> None:
        self.offset = split_number(split)
        self.used: set[str] = set()

    def root(self, draw: random.Random) -> str:
        choices = SYLLABLES**2 * len(CODAS) // len(SPLITS)
        while True:
            name = spell(len(SPLITS) * draw.randrange(choices) + self.offset, 2)
            if name not in self.used and name not in WORDS and name not in GIVEN:
                self.used.add(name)
                return name
