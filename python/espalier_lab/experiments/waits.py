# SPDX-License-Identifier: Apache-2.0
"""On which links of a torus packets wait for packets of other senders or to other receivers, algorithm by algorithm.

The Trinaryx3 paper counts the links on which a packet had to wait in an all-reduction of 1 MiB: 36% under recursive
doubling, 0.89% under Trinaryx3. Ranks are placed at random here. The links are slow: a packet takes 36 ms on one, so
this machine's scheduling is short next to that.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import Any, Self

from rich.console import Console

from espalier import output, units
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, compare, launch
from espalier_lab.experiments.comparison import MIB, Comparison
from espalier_lab.experiments.contention import Contention, contention
from espalier_lab.experiments.launch import Family
from espalier_lab.measured import Measured
from espalier_lab.network import counters, session
from espalier_lab.network.capture import Capture, Packet
from espalier_lab.network.plan import End, Plan
from espalier_lab.network.spec import Options

NETWORK, RATE_BITS = "torus:3x3x3", 2e6
COLLECTIVE, BYTES = "allreduce", MIB
VARIANTS = (
    "native",
    "espalier:recursive_doubling",  # in segments: its exchanges overlap
    "espalier:recursive_doubling,segment=1MiB",  # one exchange after the other
    "espalier:trinaryx3",
)
TITLE = f"Waiting packets: {COLLECTIVE} of {units.bytes_text(BYTES)} on {NETWORK}, {RATE_BITS / 1e6:g} Mbit/s"

PAUSE_SECONDS = 0.05  # between looks at one host's queues, so that looking costs little

LEGEND = """Links: directions that carried data; acknowledgements and control messages are
left out. Behind: packets that found their link busy with one of another
sender or to another receiver; contended: links on which there was one.
Delayed: packets that found their link busy at all, be it with their own
stream, whose window TCP sends at once. Backlog: the most that was seen in a
queue."""


@dataclass(frozen=True)
class Row(Measured):
    seconds: float
    links: int  # directions
    links_used: int
    links_contended: int
    packets: int
    packets_delayed: int
    packets_behind_others: int
    largest_backlog_bytes: int
    cpu_busy: float


class Backlogs:
    """The most that was seen to wait in one queue, by looking at one host after the other."""

    def __init__(self, plan: Plan) -> None:
        self.largest = 0
        self._plan = plan
        self._ended = Event()
        self._thread = Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            for host in self._plan.hosts:
                if self._ended.wait(PAUSE_SECONDS):
                    return
                self.largest = max(self.largest, *counters.backlogs_of(host).values())


def run(installation: Installation, family: Family, announce: output.Announce) -> list[Row]:
    options = Options(RATE_BITS)
    studied = [
        Comparison(NETWORK, COLLECTIVE, (BYTES,), options, (variant,), repeats=1, trains=False) for variant in VARIANTS
    ]
    with session.lab(NETWORK, options) as plan:
        return [measure(installation, plan, family, one, announce) for one in studied]


def measure(
    installation: Installation, plan: Plan, family: Family, comparison: Comparison, announce: output.Announce
) -> Row:
    """The last call of one variant at one size."""
    begin = 0.0

    def heed(text: str, *, is_step: bool = False) -> None:  # noqa: ARG001
        """The program says so before each call; the last one is measured, those before it warm up."""
        nonlocal begin
        begin = time.time()
        announce(f"{family.value}, {text}", is_step=True)

    job = compare.job_of(installation, plan, family, comparison, {})
    with (
        launch.prepared(installation, plan, family, job) as prepared,
        Capture(plan) as capture,
        Backlogs(plan) as backlogs,
    ):
        raw = json.loads(bench_program.run(prepared, heed))
    seen = {variant: [one for one in packets if one.seconds >= begin] for variant, packets in capture.packets.items()}
    return row_of(comparison, family, raw, seen, backlogs.largest)


def row_of(
    comparison: Comparison,
    family: Family,
    raw: dict[str, Any],
    seen: dict[tuple[End, End], list[Packet]],
    largest_backlog: int,
) -> Row:
    links = [contention(packets, comparison.options.rate_bits) for packets in seen.values()]
    measured = raw["rows"][0]
    return Row(
        lab=comparison.lab,
        mpi=family.versioned,
        collective=comparison.collective,
        bytes=measured["bytes"],
        ranks=raw["ranks"],
        variant=measured["variant"],
        seconds=measured["seconds"][0],
        links=len(links),
        links_used=sum(link.packets > 0 for link in links),
        links_contended=sum(link.behind_others > 0 for link in links),
        packets=total(links, lambda link: link.packets),
        packets_delayed=total(links, lambda link: link.delayed),
        packets_behind_others=total(links, lambda link: link.behind_others),
        largest_backlog_bytes=largest_backlog,
        cpu_busy=measured["cpu_busy"],
    )


def total(links: Sequence[Contention], what: Callable[[Contention], int]) -> int:
    return sum(what(link) for link in links)


def show(rows: Sequence[Row], console: Console) -> None:
    right = ("Time", "Links", "Contended", "Behind", "Delayed", "Backlog", "CPU")
    table = output.table("Variant", *right, right=right)
    for row in rows:
        table.add_row(
            row.variant.removeprefix("espalier:").replace(",", ", "),
            units.seconds_text(row.seconds),
            str(row.links_used),
            f"{row.links_contended / max(row.links_used, 1):.1%}",
            f"{row.packets_behind_others / max(row.packets, 1):.1%}",
            f"{row.packets_delayed / max(row.packets, 1):.1%}",
            units.bytes_text(row.largest_backlog_bytes),
            f"{row.cpu_busy:.0%}",
        )
    console.print(f"\n{TITLE}, {rows[0].mpi}; of {rows[0].links} links\n")
    console.print(table)
    console.print(f"\n{LEGEND}")
