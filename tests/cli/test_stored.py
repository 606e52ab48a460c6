# SPDX-License-Identifier: Apache-2.0
"""Files that somebody else may have written: whatever they hold, they are read, or refused with a message."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import made_runs
import pytest
from drawn import IS_THOROUGH
from rich.console import Console
from spoilt import changed

from espalier import chosen_by_time, explain_run, report, run_file, story
from espalier.failure import Failure
from espalier_lab.experiments import comparison, programs_rows
from espalier_lab.network import spec

REPORT = {
    "version": "0.1.0",
    "mpi": "Open MPI 5.0.11",
    "ranks": 4,
    "wall_seconds": 0.01,
    "settings": {"ESPALIER": "on"},
    "rows": [
        {
            "collective": "allreduce",
            "form": "blocking",
            "bytes_low": 8,
            "bytes_high": 15,
            "algorithm": "ring",
            "parameters": "segment=16KiB",
            "reason": "forced",
            "ranks": 4,
            "calls": 90,
            "bytes": 720,
            "seconds_min": 1e-3,
            "seconds_mean": 1.25e-3,
            "seconds_max": 2e-3,
            "share": 0.125,
        }
    ],
}
RESULTS = [
    {
        "lab": "torus",
        "mpi": "openmpi5",
        "collective": "bcast",
        "bytes": 1024,
        "ranks": 9,
        "variant": "native",
        "median_s": 1.0,
        "q1_s": 0.5,
        "q3_s": 2.0,
        "repeats": 3,
        "bound_s": 0.1,
        "cpu_busy": 0.5,
        "chosen": "",
        "calls": 2,
        "in_calls_s": 0.5,
        "each_s": [0.5, 1.5],
    }
]
RUNS = [
    {
        "program": "lammps",
        "network": "torus:2x2 100mbit",
        "mpi": "openmpi4",
        "ranks": 4,
        "variant": "native",
        "result": "identical",
        "seconds": [1.5, 2.5],
    }
]
ARRANGED = Path(__file__).parent / "sample_arrivals.json"
ODD = [None, True, -1, 2**63, 10**400, 1e308, 1e19, 5e-324, "", "\x1b[2J", [], {}, [[]], {"rows": 1}]
ROUNDS = 200 if IS_THOROUGH else 60


def texts_near(value: Any) -> Iterator[bytes]:
    chance = random.Random(7)
    for _ in range(ROUNDS):
        yield json.dumps(changed(value, ODD, chance)).encode()
    whole = json.dumps(value).encode()
    for _ in range(ROUNDS):
        at = chance.randrange(len(whole))
        yield whole[:at] + bytes([chance.randrange(256)]) + whole[at + chance.randrange(2) :]
    yield from (whole[: len(whole) // 2], b"", b"\xff", b"[" * 100_000, b"NaN", b"1" * 5000)


def survives(read: Callable[[Path], object], value: Any, file: Path) -> None:
    refused = 0
    for text in texts_near(value):
        file.write_bytes(text)
        try:
            read(file)
        except Failure:
            refused += 1
        except Exception as error:
            pytest.fail(f"{error!r} from {text[:300]!r}")
    assert refused > 10


def test_any_report_is_shown_or_refused(tmp_path: Path) -> None:
    console = Console(file=(tmp_path / "out").open("w"), width=80)
    survives(lambda file: report.show([report.read(file)], console), REPORT, tmp_path / "report.json")


@pytest.mark.parametrize(
    ("read", "raw"), [(report.read, REPORT), (run_file.read, made_runs.run(1, 1)), (comparison.read, RESULTS)]
)
def test_a_byte_order_mark_is_passed_over(tmp_path: Path, read: Callable[[Path], Any], raw: Any) -> None:
    plain, marked = tmp_path / "plain.json", tmp_path / "marked.json"
    plain.write_text(json.dumps(raw), encoding="utf-8")
    marked.write_text(json.dumps(raw), encoding="utf-8-sig")
    assert read(marked) == read(plain)


@pytest.mark.parametrize("run", [made_runs.run(1, 1), json.loads(ARRANGED.read_text())])
def test_any_run_is_explained_or_refused(tmp_path: Path, run: Any) -> None:
    console = Console(file=(tmp_path / "out").open("w"), width=80)

    def explain(file: Path) -> None:
        reports = run_file.read(file)
        explain_run.show(reports, console)
        chosen_by_time.show(reports, console)
        story.page(file.name, reports).encode()
        json.dumps(explain_run.as_json(reports))

    survives(explain, run, tmp_path / "run.json")


def test_any_results_of_the_lab_are_read_or_refused(tmp_path: Path) -> None:
    survives(comparison.read, RESULTS, tmp_path / "torus.json")


def test_any_runs_of_programs_are_read_or_refused(tmp_path: Path) -> None:
    survives(programs_rows.read, RUNS, tmp_path / "lab-apps.json")


def test_any_network_is_planned_or_refused() -> None:
    chance = random.Random(7)
    for _ in range(ROUNDS):
        kind = chance.choice(["torus:", "mesh:", "rails:", "sites:", "leafspine:", "", "ring:"])
        rest = "".join(chance.choice("0123x+x,-. ") for _ in range(chance.randrange(5)))
        without = [] if chance.random() < 0.7 else ["".join(chance.choice("01,x") for _ in range(3))]
        with suppress(Failure):
            assert spec.plan_of(kind + rest, spec.Options(without=without)).hosts


@pytest.mark.parametrize("text", ["torus:333x333", "sites:400+400", "mesh:" + "9" * 5000, "torus:" + "1x" * 999 + "1"])
def test_a_network_of_too_many_hosts_is_refused_before_it_is_planned(text: str) -> None:
    with pytest.raises(Failure):
        spec.plan_of(text, spec.Options())
