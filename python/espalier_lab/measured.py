# SPDX-License-Identifier: Apache-2.0
"""What the rows of all benchmarks begin with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """Calls of one kind."""

    lab: str  # where
    mpi: str
    collective: str
    bytes: int
    ranks: int
    variant: str  # by which algorithm


@dataclass(frozen=True)
class Timed(Measured):
    """With the time that one takes."""

    median_s: float
    q1_s: float
    q3_s: float
    repeats: int
