# SPDX-License-Identifier: Apache-2.0
"""Rules put in among MPICH's own.

Two trees: one says how a collective is made of steps over nodes and within them (*composition*), the other which
algorithm a step runs. Where a rule holds, there is one step, over the whole communicator.

A tree's keys are asked one after the other, and the first that holds is followed. Below the size of messages MPICH
takes comm_size<N for comm_size<=N; since we know how many ranks there are, such questions are answered here.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from espalier.failure import Failure
from espalier.memory.export.mpich_counterparts import Algorithm
from espalier.memory.export.mpich_library import Tree
from espalier.memory.export.openmpi_counterparts import is_power_of_two
from espalier.memory.export.rules import Rule, Rules

# Those that are made of several steps otherwise.
ONE_STEP = {
    "barrier": "MPIDI_Barrier_intra_composition_beta",
    "bcast": "MPIDI_Bcast_intra_composition_gamma",
    "reduce": "MPIDI_Reduce_intra_composition_gamma",
    "allreduce": "MPIDI_Allreduce_intra_composition_beta",
}
BY_ALL_BLOCKS = ("allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block")
OPPOSITES = {"yes": "no", "no": "yes"}
PAGE = 4096


def with_algorithms(own: Tree, rules: Rules[Algorithm], ranks: int) -> Tree:
    return with_rules(own, rules, ranks, rules.functions, algorithm_leaf)


def with_compositions(own: Tree, rules: Rules[Algorithm], ranks: int) -> Tree:
    functions = [function for function in rules.functions if function in ONE_STEP]
    return with_rules(own, rules, ranks, functions, composition_leaf)


def algorithm_leaf(rule: Rule[Algorithm]) -> Tree:
    return {f"algorithm={rule.native.name}": {word: {} for word in rule.native.parameters}}


def composition_leaf(rule: Rule[Algorithm]) -> Tree:
    return {f"composition={ONE_STEP[rule.function]}": {}}


def with_rules(
    own: Tree,
    rules: Rules[Algorithm],
    ranks: int,
    functions: list[str],
    leaf: Callable[[Rule[Algorithm]], Tree],
) -> Tree:
    result = dict(own)
    for function in functions:
        key = f"collective={function}"
        if "comm_type=intra" not in own.get(key, {}):
            raise Failure(f"This MPICH's own rules for {function} have another form than Espalier knows", status=1)
        default = own[key]["comm_type=intra"]
        ours = by_size(specialised(default, ranks), rules.of(function), leaf)
        fewer = {f"comm_size<={ranks - 1}": default}
        among = {**fewer, f"comm_size<={ranks}": ours, "comm_size=any": default}
        result[key] = {**own[key], "comm_type=intra": among}
    return result


def by_size(default: Tree, rules: list[Rule[Algorithm]], leaf: Callable[[Rule[Algorithm]], Tree]) -> Tree:
    function = rules[0].function
    if function == "barrier":
        return leaf(rules[0])
    measure = "total_msg_size" if function in BY_ALL_BLOCKS else "avg_msg_size"
    result: Tree = {}
    free = 0
    for rule in rules:
        if rule.low > free:
            result[f"{measure}<={rule.low - 1}"] = default
        result[f"{measure}<={rule.high}"] = guarded(default, rule.native.guards, leaf(rule))
        free = rule.high + 1
    result[f"{measure}=any"] = default
    if function == "alltoall":  # in place, there is nothing sent whose size could be asked for
        return {"is_sendbuf_inplace=yes": default, "is_sendbuf_inplace=no": result}
    return result


def guarded(default: Tree, guards: tuple[str, ...], ours: Tree) -> Tree:
    """`ours` where all of them hold."""
    for guard in reversed(guards):
        name, _, value = guard.partition("=")
        if value == "any":
            ours = {f"{name}<pow2": default, guard: ours}
        else:
            ours = {f"{name}={OPPOSITES[value]}": default, guard: ours}
    return ours


def specialised(tree: Tree, ranks: int) -> Tree:
    """The same, for this many ranks."""
    result: Tree = {}
    for key, part in tree.items():
        answer = answered(key, ranks)
        if answer is False:
            continue
        below = specialised(part, ranks)
        if answer and not result:
            return below
        if answer:
            return {**result, "comm_size=any": below}
        result[key] = below
    return result


def answered(key: str, ranks: int) -> bool | None:
    """None: it depends on something else."""
    if key == "comm_size=pow2":
        return is_power_of_two(ranks)
    if key == "comm_size=any":
        return True
    for beginning, holds in (("comm_size<=", int.__le__), ("comm_size<", int.__lt__)):
        number = key.removeprefix(beginning)
        if number != key and number.isdecimal():
            return bool(holds(ranks, int(number)))
    return None


def text_of(tree: Tree) -> str:
    """MPICH maps the file into memory, and looks for the end of a text: there is none if it fills whole pages."""
    text = json.dumps(tree, indent=1) + "\n"
    return text + "\n" if len(text) % PAGE == 0 else text
