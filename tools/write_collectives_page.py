#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/collectives.md to standard output, from what tests/apps/test_every_call.py saw.

The test leaves a record for each MPI and language in the build tree, and fails when the page says something else.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

HEAD = """\
# Collectives

<!-- Written by `tools/write_collectives_page.py > docs/reference/collectives.md`; a test fails when it is stale. -->

Every function that is named below, in each of its forms, is intercepted under every MPI, in C, Fortran (`mpif.h`,
`use mpi`, `use mpi_f08`) and Python (mpi4py). The tests make all of these calls, also in place and with derived
datatypes of absolute addresses, check what they give, and write down what became of them:

- **own**: runs on an algorithm of Espalier's where one is chosen or [forced](../how-to/force-an-algorithm.md)
- **passed on**: is always the native MPI's
- **-**: the MPI or the language has no such function

What holds for all of them, such as which datatypes and communicators are passed on, stands in
[what you can rely on](../explanation/correctness.md#which-calls-run-on-our-algorithms).
"""

LARGE_COUNTS = """\
Where the MPI has no large counts, the preload has those functions all the same, for programs that look for them, such
as mpi4py.
"""

# By the form and whether counts are large.
SPELLINGS = {
    ("blocking", False): "`MPI_X`",
    ("blocking", True): "`MPI_X_c`",
    ("nonblocking", False): "`MPI_IX`",
    ("nonblocking", True): "`MPI_IX_c`",
    ("persistent", False): "`MPI_X_init`",
    ("persistent", True): "`MPI_X_init_c`",
}


@dataclass(frozen=True)
class Seen:
    """One function under one MPI in one language."""

    mpi: str
    language: str
    function: str  # "MPI_Iallgatherv_c"
    blocking: str  # "MPI_Allgatherv"
    form: str
    outcome: str  # "own", "passed on" or "-"
    why: str

    @property
    def spelling(self) -> str:
        return SPELLINGS[self.form, self.function.endswith("_c")]


def read(folder: Path) -> list[Seen]:
    records = sorted((json.loads(path.read_text()) for path in folder.glob("*.json")), key=lambda one: one["position"])
    return [Seen(record["mpi"], record["language"], **call) for record in records for call in record["calls"]]


def unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def outcome(cells: Sequence[Seen]) -> str:
    """One word if all functions went alike; otherwise also which went otherwise than most."""
    functions: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        functions[cell.outcome].append(f"`{cell.function}`")
    usual, *others = sorted(functions, key=lambda word: -len(functions[word]))
    return "; ".join([usual, *(f"{word}: {', '.join(unique(functions[word]))}" for word in others)])


def own_forms(cells: Sequence[Seen]) -> str:
    """Of one function; with the languages, where it is not all."""
    there = [cell for cell in cells if cell.outcome != "-"]
    own = [cell for cell in there if cell.outcome == "own"]
    if own == there:
        return "all"
    told = []
    for form in unique(cell.form for cell in own):
        has = unique(cell.language for cell in there if cell.form == form)
        others = unique(cell.language for cell in there if cell.form == form and cell not in own)
        told.append(form if not others else f"{form} ({', '.join(word for word in has if word not in others)})")
    return ", ".join(told) or "none"


def how_many(cells: Sequence[Seen]) -> str:
    there = [cell for cell in cells if cell.outcome != "-"]
    return f"{sum(cell.outcome == 'own' for cell in there)} of {len(there)}" if there else "-"


def table(seen: Sequence[Seen], row_of: Callable[[Seen], str], cell_for: Callable[[Sequence[Seen]], str]) -> str:
    mpis = unique(one.mpi for one in seen)
    lines = [["", *mpis], ["---"] * (len(mpis) + 1)]
    for row in unique(map(row_of, seen)):
        cells = ([one for one in seen if (one.mpi, row_of(one)) == (mpi, row)] for mpi in mpis)
        lines.append([row, *(cell_for(cell) if cell else "not tested" for cell in cells)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def reasons(seen: Sequence[Seen]) -> str:
    """Why calls are not own: each reason with the forms and MPIs for which it holds."""
    held: dict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        if one.why:
            held[one.why].append(one)
    lines = []
    for why, those in held.items():
        spellings, mpis = unique(one.spelling for one in those), unique(one.mpi for one in those)
        lines.append(f"- {', '.join(spellings)} under {' and '.join(mpis)}: {why}.\n")
    return "".join(lines)


def page(seen: Sequence[Seen]) -> str:
    by_form = sorted(seen, key=lambda one: list(SPELLINGS.values()).index(one.spelling))
    parts = [
        HEAD,
        "## By form\n",
        table(by_form, lambda one: one.spelling, outcome),
        reasons(by_form),
        LARGE_COUNTS,
        "## By function\n",
        "Which forms are own in every language, of those that there are.\n",
        table(seen, lambda one: f"`{one.blocking}`", own_forms),
        "## By language\n",
        "How many functions are own, of those that there are. mpi4py itself chooses between small and large counts.\n",
        table(seen, lambda one: one.language, how_many),
    ]
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build tree in which the tests ran")
    print(page(read(parser.parse_args().build / "every_call")), end="")


if __name__ == "__main__":
    main()
