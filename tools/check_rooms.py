#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds each include of src against the order of its rooms, which is the table of docs/reference/rooms.md.

Prints what is wrong, with file and line and what to do, and ends with 1 if there was anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

from checking import main

TABLE = "docs/reference/rooms.md"
MOST_FILES = 25

ROW = re.compile(r"^\| `(?P<name>[^`]+)/` \|(?P<text>[^|]*)\|(?P<brings>[^|]*)\|$")
BROUGHT = re.compile(r"`<([^`]+)>`")
INCLUDE = re.compile(r'^\s*#\s*include\s+(?P<kind>["<])(?P<name>[^">]+)[">]')
SOURCES = {".cpp", ".hpp", ".c", ".h", ".S", ".def", ".inc"}


@dataclass(frozen=True)
class Room:
    """One line of the table. `a/*` stands for each folder in `a`, none of which may look into another one."""

    name: str
    line: int
    brings: tuple[str, ...]  # beginnings of names of headers that no room before it may include


@dataclass(frozen=True)
class Include:
    """One line of a source."""

    file: PurePosixPath  # in src, as all paths here
    line: int
    name: str
    target: PurePosixPath | None  # null: a header of somebody else's, or a generated one

    @property
    def place(self) -> str:
        return f"src/{self.file}:{self.line}"


def rooms_of(table: str) -> list[Room]:
    """The rooms in their order."""
    rows = [(number, ROW.match(line)) for number, line in enumerate(table.splitlines(), 1)]
    return [Room(row["name"], number, tuple(BROUGHT.findall(row["brings"]))) for number, row in rows if row is not None]


class House:
    """The sources, and the rooms in which they stand."""

    def __init__(self, root: Path) -> None:
        self.sources = root / "src"
        self.rooms = rooms_of((root / TABLE).read_text())
        self._rank: Mapping[str, int] = {room.name: rank for rank, room in enumerate(self.rooms)}
        files = (path for path in sorted(self.sources.rglob("*")) if path.is_file() and path.name != "CMakeLists.txt")
        self.files = [PurePosixPath(path.relative_to(self.sources)) for path in files]

    def rank(self, folder: PurePosixPath) -> int | None:
        """Of the room that is this folder; None: there is none."""
        return self._rank.get(str(folder), self._rank.get(f"{folder.parent}/*"))

    def includes(self) -> Iterator[Include]:
        """All of them, of sources that stand in a room."""
        for file in self.files:
            if file.suffix not in SOURCES or self.rank(file.parent) is None:
                continue
            for number, line in enumerate((self.sources / file).read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if found is not None:
                    target = self._target(file, found["name"]) if found["kind"] == '"' else None
                    yield Include(file, number, found["name"], target)

    def _target(self, file: PurePosixPath, name: str) -> PurePosixPath | None:
        for path in (PurePosixPath(name), PurePosixPath(normpath(file.parent / name))):
            if (self.sources / path).is_file():
                return path
        return None


def wrong_folders(house: House) -> Iterator[str]:
    """Folders without a line, lines without a folder, and rooms that hold too much."""
    counts = Counter(file.parent for file in house.files)
    for folder, count in counts.items():
        if house.rank(folder) is None:
            yield f"src/{folder}: no room of {TABLE}; give it a line there, below all rooms that it includes"
        if count > MOST_FILES:
            yield f"src/{folder}: {count} files; divide what has more than {MOST_FILES} into rooms by what they know"
    known = {str(folder) for folder in counts} | {f"{folder.parent}/*" for folder in counts}
    for room in house.rooms:
        if room.name not in known:
            yield f"{TABLE}:{room.line}: there are no files in src/{room.name}; take the line out"


def wrong_arrow(house: House, include: Include) -> str | None:
    """What is wrong with an include of a file of ours."""
    here, there = include.file.parent, (include.target or include.file).parent
    mine, theirs = house.rank(here), house.rank(there)
    if here == there or mine is None or theirs is None or theirs < mine:
        return None
    return (
        f'{include.place}: includes "{include.name}", but {there}/ does not stand before {here}/ in {TABLE}; '
        f"move what is needed into a room before {here}/, or hand it in from a room behind {there}/"
    )


def too_early(house: House, include: Include) -> str | None:
    """What is wrong with an include of somebody else's header."""
    mine = house.rank(include.file.parent)
    for rank, room in enumerate(house.rooms):
        if mine is not None and mine < rank and any(include.name.startswith(brought) for brought in room.brings):
            return (
                f"{include.place}: includes <{include.name}>, which no room before {room.name}/ knows ({TABLE}); "
                f"move what needs it into {room.name}/ or behind it"
            )
    return None


def complaints(root: Path) -> list[str]:
    """All that is wrong in a project."""
    house = House(root)
    found = [*wrong_folders(house)]
    for include in house.includes():
        wrong = too_early(house, include) if include.target is None else wrong_arrow(house, include)
        if wrong is not None:
            found.append(wrong)
    return found


if __name__ == "__main__":
    raise SystemExit(main(complaints, __doc__))
