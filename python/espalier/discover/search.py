# SPDX-License-Identifier: Apache-2.0
"""From measurements to a description, one question after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from espalier import units
from espalier.described import machine
from espalier.described.machine import Description
from espalier.discover import lattice, leaves, nics, ports, tofu
from espalier.discover.instrument import Instrument, Pair
from espalier.discover.latency import Latencies, Sites, measured, sites_of, undisturbed
from espalier.discover.meter import SHARED, Meter, calibrated
from espalier.discover.pairs import all_pairs_in_rounds, disjoint
from espalier.failure import Failure

LEAST_NODES = 3
SURE_SHARE = 0.9  # of the nodes, whose links must be links, where they make no shape that is known

Announce = Callable[[str, float], None]  # what is measured, and the share of it that is done


@dataclass
class Found:
    """`links`: of a direct network, by nodes' numbers, with rates."""

    description: Description
    kind: str
    latency_seconds: float
    links: dict[Pair, float] = field(default_factory=dict)


def network(instrument: Instrument, announce: Announce) -> Found:
    nodes = len(instrument.nodes)
    if nodes < LEAST_NODES:
        raise Failure(
            f"The job runs on {units.plural(nodes, 'node')}; a network shows among {LEAST_NODES} or more.",
            "One rank on each node is enough: let the launcher spread them.",
        )
    latencies = measured(instrument, lambda share: announce("latencies", share))
    if sites := sites_of(latencies):
        return of_sites(instrument, latencies, sites)
    latency = median(latencies.seconds.values())
    if places := tofu.places_of(instrument.nodes):
        return of_tofu(instrument, places)
    meter = calibrated(instrument, next(all_pairs_in_rounds(nodes)), latency)
    announce("ports", 0)
    if ports.have_one_port(meter, nodes):
        return of_switches(meter, announce)
    return of_links(meter, latencies, announce)


def hosts_of(instrument: Instrument, members: Sequence[int]) -> list[str]:
    return [instrument.nodes[node].host for node in members]


def pairs_inside(groups: Sequence[Sequence[int]]) -> list[Pair]:
    """Neighbours in each group."""
    return [(group[at], group[at + 1]) for group in groups for at in range(0, len(group) - 1, 2)]


def of_sites(instrument: Instrument, latencies: Latencies, sites: Sites) -> Found:
    inside = median(took for site in sites.members for took in latencies.inside(site))
    pairs = pairs_inside(sites.members)
    meter = calibrated(instrument, pairs, inside)
    each = nics.measured(meter, pairs)
    hop = undisturbed(instrument, pairs)
    across = list(zip(sites.members[0], sites.members[1]))
    wide = min(1.0, len(across) / max(sum(meter.together(across)), 1e-9))
    remarks = [
        f"{len(sites.members)} sites: a short message takes {shown(inside)} inside a site, and "
        f"{shown(sites.wan_seconds)} longer from one to the next.",
        nics_remark(each, instrument),
        f"Between the first two sites {units.plural(len(across), 'flow')} at once kept {wide:.0%} of their rate.",
        "What is inside a site was not looked at further: it is taken for switches that do not block.",
    ]
    found = machine.Clusters(
        [hosts_of(instrument, site) for site in sites.members], each.count, each.rate, sites.wan_seconds
    )
    return Found(Description(found, remarks, hop), "sites", hop)


def nics_remark(each: nics.Nics, instrument: Instrument) -> str:
    said = nics.rates_by_system(instrument.nodes)
    names = f" ({', '.join(each.names)})" if each.names else ""
    return (
        f"{units.plural(each.count, 'NIC')} to a node{names}: {each.reason}."
        + (f" The system knows of {said}." if said else "")
        + " An MPI that uses one NIC of several shows one."
    )


def of_tofu(instrument: Instrument, places: tofu.Places) -> Found:
    links = tofu.links(places)
    if not links:
        raise Failure("No two of these nodes are joined by a link of Tofu.", "Take a job whose nodes are neighbours.")
    latency = undisturbed(instrument, links)
    rates = link_rates(calibrated(instrument, disjoint(links)[0], latency), links)
    remarks = [
        "Nodes say themselves where they are on Tofu (/proc/tofu/position).",
        f"The rate is the median of {units.plural(len(links), 'link')}, all loaded at once.",
    ]
    named = {node.host: place for node, place in zip(instrument.nodes, places)}
    return Found(
        Description(machine.Tofu(float(median(rates.values())), named), remarks, latency), "tofu", latency, rates
    )


