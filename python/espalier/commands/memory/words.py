# SPDX-License-Identifier: Apache-2.0
"""What was learnt, in words."""

from espalier import units
from espalier.memory import belief
from espalier.memory.contents import ARITHMETICS, ROOTED, Context, Memory


def mpi_text(memory: Memory) -> str:
    """The rest says how it was built."""
    first = memory.mpi.partition(",")[0].partition("\n")[0]
    return " ".join(first.split())[:40]


def age_text(seconds: float) -> str:
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return units.plural(int(seconds // size), word)
    return "now"


def collective_text(context: Context) -> str:
    words = [context.collective]
    words += [f"root {context.root}"] if context.collective in ROOTED and context.root else []
    words += ["uneven"] if context.uneven else []
    words += [f"({ARITHMETICS[context.arithmetic]})"] if context.arithmetic == "rank_order" else []
    words += ["(floating point)"] if context.arithmetic == "commutative" else []
    return " ".join(words)


def certainty(context: Context) -> tuple[str, str]:
    rival = belief.rival_of_best(context)
    if rival is None:
        return "-", "-"
    faster = f"{belief.times_faster(context.best, rival):.2f}x"
    probability = belief.probability_faster(context.best, rival)
    sure = ">99.9%" if probability > 0.999 else f"{probability:.1%}"
    return f"({faster})" if context.best.choice.is_native else faster, sure


def best_text(context: Context) -> str:
    """In words that a table may break."""
    return context.best.choice.text.replace(",", " ")


def message_text(context: Context) -> str:
    return units.size_class_text(context.bytes_low, context.bytes_high) if context.bytes_high else "-"
