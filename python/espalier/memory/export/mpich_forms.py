# SPDX-License-Identifier: Apache-2.0
"""How MPICH writes its rules for choosing: as trees whose keys are asked one after the other, in one of two forms.

Up to 5.0 there are two files, one for algorithms and one for how a collective is made of them. From 5.1 on there is
one, of named trees; only the tree that is given replaces MPICH's own of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Union

from espalier.memory.export.mpich_counterparts import NO_TOPOLOGY, Algorithm

Tree = dict[str, "Branch"]
Branch = Union[Tree, str]  # a text calls another tree: "call=bcast-intra-auto"

MAIN = "name=main"
MEASURES = {
    **dict.fromkeys(("bcast", "reduce", "allreduce", "alltoall"), "avg_msg_size"),
    **dict.fromkeys(("allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"), "total_msg_size"),
}


@dataclass(frozen=True, eq=False)
class Form:
    """`guards`: for what must hold of a call, the key where it does, or does not, and then the key of all others.
    `all_parameters`: MPICH takes no algorithm with more than it asks for."""

    name: str
    guards: Mapping[str, tuple[str, bool, str]]
    any_size: str  # {} stands for the measure
    any_communicator: str

    def guarded(self, guards: tuple[str, ...], ours: Branch, default: Branch) -> Branch:
        """`ours` where all of them hold."""
        for guard in reversed(guards):
            first, is_ours, rest = self.guards[guard]
            ours = {first: ours if is_ours else default, rest: default if is_ours else ours}
        return ours

    def parameters(self, algorithm: Algorithm) -> tuple[str, ...]:
        if self is ONE_FILE:
            return tuple(word for word in algorithm.parameters if word not in NO_TOPOLOGY)
        return algorithm.parameters


TWO_FILES = Form(
    "the form of MPICH 4 and 5.0",
    {
        "built_in": ("is_op_built_in=no", False, "is_op_built_in=yes"),
        "commutes": ("is_commutative=no", False, "is_commutative=yes"),
        "long": ("count<pow2", False, "count=any"),
        "not_in_place": ("is_sendbuf_inplace=yes", False, "is_sendbuf_inplace=no"),
    },
    "{}=any",
    "comm_size=any",
)
ONE_FILE = Form(
    "the form of MPICH 5.1",
    {
        "built_in": ("builtin_op", True, "any"),
        "commutes": ("commutative", True, "any"),
        "long": ("count_ge_pof2", True, "any"),
        "not_in_place": ("inplace", False, "any"),
    },
    "any",
    "any",
)
