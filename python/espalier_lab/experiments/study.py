# SPDX-License-Identifier: Apache-2.0
"""What one of the studies is that `make bench-torus` and its like run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from espalier_lab.experiments.bounds import Bound
from espalier_lab.experiments.comparison import Comparison

TORUS = "torus:3x3x3"
Algorithms = Mapping[str, Sequence[str]]  # by collective


@dataclass(frozen=True)
class Study:
    name: str
    title: str
    comparisons: Sequence[Comparison]
    bound_of: Callable[[Comparison], Bound]
