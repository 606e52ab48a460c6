# SPDX-License-Identifier: Apache-2.0
"""What a call ran as: 'native', or an algorithm with its parameters, as ESPALIER_ALGORITHM has it behind the colon."""

from __future__ import annotations

import re
from dataclasses import dataclass

from espalier.failure import Failure
from espalier.words import bytes_of

NATIVE = "native"
NAME = re.compile(r"[a-z][a-z0-9_]*")
SMALLEST_SEGMENT, LARGEST_SEGMENT = 256, 1 << 30
DEFAULT_SEGMENT = 64 << 10
LIMITS = {"window": (1, 64), "radix": (2, 64)}


@dataclass(frozen=True)
class Choice:
    text: str
    algorithm: str
    segment: int | None = None  # bytes; 0: not cut; None: not said
    window: int = 4
    radix: int = 2

    @property
    def is_native(self) -> bool:
        return self.algorithm == NATIVE

    def segment_for(self, largest: int) -> int:
        """Into which messages of up to this many bytes are really cut; 0: they travel whole."""
        segment = DEFAULT_SEGMENT if self.segment is None else self.segment
        return segment if segment < largest else 0


def read(text: str) -> Choice:
    """Raises a ValueError for what is none."""
    name, *words = text.split(",")
    if not NAME.fullmatch(name) or (name == NATIVE and words):
        raise ValueError(f"'{text}' is no algorithm with parameters")
    values: dict[str, int] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key in values:
            raise ValueError(f"'{text}' says {key} twice")
        values[key] = number_of(key, value, text)
    return Choice(text, name, **values)


def number_of(key: str, value: str, text: str) -> int:
    if key == "segment":
        try:
            segment = bytes_of(key, value)
        except Failure:
            raise ValueError(f"'{text}': the segment is no size") from None
        if segment > LARGEST_SEGMENT:
            raise ValueError(f"'{text}': the segment is larger than 1GiB")
        if 0 < segment < SMALLEST_SEGMENT:
            raise ValueError(f"'{text}': the segment is smaller than {SMALLEST_SEGMENT} bytes; 0: not cut")
        return segment
    low, high = LIMITS.get(key, (1, 0))
    if not re.fullmatch(r"[0-9]{1,3}", value) or not low <= int(value) <= high:
        raise ValueError(f"'{text}' is no algorithm with parameters")
    return int(value)
