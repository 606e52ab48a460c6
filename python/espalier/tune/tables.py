# SPDX-License-Identifier: Apache-2.0
"""What a sweep found, in words."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from espalier import output, units
from espalier.memory.contents import Memory
from espalier.tune import times
from espalier.tune.judgement import Comparison, Verdict
from espalier.tune.pieces import SIZE_UNKNOWN
from espalier.tune.sweep import Result, State, context_of

TOLERANCE = (
    "Over: how many times as long as the guideline allows; in brackets, from how many on that is more than times "
    "vary (twice the standard deviation, and 5% at least). Espalier: whether its own choices keep to it."
)

HINT = (
    "*: no more than a hint. Calls were timed back to back, where ranks of the right side run ahead of each other, as "
    "they could not if something waited for them."
)


def show_found(results: Sequence[Result], memory: Memory | None, console: Console) -> None:
    numbers = ("Size", "Native", "Best", "Faster")
    table = output.table("Collective", "Size", "Native", "Best", "Runs as", "Faster", right=numbers)
    for result in sorted(results, key=lambda one: (one.piece.function, one.piece.numbers, one.piece.bytes)):
        context = context_of(memory, result.piece)
        if memory is None or context is None:
            continue
        native, best = times.native(context), times.best(context)
        table.add_row(
            name_of(result.piece.function, context.arithmetic),
            size_text(result, memory.ranks),
            units.seconds_text(native.seconds if native else None),
            units.seconds_text(best.seconds if best else None),
            context.best.choice.text.replace(",", " "),
            f"{native.seconds / best.seconds:.2f}x" if native and best else "-",
        )
    if table.rows:
        console.print(table)
        console.print(
            "Size: of the message, or of one block. Native, Best: the time of a call. Faster: than the native MPI."
        )


def name_of(function: str, arithmetic: str) -> str:
    return function + (" (floating point)" if arithmetic == "commutative" else "")


def size_text(result: Result, ranks: int) -> str:
    if result.piece.function in SIZE_UNKNOWN:
        return "any"
    known = result.piece.known_bytes(ranks)
    return units.bytes_text(known) if known else "-"


def show_rest(results: Sequence[Result], console: Console) -> None:
    """What was not learnt, and why."""
    for state, words in (
        (State.NOTHING, "Of these there is nothing to choose, or there was no time for enough calls"),
        (State.LATE, "These took too long, and were ended"),
        (State.FAILED, "The jobs of these failed"),
    ):
        found = [one for one in results if one.state is state]
        if found:
            console.print(f"{words}: {'; '.join(one.piece.title for one in found)}.")
    failed = next((one for one in results if one.state is State.FAILED), None)
    if failed:
        console.print(f"{failed.piece.title} {failed.why}", soft_wrap=True)


def show_guidelines(verdicts: Sequence[Verdict], console: Console) -> None:
    if not verdicts:
        console.print("No performance guideline can be checked: for each of them a side was not measured.")
        return
    violated = [one for one in verdicts if one.native.is_violated]
    checked = f"{units.plural(len(verdicts), 'performance guideline')}, each at one size, could be checked"
    if not violated:
        console.print(f"{checked}; the native MPI keeps to all of them.")
        return
    console.print(f"{checked}. The native MPI violates {units.count_text(len(violated))}:\n")
    table = output.table("Guideline", "Size", "Takes", "Instead of", "Over", "Espalier", right=("Size", "Takes"))
    for one in sorted(violated, key=lambda verdict: -verdict.native.times_longer):
        table.add_row(
            one.text + (" (floating point)" if one.arithmetic == "commutative" else "") + " *" * one.is_hint,
            units.bytes_text(one.bytes),
            units.seconds_text(one.native.left),
            units.seconds_text(one.native.right),
            over_text(one.native),
            own_text(one.own),
        )
    console.print(table)
    console.print(TOLERANCE)
    if any(one.is_hint for one in violated):
        console.print(HINT)


def over_text(one: Comparison) -> str:
    return f"{one.times_longer:.2f}x ({one.tolerance:.2f}x)"


def own_text(one: Comparison | None) -> str:
    if one is None:
        return "-"
    return f"violates it, {one.times_longer:.2f}x" if one.is_violated else "keeps to it"
