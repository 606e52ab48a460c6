# SPDX-License-Identifier: Apache-2.0
"""The rows of series as tables: a line for each placement, with the time of the native MPI and of each variant."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from rich.console import Console

from espalier import output, units
from espalier.contexts import AS_GOOD
from espalier_lab.experiments import series_variants
from espalier_lab.experiments.comparison import Row
from espalier_lab.experiments.launch import name_of_mpi

LEGEND = """Time of all calls, and how much more or less than natively that is.
Fixed: one of Espalier's algorithms all the time, by what a tenth of the calls
took when its connections were there. Warm: with the memory of an equal job.
Described: Espalier was told what the network is; otherwise it was not."""

HEADINGS = {
    series_variants.NATIVE: "native",
    series_variants.POLICY: "{}",
    series_variants.WARM: "{}, warm",
    series_variants.DESCRIBED: "{}, described",
}
Key = TypeVar("Key")

BEST, WORST = "best fixed", "worst fixed"


@dataclass(frozen=True)
class Table:
    """Of one collective and size on one MPI; the first cell of a line says where."""

    title: str
    heading: list[str]
    lines: list[list[str]]


def tables(rows: Sequence[Row]) -> Iterator[Table]:
    for (mpi, collective, size), group in grouped(rows, lambda row: (row.mpi, row.collective, row.bytes)):
        variants_here = [
            variant for variant in dict.fromkeys(row.variant for row in group) if not series_variants.is_fixed(variant)
        ]
        has_fixed = any(series_variants.is_fixed(row.variant) for row in group)
        heading = ["Where", "Calls", *map(heading_of, variants_here), *((BEST, WORST) if has_fixed else ())]
        labs = grouped(group, lambda row: row.lab)
        common = common_words([lab for lab, _ in labs])
        lines = [line_of(lab.removeprefix(common), of_lab, variants_here, has_fixed) for lab, of_lab in labs]
        words = [collective, units.bytes_text(size), name_of_mpi(mpi), common.strip()]
        yield Table(", ".join(filter(None, words)), heading, lines)


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> list[tuple[Key, list[Row]]]:
    """In the order in which keys come first, wherever their rows are."""
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.items())


def common_words(texts: Sequence[str]) -> str:
    """With which all of them begin, if there are several; with the space behind."""
    if len(texts) < 2:
        return ""
    columns = zip(*(text.split(" ")[:-1] for text in texts), strict=False)
    return "".join(f"{words[0]} " for words in takewhile(lambda words: len(set(words)) == 1, columns))


def heading_of(variant: str) -> str:
    kind, _, name = variant.partition(":")
    return HEADINGS[kind].format(name)


def line_of(lab: str, rows: Sequence[Row], variants_here: Sequence[str], has_fixed: bool) -> list[str]:
    by_variant = {row.variant: row for row in rows}
    calls = max(row.calls for row in rows)
    native = by_variant.get(series_variants.NATIVE)
    cells = [cell(by_variant.get(variant), native, calls) for variant in variants_here]
    fixed = sorted((row for row in rows if series_variants.is_fixed(row.variant)), key=lambda row: row.median_s)
    if has_fixed:
        cells += [
            cell(one, native, calls, with_name=True) for one in ((fixed[0], fixed[-1]) if fixed else (None, None))
        ]
    return [lab, units.count_text(calls), *cells]


def cell(row: Row | None, native: Row | None, calls: int, *, with_name: bool = False) -> str:
    """'131 s +7.9%'."""
    if row is None:
        return "-"
    words = [units.seconds_text(row.median_s * calls)]
    if native and row is not native:
        words.append(f"{row.median_s / native.median_s - 1:+.1%}")
    if with_name:
        words.append(row.variant.partition(":")[2])
    return " ".join(words)


def right_at_once(rows: Sequence[Row]) -> Iterator[str]:
    """'race, warm: at once what was the best, or within 5% of it, in 11 of 12.'"""
    known = [row for row in rows if row.first_over_best > 0]
    for variant, group in grouped(known, lambda row: row.variant):
        right = sum(row.first_over_best <= AS_GOOD for row in group)
        yield f"{heading_of(variant)}: at once what was the best, or within 5% of it, in {right} of {len(group)}."


def show(title: str, rows: Sequence[Row], console: Console) -> None:
    console.print(f"\n{title}\n")
    for one in tables(rows):
        console.print(one.title, style="bold")
        table = output.table(*one.heading, right=tuple(one.heading[1:]))
        for line in one.lines:
            table.add_row(*line)
        console.print(table)
        console.print()
    for words in right_at_once(rows):
        console.print(words)
    console.print(LEGEND)
