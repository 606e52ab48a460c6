# SPDX-License-Identifier: Apache-2.0
"""Looks whether trees for MPICH say what they are to say, and nothing that its code has wrong."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from espalier.memory.export import mpich_read
from espalier.memory.export.checked import mistake, rule_for, sizes_around, sizes_of
from espalier.memory.export.mpich_counterparts import LARGEST_SIZE, Algorithm
from espalier.memory.export.mpich_forms import MAIN, ONE_FILE, TWO_FILES, Branch, Form, Tree
from espalier.memory.export.mpich_read import Call, Leaf
from espalier.memory.export.mpich_rules import ONE_STEP, specialised, tree_of
from espalier.memory.export.openmpi_counterparts import is_power_of_two
from espalier.memory.export.rules import Rules

# What MPICH's own list of its algorithms says that they need.
NEEDS = {
    "MPIR_Allgather_intra_recursive_doubling": {"power_of_two"},
    "MPIR_Allgatherv_intra_recursive_doubling": {"power_of_two"},
    "MPIR_Allreduce_intra_reduce_scatter_allgather": {"built_in", "long"},
    "MPIR_Allreduce_intra_ring": {"commutes"},
    "MPIR_Allreduce_intra_tree": {"commutes"},
    "MPIR_Alltoall_intra_brucks": {"not_in_place"},
    "MPIR_Alltoall_intra_k_brucks": {"not_in_place"},
    "MPIR_Alltoall_intra_pairwise": {"not_in_place"},
    "MPIR_Alltoall_intra_scattered": {"not_in_place"},
    "MPIR_Reduce_intra_reduce_scatter_gather": {"built_in", "long"},
    "MPIR_Reduce_scatter_intra_recursive_halving": {"commutes"},
    "MPIR_Reduce_scatter_block_intra_recursive_halving": {"commutes"},
}


def check_algorithms(text: str, own: Tree, rules: Rules[Algorithm], ranks: int, form: Form) -> None:
    made = json.loads(text)
    for function in rules.functions:
        defaults = defaults_of(own, function, ranks, form)
        for call in calls_of(rules, function, ranks):
            found = walked(branch_of(made, function, form), call, defaults)
            wanted = wanted_of(call, rules, function, ranks, form)
            if found != wanted and not (found is None and wanted in map(mpich_read.leaf_of, defaults)):
                raise mistake(f"{function}: {found or 'its own rule'} runs {call}, not {wanted or 'its own rule'}")
            if found:
                check_is_right(found[0], call)


def check_compositions(text: str, own: Tree, rules: Rules[Algorithm], ranks: int) -> None:
    """Wherever there is a rule there is one step alone, and else what there was."""
    made = json.loads(text)
    for function in rules.functions:
        if function not in ONE_STEP:
            continue
        defaults = defaults_of(own, function, ranks, TWO_FILES)
        for call in calls_of(rules, function, ranks):
            found = walked(branch_of(made, function, TWO_FILES), call, defaults)
            is_ours = call.ranks == ranks and rule_for(rules, function, call.size) is not None
            if found and (not is_ours or found[0] != ONE_STEP[function]):
                raise mistake(f"{function}: {found[0]} makes {call}")


def branch_of(tree: Tree, function: str, form: Form) -> Branch:
    if form is ONE_FILE:
        return tree_of(tree.get(MAIN, tree), function)[f"collective={function}-intra"]
    return tree_of(tree[f"collective={function}"], function)["comm_type=intra"]


def defaults_of(own: Tree, function: str, ranks: int, form: Form) -> tuple[Branch, ...]:
    """What MPICH's own rules are where they are left in: as they were, and for this many ranks."""
    branch = branch_of(own, function, form)
    return (branch,) if isinstance(branch, str) else (branch, specialised(branch, ranks))


def walked(made: Branch, call: Call, defaults: tuple[Branch, ...]) -> Leaf | None:
    try:
        return mpich_read.chosen(made, call, defaults)
    except ValueError as error:
        raise mistake(f"{call}: {error}") from None


def wanted_of(call: Call, rules: Rules[Algorithm], function: str, ranks: int, form: Form) -> Leaf | None:
    rule = rule_for(rules, function, call.size)
    if rule is None or call.ranks != ranks:
        return None
    facts = facts_of(call)
    guards = (*rule.native.guards, *(["not_in_place"] if function == "alltoall" else []))
    return (rule.native.name, frozenset(form.parameters(rule.native))) if all(facts[one] for one in guards) else None


def check_is_right(name: str, call: Call) -> None:
    facts = facts_of(call)
    if not all(facts[need] for need in NEEDS.get(name, ())):
        raise mistake(f"{name} must not run {call}")


def facts_of(call: Call) -> dict[str, bool]:
    return {
        "power_of_two": is_power_of_two(call.ranks),
        "built_in": call.built_in,
        "commutes": call.commutes,
        "long": call.long,
        "not_in_place": not call.in_place,
    }


def calls_of(rules: Rules[Algorithm], function: str, ranks: int) -> Iterator[Call]:
    sizes = [size for one, size in sizes_of(rules, LARGEST_SIZE) if one == function]
    either = (True, False)
    for among, size, built_in, commutes, long, in_place in itertools.product(
        sizes_around(ranks), sizes, either, either, either, either
    ):
        if commutes or not built_in:  # all predefined operations commute
            yield Call(among, size, built_in, commutes, long, in_place)
