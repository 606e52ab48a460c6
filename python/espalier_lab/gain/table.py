# SPDX-License-Identifier: Apache-2.0
"""The gains as they are printed, and what they come to in a few sentences."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from espalier import output, units
from espalier_lab.gain.sizes import SAME, UNEVEN, Size

COLUMNS = ("bytes", "choice", "time", "gain", "plain MPI", "time", "best", "at best")


def title_of(sizes: Sequence[Size]) -> str:
    row = sizes[0].plain
    return f"{row.collective} on {row.machine}"


def where_of(sizes: Sequence[Size]) -> str:
    return f"{units.plural(sizes[0].plain.ranks, 'rank')}, simulated"


def table_of(sizes: Sequence[Size]) -> output.Table:
    table = output.Table(COLUMNS, ["bytes", "time", "gain", "best"])
    for size in sizes:
        table.add_row(*cells_of(size))
    return table


def cells_of(size: Size) -> tuple[str, ...]:
    return (
        units.bytes_text(size.bytes),
        size.choice,
        units.seconds_text(size.seconds),
        ratio(size.gain),
        size.plain.algorithm,
        units.seconds_text(size.plain.seconds),
        ratio(size.best_gain),
        at_best(size),
    )


def ratio(gain: float) -> str:
    return f"{gain:.2f}x"


def at_best(size: Size) -> str:
    """Nothing, where it is one of the two."""
    if size.best is size.chosen or size.best is size.plain:
        return ""
    return "other cut" if size.best.algorithm == size.choice else size.best.algorithm


def headline(sizes: Sequence[Size]) -> str:
    """In one sentence."""
    most = max(sizes, key=lambda size: size.gain)
    if most.gain < SAME:
        return "Nothing would be gained by the first choice: a plain MPI at its best is as fast, or faster."
    where = f"at {units.bytes_text(most.bytes)}"
    return f"Up to {most.gain:.3g} times as fast as a plain MPI at its best, {where}."


def sentences(sizes: Sequence[Size]) -> Iterator[str]:
    yield headline(sizes)
    if far := spans(sizes, lambda size: not size.is_near_the_best):
        yield f"The first choice is more than 10% slower than the best at {far}."
    if lost := spans(sizes, lambda size: size.gain * SAME < 1):
        yield f"It loses at {lost}."
    if uneven := {row.algorithm for size in sizes for row in size.all if row.off > UNEVEN}:
        names = ", ".join(sorted(uneven))
        yield f"Not linear in the length as far as they were played, so that long messages may be off: {names}."


def spans(sizes: Sequence[Size], holds: Callable[[Size], bool]) -> str:
    """Where it holds: 2 MiB, 8 MiB to 1 GiB."""
    runs = [[units.bytes_text(one.bytes) for one in own] for is_so, own in groupby(sizes, holds) if is_so]
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


NOTES = (
    "Choice: what a job begins with, by estimate, until measured times say otherwise; native: the MPI's own.",
    "Plain MPI: the fastest of what goes by rank numbers, as MPIs have it, in the best of several cuts, over all NICs.",
    "gain, best: times as fast as that. At best: the fastest of all that was played, if it is another one.",
)
