# SPDX-License-Identifier: Apache-2.0
"""Studies of the papers that are simulated: what is asked for, and what is made of the answers."""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT

from espalier import output
from espalier.installation import Installation
from espalier_lab.simulation import alltoalls, packings, placements, scale, sites, trust
from espalier_lab.simulation.rows import Row, Wanted, key_of
from espalier_lab.simulation.studies import ALL
from espalier_lab.simulation.study import NOT_COMPARED, doubt

BUILD = Installation(ROOT / "build")


@pytest.mark.parametrize("job", placements.JOBS, ids=lambda job: f"job{job.number}")
def test_jobs_lie_as_the_paper_prints_it(job: placements.Job) -> None:
    nodes = job.nodes()
    assert len(set(nodes)) == 16
    assert len({placements.leaf_of(node) for node in nodes}) == job.leaves
    ports = Counter(node % placements.UPLINKS for node in nodes)
    assert tuple(ports[port] for port in range(placements.UPLINKS)) == job.ports
    assert job.nodes() == nodes


def test_uplinks_carry_what_goes_from_leaf_to_leaf() -> None:
    assert placements.heaviest(range(16)) == 0
    apart = [0, 100, 200]  # on a leaf each: two messages come down by the same uplink, the first
    assert placements.heaviest(apart) == 1
    together = [0, 4, 100]  # both of the first leaf send to the third node
    assert placements.loads(together)[0, 0, True] == 2


def test_halos_are_as_long_as_in_the_paper() -> None:
    assert packings.bytes_of(60, "east_west") == 2 * 16384
    assert packings.bytes_of(60, "north_south") == 4 * 8192
    assert packings.bytes_of(60, "diagonals") == 8 * 1024
    assert packings.bytes_of(872, "all") == 2 * 224256 + 4 * 112128 + 8 * 14016


def test_what_is_wanted_has_names_of_its_own() -> None:
    for study in (sites.STUDY, alltoalls.STUDY, packings.STUDY, scale.STUDY):
        wanted = list(study.wanted(BUILD))
        assert len(set(map(key_of, wanted))) == len(wanted)
        for one in wanted:
            files = [word for word in one.where if word.startswith("/")]
            assert all(Path(word).exists() for word in files)
    assert len({study.name for study in ALL}) == len(ALL)


def test_a_time_says_whether_anything_was_compared_with_it() -> None:
    assert "nothing was compared" in doubt(NOT_COMPARED)
    assert "off a line by 25%" in doubt(0.25)


def rows_for(wanted: list[Wanted]) -> list[Row]:
    return [one.row(1e-3 * (1 + number % 7)) for number, one in enumerate(wanted)]


@pytest.mark.parametrize(
    "study", [sites.STUDY, alltoalls.STUDY, packings.STUDY, scale.STUDY], ids=lambda study: study.name
)
def test_rows_become_tables_and_figures(study, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    rows = rows_for(list(study.wanted(BUILD)))
    study.show(rows, output.console())
    assert "└" not in capsys.readouterr().out
    if drawing := study.figure(rows):
        ElementTree.fromstring(drawing)


def test_trust_names_the_worst(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        Row("torus", "bcast", 1 << 20, "trinaryx3", 1.0, 1.0, "lab"),
        Row("torus", "bcast", 1 << 20, "snake", 1.5, 1.0, "lab"),
        Row("mesh", "bcast", 1 << 20, "packed", 0.9, 1.0, "lab"),
    ]
    trust.show(rows, output.console())
    said = capsys.readouterr().out
    assert "10.0% in the median of 3" in said
    assert "snake on torus, +50.0%" in said


def test_packers_are_asked_of_the_tool() -> None:
    east_west = next(one for one in packings.wanted(BUILD) if one.reference_s == 72e-6)
    assert east_west.options == ("east_west", "872")
    assert packings.play(BUILD, east_west).seconds == pytest.approx(72e-6, rel=0.1)
