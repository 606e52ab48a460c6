# SPDX-License-Identifier: Apache-2.0
"""Reads rules for Open MPI's coll/tuned as it does itself, to look whether what was made says what it is to say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from espalier.memory.export.openmpi_json import OWN_RULE
from espalier.memory.export.openmpi_rules import NUMBERS
from espalier.older_python import zipped

HEAD = "rule-file-version-"


@dataclass(frozen=True)
class Chosen:
    """`algorithm` 0: Open MPI's own rule."""

    algorithm: int
    fanout: int = 0
    segment: int = 0
    requests: int = 0


@dataclass(frozen=True)
class Line:
    """Holds for these sizes, both included."""

    low: int
    high: float
    chosen: Chosen


@dataclass(frozen=True)
class Communicators:
    low: int
    high: float
    placed: str
    lines: tuple[Line, ...]


Read = dict[str, list[Communicators]]  # by function


def chosen(read: Read, function: str, ranks: int, size: int) -> Chosen:
    """The first that holds."""
    for group in read.get(function, []):
        if group.low <= ranks <= group.high:
            return next((line.chosen for line in group.lines if line.low <= size <= line.high), Chosen(0))
    return Chosen(0)


def from_text(text: str) -> Read:
    """Raises a ValueError for what Open MPI 4 and 5 would refuse, or read otherwise than it stands there."""
    first, _, rest = text.partition("\n")
    version = int(first.removeprefix(HEAD)) if first.startswith(HEAD) else 1
    numbers = numbers_of(rest if version > 1 else text)
    functions = {number: function for function, number in NUMBERS.items()}
    read: Read = {}
    for _ in range(next(numbers)):
        function = functions[next(numbers)]
        read[function] = communicators_of(numbers, 5 if version > 1 else 4)
    if next(numbers, None) is not None:
        raise ValueError("numbers are left over")
    return read


def numbers_of(text: str) -> Iterator[int]:
    for line in text.splitlines():
        yield from map(int, line.partition("#")[0].split())


def communicators_of(numbers: Iterator[int], width: int) -> list[Communicators]:
    begun: list[tuple[int, tuple[Line, ...]]] = []
    for _ in range(next(numbers)):
        ranks, count = next(numbers), next(numbers)
        begun.append((ranks, tuple(lines_of([[next(numbers) for _ in range(width)] for _ in range(count)]))))
    ends = [*(ranks - 1 for ranks, _ in begun[1:]), float("inf")]
    if begun[0][0] != 0 or any(low > end for (low, _), end in zipped(begun, ends)):
        raise ValueError("sizes of communicators do not grow from 0 on")
    return [Communicators(low, end, "any", lines) for (low, lines), end in zipped(begun, ends)]


def lines_of(rows: list[list[int]]) -> Iterator[Line]:
    ends = [*(row[0] - 1 for row in rows[1:]), float("inf")]
    if rows[0][0] != 0 or any(row[0] > end for row, end in zipped(rows, ends)):
        raise ValueError("sizes of messages do not grow from 0 on")
    for row, end in zipped(rows, ends):
        yield Line(row[0], end, Chosen(*row[1:]))


def from_json(text: str) -> Read:
    return {function: list(map(group_of, groups)) for function, groups in json.loads(text)["collectives"].items()}


def group_of(raw: dict[str, Any]) -> Communicators:
    lines = tuple(map(line_of, raw["rules"]))
    return Communicators(raw["comm_size_min"], raw["comm_size_max"], raw["comm_rank_distribution"], lines)


def line_of(raw: dict[str, Any]) -> Line:
    high = float("inf") if raw["msg_size_max"] == "inf" else raw["msg_size_max"]
    if raw["alg"] == OWN_RULE:
        return Line(raw["msg_size_min"], high, Chosen(0))
    said = Chosen(raw["alg"], raw["faninout"], raw["seg_size"], raw["reqs"])
    return Line(raw["msg_size_min"], high, said)


def led_on(text: str, function: str, ranks: int, size: int) -> bool:
    """Whether coll/han leaves such a call to coll/tuned; by its rules, in which a function has but one level."""
    words = iter(text.split())
    for _ in range(int(next(words))):
        name, _levels, _level = next(words), next(words), next(words)
        found = "han"
        for _ in range(int(next(words))):
            least, count = int(next(words)), int(next(words))
            lines = [(int(next(words)), next(words)) for _ in range(count)]
            if least <= ranks:
                found = [component for low, component in lines if low <= size][-1]
        if name == function:
            return found == "tuned"
    return False
