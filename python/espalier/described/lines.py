# SPDX-License-Identifier: Apache-2.0
"""Lines of what a site has, and what is said of a wrong one: where, what it is, and what is expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from espalier import texts
from espalier.failure import Failure

LARGEST_BYTES = 64 << 20
SHOWN_CHARACTERS = 80
MOST_NODES = 1 << 20


@dataclass(frozen=True)
class Line:
    """`number` begins with 1; `text` has no blanks at its ends."""

    file: Path
    number: int
    text: str

    def wrong(self, expected: str) -> Failure:
        shown = texts.printable(self.text[:SHOWN_CHARACTERS]) + ("..." if len(self.text) > SHOWN_CHARACTERS else "")
        return Failure(f"{self.file}:{self.number}: '{shown}': expected: {expected}")


def lines_of(file: Path) -> Iterator[Line]:
    """Without empty ones."""
    try:
        if not file.is_file():
            raise Failure(f"{file}: there is no such file; allowed: a regular one")
        if file.stat().st_size > LARGEST_BYTES:
            raise Failure(f"{file}: has {file.stat().st_size:,} bytes; allowed: {LARGEST_BYTES:,}")
        text = file.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise Failure(f"{file}: cannot be read: {error.strerror}") from error
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            yield Line(file, number + 1, line.strip())
