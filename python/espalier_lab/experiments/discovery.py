# SPDX-License-Identifier: Apache-2.0
"""Networks of the lab, found by measuring, next to what they are.

Nothing of a lab's plan is told to what measures: its job runs on the hosts, through an MPI that knows their interfaces.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from espalier import output
from espalier.discover import program
from espalier.discover.run import Outcome, by_launch
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.experiments import launch
from espalier_lab.experiments.described import Described, described, links_right, pairs_right
from espalier_lab.experiments.launch import Family
from espalier_lab.network import session
from espalier_lab.network.spec import Options

COLLECTIVES = ("bcast", "reduce", "allreduce")
SIZES = (64 << 10, 1 << 20, 8 << 20)
TITLE = "Networks found by measuring"
STUDY = "discover"
NETWORKS = (
    "torus:4x4",
    "leafspine:4x4",
    "rails:16x2",
    "sites:8+8",
    "torus:3x3x3",
    "leafspine:3x9",
    "rails:27x2",
    "sites:13+14",
)


@dataclass(frozen=True)
class Row:
    """`links_*`: of a lattice or graph; `pairs_right`: the share of pairs of nodes that are rightly together or apart.
    Rates are bytes per second, of a link or a NIC; `load`: processes that waited for processors, at the end. `choices`:
    calls for which an algorithm was chosen by either description, and by how many of them the same one."""

    lab: str
    mpi: str
    nodes: int
    kind: str
    found_kind: str
    links: int
    links_right: int
    links_wrong: int
    pairs_right: float
    nics: int
    found_nics: int
    rate: float
    found_rate: float
    wan_s: float
    found_wan_s: float
    seconds: float
    commands: int
    load: float
    choices: int = 0
    same_choices: int = 0
    failure: str = ""


def read(file: Path) -> list[Row]:
    """Of earlier runs."""
    try:
        return [Row(**raw) for raw in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []
    except (ValueError, TypeError) as error:
        raise Failure(f"{file}: holds no results of this kind; take another --results, or move it away") from error


def run(
    installation: Installation,
    networks: Sequence[str],
    families: Sequence[Family],
    options: Options,
    seconds: float,
    announce: output.Announce,
    keep: Callable[[Row, str], None],
) -> None:
    for network in networks:
        for family in families:
            announce(f"{network}, {family.value}", is_step=True)
            row, text = one(installation, network, family, options, seconds, announce)
            keep(row, text)


def one(
    installation: Installation,
    network: str,
    family: Family,
    options: Options,
    seconds: float,
    announce: output.Announce,
) -> tuple[Row, str]:
    """With the description that was found; empty if there is none."""
    measures = program.for_launcher([str(launch.launcher_of(family))], os.environ)
    began = time.monotonic()
    with (
        session.lab(network, options) as plan,
        launch.prepared(installation, plan, family, launch.Job([str(measures)])) as prepared,
    ):
        truth = described(plan.machine)
        try:
            outcome = by_launch(prepared, seconds, lambda what, share: announce(f"{network}: {what}, {share:.0%}"))
        except Failure as failure:
            return failed(network, family, truth, time.monotonic() - began, failure.message), ""
    own, true = (choices(installation, text) for text in (outcome.text, plan.machine))
    same = sum(mine == theirs for mine, theirs in zip(own, true, strict=True))
    return replace(compared(network, family, truth, outcome), choices=len(own), same_choices=same), outcome.text


def choices(installation: Installation, text: str) -> list[str]:
    """The algorithms of some calls on a network of this description."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        where = ["--topology", file.name]
        calls = [["explain", name, "--bytes", str(size), *where] for name, size in product(COLLECTIVES, SIZES)]
        return [str(installation.ask_tool(call)["chosen"]) for call in calls]


def compared(network: str, family: Family, truth: Described, outcome: Outcome) -> Row:
    found = described(outcome.text)
    right, wrong = links_right(truth, found)
    return Row(
        lab=network,
        mpi=family.versioned,
        nodes=len(truth.nodes),
        kind=truth.kind,
        found_kind=found.kind,
        links=len(truth.links),
        links_right=right,
        links_wrong=wrong,
        pairs_right=pairs_right(truth, found),
        nics=truth.nics,
        found_nics=found.nics,
        rate=truth.rate,
        found_rate=found.rate,
        wan_s=truth.wan_seconds,
        found_wan_s=found.wan_seconds,
        seconds=outcome.seconds,
        commands=outcome.commands,
        load=os.getloadavg()[0],
    )


def failed(network: str, family: Family, truth: Described, seconds: float, why: str) -> Row:
    nothing = (len(truth.links), 0, 0, 0.0, truth.nics, 0, truth.rate, 0.0, truth.wan_seconds, 0.0)
    row = Row(network, family.versioned, len(truth.nodes), truth.kind, "none", *nothing, seconds, 0, os.getloadavg()[0])
    return replace(row, failure=why)


def file_of(directory: Path, row: Row) -> Path:
    """Of the description that was found there."""
    return directory / f"{row.lab.replace(':', '-').replace('+', '-')}-{row.mpi}.toml"
