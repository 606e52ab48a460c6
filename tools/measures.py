#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures src: functions per thousand lines and their lengths, doubled names of types, files and lines of each room.

A function is a definition with a body: members and operators too, but neither lambdas, which are part of what they
stand in, nor `= default`. Its length counts from its head's first line (a template's `template`) to the closing brace.
Lines are all lines of .cpp, .hpp and .h, comments and empty ones too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from check_names import doubled_names, is_allowed
from check_rooms import House
from cpp_outline import Function, outline, sources_of

ROOT = Path(__file__).resolve().parents[1]


def lines_of(file: Path) -> int:
    """All lines of a source."""
    return len(file.read_text().splitlines())


def quantile(sorted_values: Sequence[int], share: float) -> int:
    """The value that this share of all does not exceed."""
    return sorted_values[min(int(share * len(sorted_values)), len(sorted_values) - 1)] if sorted_values else 0


def functions_in(files: Sequence[Path]) -> list[Function]:
    """All functions that are defined there."""
    return [function for file in files for function in outline(file).functions]


def summary_of(files: Sequence[Path]) -> str:
    """One line: how many functions in how many lines."""
    functions, lines = functions_in(files), sum(map(lines_of, files))
    lengths = sorted(function.lines for function in functions)
    per_thousand = 1000 * len(functions) / max(lines, 1)
    p50, p90 = quantile(lengths, 0.5), quantile(lengths, 0.9)
    amount = f"{len(files):4} files {lines:6} lines {len(functions):5} functions"
    return f"{amount} {per_thousand:5.1f}/1000 lines, length p50 {p50:2} p90 {p90:2}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="the project; this one if not given")
    root = parser.parse_args().root
    house = House(root)
    for folder in sorted({file.parent for file in house.files}, key=lambda folder: (house.rank(folder) or 0, folder)):
        files = [path for path in sources_of(root / "src" / folder) if path.parent == root / "src" / folder]
        print(f"{folder!s:24} {summary_of(files)}")
    print(f"{'src':24} {summary_of(sources_of(root / 'src'))}")
    doubled = doubled_names(root)
    allowed = [name for name, types in doubled.items() if is_allowed(name, types)]
    print(f"names of types in more than one file: {len(doubled)} ({len(allowed)} allowed: {', '.join(allowed)})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
