# SPDX-License-Identifier: Apache-2.0
"""What many jobs did, for a terminal."""

from dataclasses import dataclass

from rich.console import Console

from espalier import output, units
from espalier.site_logs.logs import Troubles
from espalier.site_logs.totals import Calls, Program, Totals, sorted_by_time

MOST_LINES = 40
MANY_HOURS = 100 * 3600
NUMBERS = ("Jobs", "Calls", "Bytes", "Time", "Wall", "Own", "Net")


@dataclass(frozen=True)
class Line:
    program: Program
    collective: str
    calls: Calls

    @property
    def share(self) -> float:
        """Of the wall time of the program's ranks."""
        return self.program.share(self.calls.seconds)


def lines_of(totals: Totals) -> list[Line]:
    """Those that took the most time first."""
    found = [
        Line(program, name, calls) for program in totals.by_time for name, calls in sorted_by_time(program.collectives)
    ]
    return sorted(found, key=lambda one: -one.calls.seconds)


def headline(totals: Totals) -> str:
    users = f" of {units.plural(totals.users, 'user')}" if totals.users else ""
    return (
        f"{units.plural(totals.jobs, 'job')} of {units.plural(len(totals.programs), 'program')}{users}: "
        f"{time_text(totals.wall_seconds)} of all ranks together, {totals.share:.1%} of it in collectives; "
        f"{net_words(totals.net_seconds)} by choosing by time."
    )


def net_words(seconds: float) -> str:
    if not seconds:
        return "nothing saved"
    return f"{time_text(abs(seconds))} {'saved' if seconds > 0 else 'lost'}"


def show(totals: Totals, troubles: Troubles, console: Console) -> None:
    console.print(headline(totals))
    found = lines_of(totals)
    if found:
        show_lines(found, console)
    for text in failures_of(totals) + troubles_of(troubles):
        console.print(text)


def show_lines(found: list[Line], console: Console) -> None:
    table = output.table("Program", "Collective", *NUMBERS, right=NUMBERS)
    for line in found[:MOST_LINES]:
        calls = line.calls
        table.add_row(
            shortened(line.program.name),
            line.collective,
            units.count_text(calls.jobs),
            units.count_text(calls.calls),
            units.bytes_text(calls.bytes),
            time_text(calls.seconds),
            f"{line.share:.1%}",
            f"{calls.own_share:.0%}",
            net_text(calls.net_seconds),
        )
    console.print(table)
    if len(found) > MOST_LINES:
        console.print(f"And {units.count_text(len(found) - MOST_LINES)} more with less time: --json has them.")
    console.print(
        "Time: of all ranks together. Wall: of the program's. Own: calls on Espalier's schedules. Net: saved by "
        "choosing by time, as believed; less than 0: lost."
    )


def failures_of(totals: Totals) -> list[str]:
    return [
        f"{one.name}: {units.plural(one.failures, 'call')} ended with an error, in "
        f"{units.count_text(one.jobs_with_failures)} of {units.plural(one.jobs, 'job')}."
        for one in totals.by_time
        if one.failures
    ]


def troubles_of(troubles: Troubles) -> list[str]:
    said = []
    if troubles.unreadable:
        said.append(f"{units.plural(troubles.unreadable, 'file')} could not be read as a log.")
    if troubles.of_others:
        said.append(f"{units.plural(troubles.of_others, 'file')} left out: of another user than it says.")
    return said + [f"  {one}" for one in troubles.examples]


def shortened(name: str, longest: int = 24) -> str:
    return name if len(name) <= longest else name[: longest - 3] + "..."


def time_text(seconds: float) -> str:
    """Of many ranks: minutes do not count where there are many hours."""
    if seconds < 90:
        return units.seconds_text(seconds)
    return units.duration_text(seconds) if seconds < MANY_HOURS else f"{units.count_text(round(seconds / 3600))} h"


def net_text(seconds: float) -> str:
    if not seconds:
        return "-"
    return f"{'-' if seconds < 0 else ''}{time_text(abs(seconds))}"
