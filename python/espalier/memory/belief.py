# SPDX-License-Identifier: Apache-2.0
"""How far what was learnt can be believed: logarithms of times have normal distributions."""

from __future__ import annotations

import math

from espalier.memory.contents import Candidate, Context


def rival_of_best(context: Context) -> Candidate | None:
    """Whom the best one is compared with: the native MPI, or, if that is the best, the next one."""
    others = [one for one in context.candidates[1:] if one.seconds > 0]
    if context.best.seconds <= 0:
        return None
    if context.best.choice.is_native:
        return min(others, key=lambda one: one.seconds, default=None)
    return next((one for one in others if one.choice.is_native), None)


def times_faster(one: Candidate, other: Candidate) -> float:
    return other.seconds / one.seconds


def probability_faster(one: Candidate, other: Candidate) -> float:
    """That the first one's mean time is the shorter one."""
    difference = math.log(other.seconds / one.seconds)
    sd = math.hypot(one.sd, other.sd)
    if sd == 0:
        return 1.0 if difference > 0 else 0.5 if difference == 0 else 0.0
    return 0.5 * (1 + math.erf(difference / (sd * math.sqrt(2))))
