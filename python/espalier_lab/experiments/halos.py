# SPDX-License-Identifier: Apache-2.0
"""Exchanges of halos in the lab, in turns: the MPI's requests and calls, and Espalier's, distributed by each packer."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, launch
from espalier_lab.experiments.halos_planned import Exchange, Row
from espalier_lab.experiments.launch import Family
from espalier_lab.network import session


@dataclass
class Done:
    rows: list[Row] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def run(
    installation: Installation,
    planned: Sequence[Exchange],
    families: Sequence[Family],
    repeats: int,
    announce: output.Announce,
    write: Callable[[Sequence[Row]], None],
) -> Done:
    done = Done()
    for exchange in planned:
        for family in families:
            title = f"{exchange.pattern} on {exchange.lab}, {family}"
            announce(title, is_step=True)
            try:
                done.rows += measure(installation, exchange, family, repeats, announce)
            except Failure as failure:
                done.failures.append(f"{title}: {failure.message}")
            write(done.rows)
    return done


def measure(
    installation: Installation, exchange: Exchange, family: Family, repeats: int, announce: output.Announce
) -> list[Row]:
    program = bench_program.path(installation, family, "halo")
    words = [str(program), "--pattern", exchange.pattern, "--bytes", ",".join(map(str, exchange.sizes))]
    words += ["--variants", ";".join(exchange.variants), "--repeats", str(repeats)]
    job = launch.Job(words, {"ESPALIER_MEMORY": "", "ESPALIER_PERSISTENT": "paired"}, exchange.per_host)
    with (
        session.lab(exchange.network, exchange.options) as plan,
        launch.prepared(installation, plan, family, job) as prepared,
    ):
        raw = json.loads(bench_program.run(prepared, announce))
    bounds = {size["bytes"]: exchange.bound_s(exchange.traffic(size)) for size in raw["sizes"]}
    return [row_of(exchange, family, raw["ranks"], row, bounds[row["bytes"]]) for row in raw["rows"]]


def row_of(exchange: Exchange, family: Family, ranks: int, raw: dict[str, Any], bound_s: float) -> Row:
    seconds = raw["seconds"]
    low, high = seconds[0], seconds[0]
    if len(seconds) > 1:
        low, _, high = quantiles(seconds, n=4, method="inclusive")
    return Row(
        lab=exchange.lab,
        mpi=family.versioned,
        pattern=exchange.pattern,
        bytes=raw["bytes"],
        ranks=ranks,
        per_host=exchange.per_host,
        variant=raw["variant"],
        median_s=median(seconds),
        q1_s=low,
        q3_s=high,
        repeats=len(seconds),
        bound_s=bound_s,
        cpu_busy=raw["cpu_busy"],
        packets=median(raw["packets"]),
    )
