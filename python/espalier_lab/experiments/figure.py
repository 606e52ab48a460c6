# SPDX-License-Identifier: Apache-2.0
"""A figure of a comparison: how long each takes, next to what the links allow, as bars on a logarithmic axis."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from espalier import units
from espalier.failure import Failure
from espalier_lab import figure_parts
from espalier_lab.experiments.comparison import Row
from espalier_lab.experiments.comparison_table import best_forced
from espalier_lab.experiments.launch import name_of_mpi
from espalier_lab.figure_parts import FAINT, INDENT, INK, box, rule, text

NATIVE, FORCED, OWN = "native", "best of its own, forced", "Espalier"
COLOURS = {NATIVE: "#9aa5b1", FORCED: "#e0a458", OWN: "#2a7f9e"}
EXPLANATION = (
    "Length: time in multiples of the bound, which is what the links need for the payload alone (logarithmic).",
    "Label: the median time of a call, and in brackets how many times as long as Espalier's that is.",
)

LEFT, RIGHT, WIDTH = 190, 100, 860
BAR, GAP, BLOCK_GAP = 15, 3, 16
TOP, BOTTOM = 84, 60


@dataclass(frozen=True)
class Bars:
    """One collective of one size on one MPI: in each direction's time, in bounds."""

    title: str
    subtitle: str
    times: dict[str, float]
    seconds: dict[str, float]


def bars_of(rows: Sequence[Row], min_bytes: int) -> Iterator[Bars]:
    shown = [row for row in rows if row.bytes >= min_bytes]
    for (mpi, collective, size), group in groupby(shown, key=lambda row: (row.mpi, row.collective, row.bytes)):
        of_size = list(group)
        by_variant = {row.variant: row for row in of_size if row.variant in ("native", "espalier")}
        chosen = {
            NATIVE: by_variant.get("native"),
            FORCED: best_forced(of_size),
            OWN: by_variant.get("espalier"),
        }
        seconds = {name: row.median_s for name, row in chosen.items() if row}
        times = {name: value / of_size[0].bound_s for name, value in seconds.items()}
        yield Bars(f"{collective}, {units.bytes_text(size)}", name_of_mpi(mpi), times, seconds)


def draw(title: str, rows: Sequence[Row], min_bytes: int = 65536) -> str:
    """SVG, of the first lab among them."""
    in_turns = [row for row in rows if not row.calls]
    if not in_turns:
        raise Failure("There are only series of calls among these results.", "Draw them with --view table or curves.")
    return drawn(title, list(bars_of([row for row in in_turns if row.lab == in_turns[0].lab], min_bytes)))


def drawn(title: str, blocks: Sequence[Bars]) -> str:
    """SVG, of the algorithms that there are."""
    names = [name for name in COLOURS if any(name in block.times for block in blocks)]
    most = max(2.0, *(value for block in blocks for value in block.times.values()))
    scale = (WIDTH - LEFT - RIGHT) / math.log10(most)
    parts: list[Markup] = []
    y = TOP
    for block in blocks:
        parts += drawn_block(block, y, scale)
        y += len(block.times) * (BAR + GAP) + BLOCK_GAP
    return figure_parts.figure(title, WIDTH, y + BOTTOM, [*legend(names), *axis(most, scale, y), *parts])


def legend(names: Sequence[str]) -> Iterator[Markup]:
    x = INDENT
    for name in names:
        yield box(x, 44, 12, 12, COLOURS[name])
        yield text(x + 18, 54, name)
        x += 40 + 7 * len(name)


def axis(most: float, scale: float, bottom: int) -> Iterator[Markup]:
    for tick in (1, 2, 5, 10, 20, 50, 100, 200):
        if tick > most:
            break
        x = LEFT + scale * math.log10(tick)
        yield rule(x, TOP - 10, x, bottom, INK if tick == 1 else FAINT)
        yield text(x, bottom + 16, "the bound" if tick == 1 else f"{tick}x", anchor="middle")
    for line, words in enumerate(EXPLANATION):
        yield text(LEFT, bottom + 34 + 16 * line, words, size=11)


def drawn_block(block: Bars, y: int, scale: float) -> Iterator[Markup]:
    middle = y + len(block.times) * (BAR + GAP) / 2
    yield text(LEFT - 12, middle - 2, block.title, anchor="end", weight="bold")
    yield text(LEFT - 12, middle + 13, block.subtitle, anchor="end", size=11)
    for name, value in block.times.items():
        length = max(2.0, scale * math.log10(max(value, 1.0)))
        yield box(LEFT, y, length, BAR, COLOURS[name])
        label = units.seconds_text(block.seconds[name])
        if name != OWN and OWN in block.seconds:
            label += f"  ({block.seconds[name] / block.seconds[OWN]:.1f}x)"
        yield text(LEFT + length + 6, y + BAR - 3, label, size=11)
        y += BAR + GAP
