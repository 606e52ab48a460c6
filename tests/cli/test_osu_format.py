# SPDX-License-Identifier: Apache-2.0
"""`espalier bench --format osu`: one reader reads it, and what the OSU micro-benchmarks print.

The two outputs below are in the form of OSU 7, by its source's format strings and published runs; the numbers are ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Espalier

from espalier.failure import Failure
from espalier_lab import osu_format

OSU_BCAST = """
# OSU MPI Broadcast Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1                       0.46              0.41              0.52        1000
1048576               273.81            270.02            280.44         100
"""
OSU_BARRIER = """
# OSU MPI Barrier Latency Test v7.4
# Avg Latency(us)
             0.84
"""

RESULT = {
    "collective": "bcast",
    "ranks": 4,
    "mpi": "Open MPI v5.0.11, package: x",
    "rows": [
        {"bytes": 8, "variant": "native", "seconds": [1e-6, 3e-6], "cpu_seconds": 0.0},
        {"bytes": 8, "variant": "ring", "seconds": [], "cpu_seconds": 0.0},
        {"bytes": 1048576, "variant": "native", "seconds": [2.5e-4], "cpu_seconds": 0.0},
        {"bytes": 8, "variant": "chain", "seconds": [5e-7], "cpu_seconds": 0.0},
    ],
}
Output = tuple[list[str], list[list[float]]]


def read(text: str) -> list[Output]:
    """As readers of OSU's do: outputs lie between empty lines; the last comment names columns, which end alike."""
    outputs: list[Output] = []
    for part in text.strip("\n").split("\n\n"):
        lines = part.split("\n")
        comments = [line for line in lines if line.startswith("#")]
        numbers = [[float(word) for word in line.split()] for line in lines if not line.startswith("#")]
        heading = comments[-1].removeprefix("#").replace(" Latency", "_Latency").split()
        assert all(len(row) == len(heading) for row in numbers)
        assert all(len(line) == len(comments[-1]) for line in lines if not line.startswith("#"))
        outputs.append((heading, numbers))
    return outputs


def test_one_reader_reads_osus_output_and_ours() -> None:
    ((heading, osus),) = read(OSU_BCAST)
    (of_native, of_chain) = read(osu_format.text(RESULT, full=True))
    assert of_native == (heading, [[8, 2.0, 1.0, 3.0, 2], [1048576, 250.0, 250.0, 250.0, 1]])
    assert of_chain == (heading, [[8, 0.5, 0.5, 0.5, 1]])
    assert [row[0] for row in osus] == [1, 1048576]


def test_a_heading_is_osus_letter_for_letter() -> None:
    assert OSU_BCAST.splitlines()[3] in osu_format.text(RESULT, full=True).splitlines()
    assert "# Size       Avg Latency(us)" in osu_format.text(RESULT, full=False).splitlines()


def test_a_barrier_has_no_sizes() -> None:
    result = {**RESULT, "collective": "barrier", "rows": [{**RESULT["rows"][0], "bytes": 0}]}  # type: ignore[dict-item, index]
    ours = osu_format.text(result, full=False)
    assert read(ours) == [(read(OSU_BARRIER)[0][0], [[2.0]])]
    assert ours.splitlines()[-2] == OSU_BARRIER.splitlines()[-2]


def test_a_title_says_what_was_measured_and_that_it_is_ours() -> None:
    text = osu_format.text(RESULT, full=False)
    assert "# Espalier MPI bcast Latency Test: native, 4 ranks, Open MPI v5.0.11" in text.splitlines()
    assert "ring" not in text


@pytest.mark.parametrize(("format_", "full"), [("csv", False), ("table", True)])
def test_other_forms_are_refused(format_: str, full: bool) -> None:
    with pytest.raises(Failure):
        osu_format.checked(format_, full)


def test_bench_prints_what_osus_readers_read(espalier: Espalier, build: Path) -> None:
    if not (build / "bin" / "espalier-bench-openmpi5").exists():
        pytest.skip("no openmpi5 to measure")
    words = ("--collective", "allreduce", "--bytes", "8,64KiB", "--variants", "native,ring", "--repeats", "3")
    done = espalier("bench", *words, "--format", "osu", "-f")
    assert done.returncode == 0, done.stderr
    outputs = read(done.stdout)
    assert [[(row[0], row[-1]) for row in rows] for _, rows in outputs] == [[(8, 3), (65536, 3)]] * 2
