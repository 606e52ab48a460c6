# SPDX-License-Identifier: Apache-2.0
"""MPICH's own rules. They are in its library, as JSON: rules of ours are put in among them, so that all others stay."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from espalier import mpis
from espalier.failure import Failure
from espalier.launchers import Launcher
from espalier.memory.export.mpich_forms import ONE_FILE, TWO_FILES, Form, Tree
from espalier.memory.export.targets import Target

LARGEST_LIBRARY = 1 << 30
ALGORITHMS = {
    TWO_FILES: re.compile(rb"algorithm=(MPIR_\w{1,100})"),
    ONE_FILE: re.compile(rb"(?<=\0)(MPIR_[A-Z]\w{1,100}_intra_\w{1,100})(?=\0)"),
}
TREE = re.compile(rb'\{\s*"(?:collective|name)=[^\0]{1,1000000}\}(?=\s*\0)')
NEEDED = "MPICH from 4.0 on, with its own rules in it, is needed. Name its library: --library .../libmpi.so"


@dataclass(frozen=True)
class OwnRules:
    """`algorithms`: of all collectives. `compositions`: by which steps over nodes and within them they are made; empty
    where there is but one file."""

    library: Path
    form: Form
    algorithms: Tree
    compositions: Tree
    known: frozenset[str]  # names of algorithms


def own_rules(library: Path | None, target: Target) -> OwnRules:
    path = library or found_library(target)
    data = data_of(path)
    trees = list(trees_in(data))
    named = next((tree for tree in trees if has(tree, "collective=allreduce-intra")), None)
    algorithms = next((tree for tree in trees if has(tree, "algorithm=MPIR_Allreduce_intra_")), None)
    compositions = next((tree for tree in trees if has(tree, "composition=MPIDI_Allreduce_intra_")), None)
    if named is not None:
        return OwnRules(path, ONE_FILE, named, {}, known_in(data, ONE_FILE))
    if algorithms is None or compositions is None:
        raise Failure(f"{path}: has no rules for choosing collectives' algorithms in it", NEEDED)
    return OwnRules(path, TWO_FILES, algorithms, compositions, known_in(data, TWO_FILES))


def known_in(data: bytes, form: Form) -> frozenset[str]:
    return frozenset(match.group(1).decode() for match in ALGORITHMS[form].finditer(data))


def found_library(target: Target) -> Path:
    """Of the first such MPICH of this machine."""
    for mpi in mpis.found():
        if mpi.launcher is Launcher.HYDRA and is_of(mpi.version, target):
            root = mpi.path.resolve().parents[1]
            for place in ("lib*/libmpi.so.*", "lib*/libmpich.so.*", "lib*/*/libmpich.so.*"):
                for path in sorted(root.glob(place)):
                    return path
    raise Failure(f"There is no {target} here whose own rules could go on counting.", NEEDED)


def is_of(version: str, target: Target) -> bool:
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[: len(target.version)])
    return numbers == target.version


def data_of(path: Path) -> bytes:
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_LIBRARY:
            raise Failure(f"{path}: is no library", NEEDED)
        return path.read_bytes()
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}", NEEDED) from None


def trees_in(data: bytes) -> Iterator[Tree]:
    for match in TREE.finditer(data):
        try:
            tree = json.loads(match.group())
        except (ValueError, RecursionError):
            continue
        if is_tree(tree):
            yield tree


def is_tree(value: Any) -> bool:
    return isinstance(value, dict) and all(is_branch(one) for one in value.values())


def is_branch(value: Any) -> bool:
    return is_tree(value) or (isinstance(value, str) and value.startswith("call="))


def has(tree: Tree, beginning: str) -> bool:
    return any(
        key.startswith(beginning) or (not isinstance(part, str) and has(part, beginning)) for key, part in tree.items()
    )
