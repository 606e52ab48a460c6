# SPDX-License-Identifier: Apache-2.0
"""What users write: lists, sizes, and words of which only some are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from espalier.failure import Failure

UNITS = {"": 0, "KiB": 10, "MiB": 20, "GiB": 30}


def listed(values: Iterable[str] | str | None) -> list[str]:
    """The words of a list with commas, of an option that was given several times, or of both."""
    texts = [values] if isinstance(values, str) else values or []
    return [word for text in texts for word in text.split(",") if word]


def matches(word: str, patterns: Iterable[str]) -> bool:
    """Whether it is one of these, in which * stands for any letters."""
    return any(fnmatchcase(word, pattern) for pattern in patterns)


def nearest(word: str, allowed: Sequence[str]) -> str:
    """The word that was most likely meant; empty if none is near."""
    return next(iter(get_close_matches(word, allowed, n=1)), "")


def advice(word: str, allowed: Sequence[str]) -> str:
    """What can be said of a word that is not among those allowed."""
    near = nearest(word, allowed)
    return f"did you mean {near}?" if near else f"allowed: {', '.join(allowed)}"


def checked(option: str, words: Iterable[str], allowed: Sequence[str]) -> list[str]:
    """These words, if all of them are allowed."""
    result = list(words)
    for word in result:
        if word not in allowed:
            raise Failure(f"{option} {word}: unknown; {advice(word, allowed)}")
    return result


def numbers_of(option: str, words: Iterable[str]) -> list[int]:
    """Whole numbers, of 0 or more."""
    result = []
    for word in words:
        if not re.fullmatch(r"[0-9]{1,9}", word):
            raise Failure(f"{option} {word}: not a number; allowed: whole numbers")
        result.append(int(word))
    return result


def bytes_of(option: str, text: str) -> int:
    """'64KiB' -> 65536; the same sizes as in settings."""
    match = re.fullmatch(r"(\d+)(|KiB|MiB|GiB)", text)
    if not match:
        raise Failure(f"{option} {text}: not a size; allowed: a whole number of bytes, or of KiB, MiB or GiB")
    return int(match.group(1)) << UNITS[match.group(2)]
