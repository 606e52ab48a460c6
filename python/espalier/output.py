# SPDX-License-Identifier: Apache-2.0
"""How things are printed: tables that fit a terminal, quantities with units, JSON."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

WIDEST = 100


def console(*, stderr: bool = False) -> Console:
    """At most 100 columns wide; without a terminal 80. No markup: texts from elsewhere may hold brackets."""
    result = Console(stderr=stderr, highlight=False, markup=False)
    result.width = min(result.width, WIDEST)
    return result


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    result = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        is_right = column in right
        result.add_column(column, justify="right" if is_right else "left", no_wrap=is_right, overflow="fold")
    return result


def write_json(value: Any, file: Path | None = None) -> None:
    """To `file`, or on standard output."""
    text = json.dumps(value, indent=2) + "\n"
    if file is None:
        sys.stdout.write(text)
    else:
        file.write_text(text)


def write_rows(rows: Iterable[Any], file: Path) -> None:
    """Dataclasses, one on a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[\n" + ",\n".join(json.dumps(asdict(row)) for row in rows) + "\n]\n")


def bytes_text(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
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


def seconds_text(seconds: float | None) -> str:
    """Three digits and a unit that suits them."""
    if seconds is None:
        return "-"
    for factor, unit in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if seconds * factor < 999.5:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.4g} s"


def count_text(count: int) -> str:
    return f"{count:,}"


def plural(count: int, word: str) -> str:
    return f"{count_text(count)} {word}" + ("" if count == 1 else "s")
