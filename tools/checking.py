# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder share: which project they look at, and how they end."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def parser(description: str | None) -> argparse.ArgumentParser:
    """With the argument `root`."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("root", nargs="?", type=Path, default=ROOT, help="the project; this one if not given")
    return made


def end(found: Sequence[str]) -> int:
    """Prints all complaints, a line each, and gives the exit status: 1 if there is one."""
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


def main(complaints: Callable[[Path], Sequence[str]], description: str | None) -> int:
    """A check without options of its own."""
    return end(complaints(parser(description).parse_args().root))