def of_switches(meter: Meter, announce: Announce) -> Found:
    instrument, everybody = meter.instrument, list(range(len(meter.instrument.nodes)))
    samples = leaves.measured(meter, everybody, lambda share: announce("leaves", share))
    found = leaves.leaves_of(everybody, samples)
    pairs = pairs_inside(found.members)
    each, latency = nics.measured(meter, pairs), undisturbed(instrument, pairs)
    remarks = [nics_remark(each, instrument)]
    if found.are_several:
        share = leaves.share_between(meter, found.members)
        remarks += [
            f"{len(found.members)} leaves: while all nodes sent at random, flows between leaves took "
            f"{found.between / found.inside:.2f} times as long as those inside one.",
            f"A leaf that sends to another one gets about {share:.0%} of its nodes' rates through.",
        ]
    else:
        remarks.append(
            "One cluster: while all nodes sent at random, there were no groups of nodes among which flows were faster "
            "than to others."
        )
    description = machine.Clusters([hosts_of(instrument, leaf) for leaf in found.members], each.count, each.rate)
    return Found(Description(description, remarks, latency), "leaves" if found.are_several else "cluster", latency)


def of_links(meter: Meter, latencies: Latencies, announce: Announce) -> Found:
    instrument, nodes = meter.instrument, len(meter.instrument.nodes)
    links = ports.links(meter, nodes, latencies, lambda share: announce("links", share))
    apart = ports.share_apart(meter, nodes, links)
    rates = link_rates(meter, links)
    latency = undisturbed(instrument, links)
    rate = float(median(rates.values()))
    crowded = sum(one < rate / SHARED for one in rates.values())
    remarks = [
        f"{units.plural(len(links), 'link')}: nodes whose flows to different neighbours did not slow each other down.",
        f"All links were loaded at once: {len(links) - crowded} of {len(links)} kept their rate then.",
        f"At {apart:.0%} of the nodes, all links could be used at once.",
    ]
    shape = lattice.recognised(nodes, links)
    if shape is None and apart < SURE_SHARE:
        raise Failure(
            f"What was measured contradicts itself: only {apart:.0%} of the nodes can use the links at once that were "
            "found at them. There is no description.",
            "Most likely processors or the network were busy. Measure again when less is running.",
            status=1,
        )
    if shape is None:
        return graph(instrument, rates, remarks, latency)
    missed, surplus = len(shape.missed), len(shape.surplus)
    if missed or surplus:
        remarks.append(
            f"To be a {'torus' if shape.shape.wraps else 'mesh'}, {missed} of its links were added that had not been "
            f"found, and {surplus} left out."
        )
    named = machine.Lattice(shape.shape.wraps, shape.shape.extents, rate, hosts_of(instrument, shape.nodes))
    kind = "torus" if shape.shape.wraps else "mesh"
    return Found(Description(named, remarks, latency), kind, latency, rates)


def graph(instrument: Instrument, rates: dict[Pair, float], remarks: list[str], latency: float) -> Found:
    names = hosts_of(instrument, range(len(instrument.nodes)))
    found = machine.Graph(names, [machine.Link(names[a], names[b], rate) for (a, b), rate in rates.items()])
    remarks = [
        *remarks,
        "They make neither a torus nor a mesh: a place may have no node, or a link was not found.",
    ]
    return Found(Description(found, remarks, latency), "graph", latency, rates)


def link_rates(meter: Meter, links: Sequence[Pair]) -> dict[Pair, float]:
    """Of the slower direction, while as many others are under way as can be."""
    both = [flow for a, b in links for flow in ((a, b), (b, a))]
    rates: dict[Pair, float] = {}
    for flows in disjoint(both):
        for (a, b), rate in zip(flows, meter.rates(flows)):
            key = (min(a, b), max(a, b))
            rates[key] = min(rates.get(key, rate), rate)
    return rates


def shown(seconds: float) -> str:
    return units.seconds_text(seconds)
