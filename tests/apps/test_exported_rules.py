# SPDX-License-Identifier: Apache-2.0
"""What was learnt, exported as rules of the native MPIs: they load them, and do what they say, and only there.

What an MPI does is seen by how many messages each rank sends, and by the bits of sums, which show the order of
additions. For sizes that a rule is made for, it must be the same as if a user had forced that algorithm by the MPI's
own settings; for all others the same as without rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import memories
import pytest
from exported_cases import BARRIER, OPENMPI_CASES, PROMISES, RANKS, SOURCES, Case, cases_for, exported
from mpis import ROOT, by_name, checked

from espalier.failure import Failure
from espalier_lab.network import namespaces

FORCE_RULES = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
FALL_BACK = {"MPIR_CVAR_COLLECTIVE_FALLBACK": "silent"}  # where what is forced for all is not possible

Seen = tuple[str, ...]  # a hash of the results, and the messages of each rank
See = Callable[[Sequence[str], Mapping[str, str]], dict[str, Seen]]


def seen_in(output: str) -> dict[str, Seen]:
    """By function and size."""
    return {what: tuple(facts.split()) for what, facts in re.findall(r"^seen (\S+) (.*)$", output, re.MULTILINE)}


UCX = {"UCX_TLS": "tcp,self"}  # all messages go through UCX, before which they are counted
ALWAYS = {
    "openmpi5": {"OMPI_MCA_pml_monitoring_enable": "1", "OMPI_MCA_mpi_yield_when_idle": "1"},
    "openmpi4": {
        **UCX,
        "OMPI_MCA_pml": "ucx",
        "OMPI_MCA_opal_common_ucx_tls": "any",
        "OMPI_MCA_opal_common_ucx_devices": "any",
        "OMPI_MCA_mpi_yield_when_idle": "1",
    },
    "mpich5": {**UCX, "MPIR_CVAR_COLLECTIVE_FALLBACK": "error"},
    # Over TCP alone, its MPI_Finalize does not end now and then.
    "mpich4": {"UCX_TLS": "self,sm,tcp", "MPIR_CVAR_COLLECTIVE_FALLBACK": "error"},
}


@pytest.fixture(scope="module")
def openmpi5(tmp_path_factory: pytest.TempPathFactory) -> See:
    return seeing("openmpi5", tmp_path_factory)


@pytest.fixture(scope="module")
def openmpi4(tmp_path_factory: pytest.TempPathFactory) -> See:
    return seeing("openmpi4", tmp_path_factory)


@pytest.fixture(scope="module")
def mpich5(tmp_path_factory: pytest.TempPathFactory) -> See:
    return seeing("mpich5", tmp_path_factory)


@pytest.fixture(scope="module")
def mpich4(tmp_path_factory: pytest.TempPathFactory) -> See:
    return seeing("mpich4", tmp_path_factory)


def seeing(name: str, tmp_path_factory: pytest.TempPathFactory) -> See:
    """Under MPICH with a node for each rank, unless settings say otherwise."""
    mpi = by_name(name)
    if reason := mpi.missing():
        pytest.skip(reason)
    program = tmp_path_factory.mktemp(name) / "reveal"
    mpi.compile([SOURCES / "reveal.c"], program, ["-Wall", "-ldl"])
    always: dict[str, str | Path] = dict(ALWAYS[name])
    if "UCX_TLS" in always:
        counter = program.parent / "libcount.so"
        checked(["cc", "-shared", "-fPIC", "-O1", "-o", str(counter), str(SOURCES / "count_sends.c"), "-ldl"])
        always["LD_PRELOAD"] = counter

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        placed = {"MPIR_CVAR_NOLOCAL": "1"} if name.startswith("mpich") else {}
        if "MPIR_CVAR_NUM_CLIQUES" in settings:
            placed = {}
        return seen_in(mpi.run(RANKS, [program, *what], {**always, **placed, **settings}).stdout)

    return see


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


@pytest.mark.parametrize("name", ["openmpi5", "openmpi4"])
def test_open_mpi_does_what_was_the_best(
    name: str, build: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    see: See = request.getfixturevalue(name)
    cases = cases_for(name)
    content = memories.text(*(case.context for case in cases), BARRIER, ranks=RANKS)
    rules = exported(build, tmp_path, name, content, *PROMISES)
    check_that_rules_are_followed(see, cases, rules, FORCE_RULES)
    forced = {**FORCE_RULES, "OMPI_MCA_coll_tuned_barrier_algorithm": "4"}
    assert see(["barrier:0"], rules) == see(["barrier:0"], forced) != see(["barrier:0"], {})


@pytest.mark.parametrize("name", ["mpich5", "mpich4"])
def test_mpich_does_what_was_the_best(name: str, build: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    see: See = request.getfixturevalue(name)
    cases = cases_for(name)
    content = memories.text(*(case.context for case in cases), BARRIER, ranks=RANKS)
    rules = exported(build, tmp_path, name, content)
    check_that_rules_are_followed(see, cases, rules, FALL_BACK)


def test_mpich_does_it_in_one_step_over_several_nodes(mpich5: See, build: Path, tmp_path: Path) -> None:
    """Where it would combine within each of two nodes first; then only some messages can be counted."""
    cases = [case for case in cases_for("mpich5") if case.function in ("allreduce", "reduce", "bcast")]
    content = memories.text(*(case.context for case in cases), ranks=RANKS, nodes=2)
    rules = exported(build, tmp_path, "mpich5", content)
    see = partial(seen_on, mpich5, {"MPIR_CVAR_NUM_CLIQUES": "2"})
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
        "openmpi5",
        memories.text(*(case.context for case in cases), BARRIER, ranks=RANKS, nodes=2),
        *PROMISES,
    )

    def see(what: Sequence[str], settings: Mapping[str, str]) -> dict[str, Seen]:
        lab = [ROOT / "espalier", "--build", build, "lab", "run", "sites:2", "--per-host", RANKS // 2, "--native"]
        command = [str(word) for word in (*lab, "--mpi", "openmpi", "--", program, *what)]
        return seen_in(checked(["env", *(f"{name}={value}" for name, value in settings.items()), *command]).stdout)

    forcing = {**FORCE_RULES, "OMPI_MCA_coll": "^han"}
    check_that_rules_are_followed(see, cases, rules, forcing, changing=["allreduce"])


@pytest.mark.parametrize("name", ["openmpi5", "mpich5"])
def test_a_communicator_of_another_size_keeps_the_mpis_own_rules(
    name: str, build: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    see: See = request.getfixturevalue(name)
    cases = cases_for(name)
    what = [size for case in cases for size in case.inside]
    baseline = see(what, {})
    for ranks in (RANKS - 1, RANKS + 1):
        content = memories.text(*(case.context for case in cases), BARRIER, ranks=ranks)
        options = PROMISES if name == "openmpi5" else []
        assert see(what, exported(build, tmp_path / str(ranks), name, content, *options)) == baseline
