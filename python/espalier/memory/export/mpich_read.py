# SPDX-License-Identifier: Apache-2.0
"""Walks trees of rules as MPICH does, to look whether what was made says what it is to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from espalier.memory.export.mpich_forms import Branch

Leaf = tuple[str, frozenset[str]]  # an algorithm or composition, and its parameters


@dataclass(frozen=True)
class Call:
    ranks: int
    size: int  # as its function measures messages
    built_in: bool = True
    commutes: bool = True
    long: bool = True
    in_place: bool = False


def chosen(branch: Branch, call: Call, default: tuple[Branch, ...]) -> Union[Leaf, None]:
    """None: one of `default` was reached, so MPICH does as without rules. Raises a ValueError where it would find
    nothing, or where something else is asked."""
    while branch not in default:
        if isinstance(branch, str) or not branch:
            raise ValueError("nothing is chosen")
        leaf = leaf_of(branch)
        if leaf is not None:
            return leaf
        branch = next((part for key, part in branch.items() if holds(key, call)), "")
    return None


def leaf_of(branch: Branch) -> Union[Leaf, None]:
    if isinstance(branch, str) or not branch:
        return None
    key, part = next(iter(branch.items()))
    if not key.startswith(("algorithm=", "composition=")) or isinstance(part, str):
        return None
    return key.partition("=")[2], frozenset(part)


def holds(key: str, call: Call) -> bool:
    if key == "any" or key.endswith("=any"):
        return True
    for measure, value in (("comm_size", call.ranks), ("avg_msg_size", call.size), ("total_msg_size", call.size)):
        number = key.removeprefix(f"{measure}<=")
        if number != key:
            return value <= int(number)
    facts = {
        "is_op_built_in=yes": call.built_in,
        "is_op_built_in=no": not call.built_in,
        "builtin_op": call.built_in,
        "is_commutative=yes": call.commutes,
        "is_commutative=no": not call.commutes,
        "commutative": call.commutes,
        "count<pow2": not call.long,
        "count_ge_pof2": call.long,
        "is_sendbuf_inplace=yes": call.in_place,
        "is_sendbuf_inplace=no": not call.in_place,
        "inplace": call.in_place,
    }
    if key not in facts:
        raise ValueError(f"{key} is asked")
    return facts[key]
