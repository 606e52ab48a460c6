# SPDX-License-Identifier: Apache-2.0
"""Figures: of benchmark (a) the times against the delay, and of (b) all patterns' ratios, the best ones first, as in
figures 13 and 14 of paper 4."""

from collections.abc import Callable, Sequence
from itertools import groupby

from espalier import units
from espalier_lab.arrival import effect_table, load_table
from espalier_lab.arrival.panels import Panel, draw
from espalier_lab.arrival.rows import EffectRow, LoadRow
from espalier_lab.arrival.variants import every
from espalier_lab.figure_parts import Point

TIMES: dict[str, Callable[[EffectRow], float]] = {
    "overall time": lambda row: row.overall_s,
    "mean time": lambda row: row.mean_s,
}


ABREAST = 2 * len(TIMES)  # panels: those of two sizes


def draw_effect(rows: Sequence[EffectRow]) -> str:
    """Empty if there is none to draw."""
    steady = sorted((row for row in rows if not row.is_changed), key=effect_table.place_of)
    lines = []
    for _, group in groupby(steady, key=lambda row: effect_table.place_of(row)[:-1]):  # of all sizes
        here = list(group)
        sizes = [list(of_size) for _, of_size in groupby(here, key=lambda row: row.bytes)]
        several = [one for one in sizes if len({row.delay for row in one}) > 1]
        panels = [effect_panel(name, one) for one in several for name in TIMES]
        lines += [panels[at : at + ABREAST] for at in range(0, len(panels), ABREAST)]
    title = "Ranks that arrive late: time against the delay, in multiples of a call's own time"
    return draw(title, lines, units.seconds_text) if lines else ""


def effect_panel(name: str, rows: Sequence[EffectRow]) -> Panel:
    found = list(effect_table.by_delay(rows))
    places = {delay: index / (len(found) - 1) for index, (delay, _) in enumerate(found)}
    curves: dict[str, list[Point]] = {}
    for kind in every(rows[0].collective):
        curve = [(places[delay], TIMES[name](best[kind])) for delay, best in found if kind in best]
        if curve:
            curves[kind] = curve
    one = rows[0]
    subtitle = f"{one.ranks} ranks, {one.where}, {one.mpi}"
    title = f"{one.collective}, {units.bytes_text(one.bytes)}: {name}"
    return Panel(title, subtitle, [(at, f"{delay:g}x") for delay, at in places.items()], curves)


def draw_load(rows: Sequence[LoadRow]) -> str:
    """Empty if there is none to draw."""
    lines = []
    for _, group in load_table.grouped(rows):
        ratios = load_table.ratios_of(group)
        both = {"overall time": {name: one.overall for name, one in ratios.items()}}
        both["mean time"] = {name: one.mean for name, one in ratios.items()}
        one = group[0]
        where = f"{one.ranks} ranks, {one.where}, {one.mpi}, up to {one.most:g}x"
        panels = [load_panel(name, where, found) for name, found in both.items() if found]
        lines += [panels] if panels else []
    return draw("Random delays: time as a multiple of the plain tree's", lines, "{:.2f}".format) if lines else ""


def load_panel(name: str, where: str, ratios: dict[str, list[float]]) -> Panel:
    curves = {
        variant: [(index / max(1, len(found) - 1), ratio) for index, ratio in enumerate(sorted(found))]
        for variant, found in ratios.items()
    }
    count = max(map(len, ratios.values()))
    return Panel(name, where, [(0.0, "1"), (1.0, f"{count} patterns")], curves, level=1.0)
