# SPDX-License-Identifier: Apache-2.0
"""What a lab is planned to consist of; nothing is made."""

import tomllib
from itertools import pairwise

import pytest

from espalier.failure import Failure
from espalier_lab.experiments import bounds, hop, studies
from espalier_lab.experiments.comparison import Comparison, shuffled
from espalier_lab.network import cluster, lattice, leafspine
from espalier_lab.network.lattice import Lattice
from espalier_lab.network.leafspine import LeafSpine
from espalier_lab.network.plan import HOP_SECONDS, burst_bytes
from espalier_lab.network.spec import Options, plan_of, rate_of, seconds_of


def hops(network: Lattice, start: lattice.Place, goal: lattice.Place) -> list[lattice.Place]:
    """The route that packets take."""
    route = [start]
    while route[-1] != goal:
        route.append(lattice.next_hop(network, route[-1], network.distances(goal))[1])
    return route


def test_torus_has_a_cable_for_each_pair_of_neighbours() -> None:
    plan = plan_of("torus:3x3x3", Options())
    assert len(plan.hosts) == 27
    assert len(plan.cables) == 81
    assert len({(cable.a, cable.b) for cable in plan.cables}) == 81


@pytest.mark.parametrize(("spec", "cables"), [("torus:2x2", 4), ("mesh:4x4", 24), ("torus:5", 5), ("torus:3x1x3", 18)])
def test_other_lattices_have_their_cables(spec: str, cables: int) -> None:
    assert len(plan_of(spec, Options()).cables) == cables


def test_packets_go_along_the_axes_in_turn() -> None:
    route = hops(Lattice((4, 4, 4), wraps=True), (0, 0, 0), (3, 2, 1))
    assert route == [(0, 0, 0), (3, 0, 0), (3, 1, 0), (3, 2, 0), (3, 2, 1)]


def test_packets_go_round_a_missing_node() -> None:
    network = Lattice((4, 1), wraps=True, missing=frozenset({(1, 0)}))
    assert hops(network, (0, 0), (2, 0)) == [(0, 0), (3, 0), (2, 0)]


def test_every_pair_of_hosts_is_joined_by_a_route_of_neighbours() -> None:
    network = Lattice((3, 3), wraps=True, missing=frozenset({(1, 1)}))
    for start in network.places:
        for goal in network.places:
            for here, there in pairwise(hops(network, start, goal)):
                assert there in [place for _, _, place in network.neighbours(here)]


def test_the_machine_file_names_every_node_at_its_place() -> None:
    plan = plan_of("torus:3x3", Options(without=("1,0",)))
    described = tomllib.loads(plan.machine)
    assert described["torus"]["extents"] == [3, 3]
    assert described["torus"]["nodes"] == ["n00", "", "n01", "n02", "n03", "n04", "n05", "n06", "n07"]
    assert described["torus"]["rate"] == 2.5e6


def test_the_machine_file_says_what_a_message_was_measured_to_cost() -> None:
    for network in ("torus:3x3", "rails:4x2", "leafspine:2x3"):
        plan = plan_of(network, Options())
        assert tomllib.loads(hop.with_hop(plan, 3.25e-05).machine)["hop_seconds"] == 3.25e-05
        assert tomllib.loads(plan.machine)["hop_seconds"] == HOP_SECONDS


def test_a_hop_is_not_believed_to_be_shorter_than_it_can_be() -> None:
    assert hop.hop_of(1.5512e-4) == pytest.approx(1.55e-4)
    assert hop.hop_of(1e-6) == hop.LEAST_SECONDS


def test_links_let_hardly_more_than_a_packet_pass_at_once() -> None:
    assert 9014 < burst_bytes(20e6, 9000) < 1.2 * 9014
    assert burst_bytes(1e9, 9000) == 125000


def test_rails_have_a_switch_for_each_nic() -> None:
    plan = plan_of("rails:4x2", Options())
    assert (len(plan.hosts), len(plan.cables), plan.interfaces) == (4, 8, ["e0", "e1"])
    assert tomllib.loads(plan.machine)["rails"]["nics"] == 2


def test_nics_may_differ() -> None:
    plan = plan_of("rails:3x2", Options(nic_rates=(100e6, 50e6)))
    assert [cable.rate_bits for cable in plan.cables] == [100e6] * 3 + [50e6] * 3
    assert tomllib.loads(plan.machine)["rails"]["rate"] == [12.5e6, 6.25e6]
    with pytest.raises(Failure, match="2 rates; each host of rails:3x3 has 3 NICs"):
        plan_of("rails:3x3", Options(nic_rates=(100e6, 50e6)))
    with pytest.raises(Failure, match="links of one rate"):
        plan_of("torus:3x3", Options(nic_rates=(100e6, 50e6)))


