# SPDX-License-Identifier: Apache-2.0
"""With which settings the jobs of an MPI start: without any, and with each that has algorithms which a running program
cannot force."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from espalier.functions import COLLECTIVES

FORCED, NATIVE = "forced:", "native"
EVERY_FORCED = FORCED + "*"
OURS = ("espalier", "espalier:*")
ALL_VARIANTS = ("limit:*", NATIVE, EVERY_FORCED, *OURS)

EVERY = tuple(COLLECTIVES)

# What MPICH does by memory that a node shares, instead of by its algorithms, unless it is told otherwise.
SHARED_BY_MPICH = ("barrier", "bcast", "reduce", "allreduce")
# What Open MPI's component `sm` has.
OF_SM = SHARED_BY_MPICH

# Open MPI fixes these before the program starts.
OPENMPI_ALLGATHERV = {"linear": 1, "bruck": 2, "ring": 3, "neighbor": 4, "two_proc": 5}

# MPICH 4 cannot be asked for its algorithms.
MPICH4 = {
    "bcast": ("binomial", "scatter_recursive_doubling_allgather", "scatter_ring_allgather"),
    "reduce": ("binomial", "reduce_scatter_gather"),
    "allreduce": ("recursive_doubling", "reduce_scatter_allgather"),
    "barrier": ("dissemination",),
    "gather": ("binomial",),
    "gatherv": ("linear",),
    "scatter": ("binomial",),
    "scatterv": ("linear",),
    "allgather": ("brucks", "recursive_doubling", "ring"),
    "allgatherv": ("brucks", "recursive_doubling", "ring"),
    "alltoall": ("brucks", "pairwise", "scattered"),
    "alltoallv": ("scattered",),
    "alltoallw": ("scattered",),
    "reduce_scatter": ("pairwise", "recursive_doubling", "recursive_halving"),
    "reduce_scatter_block": ("pairwise", "recursive_doubling", "recursive_halving"),
    "scan": ("recursive_doubling",),
    "exscan": ("recursive_doubling",),
}


@dataclass(frozen=True)
class Start:
    """Jobs of one MPI with these settings. `names`: what the MPI's choice is under them, as one of its own algorithms;
    by collective, or for all of them."""

    title: str = "as it is"
    settings: Mapping[str, str] = field(default_factory=dict)
    collectives: Sequence[str] = EVERY
    variants: Sequence[str] = ALL_VARIANTS
    names: Mapping[str, str] | str = ""

    @property
    def is_plain(self) -> bool:
        return not self.settings

    def variant(self, collective: str, found: str) -> str:
        """As the results call it."""
        if self.is_plain or found != NATIVE:
            return found
        return FORCED + (self.names if isinstance(self.names, str) else self.names[collective])


def starts_of(mpi: str) -> list[Start]:
    return list(STARTS[mpi]())


def with_component(name: str, collectives: Sequence[str]) -> Start:
    return Start(name, {f"OMPI_MCA_coll_{name}_priority": "100"}, collectives, (NATIVE,), name)


def openmpi5() -> Iterator[Start]:
    yield Start()
    yield with_component("sm", OF_SM)
    yield with_component("adapt", ("bcast", "reduce"))
    yield from openmpi_allgatherv()


def openmpi4() -> Iterator[Start]:
    yield Start()
    yield Start("forced", {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}, EVERY, (EVERY_FORCED,))
    yield with_component("sm", OF_SM)
    yield with_component("adapt", ("bcast", "reduce"))
    yield from openmpi_allgatherv()


def openmpi_allgatherv() -> Iterator[Start]:
    for name, number in OPENMPI_ALLGATHERV.items():
        settings = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
        settings["OMPI_MCA_coll_tuned_allgatherv_algorithm"] = str(number)
        yield Start(name, settings, ("allgatherv",), (NATIVE,), name)


def mpich_inside_nodes(how: str) -> dict[str, str]:
    return {f"MPIR_CVAR_{one.upper()}_POSIX_INTRA_ALGORITHM": how for one in SHARED_BY_MPICH}


def release_gather() -> Start:
    return Start("release_gather", mpich_inside_nodes("release_gather"), SHARED_BY_MPICH, (NATIVE,), "release_gather")


def mpich5() -> Iterator[Start]:
    yield Start(collectives=[one for one in EVERY if one not in SHARED_BY_MPICH])
    yield Start(collectives=SHARED_BY_MPICH, variants=[one for one in ALL_VARIANTS if one != EVERY_FORCED])
    yield Start("forced", mpich_inside_nodes("mpir"), SHARED_BY_MPICH, (EVERY_FORCED,))
    yield release_gather()
    cma = {"MPIR_CVAR_CH4_CMA_ENABLE": "1"}
    with_data = [one for one in EVERY if one != "barrier"]
    yield Start("cma", cma | mpich_inside_nodes("mpir"), with_data, (NATIVE,), "cma")


def mpich4() -> Iterator[Start]:
    yield Start()
    yield release_gather()
    for number in range(max(map(len, MPICH4.values()))):
        names = {one: algorithms[number] for one, algorithms in MPICH4.items() if number < len(algorithms)}
        settings = {f"MPIR_CVAR_{one.upper()}_INTRA_ALGORITHM": name for one, name in names.items()}
        yield Start(f"forced {number + 1}", settings | mpich_inside_nodes("mpir"), tuple(names), (NATIVE,), names)


STARTS = {"openmpi5": openmpi5, "mpich5": mpich5, "openmpi4": openmpi4, "mpich4": mpich4}
