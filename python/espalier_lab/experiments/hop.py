# SPDX-License-Identifier: Apache-2.0
"""What a message costs at each host of a lab, under an MPI: measured, and written into the plan's description.

A tiny message goes from each host to the next one, all at once, so that they share this machine's processors for it as
they do in a collective. What it takes is the hop: the MPI's work, the kernel's, and the headers' time on the link. Of
longer messages the link would be the limit, and hide how busy processors are.
"""

import json
from dataclasses import replace

from espalier import output
from espalier.installation import Installation
from espalier_lab.experiments import bench_program, launch
from espalier_lab.experiments.launch import Family
from espalier_lab.network.plan import HOP_SECONDS, Plan

MESSAGE_BYTES = 8
LEAST_SECONDS = 1e-5  # where the clock says less, it is wrong


def measured(installation: Installation, plan: Plan, family: Family, announce: output.Announce) -> float:
    """Seconds, with a rank on each host."""
    words = [str(bench_program.path(installation, family)), "--collective", "hop", "--bytes", str(MESSAGE_BYTES)]
    with launch.prepared(installation, plan, family, launch.Job(words)) as prepared:
        return hop_of(json.loads(bench_program.run(prepared, announce))["message_s"])


def hop_of(message_seconds: float) -> float:
    return max(LEAST_SECONDS, float(f"{message_seconds:.3g}"))


def with_hop(plan: Plan, seconds: float) -> Plan:
    return replace(plan, machine=plan.machine.replace(line(HOP_SECONDS), line(seconds)))


def line(seconds: float) -> str:
    return f"hop_seconds = {seconds}\n"