def test_sites_are_joined_by_as_much_as_one_host_can_send() -> None:
    plan = plan_of("sites:3+2", Options(delay_seconds=0.01))
    assert len(plan.hosts) == 5
    assert [delay.seconds for delay in plan.delays] == [0.01, 0.01]
    across = [cable for cable in plan.cables if cable.b.namespace.startswith("w")]
    assert len(across) == 4
    assert [site["nodes"] for site in tomllib.loads(plan.machine)["site"]] == [["n00", "n01", "n02"], ["n03", "n04"]]
    assert cluster.rail_network(1) == "10.41"


def test_leaves_have_a_cable_to_every_host_and_every_spine() -> None:
    plan = plan_of("leafspine:3x4", Options(uplinks=2))
    assert (len(plan.hosts), plan.switches) == (12, ["leaf0", "leaf1", "leaf2", "spine0", "spine1"])
    assert len(plan.cables) == 12 + 3 * 2
    assert len({end for cable in plan.cables for end in (cable.a, cable.b)}) == 2 * len(plan.cables)
    sites = tomllib.loads(plan.machine)["site"]
    assert [site["nics"] for site in sites] == [1, 1, 1]
    assert sites[1]["nodes"] == ["n04", "n05", "n06", "n07"]
    assert "wan" not in tomllib.loads(plan.machine)


def test_a_packet_for_another_leaf_takes_the_uplink_of_its_destination_modulo_their_number() -> None:
    network = LeafSpine(leaves=2, nodes=4, uplinks=3)
    assert [leafspine.leaf_route(network, 0, host).split(" dev ")[1].split()[0] for host in range(8)] == [
        *("h0", "h1", "h2", "h3"),
        *("u1", "u2", "u0", "u1"),
    ]
    assert "10.28.0.8/32" in leafspine.leaf_route(network, 0, 7)


def test_the_fullest_link_of_alltoall_is_an_uplink_where_these_are_few() -> None:
    assert LeafSpine(leaves=4, nodes=4, uplinks=2).messages_on_fullest_link() == 4 * 6
    assert LeafSpine(leaves=2, nodes=4, uplinks=3).messages_on_fullest_link() == 4 * 2
    assert LeafSpine(leaves=2, nodes=2, uplinks=2).messages_on_fullest_link() == 3


def test_ranks_of_a_host_follow_each_other() -> None:
    shared = Comparison("torus:3x3", "bcast", (8,), members=(0, 2, 3, 26), per_host=3)
    order = shuffled(9, shared.seed)
    assert bounds.members_hosts(shared, 9) == [order[0], order[0], order[1], order[8]]


def test_no_two_comparisons_of_a_study_are_called_the_same() -> None:
    for study in studies.STUDIES.values():
        comparisons = study().comparisons
        assert len({(one.lab, one.collective) for one in comparisons}) == len(comparisons)
    assert "torus:3x3 10mbit 3 ranks a host" in [one.lab for one in studies.shared_study().comparisons]


@pytest.mark.parametrize(
    ("spec", "options", "words"),
    [
        ("ring:3", Options(), ["ring:3", "torus", "rails"]),
        ("torus:3x", Options(), ["torus:3x", "3x3x3"]),
        ("torus:3x3", Options(without=("3,0",)), ["--without 3,0"]),
        ("torus:3x3", Options(without=("a",)), ["--without a", "coordinates"]),
        ("mesh:3", Options(without=("1",)), ["falls apart"]),
        ("rails:8", Options(), ["rails:8x2"]),
        ("rails:8x2", Options(without=("1",)), ["--without 1", "torus"]),
        ("sites:8x2", Options(), ["sites:8+8"]),
        ("leafspine:4", Options(), ["leafspine:4x4"]),
        ("leafspine:4x4", Options(without=("1",)), ["--without 1", "torus"]),
    ],
)
def test_what_makes_no_network_is_refused(spec: str, options: Options, words: list[str]) -> None:
    with pytest.raises(Failure) as failure:
        plan_of(spec, options)
    assert all(word in failure.value.message for word in words)


def test_quantities_are_read_with_their_units() -> None:
    assert rate_of("20mbit") == 20e6
    assert rate_of("1.5Gbit/s") == 1.5e9
    assert seconds_of("10ms") == pytest.approx(0.01)
    for text in ("fast", "0mbit", "-1mbit"):
        with pytest.raises(Failure, match="--rate"):
            rate_of(text)


@pytest.mark.parametrize("spec", ["torus:100000x100000", "rails:100000x2", "sites:1000000+1", "leafspine:10000x10000"])
def test_more_hosts_than_a_machine_can_hold_are_refused_before_memory_is_taken(spec: str) -> None:
    with pytest.raises(Failure, match="too many hosts; allowed: 512"):
        plan_of(spec, Options())


def test_a_misspelt_kind_of_network_gets_the_one_that_was_meant() -> None:
    with pytest.raises(Failure, match=r"tours:3x3: unknown kind of network; did you mean torus\?"):
        plan_of("tours:3x3", Options())
    with pytest.raises(Failure, match="allowed: torus:KxKx"):
        plan_of("hypercube:4", Options())
