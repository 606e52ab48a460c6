# SPDX-License-Identifier: Apache-2.0
"""How things are printed: tables that fit a terminal, quantities with units, JSON."""

from __future__ import annotations

import errno
import os
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from typing import Any, Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from espalier.failure import Failure
from espalier.older_python import zipped
from espalier.texts import one_line, printable

WIDEST = 100
GAP = 2
STAYS_TOGETHER = 15  # so long a cell is not wrapped


class Terminal(Console):
    """Prints no control characters of others, and cuts off nothing."""

    def print(self, *objects: Any, crop: bool = False, **options: Any) -> None:
        shown = [printable(item) if isinstance(item, str) else item for item in objects]
        super().print(*shown, crop=crop, **options)

    def on_broken_pipe(self) -> None:
        """Called while the error is handled; who asked for the output decides what it means."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(*, stderr: bool = False) -> Console:
    """At most 100 columns wide; without a terminal 80. No markup: texts from elsewhere may hold brackets."""
    result = Terminal(stderr=stderr, highlight=False, markup=False)
    result.width = min(result.width, WIDEST)
    return result


class Table:
    """Columns side by side. Lines end between words; if even then the columns are too many for the width, the last ones
    go below the others, row by row."""

    def __init__(self, columns: Sequence[str], right: Sequence[str]) -> None:
        self.rows: list[tuple[list[str], str]] = []
        self.heading = [one_line(column) for column in columns]
        self.right = [column in right for column in columns]

    def add_row(self, *cells: str, style: str = "") -> None:
        self.rows.append(([one_line(cell) for cell in cells], style))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line, style in self.lines(options.max_width, "-" if options.ascii_only else "─"):
            yield Text(line, style=style, no_wrap=True, overflow="ignore")

    def lines(self, width: int, rule: str) -> Iterator[tuple[str, str]]:
        columns = list(zipped(self.heading, *(cells for cells, _ in self.rows)))
        widths = fitted(columns, self.right, width)
        while len(widths) > 1 and not has_room(columns, widths, width):
            widths = fitted(columns[: len(widths) - 1], self.right, width)
        count = len(widths)
        for line in self.lines_of_row(self.heading, widths, width):
            yield line, "bold"
        yield rule * (sum(widths) + GAP * (count - 1)), "dim"
        for cells, style in self.rows:
            for line in self.lines_of_row(cells, widths, width):
                yield line, style

    def lines_of_row(self, cells: Sequence[str], widths: Sequence[int], width: int) -> Iterator[str]:
        yield from self.side_by_side(cells[: len(widths)], widths)
        below = (" " * GAP).join(cells[len(widths) :])
        if below:
            yield from (f"    {line}" for line in wrapped(below, width - 4))

    def side_by_side(self, cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        parts = [wrapped(cell, width) for cell, width in zipped(cells, widths)]
        for words in zip_longest(*parts, fillvalue=""):
            padded = [
                word.rjust(width) if is_right else word.ljust(width)
                for word, width, is_right in zip(words, widths, self.right)
            ]
            yield (" " * GAP).join(padded).rstrip()


def has_room(columns: Sequence[Sequence[str]], widths: Sequence[int], width: int) -> bool:
    """Whether this many columns stand side by side, and the last one is not squeezed into a pile of words."""
    wanted = max(map(len, columns[len(widths) - 1]))
    return sum(widths) + GAP * (len(widths) - 1) <= width and widths[-1] >= min(wanted, STAYS_TOGETHER)


def wrapped(cell: str, width: int) -> list[str]:
    return textwrap.wrap(cell, max(1, width), break_long_words=False, break_on_hyphens=False) or [""]


def fitted(columns: Sequence[Sequence[str]], right: Sequence[bool], width: int) -> list[int]:
    """The columns' widths: what the narrow ones want, and for the others, while there is room, no less than a word."""
    wanted = [max(map(len, column)) for column in columns]
    least = [
        want
        if want <= STAYS_TOGETHER or is_right
        else max(len(word) for cell in column for word in cell.split() or [""])
        for column, want, is_right in zip(columns, wanted, right)
    ]
    room = width - GAP * (len(columns) - 1) - sum(least)
    for index in sorted(range(len(columns)), key=lambda k: wanted[k] - least[k]):
        more = max(0, min(room, wanted[index] - least[index]))
        least[index] += more
        room -= more
    return least


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    return Table(columns, right)


@contextmanager
def complaints_only(console: Console) -> Iterator[None]:
    """What goes wrong after the program has ended is said, and does not change the exit status."""
    try:
        yield
    except Failure as failure:
        with suppress(OSError):
            console.print(f"espalier: {failure.message}", soft_wrap=True)
    except OSError:  # nobody reads what is said
        pass
    except Exception as error:  # a mistake of ours must not cost the user the status and the other parts
        with suppress(OSError):
            console.print(f"espalier: a mistake of its own, please report it: {error!r}", soft_wrap=True)


class Announce(Protocol):
    """Tells what is being done; a step is something that a log should know, too."""

    def __call__(self, text: str, *, is_step: bool = False) -> None: ...
