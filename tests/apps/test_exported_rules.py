# SPDX-License-Identifier: Apache-2.0
"""What was learnt, exported as rules of the native MPIs: they load them, and do what they say, and only there.

What an MPI does is seen by how many messages each rank sends, and by the bits of sums, which show the order of
additions. For sizes that a rule is made for, it must be the same as if a user had forced that algorithm by the MPI's
own settings; for all others the same as without rules.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import memories
import pytest
from memories import FINGERPRINT
from mpis import ROOT, Mpi, by_name, checked

from espalier.failure import Failure
from espalier_lab.network import namespaces

SOURCES = Path(__file__).parent / "exported"
RANKS = 4
FIRST, APART = 1024, 4  # size classes of rules: from 1024 to 2047 bytes, from 4096 to 8191, ...
FORCE_RULES = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
FALL_BACK = {"MPIR_CVAR_COLLECTIVE_FALLBACK": "silent"}  # where what is forced for all is not possible

Seen = tuple[str, ...]  # a hash of the results, and the messages of each rank
See = Callable[[Sequence[str], Mapping[str, str]], dict[str, Seen]]


@dataclass(frozen=True)
class Case:
    """What was the best for messages of `low` bytes up to twice as many, and the MPI's settings that force the same."""

    function: str
    choice: str
    low: int
    settings: Mapping[str, str]

    @property
    def context(self) -> str:
        collective = re.sub(r"(v|_block)$", "", self.function)
        is_uneven = self.function in ("allgatherv", "reduce_scatter")
        return memories.context(collective, self.low, 2 * self.low - 1, self.choice, "native", uneven=is_uneven)

    @property
    def inside(self) -> list[str]:
        return [f"{self.function}:{self.low}", f"{self.function}:{2 * self.low - 8}"]

    @property
    def outside(self) -> list[str]:
        return [f"{self.function}:{self.low - 8}", f"{self.function}:{2 * self.low}"]


