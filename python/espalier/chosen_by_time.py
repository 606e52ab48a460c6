# SPDX-License-Identifier: Apache-2.0
"""The table of what was chosen by time, at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from espalier import account, contexts, contexts_read, output, report, units
from espalier.context_words import reference_name, size_of
from espalier.contexts import Context
from espalier.installation import COMMAND

MOST_ROWS = 12
TITLE = "Chosen by time"
LEGEND = (
    "Calls: of one rank. Faster: times as fast as native; or, where bits depend on it, as what is named, which would "
    "run without a choice by time. Tried: of how many candidates. Learning: cost, and of the measured time of these "
    "calls, unless these are too few."
)


def show(reports: Sequence[report.Report], console: Console, file: Path | None = None) -> None:
    """`file`: where `explain` finds the run."""
    for number, one in enumerate(reports, 1):
        found = [context for context in contexts.by_time(contexts_read.of(one)) if context.fastest]
        if found:
            job = f", job {number}" if len(reports) > 1 else ""
            console.print(f"\n{TITLE}{job}", style="bold")
            show_table(one, found, console, file)


def show_table(one: report.Report, found: Sequence[Context], console: Console, file: Path | None) -> None:
    numbers = ("Ranks", "Calls", "Tried")
    columns = ("Collective", "Message", "Ranks", "Calls", "Fastest so far", "Faster", "Tried", "Learning")
    table = output.table(*columns, right=numbers)
    for context in found[:MOST_ROWS]:
        table.add_row(*cells_of(context, account.budget_share(one)))
    console.print(table)
    console.print(LEGEND)
    if len(found) > MOST_ROWS:
        console.print(f"... and {len(found) - MOST_ROWS} more: {COMMAND} explain {file or 'FILE, of run --json FILE'}")


def cells_of(context: Context, budget_share: float) -> tuple[str, ...]:
    costs = account.account_of(context, budget_share)
    return (
        context.collective,
        size_of(context),
        str(context.ranks),
        units.count_text(context.calls),
        context.fastest.name if context.fastest else "-",
        faster_cell(context),
        f"{account.tried(context)} of {len(context.candidates)}",
        f"{units.seconds_text(costs.learning_seconds)}{share_text(costs)}",
    )


def faster_cell(context: Context) -> str:
    factor = account.times_faster(context)
    if factor is None:
        return "-"
    baseline = context.reference
    return f"{factor:.2f}x" + ("" if baseline is None or baseline.is_native else f" ({reference_name(context)})")


def share_text(costs: account.Account) -> str:
    if costs.learning_share is None:
        return f" ({units.plural(costs.measured_calls, 'call')} timed)"
    return f" ({account.share_text(costs.learning_share)})"
