# SPDX-License-Identifier: Apache-2.0
"""Rules put in among MPICH's own.

Up to 5.0 there are two trees: one says how a collective is made of steps over nodes and within them (*composition*),
the other which algorithm a step runs. Where a rule holds, there is one step, over the whole communicator.

A tree's keys are asked one after the other, and the first that holds is followed. Below the size of messages MPICH up
to 5.0 takes comm_size<N for comm_size<=N; since we know how many ranks there are, such questions are answered here.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from espalier.failure import Failure
from espalier.memory.export.mpich_counterparts import Algorithm
from espalier.memory.export.mpich_forms import MAIN, MEASURES, ONE_FILE, TWO_FILES, Branch, Form, Tree
from espalier.memory.export.openmpi_counterparts import is_power_of_two
from espalier.memory.export.rules import Rule, Rules

# Those that are made of several steps otherwise.
ONE_STEP = {
    "barrier": "MPIDI_Barrier_intra_composition_beta",
    "bcast": "MPIDI_Bcast_intra_composition_gamma",
    "reduce": "MPIDI_Reduce_intra_composition_gamma",
    "allreduce": "MPIDI_Allreduce_intra_composition_beta",
}
PAGE = 4096
Leaf = Callable[[Rule[Algorithm]], Tree]


def with_algorithms(own: Tree, rules: Rules[Algorithm], ranks: int) -> Tree:
    return with_rules(own, rules, ranks, rules.functions, lambda rule: algorithm_leaf(TWO_FILES, rule))


def with_compositions(own: Tree, rules: Rules[Algorithm], ranks: int) -> Tree:
    functions = [function for function in rules.functions if function in ONE_STEP]
    return with_rules(own, rules, ranks, functions, composition_leaf)


def main_tree(own: Tree, rules: Rules[Algorithm], ranks: int) -> Tree:
    """As MPICH 5.1 reads it: the tree that it asks first, which calls its other ones, of which nothing is said."""
    main = own.get(MAIN, own)
    result = dict(tree_of(main, "everything"))
    for function in rules.functions:
        key = f"collective={function}-intra"
        if key not in result:
            raise another_form(function)
        ours = by_size(ONE_FILE, result[key], rules.of(function), lambda rule: algorithm_leaf(ONE_FILE, rule))
        result[key] = among(ONE_FILE, ours, result[key], ranks)
    return {MAIN: result}


def another_form(what: str) -> Failure:
    return Failure(f"This MPICH's own rules for {what} have another form than Espalier knows", status=1)


def tree_of(branch: Branch, what: str) -> Tree:
    if isinstance(branch, str):
        raise another_form(what)
    return branch


def algorithm_leaf(form: Form, rule: Rule[Algorithm]) -> Tree:
    return {f"algorithm={rule.native.name}": {word: {} for word in form.parameters(rule.native)}}


def composition_leaf(rule: Rule[Algorithm]) -> Tree:
    return {f"composition={ONE_STEP[rule.function]}": {}}


def with_rules(own: Tree, rules: Rules[Algorithm], ranks: int, functions: list[str], leaf: Leaf) -> Tree:
    result = dict(own)
    for function in functions:
        key = f"collective={function}"
        kinds = tree_of(own.get(key, {}), function)
        if "comm_type=intra" not in kinds:
            raise another_form(function)
        default = tree_of(kinds["comm_type=intra"], function)
        ours = by_size(TWO_FILES, specialised(default, ranks), rules.of(function), leaf)
        result[key] = {**kinds, "comm_type=intra": among(TWO_FILES, ours, default, ranks)}
    return result


def among(form: Form, ours: Branch, default: Branch, ranks: int) -> Tree:
    """Communicators of just this many ranks."""
    return {f"comm_size<={ranks - 1}": default, f"comm_size<={ranks}": ours, form.any_communicator: default}


def by_size(form: Form, default: Branch, rules: list[Rule[Algorithm]], leaf: Leaf) -> Branch:
    function = rules[0].function
    if function == "barrier":
        return leaf(rules[0])
    measure = MEASURES[function]
    result: Tree = {}
    free = 0
    for rule in rules:
        if rule.low > free:
            result[f"{measure}<={rule.low - 1}"] = default
        result[f"{measure}<={rule.high}"] = form.guarded(rule.native.guards, leaf(rule), default)
        free = rule.high + 1
    result[form.any_size.format(measure)] = default
    if function == "alltoall":  # in place, there is nothing sent whose size could be asked for
        return form.guarded(("not_in_place",), result, default)
    return result


def specialised(tree: Tree, ranks: int) -> Tree:
    """The same, for this many ranks."""
    result: Tree = {}
    for key, part in tree.items():
        answer = answered(key, ranks)
        if answer is False:
            continue
        below = specialised(tree_of(part, key), ranks)
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