def cases_of(table: Mapping[str, Sequence[tuple[str, Mapping[str, object]]]], prefix: str, upper: bool) -> list[Case]:
    """A size class of its own for each of a function. 'SEGMENT' stands for a quarter of its smallest size."""
    result = []
    for function, algorithms in table.items():
        for number, (choice, settings) in enumerate(algorithms):
            low = FIRST * APART**number
            named = f"{prefix}{function.upper() if upper else function}_"
            forced = {named + key: str(value).replace("SEGMENT", str(low // 4)) for key, value in settings.items()}
            result.append(Case(function, choice.replace("SEGMENT", str(low // 4)), low, forced))
    return result


OPENMPI_CASES = cases_of(
    {
        "bcast": [
            ("linear", {"algorithm": 1}),
            ("chain,segment=SEGMENT", {"algorithm": 3, "algorithm_segmentsize": "SEGMENT"}),
            ("binary,segment=SEGMENT", {"algorithm": 5, "algorithm_segmentsize": "SEGMENT"}),
            ("knomial,segment=SEGMENT,radix=2", {"algorithm": 6, "algorithm_segmentsize": "SEGMENT"}),
            ("knomial,radix=4", {"algorithm": 7}),
            ("scatter_allgather", {"algorithm": 9}),
        ],
        "reduce": [
            ("chain,segment=SEGMENT", {"algorithm": 3, "algorithm_segmentsize": "SEGMENT"}),
            ("binary,segment=SEGMENT", {"algorithm": 4, "algorithm_segmentsize": "SEGMENT"}),
            ("binomial", {"algorithm": 5}),
            ("in_order,segment=SEGMENT", {"algorithm": 6, "algorithm_segmentsize": "SEGMENT"}),
            ("rabenseifner", {"algorithm": 7}),
        ],
        "allreduce": [
            ("recursive_doubling", {"algorithm": 3}),
            ("ring,segment=64KiB", {"algorithm": 4}),
            ("ring,segment=256", {"algorithm": 5, "algorithm_segmentsize": 256}),
            ("rabenseifner", {"algorithm": 6}),
        ],
        "allgather": [
            ("bruck", {"algorithm": 2}),
            ("recursive_doubling", {"algorithm": 3}),
            ("ring", {"algorithm": 4}),
            ("neighbor_exchange", {"algorithm": 5}),
        ],
        "allgatherv": [
            ("bruck", {"algorithm": 2}),
            ("ring", {"algorithm": 3}),
            ("neighbor_exchange", {"algorithm": 4}),
        ],
        "alltoall": [
            ("spread,window=64", {"algorithm": 1}),
            ("pairwise", {"algorithm": 2}),
            ("bruck", {"algorithm": 3}),
            ("spread,window=1", {"algorithm": 4, "algorithm_max_requests": 1}),
            ("ring", {"algorithm": 2}),
        ],
        "reduce_scatter": [("recursive_halving", {"algorithm": 2}), ("ring", {"algorithm": 3})],
        "reduce_scatter_block": [("recursive_halving", {"algorithm": 3})],
    },
    "OMPI_MCA_coll_tuned_",
    upper=False,
)
KARY = {"INTRA_ALGORITHM": "pipelined_tree", "TREE_TYPE": "kary", "TREE_PIPELINE_CHUNK_SIZE": "SEGMENT"}
MPICH_CASES = cases_of(
    {
        "bcast": [
            ("chain,segment=SEGMENT", {"COMPOSITION": 3, **KARY, "TREE_KVAL": 1}),
            ("binary,segment=SEGMENT", {"COMPOSITION": 3, **KARY, "TREE_KVAL": 2}),
            ("knomial", {"COMPOSITION": 3, "INTRA_ALGORITHM": "binomial"}),
            (
                "knomial,radix=4",
                {"INTRA_ALGORITHM": "tree", "TREE_TYPE": "knomial_1", "TREE_KVAL": 4, "COMPOSITION": 3},
            ),
            ("scatter_allgather", {"COMPOSITION": 3, "INTRA_ALGORITHM": "scatter_ring_allgather"}),
        ],
        "reduce": [
            ("rabenseifner", {"COMPOSITION": 3, "INTRA_ALGORITHM": "reduce_scatter_gather"}),
            ("binomial", {"COMPOSITION": 3, "INTRA_ALGORITHM": "binomial"}),
        ],
        "allreduce": [
            ("rabenseifner", {"COMPOSITION": 2, "INTRA_ALGORITHM": "reduce_scatter_allgather"}),
            ("recursive_doubling", {"COMPOSITION": 2, "INTRA_ALGORITHM": "recursive_doubling"}),
            ("ring", {"COMPOSITION": 2, "INTRA_ALGORITHM": "ring"}),
            (
                "tree,segment=SEGMENT",
                {
                    "COMPOSITION": 2,
                    "INTRA_ALGORITHM": "tree",
                    "TREE_TYPE": "kary",
                    "TREE_KVAL": 2,
                    "TREE_PIPELINE_CHUNK_SIZE": "SEGMENT",
                    "TREE_BUFFER_PER_CHILD": 0,
                },
            ),
        ],
        "allgather": [
            ("ring", {"INTRA_ALGORITHM": "ring"}),
            ("bruck", {"INTRA_ALGORITHM": "brucks"}),
            ("recursive_doubling", {"INTRA_ALGORITHM": "recursive_doubling"}),
        ],
        "allgatherv": [("ring", {"INTRA_ALGORITHM": "ring"}), ("bruck", {"INTRA_ALGORITHM": "brucks"})],
        "alltoall": [
            ("bruck", {"INTRA_ALGORITHM": "brucks"}),
            ("bruck,radix=3", {"INTRA_ALGORITHM": "k_brucks", "BRUCKS_KVAL": 3}),
            ("pairwise", {"INTRA_ALGORITHM": "pairwise"}),
            ("spread", {"INTRA_ALGORITHM": "scattered"}),
        ],
        "reduce_scatter": [("recursive_halving", {"INTRA_ALGORITHM": "recursive_halving"})],
        "reduce_scatter_block": [("recursive_halving", {"INTRA_ALGORITHM": "recursive_halving"})],
    },
    "MPIR_CVAR_",
    upper=True,
)
BARRIER = memories.context("barrier", 0, 0, "dissemination", "native")


def exported(build: Path, directory: Path, mpi: str, content: str, *options: str | Path) -> dict[str, str]:
    """The environment that loads the rules, as the command says it."""
    memories.write(directory, content)
    ending = {"openmpi": "conf", "mpich": "json"}[mpi]
    words = ["memory", "export", FINGERPRINT, "--mpi", mpi, "-o", directory / f"rules.{ending}", *options]
    command = [ROOT / "espalier", "--build", build, *words, "--directory", directory]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    if mpi == "openmpi":
        return {f"OMPI_MCA_{name}": value for name, value in re.findall(r"^    --mca (\S+) (\S+)$", done.stdout, re.M)}
    return dict(re.findall(r"^    (MPIR_\w+)=(\S+)$", done.stdout, re.M))


def seen_in(output: str) -> dict[str, Seen]:
    """By function and size."""
    return {what: tuple(facts.split()) for what, facts in re.findall(r"^seen (\S+) (.*)$", output, re.MULTILINE)}


@pytest.fixture(scope="module")
def openmpi(tmp_path_factory: pytest.TempPathFactory) -> See:
    mpi, program = compiled("openmpi5", tmp_path_factory)
    always = {"OMPI_MCA_pml_monitoring_enable": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        return seen_in(mpi.run(RANKS, [program, *what], {**always, **settings}).stdout)

    return see


@pytest.fixture(scope="module")
def mpich(tmp_path_factory: pytest.TempPathFactory) -> See:
    """With a node for each rank, unless settings say otherwise: all messages go through UCX, where they are counted."""
    mpi, program = compiled("mpich5", tmp_path_factory)
    counter = program.parent / "libcount.so"
    checked(["cc", "-shared", "-fPIC", "-O1", "-o", str(counter), str(SOURCES / "count_sends.c"), "-ldl"])
    always = {"LD_PRELOAD": counter, "UCX_TLS": "tcp,self", "MPIR_CVAR_COLLECTIVE_FALLBACK": "error"}

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        placed = {} if "MPIR_CVAR_NUM_CLIQUES" in settings else {"MPIR_CVAR_NOLOCAL": "1"}
        return seen_in(mpi.run(RANKS, [program, *what], {**always, **placed, **settings}).stdout)

    return see


def compiled(name: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Mpi, Path]:
    mpi = by_name(name)
    if reason := mpi.missing():
        pytest.skip(reason)
    program = tmp_path_factory.mktemp(name) / "reveal"
    return mpi, mpi.compile([SOURCES / "reveal.c"], program, ["-Wall", "-ldl"])


def rounds_of(cases: Sequence[Case]) -> Iterable[list[Case]]:
    """Of each function at most one case: they can be forced in the same run."""
    lows = sorted({case.low for case in cases})
    return ([case for case in cases if case.low == low] for low in lows)


def check_that_rules_are_followed(
    see: See,
    cases: Sequence[Case],
    rules: Mapping[str, str],
    forcing: Mapping[str, str],
    changing: Iterable[str] = ("bcast", "allreduce", "alltoall"),
) -> None:
    """`changing`: for some sizes the MPI would do something else."""
    inside = [what for case in cases for what in case.inside]
    outside = [what for case in cases for what in case.outside]
    by_rules, baseline = see([*inside, *outside], rules), see([*inside, *outside], {})
    for together in rounds_of(cases):
        settings = dict(chain.from_iterable(case.settings.items() for case in together))
        forced = see([what for case in together for what in case.inside], {**forcing, **settings})
        for case in together:
            for what in case.inside:
                assert by_rules[what] == forced[what], (case, baseline[what])
    for what in outside:
        assert by_rules[what] == baseline[what], what
    changed = {what.partition(":")[0] for what in inside if by_rules[what] != baseline[what]}
    assert set(changing) <= changed


def test_open_mpi_does_what_was_the_best(openmpi: See, build: Path, tmp_path: Path) -> None:
    content = memories.text(*(case.context for case in OPENMPI_CASES), BARRIER, ranks=RANKS)
    rules = exported(build, tmp_path, "openmpi", content, "--commutative")
    check_that_rules_are_followed(openmpi, OPENMPI_CASES, rules, FORCE_RULES)
    forced = {**FORCE_RULES, "OMPI_MCA_coll_tuned_barrier_algorithm": "4"}
    assert openmpi(["barrier:0"], rules) == openmpi(["barrier:0"], forced) != openmpi(["barrier:0"], {})


def test_mpich_does_what_was_the_best(mpich: See, build: Path, tmp_path: Path) -> None:
    content = memories.text(*(case.context for case in MPICH_CASES), BARRIER, ranks=RANKS)
    rules = exported(build, tmp_path, "mpich", content)
    check_that_rules_are_followed(mpich, MPICH_CASES, rules, FALL_BACK)


def test_mpich_does_it_in_one_step_over_several_nodes(mpich: See, build: Path, tmp_path: Path) -> None:
    """Where it would combine within each of two nodes first; then only some messages can be counted."""
    cases = [case for case in MPICH_CASES if case.function in ("allreduce", "reduce", "bcast")]
    content = memories.text(*(case.context for case in cases), ranks=RANKS, nodes=2)
    rules = exported(build, tmp_path, "mpich", content)
    see = partial(seen_on, mpich, {"MPIR_CVAR_NUM_CLIQUES": "2"})
    check_that_rules_are_followed(see, cases, rules, FALL_BACK, changing=("bcast", "reduce", "allreduce"))


def seen_on(see: See, nodes: Mapping[str, str], what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
    return see(what, {**nodes, **settings})


def test_open_mpi_does_it_over_several_nodes(build: Path, tmp_path: Path) -> None:
    """There coll/han comes before coll/tuned; it has rules of its own. Only the bits of sums can be seen."""
    try:
        namespaces.require()
    except Failure as failure:
        pytest.skip(failure.message)
    if namespaces.existing():
        pytest.skip("there is a lab already")
    mpi = by_name("openmpi5")
    program = mpi.compile([SOURCES / "reveal.c"], tmp_path / "reveal", ["-ldl"])
    cases = [case for case in OPENMPI_CASES if case.function == "allreduce" and case.choice.startswith("ring")]
    rules = exported(
        build,
        tmp_path,
        "openmpi",
        memories.text(*(case.context for case in cases), BARRIER, ranks=RANKS, nodes=2),
        "--commutative",
    )

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        lab = [ROOT / "espalier", "--build", build, "lab", "run", "sites:2", "--per-host", RANKS // 2, "--native"]
        command = [str(word) for word in (*lab, "--mpi", "openmpi", "--", program, *what)]
        return seen_in(checked(["env", *(f"{name}={value}" for name, value in settings.items()), *command]).stdout)

    forcing = {**FORCE_RULES, "OMPI_MCA_coll": "^han"}
    check_that_rules_are_followed(see, cases, rules, forcing, changing=["allreduce"])


def test_open_mpi_4_reads_the_rules_too(build: Path, tmp_path: Path) -> None:
    """Without numbers of requests, which it does not know. Only the bits of sums can be seen."""
    mpi = by_name("openmpi4")
    if reason := mpi.missing():
        pytest.skip(reason)
    program = mpi.compile([SOURCES / "reveal.c"], tmp_path / "reveal", ["-ldl"])
    cases = [case for case in OPENMPI_CASES if case.function in ("allreduce", "reduce")]
    rules = exported(
        build, tmp_path, "openmpi", memories.text(*(case.context for case in cases), ranks=RANKS), "--commutative"
    )

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        return seen_in(mpi.run(RANKS, [program, *what], {"OMPI_MCA_mpi_yield_when_idle": "1", **settings}).stdout)

    check_that_rules_are_followed(see, cases, rules, FORCE_RULES, changing=["allreduce", "reduce"])


@pytest.mark.parametrize("name", ["openmpi", "mpich"])
def test_a_communicator_of_another_size_keeps_the_mpis_own_rules(
    name: str, build: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    see: See = request.getfixturevalue(name)
    cases = OPENMPI_CASES if name == "openmpi" else MPICH_CASES
    what = [size for case in cases for size in case.inside]
    baseline = see(what, {})
    for ranks in (RANKS - 1, RANKS + 1):
        content = memories.text(*(case.context for case in cases), BARRIER, ranks=ranks)
        options = ["--commutative"] if name == "openmpi" else []
        assert see(what, exported(build, tmp_path / str(ranks), name, content, *options)) == baseline
