# SPDX-License-Identifier: Apache-2.0
"""An export: the files, what is said in them, what is not and why, and how they are loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from espalier.failure import Failure
from espalier.memory.contents import Context, Memory
from espalier.memory.export import (
    mpich_check,
    mpich_counterparts,
    mpich_rules,
    openmpi_check,
    openmpi_counterparts,
    openmpi_rules,
)
from espalier.memory.export.mpich_counterparts import Algorithm
from espalier.memory.export.mpich_forms import ONE_FILE, TWO_FILES
from espalier.memory.export.mpich_library import OwnRules, own_rules
from espalier.memory.export.openmpi_counterparts import Promises, Tuned
from espalier.memory.export.openmpi_json import json_text
from espalier.memory.export.rules import LeftOut, NoCounterpart, Rules, made_of
from espalier.memory.export.targets import JSON_SINCE, ONE_FILE_SINCE, REQUESTS_SINCE, Target

Native = TypeVar("Native", Tuned, Algorithm)
Written = tuple[dict[Path, str], list[str], list[str]]  # files, what loads them, notes


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
    """Of an export, to any MPI: others' rules are no different."""
    if re.match(r"(rule-file-version-\d+\n)?\d+( # collectives)?\n", text):
        return True
    tree = json.loads(text)
    if not isinstance(tree, dict) or not tree:
        return False
    return tree.get("module") == "tuned" or all("=" in key for key in tree)


def for_openmpi(memory: Memory, file: Path, promises: Promises, target: Target) -> Export:
    ranks, is_json = memory.ranks, not target.is_before(JSON_SINCE)

    def counterpart(context: Context) -> Tuned:
        found = openmpi_counterparts.counterpart(context, ranks, promises)
        if found.requests and target.is_before(REQUESTS_SINCE):
            raise NoCounterpart(f"the rules of {target} know no numbers of requests")
        return found

    rules = made_of(memory.contexts, counterpart, lambda context: openmpi_rules.sizes_seen(context, ranks))
    text = json_text(rules, ranks, memory.nodes) if is_json else openmpi_rules.tuned_text(rules, ranks)
    openmpi_check.check(text, rules, ranks, promises)
    files = {file: text}
    loading = ["--mca coll_tuned_use_dynamic_rules 1", f"--mca coll_tuned_dynamic_rules_filename {file.absolute()}"]
    notes = []
    if text.startswith("rule-file-version"):
        notes += ["It has numbers of requests, which Open MPI reads from 5.0.7 on."]
    han = openmpi_rules.han_text(rules, ranks) if memory.nodes > 1 else ""
    if han:
        openmpi_check.check_han(han, rules, ranks)
        han_file = file.with_name(f"{file.stem}.han.conf")
        files[han_file] = han
        loading += ["--mca coll_han_use_dynamic_file_rules 1"]
        loading += [f"--mca coll_han_dynamic_rules_filename {han_file.absolute()}"]
        notes += [f"{han_file.name} is for coll/han, which comes before coll/tuned on several nodes."]
    if is_json:
        notes += ["Not tried with an Open MPI 6: it is by what its sources read."]
    return export_of(rules, files, loading, notes, str)


def for_mpich(memory: Memory, file: Path, library: Path | None, target: Target) -> Export:
    ranks = memory.ranks
    own = own_rules(library, target)
    check_form(own, target)

    def counterpart(context: Context) -> Algorithm:
        return mpich_counterparts.known(mpich_counterparts.counterpart(context, ranks), own.known)

    rules = made_of(memory.contexts, counterpart, lambda context: mpich_counterparts.sizes_seen(context, ranks))
    files, loading, notes = one_file(own, rules, ranks, file) if own.form is ONE_FILE else two(own, rules, ranks, file)
    mpich_check.check_algorithms(files[file], own.algorithms, rules, ranks, own.form)
    notes += [f"All else is what {own.library} would do: this is for this MPICH."]
    return export_of(rules, files, loading, notes, str)


def check_form(own: OwnRules, target: Target) -> None:
    expected = TWO_FILES if target.is_before(ONE_FILE_SINCE) else ONE_FILE
    if len(target.version) > 1 and own.form is not expected:
        raise Failure(f"{own.library}: its rules are in {own.form.name}, so it is no {target}")


def two(own: OwnRules, rules: Rules[Algorithm], ranks: int, file: Path) -> Written:
    compositions = next_to(file, "composition")
    files = {
        file: mpich_rules.text_of(mpich_rules.with_algorithms(own.algorithms, rules, ranks)),
        compositions: mpich_rules.text_of(mpich_rules.with_compositions(own.compositions, rules, ranks)),
    }
    mpich_check.check_compositions(files[compositions], own.compositions, rules, ranks)
    loading = [
        f"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={file.absolute()}",
        f"MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE={compositions.absolute()}",
    ]
    return files, loading, []


def one_file(own: OwnRules, rules: Rules[Algorithm], ranks: int, file: Path) -> Written:
    files = {file: mpich_rules.text_of(mpich_rules.main_tree(own.algorithms, rules, ranks))}
    loading = [f"MPIR_CVAR_COLL_SELECTION_JSON_FILE={file.absolute()}"]
    return files, loading, ["Not tried with an MPICH 5.1: it is by what its sources read."]


def export_of(
    rules: Rules[Native],
    files: dict[Path, str],
    loading: list[str],
    notes: list[str],
    name: Callable[[Native], str],
) -> Export:
    mapped = tuple(Mapped(context, name(native)) for context, native in rules.mapped)
    return Export(files, mapped, rules.left_out, tuple(loading), tuple(notes))
