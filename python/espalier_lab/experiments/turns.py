# SPDX-License-Identifier: Apache-2.0
"""About how long a comparison in turns takes, by how often bench/network makes each call."""

from espalier_lab.experiments.bounds import Bound
from espalier_lab.experiments.comparison import KIB, MIB, Comparison

FORCED = "forced:*"
# Of the MPI's own algorithms: how many an MPI has, each of which is tried once, and how many are repeated.
FORCED_TRIED, FORCED_REPEATED = 9, 2

# What a call takes next to its bound: of those that are repeated, and of the others.
REPEATED_OVER_BOUND, TRIED_OVER_BOUND = 2.5, 6.0


def calls_in_train(comparison: Comparison, size: int) -> int:
    if not comparison.trains or size < 4 * KIB or size >= 4 * MIB:
        return 1
    return 4 if size >= MIB // 2 else 12


def repeated_calls(comparison: Comparison, size: int) -> int:
    variants = sum(FORCED_REPEATED if name == FORCED else 1 for name in comparison.variants)
    repeats = comparison.repeats if size < MIB // 2 else (comparison.repeats + 1) // 2
    return variants * repeats * calls_in_train(comparison, size)


def tried_calls(comparison: Comparison) -> int:
    """Once each: the MPI's own algorithms, and to make connections."""
    return sum(FORCED_TRIED if name == FORCED else 1 for name in comparison.variants)


def seconds_in_turns(comparison: Comparison, bound: Bound, call_seconds: float) -> float:
    """`call_seconds`: what a call takes of this machine's processors."""
    return sum(
        repeated_calls(comparison, size) * (call_seconds + REPEATED_OVER_BOUND * bound(comparison.collective, size))
        + tried_calls(comparison) * (call_seconds + TRIED_OVER_BOUND * bound(comparison.collective, size))
        for size in comparison.sizes
    )
