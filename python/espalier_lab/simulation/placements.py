# SPDX-License-Identifier: Apache-2.0
"""Paper 5's alltoalls on RICC: does the fastest of the candidates depend on where the job sits?

A job of 128 processes has 16 nodes. The paper says on how many leaf switches they were, and how many of their numbers
leave each remainder by four: that is the uplink which messages to them take. The numbers themselves it does not say:
they are drawn, by the job's number, so that both are as printed.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from espalier.installation import Installation
from espalier_lab.simulation.rows import Wanted
from espalier_lab.simulation.written import written

NODES, LEAVES, UPLINKS, CORES = 1040, 53, 4, 8
PROCESSES = (128, 64)
SIZES = (1 << 20, 1 << 10)
WHOLE = ",segment=1MiB"  # blocks are not cut, as in STAR-MPI
# The tenth is Bruck's: what the MPI's own was is not known.
ALGORITHMS = (
    "spread",
    "pairwise",
    "pairwise_light_barrier",
    "pairwise_mpi_barrier",
    "pairwise_one_barrier",
    "ring",
    "ring_light_barrier",
    "ring_mpi_barrier",
    "ring_one_barrier",
    "bruck",
)


@dataclass(frozen=True)
class Job:
    """Of table 2."""

    number: int
    leaves: int
    ports: tuple[int, ...]  # nodes by the uplink that messages to them take
    winner: str

    @property
    def title(self) -> str:
        return f"job {self.number}: {self.leaves} leaves, {'-'.join(map(str, self.ports))}"

    def nodes(self) -> list[int]:
        """In ascending order, as launchers list them."""
        draw = random.Random(self.number)
        while True:
            leaves = draw.sample(range(LEAVES), self.leaves)
            rest = Counter(dict(enumerate(self.ports)))
            chosen: set[int] = set()
            for leaf in [*leaves, *draw.choices(leaves, k=sum(self.ports) - self.leaves)]:
                free = [node for node in nodes_of(leaf) if rest[node % UPLINKS] > 0 and node not in chosen]
                if not free:
                    break
                node = draw.choice(free)
                chosen.add(node)
                rest[node % UPLINKS] -= 1
            else:
                return sorted(chosen)


FEW, MANY, EVEN = (6, 2, 4, 4), (6, 2, 3, 5), (4, 3, 4, 5)
JOBS = (
    Job(0, 9, FEW, "MPI"),
    Job(1, 10, MANY, "ring"),
    Job(2, 9, FEW, "pairwise_light_barrier"),
    Job(3, 10, MANY, "ring_one_barrier"),
    Job(4, 9, (7, 2, 3, 4), "pairwise"),
    Job(5, 10, EVEN, "pairwise_one_barrier"),
    Job(6, 9, (7, 2, 3, 4), "pairwise"),
    Job(7, 10, EVEN, "ring_one_barrier"),
    Job(8, 9, (7, 2, 3, 4), "pairwise_light_barrier"),
    Job(9, 10, EVEN, "ring"),
)


def leaf_of(node: int) -> int:
    return node * LEAVES // NODES


def nodes_of(leaf: int) -> list[int]:
    return [node for node in range(NODES) if leaf_of(node) == leaf]


def placements() -> dict[str, list[int]]:
    """Nodes by what the machine's rows are named after."""
    return {"one leaf": list(range(16)), **{job.title: job.nodes() for job in JOBS}}


def of_processes(nodes: Sequence[int], processes: int) -> list[int]:
    """Half as many processes have every other node."""
    return list(nodes[:: len(nodes) * CORES // processes])


def loads(nodes: Sequence[int]) -> Counter[tuple[int, int, bool]]:
    """How many pairs of nodes each uplink carries, by leaf, number and whether it leads up."""
    found: Counter[tuple[int, int, bool]] = Counter()
    for source in nodes:
        for target in nodes:
            if leaf_of(source) != leaf_of(target):
                found[leaf_of(source), target % UPLINKS, True] += 1
                found[leaf_of(target), target % UPLINKS, False] += 1
    return found


def heaviest(nodes: Sequence[int]) -> float:
    """What the busiest uplink carries, over what a NIC does."""
    return max(loads(nodes).values(), default=0) / (len(nodes) - 1)


def wanted(_installation: Installation) -> Iterator[Wanted]:
    winners = {job.title: f"paper 5, job {job.number}: {job.winner}" for job in JOBS}
    for processes in PROCESSES:
        for title, nodes in placements().items():
            lines = [f"n{node} slots={CORES}\n" for node in of_processes(nodes, processes)]
            hostfile = written(f"{processes}-{title.partition(':')[0].replace(' ', '-')}.hosts", "".join(lines))
            where = ("--machine", "ricc", "--hostfile", hostfile)
            for size in SIZES:
                for algorithm in ALGORITHMS:
                    machine = f"RICC, {processes} processes, {title}"
                    source = winners.get(title, "paper 5")
                    yield Wanted(machine, where, "alltoall", size, algorithm + WHOLE, source)
