# SPDX-License-Identifier: Apache-2.0
"""Sizes between those that were tuned.

Where the order of additions shows in the bits, what was learnt holds for one size alone. Widened, it holds for those
around it, too: up to the geometric mean with the next size of the same kind, below the smallest one down to 1 byte,
and above the largest one up to four times that. What holds for many sizes already stays as it is.
"""

from __future__ import annotations

from math import isqrt
from typing import Any

from espalier.memory.contents import REDUCTIONS, Context, Memory
from espalier.older_python import zipped

ABOVE = 4


def kind_of(context: Context) -> tuple[object, ...]:
    return (context.collective, context.root, context.element_bytes, context.arithmetic, context.uneven)


def is_single(context: Context) -> bool:
    shows = context.collective in REDUCTIONS and context.arithmetic != "exact"
    return shows and 0 < context.bytes_low == context.bytes_high


def widened(memory: Memory) -> dict[str, Any]:
    """The file's values."""
    raw = [
        {**values, **range_of(context, memory)} if is_single(context) else values
        for values, context in zipped(memory.raw.get("context", []), memory.contexts)
    ]
    return {**memory.raw, "context": raw} if raw else memory.raw


def range_of(context: Context, memory: Memory) -> dict[str, int]:
    size = context.bytes_low
    others = [one for one in memory.contexts if one is not context and kind_of(one) == kind_of(context)]
    if any(one.bytes_low <= size <= one.bytes_high for one in others):
        return {}  # the library prefers what is of one size
    below = max((one for one in others if one.bytes_high < size), key=lambda one: one.bytes_high, default=None)
    above = min((one for one in others if one.bytes_low > size), key=lambda one: one.bytes_low, default=None)
    low = (middle(below.bytes_low, size) if is_single(below) else below.bytes_high) + 1 if below else 1
    high = (middle(size, above.bytes_low) if is_single(above) else above.bytes_low - 1) if above else ABOVE * size
    return {"bytes_low": low, "bytes_high": high}


def middle(low: int, high: int) -> int:
    """The last size that is as near to the lower one, by how many times larger or smaller they are."""
    return isqrt(low * high)
