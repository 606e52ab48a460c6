#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds that the name of a type stands for one type in all of src: of classes, enums and aliases, nested ones too.

Types of functions' bodies do not count, nor aliases that give a type the name that it has (`using Kind = Area::Kind`).
Prints what is wrong, with file and line, and ends with 1 if there was anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from checking import main
from cpp_outline import Type, outline, sources_of

MOST_ALLOWED = 10

# Names that several types may have, and why.
ALLOWED = {
    "Kind": "only nested: which kind of its class an object is; one reads Operation::Kind",
    "State": "only nested: where a state machine is; one reads PersistentRun::State",
}
assert len(ALLOWED) <= MOST_ALLOWED


def doubled_names(root: Path) -> Mapping[str, list[Type]]:
    """The types of each name that stands in more than one file."""
    types: defaultdict[str, list[Type]] = defaultdict(list)
    for file in sources_of(root / "src"):
        for found in outline(file).types:
            types[found.name].append(found)
    return {name: found for name, found in sorted(types.items()) if len({one.file for one in found}) > 1}


def is_allowed(name: str, types: Iterable[Type]) -> bool:
    """Whether these may share the name."""
    return name in ALLOWED and all(one.outer for one in types)


def complaints(root: Path) -> list[str]:
    """All that is wrong in a project."""
    found = []
    for name, types in doubled_names(root).items():
        if not is_allowed(name, types):
            places = ", ".join(f"{one.file.relative_to(root)}:{one.line}" for one in types)
            found.append(f"{name}: several types have this name ({places}); let each say what it is, or make them one")
    return found


if __name__ == "__main__":
    raise SystemExit(main(complaints, __doc__))
