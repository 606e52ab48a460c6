# SPDX-License-Identifier: Apache-2.0
"""What a sweep over a machine has found, in words and as JSON."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from espalier import units
from espalier.commands.memory.as_json import context_as_json
from espalier.commands.memory.words import mpi_text
from espalier.failure import Failure
from espalier.installation import COMMAND
from espalier.memory import location
from espalier.memory.contents import Memory
from espalier.tune import judgement, tables, times
from espalier.tune.judgement import Comparison, Verdict
from espalier.tune.placement import Placement
from espalier.tune.sweep import MOST_FAILURES, End, Result, State, context_of
from espalier.units import duration_text

CONSEQUENCES = (
    "Jobs on this placement begin with what was learnt from now on. Reductions of floating-point numbers were tried in "
    "any order of additions (ESPALIER_REPRODUCIBLE=off); unless the memory is pinned, jobs use of that only what adds "
    "in the same order as without it, so that their results stay the same. Pinning makes all of it law, for floating "
    "point, too: results may then differ in their last bits from those before. Exporting makes rules for the native "
    "MPI, for jobs that cannot run under Espalier."
)
SHORT = 8  # digits of a fingerprint


@dataclass(frozen=True)
class Tuned:
    """What there is to tell in the end."""

    where: Placement
    results: Sequence[Result]
    end: End
    seconds: float
    memory: Memory | None

    @cached_property
    def verdicts(self) -> list[Verdict]:
        return judgement.verdicts(self.memory) if self.memory else []


def show(tuned: Tuned, console: Console) -> None:
    sample = tuned.where.sample
    nodes = units.plural(sample.nodes, "node")
    console.print(
        f"{tuned.where.fingerprint}: {units.plural(sample.ranks, 'rank')} on {nodes}, {mpi_text(sample)}\n",
        soft_wrap=True,
    )
    tables.show_found(tuned.results, tuned.memory, console)
    tables.show_rest(tuned.results, console)
    console.print(f"\n{how_far(tuned)}\n")
    if tuned.memory is None:
        return
    tables.show_guidelines(tuned.verdicts, console)
    show_what_next(tuned.where, tuned.memory, console)


def how_far(tuned: Tuned) -> str:
    def count(state: State) -> int:
        return sum(one.state is state for one in tuned.results)

    measured = f"In {duration_text(tuned.seconds)} {units.plural(count(State.MEASURED), 'piece')} "
    measured += f"of {len(tuned.results)} "
    measured += "was" if count(State.MEASURED) == 1 else "were"
    measured += f" measured; {count(State.KNOWN)} had been known before."
    left = units.plural(count(State.NOT_REACHED), "piece")
    rest = {
        End.DONE: "",
        End.TIME_OVER: f" The time is over, with {left} left: the same command goes on there.",
        End.INTERRUPTED: f" It was interrupted, with {left} left: the same command goes on there.",
        End.FAILURES: f" {MOST_FAILURES} jobs in a row failed, so it was aborted, with {left} left.",
    }
    return measured + rest[tuned.end]


def show_what_next(where: Placement, memory: Memory, console: Console) -> None:
    short = where.fingerprint[:SHORT]
    place = where.path.parent
    default = default_place()
    option = "" if place == default else f" --directory {shlex.quote(str(place))}"
    mpi = "mpich" if "MPICH" in memory.mpi else "openmpi"
    console.print("\nWhat next:")
    console.print(f"    {COMMAND} memory show {short}{option}", soft_wrap=True)
    console.print(f"    {COMMAND} memory pin {short} --widen{option}", soft_wrap=True)
    console.print(f"    {COMMAND} memory export {short} --mpi {mpi}{option}", soft_wrap=True)
    console.print(CONSEQUENCES)
    if option:
        console.print(f"Jobs find it with ESPALIER_MEMORY={shlex.quote(str(place))}", soft_wrap=True)


def default_place() -> Path | None:
    """Where jobs look in this environment; None: nowhere."""
    try:
        return location.directory_of(None, os.environ).absolute()
    except Failure:
        return None


def as_json(tuned: Tuned) -> dict[str, Any]:
    sample = tuned.where.sample
    return {
        "fingerprint": tuned.where.fingerprint,
        "file": str(tuned.where.path),
        "mpi": sample.mpi,
        "ranks": sample.ranks,
        "nodes": sample.nodes,
        "end": tuned.end,
        "seconds": round(tuned.seconds, 3),
        "pieces": [piece_as_json(one, tuned.memory) for one in tuned.results],
        "guidelines": [verdict_as_json(one) for one in tuned.verdicts],
    }


def piece_as_json(result: Result, memory: Memory | None) -> dict[str, Any]:
    context = context_of(memory, result.piece)
    native = times.native(context) if context else None
    return {
        **asdict(result.piece),
        "state": result.state,
        "seconds": round(result.seconds, 3),
        "calls": result.calls,
        "why": result.why,
        "native_seconds": native.seconds if native else None,
        "context": context_as_json(context) if context else None,
    }


def verdict_as_json(one: Verdict) -> dict[str, Any]:
    return {
        "guideline": one.text,
        "bytes": one.bytes,
        "arithmetic": one.arithmetic,
        "is_hint": one.is_hint,
        "native": comparison_as_json(one.native),
        "espalier": comparison_as_json(one.own) if one.own else None,
    }


def comparison_as_json(one: Comparison) -> dict[str, Any]:
    return {
        "seconds": one.left,
        "instead_of_seconds": one.right,
        "tolerance": one.tolerance,
        "is_violated": one.is_violated,
    }
