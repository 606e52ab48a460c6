# SPDX-License-Identifier: Apache-2.0
"""Makes a Plan real with iproute2, and takes it away again.

Every namespace that we make has our prefix, so that what a killed run has left behind can be found by name.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from espalier.failure import Failure
from espalier_lab.network.plan import CONTROL, CONTROL_NETWORK, Cable, Plan, address, burst_bytes

PREFIX = "elab-"
DIRECTORY = Path("/run/espalier-lab")
HOSTS = DIRECTORY / "hosts"  # what the hosts of the lab see as /etc/hosts

# Far above what TCP has under way.
QUEUE_BYTES = 2_000_000

# Reno: namespaces begin with whatever the host has, and BBR does not get on with token buckets.
SYSCTLS = {
    "ip_forward": "1",
    "tcp_congestion_control": "reno",
    "tcp_no_metrics_save": "1",
    "tcp_slow_start_after_idle": "0",
}


def name_of(namespace: str) -> str:
    return PREFIX + namespace


def command(words: Sequence[str], text: str | None = None) -> str:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}", status=1)
    return done.stdout


def batch(tool: str, lines: Iterable[str], namespace: str | None = None) -> None:
    words = [tool, *(["-n", name_of(namespace)] if namespace else []), "-batch", "-"]
    command(words, "\n".join(lines) + "\n")


def require() -> None:
    """Says clearly why there can be no lab here, before anything is made."""
    for tool in ("ip", "tc", "unshare"):
        if not shutil.which(tool):
            raise Failure(f"The lab needs {tool}, which is not installed.", "Install what is missing: scripts/setup")
    require_root()
    probe = name_of(f"probe{os.getpid()}")
    try:
        command(["ip", "netns", "add", probe])
    except Failure as failure:
        raise Failure(
            f"Network namespaces are not allowed here: {failure.message}",
            "In a container, give it the capabilities NET_ADMIN and SYS_ADMIN (docker run --privileged).",
        ) from None
    command(["ip", "netns", "del", probe])


def require_root() -> None:
    if os.geteuid() != 0:
        raise Failure(
            "This needs root; of the lab only `run`, `compare`, `apps` and `waits` can do without.",
            "Run it as root, or in a container with the capabilities NET_ADMIN and SYS_ADMIN.",
        )


def existing() -> list[str]:
    """Our namespaces, without the prefix."""
    listed = subprocess.run(["ip", "-j", "netns", "list"], capture_output=True, text=True, check=False).stdout
    names = [item["name"] for item in json.loads(listed or "[]")]
    return [name.removeprefix(PREFIX) for name in names if name.startswith(PREFIX)]


def up(plan: Plan) -> None:
    batch("ip", [f"netns add {name_of(namespace)}" for namespace in plan.namespaces])
    write_names(plan)
    batch("ip", [cable_line(cable, plan.mtu) for cable in plan.cables] + control_cables(plan))
    bring_up_control(plan)
    devices = shaped_devices(plan)
    for namespace in [*plan.hosts, *plan.switches]:
        ends = [end.device for cable in plan.cables for end in (cable.a, cable.b) if end.namespace == namespace]
        lines = ["link set lo up", *plan.setup.get(namespace, [])]
        batch("ip", join_in_order(lines, ends), namespace)
        if devices[namespace]:
            batch("tc", [f"qdisc add dev {d} {shape(rate, plan.mtu)}" for d, rate in devices[namespace]], namespace)
        set_kernel(namespace, plan.buffer_bytes)


def join_in_order(lines: Sequence[str], devices: Sequence[str]) -> list[str]:
    """Addresses of devices first, then the devices up, then what needs them up."""
    before = [line for line in lines if line.startswith("link ")]
    after = [line for line in lines if not line.startswith("link ")]
    return [*before, *(f"link set {device} up" for device in devices), *after]


def cable_line(cable: Cable, mtu: int) -> str:
    a, b = cable.a, cable.b
    return (
        f"link add {a.device} netns {name_of(a.namespace)} mtu {mtu} type veth "
        f"peer name {b.device} netns {name_of(b.namespace)} mtu {mtu}"
    )


def control_cables(plan: Plan) -> list[str]:
    control = name_of(CONTROL)
    return [
        f"link add ctl netns {name_of(host)} type veth peer name c{index} netns {control}"
        for index, host in enumerate(plan.hosts)
    ]


def bring_up_control(plan: Plan) -> None:
    lines = ["link set lo up", "link add br0 type bridge", "link set br0 up"]
    lines += [f"addr add {CONTROL_NETWORK}.255.1/16 dev br0"]
    lines += [f"link set c{index} master br0 up" for index in range(len(plan.hosts))]
    batch("ip", lines, CONTROL)
    for index, host in enumerate(plan.hosts):
        batch("ip", ["link set ctl up", f"addr add {address(CONTROL_NETWORK, index)}/16 dev ctl"], host)


def shaped_devices(plan: Plan) -> dict[str, list[tuple[str, float]]]:
    devices: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for cable in plan.cables:
        if cable.rate_bits is not None:
            for end in (cable.a, cable.b):
                devices[end.namespace].append((end.device, cable.rate_bits))
    return devices


def shape(rate_bits: float, mtu: int) -> str:
    return f"root tbf rate {rate_bits:.0f}bit burst {burst_bytes(rate_bits, mtu)} limit {QUEUE_BYTES}"


def set_kernel(namespace: str, buffer_bytes: int) -> None:
    script = [f"echo {value} > {name}" for name, value in SYSCTLS.items()]
    if buffer_bytes:
        script += [f"echo 4096 {buffer_bytes} {buffer_bytes} > {name}" for name in ("tcp_rmem", "tcp_wmem")]
    script.append("for file in conf/*/rp_filter; do echo 0 > $file; done")
    script.append("for file in conf/*/arp_ignore; do echo 1 > $file; done")
    script.append("for file in conf/*/arp_announce; do echo 2 > $file; done")
    command(["ip", "netns", "exec", name_of(namespace), "sh", "-ec", "cd /proc/sys/net/ipv4; " + "; ".join(script)])


def write_names(plan: Plan) -> None:
    lines = ["127.0.0.1 localhost", f"{CONTROL_NETWORK}.255.1 {CONTROL}"]
    lines += [f"{address(CONTROL_NETWORK, index)} {host}" for index, host in enumerate(plan.hosts)]
    HOSTS.write_text("\n".join(lines) + "\n")


def processes() -> list[int]:
    found = []
    for namespace in existing():
        text = subprocess.run(["ip", "netns", "pids", name_of(namespace)], capture_output=True, text=True, check=False)
        found += [int(word) for word in text.stdout.split()]
    return found


def end_processes() -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = processes()
        if not left:
            return
        for process in left:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue
        time.sleep(0.3)


def down() -> int:
    """Ends what runs there and removes all our namespaces; returns how many there were."""
    namespaces = existing()
    if namespaces:
        end_processes()
        batch("ip", [f"netns del {name_of(namespace)}" for namespace in namespaces])
    HOSTS.unlink(missing_ok=True)
    return len(namespaces)


def own_names(host: str) -> str:
    """For a shell with mounts of its own: the host's name, its /etc/hosts, and a /dev/shm of its own."""
    return f"hostname {host}; mount --bind {HOSTS} /etc/hosts; mount -t tmpfs none /dev/shm"


def inside(namespace: str, words: Sequence[str]) -> list[str]:
    """A command that runs `words` in there, under the namespace's name, with a /dev/shm and semaphores of its own."""
    script = f'{own_names(namespace)}; exec "$@"'
    private = ["unshare", "--uts", "--ipc", "--mount"]
    return ["ip", "netns", "exec", name_of(namespace), *private, "sh", "-c", script, "lab", *words]
