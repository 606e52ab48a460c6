# SPDX-License-Identifier: Apache-2.0
"""WAN delay: this kernel has no netem, so a small program between two devices holds frames back (src/lab/delay.cpp)."""

import subprocess

from espalier.failure import Failure
from espalier.installation import ROOT
from espalier_lab.network import namespaces
from espalier_lab.network.plan import Plan


def start(plan: Plan) -> None:
    """They end when their namespace is taken down."""
    realtime = ["chrt", "-f", "1"] if may_be_realtime() else []
    program = ROOT / "build" / "bin" / "espalier-delay"
    for delay in plan.delays:
        if not program.exists():
            raise Failure(f"{program} does not exist.", "Build it first: make build")
        words = ["ip", "netns", "exec", namespaces.name_of(delay.namespace), *realtime, str(program)]
        subprocess.Popen(
            [*words, *delay.devices, f"{delay.seconds * 1e3:g}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def may_be_realtime() -> bool:
    """Not without root, even in a user namespace; frames are then held back less exactly on a busy machine."""
    return subprocess.run(["chrt", "-f", "1", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
