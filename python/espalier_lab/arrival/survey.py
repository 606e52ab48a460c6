# SPDX-License-Identifier: Apache-2.0
"""Which of the MPI's own algorithms are its best where nobody is late."""

import json
from statistics import median
from typing import Any

from espalier import output
from espalier_lab.arrival import places
from espalier_lab.arrival.places import Place
from espalier_lab.experiments import bench_program
from espalier_lab.experiments.launch import Family

BEST = 2
REPEATS = 3  # the program repeats only those that were good the first time
TIMEOUT_SECONDS = 3600.0


def best_forced(place: Place, family: Family, collective: str, size: int, announce: output.Announce) -> list[str]:
    """'forced:chain,segment=8192' and the like; none where the MPI lets none be forced."""
    file = bench_program.path(place.installation, family)
    words = [str(file), "--collective", collective, "--bytes", str(size), "--variants", "native;forced:*"]
    words += ["--repeats", str(REPEATS), "--trains", "no"]
    with place.launched(family, words, places.SETTINGS) as launch:
        raw = json.loads(bench_program.run(launch, announce, TIMEOUT_SECONDS))
    return best_of(raw["rows"])


def best_of(rows: list[dict[str, Any]]) -> list[str]:
    forced = [row for row in rows if row["variant"].startswith("forced:")]
    forced.sort(key=lambda row: (len(row["seconds"]) < REPEATS, median(row["seconds"])))
    return [row["variant"] for row in forced[:BEST]]
