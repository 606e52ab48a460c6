# SPDX-License-Identifier: Apache-2.0
"""What a study wants played, and what came of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from espalier import output_files, stored
from espalier.failure import Failure


@dataclass(frozen=True)
class Row:
    """Of results/simulation-STUDY.json."""

    machine: str
    collective: str
    bytes: int
    algorithm: str  # with its parameters: trinaryx3,segment=64KiB
    seconds: float
    reference_s: float | None  # as it was measured, or as it is printed
    source: str  # of the reference, or of the question: begins with fugaku, lab or "paper 1" to "paper 5"


@dataclass(frozen=True)
class Wanted:
    """One call. `where` are the options of espalier-simulate that name the machine and the ranks on it."""

    machine: str
    where: tuple[str, ...] = field(compare=False)
    collective: str
    bytes: int
    algorithm: str
    source: str
    reference_s: float | None = field(default=None, compare=False)
    options: tuple[str, ...] = field(default=(), compare=False)  # further ones: --segments N, --whole

    def row(self, seconds: float) -> Row:
        of_row = (self.machine, self.collective, self.bytes, self.algorithm)
        return Row(*of_row, seconds=seconds, reference_s=self.reference_s, source=self.source)


def key_of(one: Row | Wanted) -> tuple[str, str, int, str, str]:
    return one.machine, one.collective, one.bytes, one.algorithm, one.source


def missing(wanted: Iterable[Wanted], rows: Sequence[Row]) -> list[Wanted]:
    """What the rows do not have."""
    have = set(map(key_of, rows))
    return [one for one in wanted if key_of(one) not in have]


def write(rows: Sequence[Row], file: Path) -> None:
    output_files.write_rows(rows, file)


def read(file: Path) -> list[Row]:
    """No rows if there is no such file."""
    if not file.exists():
        return []
    try:
        raw = stored.load(file.read_text(encoding="utf-8"))
        return list(map(row_of, raw))
    except (OSError, TypeError, ValueError) as error:
        raise Failure(f"{file}: {error}; allowed: the rows of a simulated study") from error


def row_of(raw: Any) -> Row:
    if not isinstance(raw, dict) or set(raw) != {one.name for one in fields(Row)}:
        raise ValueError("not a row")
    return Row(**raw)
