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

Tree = dict[str, Any]
LARGEST_LIBRARY = 1 << 30
ALGORITHM = re.compile(rb"algorithm=(MPIR_\w{1,100})")
TREE = re.compile(rb'\{\s*"collective=[^\0]{1,1000000}\}(?=\s*\0)')
NEEDED = "MPICH from 4.0 on, with its own rules in it, is needed. Name its library: --library .../libmpi.so"


@dataclass(frozen=True)
class OwnRules:
    """`algorithms`: of all collectives. `compositions`: by which steps over nodes and within them they are made."""

    library: Path
    algorithms: Tree
    compositions: Tree
    known: frozenset[str]  # names of algorithms


def own_rules(library: Path | None) -> OwnRules:
    path = library or found_library()
    data = data_of(path)
    trees = list(trees_in(data))
    algorithms = next((tree for tree in trees if has(tree, "algorithm=MPIR_Allreduce_intra_")), None)
    compositions = next((tree for tree in trees if has(tree, "composition=MPIDI_Allreduce_intra_")), None)
    if algorithms is None or compositions is None:
        raise Failure(f"{path}: has no rules for choosing collectives' algorithms in it", NEEDED)
    known = frozenset(match.group(1).decode() for match in ALGORITHM.finditer(data))
    return OwnRules(path, algorithms, compositions, known)


def found_library() -> Path:
    """Of the first MPICH of this machine."""
    for mpi in mpis.found():
        if mpi.launcher is Launcher.HYDRA:
            root = mpi.path.resolve().parents[1]
            for path in sorted((*root.glob("lib*/libmpi.so.*"), *root.glob("lib*/libmpich.so.*"))):
                return path
    raise Failure("There is no MPICH whose own rules could go on counting.", NEEDED)


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
    return isinstance(value, dict) and all(is_tree(one) for one in value.values())


def has(tree: Tree, beginning: str) -> bool:
    return any(key.startswith(beginning) or has(part, beginning) for key, part in tree.items())
