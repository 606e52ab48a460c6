# SPDX-License-Identifier: Apache-2.0
"""How things are printed: tables that fit a terminal, quantities with units, JSON."""

import errno
import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from espalier.failure import Failure

WIDEST = 100
GAP = 2
STAYS_TOGETHER = 15  # so long a cell is not wrapped

STANDARD = Path("-")
IsOurs = Callable[[str], bool]  # whether such a text is of the kind that is to be written

CONTROL = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code != ord("\n")}
CONTROL |= {code: f"\\x{code - 0xDC00:02x}" for code in range(0xDC80, 0xDD00)}  # bytes that were no UTF-8


def printable(text: str) -> str:
    """Control characters as '\\x1b': what comes from files or programs does nothing to a terminal. Lines may end."""
    return text.translate(CONTROL)


def one_line(text: str) -> str:
    return printable(text).replace("\n", "\\x0a")


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
        columns = list(zip(self.heading, *(cells for cells, _ in self.rows), strict=True))
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
        parts = [wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for words in zip_longest(*parts, fillvalue=""):
            padded = [
                word.rjust(width) if is_right else word.ljust(width)
                for word, width, is_right in zip(words, widths, self.right, strict=False)
            ]
            yield (" " * GAP).join(padded).rstrip()


def has_room(columns: Sequence[Sequence[str]], widths: Sequence[int], width: int) -> bool:
    """Whether so many columns stand side by side, and the last one is not squeezed into a pile of words."""
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
        for column, want, is_right in zip(columns, wanted, right, strict=False)
    ]
    room = width - GAP * (len(columns) - 1) - sum(least)
    for index in sorted(range(len(columns)), key=lambda k: wanted[k] - least[k]):
        more = max(0, min(room, wanted[index] - least[index]))
        least[index] += more
        room -= more
    return least


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    return Table(columns, right)


def is_standard(file: Path | None) -> bool:
    """'-': standard output."""
    return file == STANDARD


def check_can_be_written(option: str, file: Path | None, is_ours: IsOurs) -> None:
    """Refuses, before any work is done, what is sure to fail after it, and what would replace a file that is not of the
    kind that is to be written."""
    if file is None or is_standard(file):
        return
    if file.is_dir():
        raise Failure(f"{option} {file}: is a directory; allowed: the name of a file")
    if not file.parent.is_dir():
        raise Failure(f"{option} {file}: there is no directory {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise Failure(f"{option} {file}: may not be written")
    if file.is_file() and not holds(file, is_ours):
        raise Failure(
            f"{option} {file}: exists, and is not what this writes; allowed: another name, or such a file to replace"
        )


def holds(file: Path, is_ours: IsOurs) -> bool:
    """An empty file, or one of our kind."""
    try:
        text = file.read_text(encoding="utf-8")
        return not text.strip() or is_ours(text)
    except (OSError, ValueError, RecursionError):
        return False


def json_with(*names: str) -> IsOurs:
    """An object with these members, or a list of such."""

    def is_ours(text: str) -> bool:
        raw = json.loads(text)
        one = raw[0] if isinstance(raw, list) and raw else raw
        return isinstance(one, dict) and set(names) <= set(one)

    return is_ours


def is_svg(text: str) -> bool:
    """As all our pictures begin; those of drawing programs begin with a declaration of XML."""
    return text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')


def check_is_no_standard(option: str, file: Path | None) -> None:
    """Refuses it where something else is printed."""
    if is_standard(file):
        raise Failure(f"{option} -: standard output has all else that is shown; allowed: the name of a file")


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


def write_text(text: str, file: Path) -> None:
    if is_standard(file):
        sys.stdout.write(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file} could not be written: {error.strerror}", status=1) from error


def write_json(value: Any, file: Path | None = None) -> None:
    """To `file`, or on standard output."""
    text = json.dumps(value, indent=2) + "\n"
    if file is None:
        sys.stdout.write(text)
    else:
        write_text(text, file)


def make_directory(directory: Path) -> None:
    """Of results: before long work, not after it."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{directory}: the directory could not be made: {error.strerror}") from error


def write_rows(rows: Iterable[Any], file: Path) -> None:
    """Dataclasses, one on a line."""
    write_text("[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n", file)


def bytes_text(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.4g} {unit}"
        count /= 1024
    raise AssertionError


def size_class_text(low: int, high: int) -> str:
    """'8 - 16 B' for 8 to 15 bytes."""
    if low == high:
        return bytes_text(low)
    first, last = bytes_text(low), bytes_text(high + 1)
    unit = last.partition(" ")[2]
    return f"{first.removesuffix(' ' + unit)} - {last}"


class Say(Protocol):
    """Tells what is being done; a step is something that a log should know, too."""

    def __call__(self, text: str, *, is_step: bool = False) -> None: ...


def seconds_text(seconds: float | None, digits: int = 3) -> str:
    """So many digits, and a unit that suits them."""
    if seconds is None:
        return "-"
    for factor, unit in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{seconds * factor:.{digits}g} {unit}"
    return f"{seconds:.{digits + 1}g} s"


def count_text(count: int) -> str:
    return f"{count:,}"


def plural(count: int, word: str) -> str:
    return f"{count_text(count)} {word}" + ("" if count == 1 else "s")
