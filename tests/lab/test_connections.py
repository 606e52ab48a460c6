# SPDX-License-Identifier: Apache-2.0
"""The figure of how much of a WAN this many connections carry."""

import xml.etree.ElementTree as ElementTree

import pytest

from espalier.failure import Failure
from espalier_lab.experiments import connections
from espalier_lab.experiments.comparison import Row

WAN = "sites:4+4 50mbit 20 ms"


def row(lab: str, variant: str, seconds: float, mpi: str = "mpich5") -> Row:
    return Row(
        lab=lab,
        mpi=mpi,
        collective="bcast",
        bytes=1 << 23,
        ranks=8,
        variant=variant,
        median_s=seconds,
        q1_s=seconds,
        q3_s=seconds,
        repeats=3,
        bound_s=1.0,
        cpu_busy=0.1,
    )


def test_panels_have_the_shares_by_number_and_what_is_chosen_next_to_them() -> None:
    rows = [
        row(WAN, "espalier", 1.25),
        row(WAN, "native", 20.0),
        row(connections.label(WAN, 16), "espalier:sites_chain,over=fabric", 1.6),
        row(connections.label(WAN, 1), "espalier:sites_chain,over=fabric", 10.0),
        row(connections.label(WAN, 4), "espalier:sites_chain,over=fabric", 4.0, mpi="openmpi5"),
        row("rails:8x2 20mbit", "espalier", 1.0),
    ]
    mpich, openmpi = connections.panels_of(rows)
    assert mpich == connections.Panel(WAN, "mpich5", {1: 0.1, 16: 0.625}, 0.8, 0.05)
    assert list(mpich.by_number) == [1, 16]
    assert openmpi == connections.Panel(WAN, "openmpi5", {4: 0.25}, None, None)
    picture = connections.draw("Lanes", rows)
    ElementTree.fromstring(picture)
    assert "MPICH 5" in picture
    assert "connections over the WAN" in picture


def test_results_without_such_rows_are_refused() -> None:
    with pytest.raises(Failure, match="this many connections"):
        connections.draw("Rails", [row("rails:8x2 20mbit", "espalier", 1.0)])
