# SPDX-License-Identifier: Apache-2.0
"""The lab without root: a command starts itself again in a user namespace of its own, in which it may make networks.

All that it makes is seen by itself and its children only, and goes with them. So a network cannot stay for later
commands: that takes root.
"""

import os
import shutil
import subprocess
import sys

from espalier.failure import Failure

UNSHARE = ("unshare", "--user", "--map-root-user", "--net", "--mount")

# Named namespaces and the lab's state are kept in /run, which is not this user's. Some commands also run jobs next to
# the lab, which talk over the loopback device.
SCRIPT = 'mount -t tmpfs none /run && ip link set lo up && exec "$@"'


def enter() -> None:
    """Does not return where it is not root yet; says why if that is not allowed."""
    if os.geteuid() == 0 or not shutil.which(UNSHARE[0]):
        return
    probe = subprocess.run([*UNSHARE, "sh", "-c", SCRIPT, "sh", "true"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        raise Failure(
            f"The lab needs root, or user namespaces, which are not allowed here: {probe.stderr.strip()}",
            "Run it as root, or in a container with the capabilities NET_ADMIN and SYS_ADMIN.",
        )
    os.execvp(UNSHARE[0], [*UNSHARE, "sh", "-c", SCRIPT, "espalier", sys.executable, *sys.orig_argv[1:]])
