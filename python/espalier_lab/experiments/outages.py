# SPDX-License-Identifier: Apache-2.0
"""NICs that fail while collectives run: taken down, or black holes, one at a time at random, and brought back.

A program (bench/outages) makes broadcasts, all-reductions and exchanges with neighbours all the while, over libfabric,
and checks every byte. With two NICs or more on each host nothing may go wrong; how long it takes to go on is measured.
"""

import json
import random
import threading
import time
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median

from espalier import output
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, launch
from espalier_lab.experiments.launch import Family
from espalier_lab.network import namespaces
from espalier_lab.network.plan import Cable, Plan

LONG_SECONDS = 0.25  # a call that takes longer has met an outage
FORCED = "allreduce:ring,over=fabric;bcast:chain,over=fabric"


class Outage(StrEnum):
    DOWN = "down"  # the cable is out: both ends see it
    BLACK_HOLE = "black hole"  # nobody sees it, and nothing arrives


@dataclass(frozen=True)
class Result:
    outages: int
    calls: int
    wrong_bytes: int
    error: int
    long_calls: list[float] = field(default_factory=list)  # seconds each took

    @property
    def median_s(self) -> float:
        return median(self.long_calls) if self.long_calls else 0.0


def nic_cables(plan: Plan) -> list[Cable]:
    """From a host to a switch."""
    found = [cable for cable in plan.cables if cable.a.namespace in plan.hosts and cable.b.namespace in plan.switches]
    if not found:
        raise Failure(f"{plan.spec}: no NICs on switches; allowed: rails:HOSTSxNICS")
    return found


def break_nic(cable: Cable, how: Outage) -> None:
    """At the switch: the host must find out."""
    device = cable.b.device
    line = f"link set {device} down" if how is Outage.DOWN else f"link set {device} nomaster"
    namespaces.batch("ip", [line], cable.b.namespace)


def mend_nic(cable: Cable, how: Outage) -> None:
    device = cable.b.device
    bridge = f"br{cable.a.device.removeprefix('e')}"
    line = f"link set {device} up" if how is Outage.DOWN else f"link set {device} master {bridge}"
    namespaces.batch("ip", [line], cable.b.namespace)


class Breaker(threading.Thread):
    """One NIC at a time fails for a random time, `times` times."""

    def __init__(self, plan: Plan, times: int, seed: int, seconds: float, announce: output.Announce) -> None:
        super().__init__(daemon=True)
        self.cables = nic_cables(plan)
        self.times, self.seconds, self.announce = times, seconds, announce
        self.random = random.Random(seed)
        self.done = 0
        self.stopped = threading.Event()

    def run(self) -> None:
        pause = self.seconds / self.times / 2
        while self.done < self.times and not self.stopped.is_set():
            cable, how = self.random.choice(self.cables), self.random.choice(list(Outage))
            self.stopped.wait(self.random.uniform(0.2, 2) * pause)
            break_nic(cable, how)
            self.announce(f"{self.done + 1}/{self.times}: {cable.a.device} of {cable.a.namespace}: {how}")
            self.stopped.wait(self.random.uniform(0.02, 2) * pause)
            mend_nic(cable, how)
            self.done += 1


def run(
    installation: Installation,
    plan: Plan,
    family: Family,
    times: int,
    seconds: float,
    size: int,
    seed: int,
    announce: output.Announce,
) -> Result:
    program = installation.build / "bin" / f"espalier-bench-outages-{family.versioned}"
    if not program.exists():
        raise Failure(f"{program} does not exist.", "Build it first: make build")
    words = [str(program), f"{seconds + 5:g}", str(size), f"{LONG_SECONDS:g}"]
    job = launch.Job(words, {"ESPALIER_ALGORITHM": FORCED, "ESPALIER_MEMORY": ""})
    breaker = Breaker(plan, times, seed, seconds, announce)
    with launch.prepared(installation, plan, family, job) as prepared:
        timer = threading.Timer(3, breaker.start)  # once it runs
        timer.start()
        try:
            found = json.loads(bench_program.run(prepared, announce, 2 * seconds + 120))
        finally:
            timer.cancel()
            breaker.stopped.set()
            time.sleep(0.1)
    long_calls = [call["seconds"] for call in found["long"]]
    return Result(breaker.done, found["calls"], found["wrong_bytes"], found["error"], long_calls)
