# SPDX-License-Identifier: Apache-2.0
"""What a context is called, in one line."""

from __future__ import annotations

from espalier import units
from espalier.contexts import NO_ROOT, Context, Facts

ROOTED = ("bcast", "reduce", "gather", "scatter")
REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "scan", "exscan")


def name_of(context: Facts) -> str:
    """'allreduce of 64 KiB among 16 ranks'."""
    size = f" of {size_of(context)}" if has_data(context) else ""
    return f"{context.collective}{size} among {units.plural(context.ranks, 'rank')}"


def has_data(context: Facts) -> bool:
    return context.collective != "barrier"


def size_of(context: Facts) -> str:
    if not has_data(context):
        return "-"
    return units.size_class_text(context.bytes, max(context.bytes, context.bytes_high))


def rooted_at(context: Facts) -> int | None:
    return context.root if context.root != NO_ROOT and context.collective in ROOTED else None


def details_of(context: Context) -> str:
    """What tells it from others of that name."""
    whose = f" led by rank {context.leader}" if context.leader else ""
    words = [f"communicator {context.communicator}{whose}"]
    root = rooted_at(context)
    if root is not None:
        words.append(f"root {root}")
    if context.arithmetic and context.collective in REDUCTIONS:
        words.append(context.arithmetic.replace("_", " ") + " arithmetic")
    if context.uneven:
        words.append("blocks of different sizes")
    return ", ".join(words)


def reference_name(context: Context) -> str:
    """What all is measured by."""
    return context.reference.name if context.reference else "native"
