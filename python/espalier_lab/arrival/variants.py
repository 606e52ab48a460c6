# SPDX-License-Identifier: Apache-2.0
"""The variants that are compared where ranks arrive late.

native              what the MPI chooses
forced:...          one of its own algorithms
binomial            a tree of Espalier's; each rank stands where its number puts it (of an all-reduction: `chain`)
swap                that tree; ranks are exchanged pair by pair, as in the paper
order               that tree; ranks are arranged by when they arrive, at once
ideal               that tree, arranged from the beginning as suits the delays best
espalier            what Espalier does without a setting
"""

from collections.abc import Sequence

from espalier.words import matches

NATIVE, FORCED, SWAP, ORDER, IDEAL, DEFAULT = "native", "forced", "swap", "order", "ideal", "espalier"
BINOMIAL, CHAIN = "binomial", "chain"
LEARNING = (SWAP, ORDER, DEFAULT)  # who arrives late

# Messages stay whole, as in the paper, but where that makes no sense.
TREES = {"bcast": "knomial,segment=0", "reduce": "binomial,segment=0", "allreduce": "chain"}
COLLECTIVES = tuple(TREES)


def plain(collective: str) -> str:
    """The tree in which nobody is arranged."""
    return CHAIN if collective == "allreduce" else BINOMIAL


def is_plain(variant: str) -> bool:
    return variant in (BINOMIAL, CHAIN)


def is_forced(variant: str) -> bool:
    return variant.partition(":")[0] == FORCED


def kind_of(variant: str) -> str:
    """As it is asked for, and as tables call it: 'forced' of all that are."""
    return FORCED if is_forced(variant) else variant


def every(collective: str) -> tuple[str, ...]:
    """In the order of the tables. The paper's exchanges are for broadcasts."""
    return (NATIVE, FORCED, *trees(collective), IDEAL, DEFAULT)


def trees(collective: str) -> tuple[str, ...]:
    """The same one, without and with ranks that are arranged as they come."""
    swap = (SWAP,) if collective == "bcast" else ()
    return (plain(collective), *swap, ORDER)


def wanted(every: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Of these, what users named, with * for any letters; all, if they named nothing."""
    return [one for one in every if not patterns or matches(one, patterns)]


def algorithm_of(variant: str, collective: str, ideal: Sequence[int] = (), swap: str = SWAP) -> str:
    """As a setting forces it. `ideal`: the ranks by place; `swap`: in which of the paper's settings."""
    arrange = {IDEAL: "/".join(map(str, ideal)), SWAP: swap}.get(variant, variant)
    return TREES[collective] + (f",arrange={arrange}" if variant in (SWAP, ORDER, IDEAL) else "")


def in_program(variant: str, collective: str) -> str:
    """As bench/late calls it."""
    if variant in (NATIVE, DEFAULT) or is_forced(variant):
        return variant
    if variant == IDEAL:
        return f"ideal:{TREES[collective]}"
    return f"espalier:{algorithm_of(variant, collective)}"
