# SPDX-License-Identifier: Apache-2.0
"""One job of the program that measures, at a place."""

from dataclasses import dataclass

from espalier import output
from espalier_lab.arrival import late_program, places
from espalier_lab.arrival.late_program import Asked, Series
from espalier_lab.arrival.places import Place
from espalier_lab.experiments import bench_program
from espalier_lab.experiments.launch import Family
from espalier_lab.network import watch

STARTING_SECONDS = 300.0  # after which a job hangs that has not begun, on a busy machine
PATIENCE = 10.0  # times as long as it should take


@dataclass(frozen=True)
class Outcome:
    series: list[Series]
    cpu_busy: float  # of the machine, while the job ran


def late_job(place: Place, family: Family, asked: Asked, seconds: float, announce: output.Announce) -> Outcome:
    """`seconds`: what it should take at most."""
    file = places.program(place.installation, late_program.PROGRAM, family)
    before = watch.cpu_times()
    with place.launched(family, [str(file), *asked.words], places.SETTINGS) as launch:
        text = bench_program.run(launch, announce, STARTING_SECONDS + PATIENCE * seconds)
    busy, every = (now - then for now, then in zip(watch.cpu_times(), before, strict=True))
    return Outcome(late_program.series_in(text, asked), busy / max(1, every))
