# SPDX-License-Identifier: Apache-2.0
"""A figure of what was measured inside a node: times against the size, a panel for each collective on each MPI."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from espalier import units
from espalier_lab.arrival.panels import Panel, draw
from espalier_lab.figure_parts import Point
from espalier_lab.nodes.best import Compared, compared
from espalier_lab.nodes.rows import Row
from espalier_lab.nodes.table import size_text

ABREAST = 4  # panels
TITLE = "Inside a node: what a call takes, against its size"


def figure(rows: Sequence[Row]) -> str:
    """Of the state in which most was measured. Empty if there are no curves to draw."""
    panels = list(panels_of(in_one_state(list(compared(rows)))))
    lines = []
    for _, of_mpi in groupby(panels, key=lambda panel: panel.subtitle):
        here = list(of_mpi)
        lines += [here[at : at + ABREAST] for at in range(0, len(here), ABREAST)]
    return draw(TITLE, lines, units.seconds_text) if lines else ""


def in_one_state(found: Sequence[Compared]) -> list[Compared]:
    states = [one.cores for one in found]
    return [one for one in found if one.cores == max(set(states), key=states.count)]


def panels_of(found: Sequence[Compared]) -> Iterator[Panel]:
    for (mpi, ranks, collective), group in groupby(found, lambda one: (one.mpi, one.ranks, one.collective)):
        of_sizes = list(group)
        if len(of_sizes) < 2:
            continue
        places = {one.bytes: index / (len(of_sizes) - 1) for index, one in enumerate(of_sizes)}
        where = f"{units.plural(ranks, 'rank')}, {of_sizes[0].cores} cores, {mpi}"
        marks = [(at, size_text(size)) for size, at in places.items()]
        yield Panel(collective, where, marks, curves_of(of_sizes, places))


def curves_of(found: Sequence[Compared], places: dict[int, float]) -> dict[str, list[Point]]:
    curves: dict[str, list[Point]] = {}
    for one in found:
        kinds = {"limit": one.limit, "native": one.native, "forced": one.best_native, "espalier": one.espalier}
        for name, row in kinds.items():
            if row:
                curves.setdefault(name, []).append((places[one.bytes], row.median_s))
    return curves
