# SPDX-License-Identifier: Apache-2.0
r"""Two levels of switches that route: hosts on leaves, and one uplink from each leaf to every spine.

 spine0     spine1
   | \       / |      Routes are static, as on many clusters: a packet for host d of another leaf takes the uplink
   |   \   /   |      d mod U. Hosts are numbered through all leaves. So the placement of a job decides which
   |   /   \   |      uplinks its packets share, and which ones stay idle.
 leaf0     leaf1
n00 n01   n02 n03
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from espalier_lab.network.cluster import machine_text
from espalier_lab.network.plan import Cable, End, Plan, address, host_names, mac

NETWORK = "10.28"
NIC = "e0"

# Next hops need an address by which their neighbours know them; nobody has it, and nothing is ever sent to it.
LEAF_ADDRESS = f"{NETWORK}.254.1"
SPINE_ADDRESS = f"{NETWORK}.254.2"

# Of the hardware addresses at the two ends of a cable.
LOWER, UPPER = 1, 2
SPINE_PORTS = 16  # the ports of uplinks begin here


@dataclass(frozen=True)
class LeafSpine:
    leaves: int
    nodes: int  # of each leaf
    uplinks: int  # of each leaf; as many spines

    @property
    def hosts(self) -> int:
        return self.leaves * self.nodes

    def leaf_of(self, host: int) -> int:
        return host // self.nodes

    def uplink_to(self, host: int) -> int:
        return host % self.uplinks

    def hosts_of(self, leaf: int) -> range:
        return range(leaf * self.nodes, (leaf + 1) * self.nodes)

    def messages_on_fullest_link(self) -> int:
        """Of each host to every other one. A spine's link to a leaf carries as many as one from a leaf, as all leaves
        are alike."""
        to_other_leaves = Counter(self.uplink_to(host) for host in range(self.nodes, self.hosts))
        return max([self.hosts - 1, *(self.nodes * hosts for hosts in to_other_leaves.values())])


def leaf_name(leaf: int) -> str:
    return f"leaf{leaf}"


def spine_name(spine: int) -> str:
    return f"spine{spine}"


def downlink(host: int) -> str:
    """A leaf's device to a host."""
    return f"h{host}"


def uplink(spine: int) -> str:
    """A leaf's device to a spine."""
    return f"u{spine}"


def to_leaf(leaf: int) -> str:
    """A spine's device to a leaf."""
    return f"l{leaf}"


def make_plan(spec: str, network: LeafSpine, rate_bits: float, mtu: int) -> Plan:
    names = host_names(network.hosts)
    plan = Plan(spec, names, [NIC], [f"{NETWORK}.0.0/16"], mtu=mtu)
    plan.switches += [leaf_name(leaf) for leaf in range(network.leaves)]
    plan.switches += [spine_name(spine) for spine in range(network.uplinks)]
    add_hosts(plan, network, rate_bits)
    add_uplinks(plan, network, rate_bits)
    for leaf in range(network.leaves):
        plan.do(leaf_name(leaf), leaf_lines(network, leaf))
    for spine in range(network.uplinks):
        plan.do(spine_name(spine), spine_lines(network, spine))
    inside = [[names[host] for host in network.hosts_of(leaf)] for leaf in range(network.leaves)]
    plan.machine = machine_text(inside, [rate_bits], mtu=mtu)
    return plan


def add_hosts(plan: Plan, network: LeafSpine, rate_bits: float) -> None:
    for host, name in enumerate(plan.hosts):
        leaf = leaf_name(network.leaf_of(host))
        plan.cables.append(Cable(End(name, NIC), End(leaf, downlink(host)), rate_bits))
        plan.do(name, host_lines(host))


def add_uplinks(plan: Plan, network: LeafSpine, rate_bits: float) -> None:
    for leaf in range(network.leaves):
        for spine in range(network.uplinks):
            near, far = End(leaf_name(leaf), uplink(spine)), End(spine_name(spine), to_leaf(leaf))
            plan.cables.append(Cable(near, far, rate_bits))


def host_lines(host: int) -> Iterator[str]:
    own = address(NETWORK, host)
    yield f"link set {NIC} address {mac(host, LOWER)}"
    yield f"addr add {own}/16 dev {NIC} noprefixroute"
    yield f"neigh add {LEAF_ADDRESS} lladdr {mac(host, UPPER)} dev {NIC} nud permanent"
    yield f"route add {NETWORK}.0.0/16 via {LEAF_ADDRESS} dev {NIC} onlink src {own}"


def leaf_lines(network: LeafSpine, leaf: int) -> Iterator[str]:
    for host in network.hosts_of(leaf):
        yield f"link set {downlink(host)} address {mac(host, UPPER)}"
        yield f"neigh add {address(NETWORK, host)} lladdr {mac(host, LOWER)} dev {downlink(host)} nud permanent"
    for spine in range(network.uplinks):
        yield f"link set {uplink(spine)} address {mac(leaf, SPINE_PORTS + 2 * spine)}"
        there = mac(leaf, SPINE_PORTS + 2 * spine + 1)
        yield f"neigh add {SPINE_ADDRESS} lladdr {there} dev {uplink(spine)} nud permanent"
    for host in range(network.hosts):
        yield leaf_route(network, leaf, host)


def leaf_route(network: LeafSpine, leaf: int, host: int) -> str:
    to = f"route add {address(NETWORK, host)}/32"
    if network.leaf_of(host) == leaf:
        return f"{to} dev {downlink(host)}"
    return f"{to} via {SPINE_ADDRESS} dev {uplink(network.uplink_to(host))} onlink"


def spine_lines(network: LeafSpine, spine: int) -> Iterator[str]:
    for leaf in range(network.leaves):
        yield f"link set {to_leaf(leaf)} address {mac(leaf, SPINE_PORTS + 2 * spine + 1)}"
        there = mac(leaf, SPINE_PORTS + 2 * spine)
        yield f"neigh add {LEAF_ADDRESS} lladdr {there} dev {to_leaf(leaf)} nud permanent"
        for host in network.hosts_of(leaf):
            yield f"route add {address(NETWORK, host)}/32 via {LEAF_ADDRESS} dev {to_leaf(leaf)} onlink"
