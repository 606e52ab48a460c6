# SPDX-License-Identifier: Apache-2.0
"""From where in a program collectives were called: a table of the places that took longest.

The report has them as places in files (ESPALIER_REPORT_SITES). A symbolizer of this machine, if there is one, says the
line of source; without debug information the function remains that the library found, and without that the address.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from rich.console import Console

from espalier import output, stored, units
from espalier.report import Report

MOST = 20  # rows
SYMBOLIZERS = (("llvm-symbolizer", "--output-style=GNU", "--no-inlines"), ("addr2line",))
PATIENCE = 60.0  # seconds, for one file
NOT_KNOWN = "??"


@dataclass(frozen=True)
class Site:
    """All calls of one function from one place, by all ranks."""

    function: str  # "MPI_Bcast"; empty: of all places that there was no room for
    object: str  # path of the file; empty: code that was made at run time
    offset: str  # "0x1234": where the call returns to, as the file counts
    symbol: str
    ranks: int
    calls: int
    bytes: int
    seconds_mean: float
    share: float

    @property
    def name(self) -> str:
        return self.function.removeprefix("MPI_") or "others"

    @property
    def call_address(self) -> Optional[int]:
        """Within the call itself: it may be the last thing that a function does."""
        return int(self.offset, 16) - 1 if self.object and re.fullmatch("0x[0-9a-f]{1,16}", self.offset) else None


@dataclass(frozen=True)
class Source:
    function: str = ""
    line: str = ""  # "verlet.cpp:231"


def sites_of(report: Report) -> list[Site]:
    """None, if nobody asked for them."""
    if "sites" not in report.raw:
        return []
    return [stored.dataclass_of(Site, raw) for raw in stored.list_in(report.raw, "sites")]


def show(reports: Iterable[Report], console: Console) -> None:
    for report in reports:
        sites = sites_of(report)
        if sites:
            show_sites(sites[:MOST], len(sites), console)


def show_sites(sites: Sequence[Site], of_all: int, console: Console) -> None:
    sources = sources_of(sites)
    numbers = ("Calls", "Bytes", "Time", "Wall")
    table = output.table("Function", *numbers, "Called from", right=numbers)
    for site in sites:
        table.add_row(
            site.name,
            units.count_text(site.calls),
            units.bytes_text(site.bytes),
            units.seconds_text(site.seconds_mean),
            f"{site.share:.1%}",
            place_text(site, sources.get(site, Source())),
        )
    console.print("\nBy call site")
    console.print(table)
    if of_all > len(sites):
        console.print(f"And {units.plural(of_all - len(sites), 'place')} with less time.")


def place_text(site: Site, source: Source) -> str:
    """'Verlet::run(int), verlet.cpp:231', as far as that is known, and in which file it is."""
    if not site.function:
        return ""
    file = Path(site.object).name
    function = without_arguments(source.function or site.symbol)
    if not function:
        return f"{file}+{site.offset}" if file else f"{site.offset}, made at run time"
    return f"{function}, {source.line}" if source.line else f"{function}, {file}+{site.offset}"


def without_arguments(function: str) -> str:
    """'Verlet::run(int) const' -> 'Verlet::run'."""
    text = function.removesuffix(" const")
    depth = 0
    for place in range(len(text) - 1 if text.endswith(")") else -1, 0, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth == 0:
            return text[:place]
    return function


def sources_of(sites: Iterable[Site]) -> dict[Site, Source]:
    command = symbolizer()
    found: dict[Site, Source] = {}
    by_file: dict[str, list[Site]] = {}
    for site in sites:
        if site.call_address is not None:
            by_file.setdefault(site.object, []).append(site)
    for file, in_file in by_file.items():
        if command and Path(file).is_file():
            found.update(zip(in_file, ask(command, file, [site.call_address or 0 for site in in_file])))
    return found


def symbolizer() -> list[str]:
    """Empty: none is installed."""
    for name, *options in SYMBOLIZERS:
        if path := shutil.which(name):
            return [path, *options]
    return []


def ask(command: Sequence[str], file: str, addresses: Sequence[int]) -> list[Source]:
    """Of each address in turn. What a symbolizer cannot read it says nothing about."""
    words = [*command, "-f", "-C", "-e", str(Path(file).absolute()), *map(hex, addresses)]
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return [Source()] * len(addresses)
    lines = done.stdout.splitlines()
    if len(lines) != 2 * len(addresses):
        return [Source()] * len(addresses)
    return [source_in(lines[i], lines[i + 1]) for i in range(0, len(lines), 2)]


def source_in(function: str, place: str) -> Source:
    """'/src/verlet.cpp:231 (discriminator 2)', or '??:0'."""
    match = re.match(r"(.*?):([1-9][0-9]*)", place)
    is_known = match is not None and not match[1].startswith(NOT_KNOWN)
    line = f"{Path(match[1]).name}:{match[2]}" if match and is_known else ""
    return Source("" if function.startswith(NOT_KNOWN) else function, line)
