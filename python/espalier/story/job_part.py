# SPDX-License-Identifier: Apache-2.0
"""The part of the page that is about one MPI job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from espalier import account, contexts, contexts_read, explain_run
from espalier.account import Account
from espalier.contexts import Context
from espalier.drift import words as words_of_drift
from espalier.drift.words import Told
from espalier.report import Head, Report, Row, mpi_name
from espalier.story import context_part, rows_chart
from espalier.story.context_part import ContextPart
from espalier.story.words import percent, seconds

MOST_STORIES = 24
MOST_LINES = 200  # of a table


@dataclass(frozen=True)
class Tile:
    """A number with its meaning."""

    value: str
    words: str


@dataclass(frozen=True)
class JobPart:
    number: int
    head: Head
    mpi: str
    tiles: list[Tile]
    wall: Markup
    chart: Markup
    bars_left_out: int
    rows: list[Row]
    rows_left_out: int
    contexts: list[ContextPart]  # the first of them with pictures
    contexts_left_out: int
    early: int  # contexts in which nothing was tried
    nothing: str  # said if there are none at all
    settings: list[tuple[str, str]]
    slower: list[Told]  # than before


def part_of(number: int, one: Report) -> JobPart:
    found = contexts.by_time(contexts_read.of(one))
    compared = [context for context in found if not explain_run.is_early(context)]
    share = account.budget_share(one)
    costs = [account.account_of(context, share) for context in compared]
    rows = rows_chart.by_time(one)
    return JobPart(
        number=number,
        head=one.head,
        mpi=mpi_name(one.head),
        tiles=tiles_of(one, [account.account_of(context, share) for context in found]),
        wall=rows_chart.draw_wall(f"wall-{number}", one),
        chart=rows_chart.draw(f"rows-{number}", one),
        bars_left_out=rows_chart.left_out(one),
        rows=rows[:MOST_LINES],
        rows_left_out=max(0, len(rows) - MOST_LINES),
        contexts=parts_of(number, compared[:MOST_LINES], costs),
        contexts_left_out=max(0, len(compared) - MOST_LINES),
        early=len(found) - len(compared),
        nothing="" if found else explain_run.NOTHING.format(policy=explain_run.policy_of(one)),
        settings=settings_of(one),
        slower=words_of_drift.told_in(one.raw),
    )


def parts_of(job: int, some: Sequence[Context], costs: Sequence[Account]) -> list[ContextPart]:
    return [
        context_part.part_of(f"c{job}-{k}", context, cost, has_pictures=k <= MOST_STORIES)
        for k, (context, cost) in enumerate(zip(some, costs), 1)
    ]


def tiles_of(one: Report, costs: Sequence[Account]) -> list[Tile]:
    found = [
        Tile(seconds(one.head.wall_seconds), "wall time"),
        Tile(percent(one.share_of_wall_time), "of it in collectives"),
        Tile(percent(one.own_share), "of the calls on own schedules"),
    ]
    if costs:
        net = sum(cost.net_seconds for cost in costs)
        learning = sum(cost.learning_seconds for cost in costs)
        found.append(Tile(seconds(abs(net)), f"{'gained' if net >= 0 else 'lost'} by choosing by time"))
        found.append(Tile(seconds(learning), "spent on learning"))
    return found


def settings_of(one: Report) -> list[tuple[str, str]]:
    raw = one.raw.get("settings")
    return [(str(name), str(value)) for name, value in raw.items()] if isinstance(raw, dict) else []
