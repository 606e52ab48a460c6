# SPDX-License-Identifier: Apache-2.0
"""What the devices of a network have carried."""

import json
from typing import Any

from espalier_lab.network.namespaces import command, name_of
from espalier_lab.network.plan import End, Plan


def counters(plan: Plan) -> dict[tuple[End, End], "Traffic"]:
    """What each direction of each cable has carried so far."""
    result: dict[tuple[End, End], Traffic] = {}
    by_namespace: dict[str, dict[str, Traffic]] = {}
    for cable in plan.cables:
        for near, far in cable.directions:
            if near.namespace not in by_namespace:
                by_namespace[near.namespace] = traffic_of(near.namespace)
            result[near, far] = by_namespace[near.namespace][near.device]
    return result


class Traffic(tuple[int, int, int, int]):
    """Bytes and packets sent, packets dropped, times that the shaper let a packet wait."""

    @property
    def bytes(self) -> int:
        return self[0]

    @property
    def packets(self) -> int:
        return self[1]

    @property
    def drops(self) -> int:
        return self[2]

    @property
    def waits(self) -> int:
        return self[3]

    def since(self, before: "Traffic") -> "Traffic":
        return Traffic(now - then for now, then in zip(self, before, strict=True))


def traffic_of(namespace: str) -> dict[str, Traffic]:
    return {
        device: Traffic((item["bytes"], item["packets"], item["drops"], item["overlimits"]))
        for device, item in queues_of(namespace).items()
    }


def backlogs_of(namespace: str) -> dict[str, int]:
    """Bytes that wait at each device now."""
    return {device: item["backlog"] for device, item in queues_of(namespace).items()}


def queues_of(namespace: str) -> dict[str, dict[str, Any]]:
    listed = json.loads(command(["tc", "-n", name_of(namespace), "-s", "-j", "qdisc", "show"]))
    return {item["dev"]: item for item in listed if item.get("root")}
