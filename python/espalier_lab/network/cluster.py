# SPDX-License-Identifier: Apache-2.0
"""Clusters: hosts with several NICs, each NIC on a switch of its own that does not block; and chains of such sites.

A switch is a bridge. Between two sites each rail has a cable whose frames are held back by the WAN's delay, as wide as
one NIC: what one host can send is what the WAN can carry.
"""

from collections.abc import Sequence

from espalier_lab.network.plan import Cable, Delay, End, Plan, address, host_names, machine_head, toml_list

RAIL_NETWORK = "10.{}"  # 10.40, 10.41, ...
FIRST_RAIL = 40

# Between sites: frames that are held back must fit what the forwarder takes.
MTU = 1500


def rail_network(rail: int) -> str:
    return RAIL_NETWORK.format(FIRST_RAIL + rail)


def make_plan(
    spec: str, sites: Sequence[int], rates: Sequence[float], delay_seconds: float = 0.0, mtu: int = MTU
) -> Plan:
    """`rates`: bits per second of each NIC of a host."""
    nics = len(rates)
    names = host_names(sum(sites))
    interfaces = [f"e{rail}" for rail in range(nics)]
    plan = Plan(spec, names, interfaces, [f"{rail_network(rail)}.0.0/16" for rail in range(nics)], mtu=mtu)
    hosts = iter(range(len(names)))
    members = [[next(hosts) for _ in range(size)] for size in sites]
    for rail, rate_bits in enumerate(rates):
        for site, inside in enumerate(members):
            add_switch(plan, rail, site, inside, rate_bits)
        for site in range(len(sites) - 1):
            add_wan(plan, rail, site, rate_bits, delay_seconds)
    named = [[names[host] for host in inside] for inside in members]
    plan.machine = machine_text(named, rates, delay_seconds, mtu)
    return plan


def switch(site: int) -> str:
    return f"s{site}"


def add_switch(plan: Plan, rail: int, site: int, hosts: Sequence[int], rate_bits: float) -> None:
    if switch(site) not in plan.switches:
        plan.switches.append(switch(site))
    lines = [f"link add br{rail} type bridge", f"link set br{rail} up"]
    for host in hosts:
        near, far = End(plan.hosts[host], f"e{rail}"), End(switch(site), f"h{host}r{rail}")
        plan.cables.append(Cable(near, far, rate_bits))
        plan.do(plan.hosts[host], [f"addr add {address(rail_network(rail), host)}/16 dev e{rail}"])
        lines.append(f"link set {far.device} master br{rail}")
    plan.do(switch(site), lines)


def add_wan(plan: Plan, rail: int, site: int, rate_bits: float, delay_seconds: float) -> None:
    """From one site's switch to the next one's, by a namespace in which frames wait."""
    wan = f"w{site}"
    if wan not in plan.switches:
        plan.switches.append(wan)
    left, right = End(wan, f"a{rail}"), End(wan, f"b{rail}")
    for end, neighbour in ((left, site), (right, site + 1)):
        there = End(switch(neighbour), f"{wan}r{rail}")
        plan.cables.append(Cable(there, end, rate_bits))
        plan.do(switch(neighbour), [f"link set {there.device} master br{rail}"])
    plan.delays.append(Delay(wan, (left.device, right.device), delay_seconds))


def machine_text(
    sites: Sequence[Sequence[str]], rates: Sequence[float], delay_seconds: float = 0.0, mtu: int = MTU
) -> str:
    kind = "[rails]" if len(sites) == 1 else "[[site]]"
    text = machine_head(min(rates), mtu)
    each = [f"{rate / 8:.0f}" for rate in rates]
    rate = each[0] if len(set(each)) == 1 else f"[{', '.join(each)}]"
    for names in sites:
        text += f"{kind}\nnics = {len(rates)}\nrate = {rate}  # bytes per second, each NIC and direction\n"
        text += f"nodes = {toml_list(names)}\n\n"
    if len(sites) > 1 and delay_seconds > 0:
        text += f"[wan]\nseconds = {delay_seconds}\n"
    return text
