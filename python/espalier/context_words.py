# SPDX-License-Identifier: Apache-2.0
"""What a context is called, in one line."""

from espalier import output
from espalier.contexts import NO_ROOT, Context, Facts


def name_of(context: Facts) -> str:
    """'allreduce of 64 KiB among 16 ranks'."""
    size = "" if context.collective == "barrier" else f" of {output.bytes_text(context.bytes)}"
    return f"{context.collective}{size} among {output.plural(context.ranks, 'rank')}"


def details_of(context: Context) -> str:
    """What tells it from others of that name."""
    words = [f"communicator {context.communicator}"]
    if context.root != NO_ROOT:
        words.append(f"root {context.root}")
    if context.arithmetic:
        words.append(context.arithmetic.replace("_", " ") + " arithmetic")
    if context.uneven:
        words.append("blocks of different sizes")
    return ", ".join(words)


def reference_name(context: Context) -> str:
    """What all is measured by."""
    return context.reference.name if context.reference else "native"
