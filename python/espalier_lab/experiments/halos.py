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
from espalier_lab.experiments import halos_model as model
from espalier_lab.experiments.halos_planned import PACKERS, Exchange, Row
from espalier_lab.experiments.launch import Family
from espalier_lab.network import session

# What must be set for all exchanges of a job, as bench/halo calls these.
SET_FORMS = {"blocking": "espalier:neighbour", "paired": "paired"}
BY_ITSELF = "auto"


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
    """A packer of blocking and paired exchanges is a setting, so each of them is a job of its own."""
    rows: list[Row] = []
    with session.lab(exchange.network, exchange.options) as plan:
        for packer, variants in by_setting(exchange.variants).items():
            words = [str(bench_program.path(installation, family, "halo")), "--pattern", exchange.pattern]
            words += ["--bytes", ",".join(map(str, exchange.sizes)), "--repeats", str(repeats)]
            words += ["--variants", ";".join(map(in_program, variants))]
            settings = {"ESPALIER_MEMORY": "", "ESPALIER_PERSISTENT": "paired", "ESPALIER_PACKER": packer}
            with launch.prepared(
                installation, plan, family, launch.Job(words, settings, exchange.per_host)
            ) as prepared:
                raw = json.loads(bench_program.run(prepared, announce))
            rows += rows_of(installation, exchange, family, variants, raw)
    return sorted(rows, key=lambda row: (exchange.sizes.index(row.bytes), exchange.variants.index(row.variant)))


def by_setting(variants: Sequence[str]) -> dict[str, list[str]]:
    """By the packer that must be set for them."""
    found: dict[str, list[str]] = {}
    for variant in variants:
        form, _, packer = variant.partition(":")
        found.setdefault(packer if form in SET_FORMS and packer else BY_ITSELF, []).append(variant)
    return found


def in_program(variant: str) -> str:
    """As bench/halo calls it."""
    return SET_FORMS.get(variant.partition(":")[0], variant) if variant.partition(":")[2] in PACKERS else variant


def rows_of(
    installation: Installation, exchange: Exchange, family: Family, variants: Sequence[str], raw: dict[str, Any]
) -> list[Row]:
    names = {in_program(variant): variant for variant in variants}
    rows = []
    for size in raw["sizes"]:
        bound = exchange.bound_s(exchange.traffic(size))
        expected = model.seconds_by_variant(installation, exchange, size)
        for row in raw["rows"]:
            if row["bytes"] == size["bytes"]:
                name = names[row["variant"]]
                rows.append(
                    row_of(exchange, family, raw["ranks"], {**row, "variant": name}, bound, expected.get(name, 0.0))
                )
    return rows


def row_of(exchange: Exchange, family: Family, ranks: int, raw: dict[str, Any], bound_s: float, model_s: float) -> Row:
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
        model_s=model_s,
    )
