# SPDX-License-Identifier: Apache-2.0
"""Networks found by measuring: on simulated ones with noise, by what labs really measured, and in a lab."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from simulated_network import RATE, SimulatedNetwork, graph, lattice, leaf_spine, rails, sites

from espalier.described.machine import Clusters, Graph, Lattice, Tofu
from espalier.described.text import text_of
from espalier.discover import groups, latency, leaves, search
from espalier.discover.instrument import TimeIsUp
from espalier.discover.lattice import recognised
from espalier.failure import Failure
from espalier_lab.experiments.described import described, links_right, pairs_right
from espalier_lab.network.spec import Options, plan_of

NOISE = 0.1  # times are 10% longer on average, some twice as long
RECORDED = Path(__file__).parent / "recorded"


def found_on(network: SimulatedNetwork) -> search.Found:
    return search.network(network, lambda _what, _share: None)


def recorded(name: str) -> Any:
    return json.loads((RECORDED / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("noise", [0.0, NOISE])
@pytest.mark.parametrize("extents", [(3, 3), (4, 4), (8,), (3, 3, 3), (4, 3, 2)])
def test_all_links_of_a_torus_are_found_and_its_shape(extents: tuple[int, ...], noise: float) -> None:
    found = found_on(lattice(extents, noise=noise))
    truth = described(plan_of("torus:" + "x".join(map(str, extents)), Options()).machine)
    mine = described(text_of(found.description))
    assert links_right(truth, mine) == (len(truth.links), 0)
    assert isinstance(found.description.machine, Lattice)
    assert sorted(found.description.machine.extents) == sorted(extents)
    assert found.description.machine.wraps
    assert found.description.machine.rate == pytest.approx(RATE, rel=0.3 if noise else 0.02)


def test_a_mesh_is_told_from_a_torus() -> None:
    found = found_on(lattice((4, 3), wraps=False)).description.machine
    assert isinstance(found, Lattice)
    assert (sorted(found.extents), found.wraps) == ([3, 4], False)


@pytest.mark.parametrize("noise", [0.0, NOISE])
@pytest.mark.parametrize("shape", [(4, 4, 2), (3, 9, 4)])
def test_leaves_are_told_apart_where_switches_above_them_are_crowded(shape: tuple[int, int, int], noise: float) -> None:
    count, nodes, uplinks = shape
    found = found_on(leaf_spine(count, nodes, uplinks, noise=noise)).description.machine
    assert isinstance(found, Clusters)
    assert [len(site) for site in found.sites] == [nodes] * count
    assert found.sites[0] == [f"n{number:02}" for number in range(nodes)]
    assert (found.nics, found.wan_seconds) == (1, 0)


@pytest.mark.parametrize("noise", [0.0, NOISE])
@pytest.mark.parametrize("nics", [1, 2, 4])
def test_nics_are_counted_and_switches_that_do_not_block_are_one_cluster(nics: int, noise: float) -> None:
    found = found_on(rails(8, nics, noise=noise)).description.machine
    assert isinstance(found, Clusters)
    assert (len(found.sites), found.nics) == (1, nics)
    assert found.rate == pytest.approx(RATE, rel=0.3 if noise else 0.02)


@pytest.mark.parametrize("noise", [0.0, NOISE])
def test_sites_are_put_in_the_order_of_their_chain_with_the_delay_between_them(noise: float) -> None:
    found = found_on(sites([4, 3, 5], 10e-3, noise=noise)).description.machine
    assert isinstance(found, Clusters)
    assert [len(site) for site in found.sites] in ([4, 3, 5], [5, 3, 4])
    assert found.wan_seconds == pytest.approx(10e-3, rel=0.1)


def test_equal_latencies_make_no_sites() -> None:
    equal = latency.Latencies(6, {(a, b): 1e-3 for b in range(6) for a in range(b)})
    assert latency.sites_of(equal) is None


def test_random_numbers_make_no_groups() -> None:
    source = random.Random(3)
    numbers = {(a, b): source.uniform(1, 2) for b in range(12) for a in range(b)}
    assert groups.of(range(12), numbers) is None


def test_groups_are_found_without_some_of_the_pairs() -> None:
    source = random.Random(5)
    pairs = [(a, b) for b in range(12) for a in range(b) if source.random() < 0.8]
    numbers = {(a, b): 1.0 if a // 4 == b // 4 else 2.0 for a, b in pairs}
    found = groups.of(range(12), numbers)
    assert found is not None
    assert found.members == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_a_torus_is_recognised_although_a_link_was_missed_and_another_is_none() -> None:
    links = sorted(found_on(lattice((3, 3, 3))).links)
    without_one = [link for link in links if link != (0, 1)]
    shape = recognised(27, without_one)
    assert shape is not None
    assert shape.missed == [(0, 1)]
    with_another = recognised(27, [*links, (0, 14)])
    assert with_another is not None
    assert with_another.surplus == [(0, 14)]


@pytest.mark.parametrize("noise", [0.0, NOISE])
def test_links_that_are_no_lattice_are_written_one_by_one(noise: float) -> None:
    links = [(0, 1), (0, 2), (0, 4), (1, 2), (2, 3), (3, 4), (4, 5), (1, 5)]
    assert recognised(6, links) is None
    found = found_on(graph(links, noise=noise))
    assert sorted(found.links) == sorted(links)
    assert isinstance(found.description.machine, Graph)
    assert len(found.description.machine.links) == len(links)


@pytest.mark.parametrize("noise", [0.5, 1.0])
@pytest.mark.parametrize("name", ["torus", "leaves", "rails"])
def test_on_a_machine_that_is_too_busy_nothing_wrong_is_written(name: str, noise: float) -> None:
    """Times are half as long again on average, or twice as long: another kind of network is never made of it."""
    allowed = {"torus": {"torus"}, "leaves": {"leaves", "cluster"}, "rails": {"cluster"}}[name]
    for seed in range(4):
        network = {
            "torus": lambda: lattice((3, 3)),
            "leaves": lambda: leaf_spine(3, 4, 2),
            "rails": lambda: rails(9, 2),
        }[name]()
        network.noise, network.random = noise, random.Random(seed)
        try:
            kind = found_on(network).kind
        except Failure as failure:
            kind = failure.message.split(":")[0]
        assert kind in {*allowed, "What was measured contradicts itself", "The network, or its nodes, are too busy"}


def test_nodes_that_say_where_they_are_on_tofu_are_believed() -> None:
    positions = [f"7 2 5 {a} {b} {c}" for a in (0, 1) for b in (0, 1, 2) for c in (0, 1)]
    found = found_on(lattice((2, 3, 2), positions=positions)).description.machine
    assert isinstance(found, Tofu)
    assert found.places["n03"] == (7, 2, 5, 0, 1, 1)


def test_a_job_on_too_few_nodes_is_refused() -> None:
    with pytest.raises(Failure, match="runs on 2 nodes; a network shows among 3 or more"):
        found_on(rails(2, 1))


def test_when_the_time_is_up_nothing_is_made_up() -> None:
    with pytest.raises(TimeIsUp):
        found_on(lattice((3, 3), commands=60))


def test_the_number_of_measurements_grows_as_it_is_said() -> None:
    """docs/how-to/find-the-network.md: with the square of the nodes on links, and linearly on switches."""
    counts = {}
    for name, network in {"torus": lattice((3, 3, 3)), "rails": rails(27, 1)}.items():
        network.commands = 10_000
        found_on(network)
        counts[name] = 10_000 - network.commands
    assert counts["torus"] < 2 * 27**2
    assert counts["rails"] < 10 * 27 + 60


def test_what_a_busy_lab_measured_of_leaves_tells_them_apart() -> None:
    samples = {(a, b): each for a, b, each in recorded("leafspine-4x4.json")}
    found = leaves.leaves_of(range(16), samples)
    assert found.members == [list(range(leaf, leaf + 4)) for leaf in range(0, 16, 4)]


def test_what_a_busy_lab_measured_of_switches_that_do_not_block_is_one_cluster() -> None:
    samples = {(a, b): each for a, b, each in recorded("rails-8x2.json")}
    assert not leaves.leaves_of(range(8), samples).are_several


def test_what_a_busy_lab_measured_of_latencies_shows_two_sites() -> None:
    seconds = {(a, b): took for a, b, took in recorded("sites-4-4.json")}
    found = latency.sites_of(latency.Latencies(8, seconds))
    assert found is not None
    assert found.members == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert found.wan_seconds == pytest.approx(10e-3, rel=0.2)


def test_pairs_that_are_wrongly_together_are_counted() -> None:
    truth = described(plan_of("leafspine:2x2", Options()).machine)
    one = described(plan_of("rails:4x1", Options()).machine)
    assert pairs_right(truth, truth) == 1
    assert pairs_right(truth, one) == pytest.approx(2 / 6)
