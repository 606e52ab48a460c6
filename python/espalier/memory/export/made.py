# SPDX-License-Identifier: Apache-2.0
"""An export: the files, what is said in them, what is not and why, and how they are loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from espalier.memory.contents import Context, Memory
from espalier.memory.export import mpich_counterparts, mpich_rules, openmpi_counterparts, openmpi_rules
from espalier.memory.export.mpich_counterparts import Algorithm
from espalier.memory.export.mpich_library import own_rules
from espalier.memory.export.openmpi_counterparts import Tuned
from espalier.memory.export.rules import LeftOut, NoCounterpart, Rules, made_of

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}
ENDINGS = {"openmpi": "conf", "mpich": "json"}
Native = TypeVar("Native", Tuned, Algorithm)


@dataclass(frozen=True)
class Mapped:
    context: Context
    native: str


@dataclass(frozen=True)
class Export:
    files: dict[Path, str]
    mapped: tuple[Mapped, ...]
    left_out: tuple[LeftOut, ...]
    loading: tuple[str, ...]  # options or environment variables
    notes: tuple[str, ...] = ()


def next_to(file: Path, word: str) -> Path:
    """rules.json -> rules.composition.json."""
    return file.with_name(f"{file.stem}.{word}{file.suffix}")


def are_rules(text: str) -> bool:
    """Of an export, to either MPI: others' rules of MPICH are no different."""
    if re.match(r"(rule-file-version-\d+\n)?\d+( # collectives)?\n", text):
        return True
    tree = json.loads(text)
    return isinstance(tree, dict) and bool(tree) and all("=" in key for key in tree)


def for_openmpi(memory: Memory, file: Path, all_commute: bool) -> Export:
    ranks = memory.ranks

    def counterpart(context: Context) -> Tuned:
        return openmpi_counterparts.counterpart(context, ranks, all_commute)

    rules = made_of(memory.contexts, counterpart, lambda context: openmpi_rules.sizes_seen(context, ranks))
    files = {file: openmpi_rules.tuned_text(rules, ranks)}
    loading = ["--mca coll_tuned_use_dynamic_rules 1", f"--mca coll_tuned_dynamic_rules_filename {file.absolute()}"]
    notes = []
    han = openmpi_rules.han_text(rules, ranks) if memory.nodes > 1 else ""
    if han:
        han_file = next_to(file, "han")
        files[han_file] = han
        loading += ["--mca coll_han_use_dynamic_file_rules 1"]
        loading += [f"--mca coll_han_dynamic_rules_filename {han_file.absolute()}"]
        notes += [f"{han_file.name} is for coll/han, which comes before coll/tuned on several nodes."]
    return export_of(rules, files, loading, notes, str)


def for_mpich(memory: Memory, file: Path, library: Path | None) -> Export:
    ranks = memory.ranks
    own = own_rules(library)

    def counterpart(context: Context) -> Algorithm:
        found = mpich_counterparts.counterpart(context, ranks)
        if found.name not in own.known:
            raise NoCounterpart("this MPICH has no such algorithm")
        return found

    rules = made_of(memory.contexts, counterpart, lambda context: mpich_counterparts.sizes_seen(context, ranks))
    compositions = next_to(file, "composition")
    files = {
        file: mpich_rules.text_of(mpich_rules.with_algorithms(own.algorithms, rules, ranks)),
        compositions: mpich_rules.text_of(mpich_rules.with_compositions(own.compositions, rules, ranks)),
    }
    loading = [
        f"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={file.absolute()}",
        f"MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE={compositions.absolute()}",
    ]
    notes = [f"All else in the files is what {own.library} would do: they are for this MPICH."]
    return export_of(rules, files, loading, notes, str)


def export_of(
    rules: Rules[Native],
    files: dict[Path, str],
    loading: list[str],
    notes: list[str],
    name: Callable[[Native], str],
) -> Export:
    mapped = tuple(Mapped(context, name(native)) for context, native in rules.mapped)
    return Export(files, mapped, rules.left_out, tuple(loading), tuple(notes))
