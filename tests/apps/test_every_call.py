# SPDX-License-Identifier: Apache-2.0
"""Every collective call that a language and an MPI have is made, is right, and does what the documentation says of it.

The programs are written by every_call/programs.py, from the library's own list of functions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from every_call import programs
from every_call.calls import steps_for
from every_call.coverage import LACKING, PAIRS, TITLES, why_lacking, why_passed_on
from every_call.functions import Form, Function, all_functions
from every_call.messages import RANKS
from every_call.program import Program, make_program
from every_call.programs import C_WITH_ALL, MPI4PY, C, Language
from every_call.tool import make_tool, seen_by_tool
from mpis import ROOT, Mpi, by_name, matrix
from own_algorithms import names_in, own_algorithms
from watching import Counting, Reporting

PAGE = ROOT / "docs" / "reference" / "collectives.md"
WRITER = ROOT / "tools" / "write_collectives_page.py"


def pairs() -> list[ParameterSet]:
    return [
        pytest.param((name, language), marks=matrix([name], language.compiler)[0].marks, id=f"{name}-{language.name}")
        for name, language in PAIRS
    ]


@pytest.fixture(scope="module", params=pairs())
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """For each MPI and language, one with all calls that there are."""
    name, language = request.param
    return make_program(by_name(name), language, tmp_path_factory.mktemp("calls"))


@pytest.fixture(params=[name for name in TITLES if any(name in lack.mpis for lack in LACKING if lack.only_large)])
def program_with_large_counts(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    """Calls the large forms that its MPI lacks and the preload has."""
    mpi = by_name(request.param)
    if reason := mpi.missing():
        pytest.skip(reason)
    small = [function.name for function in all_functions() if why_lacking(mpi.name, C_WITH_ALL, function) is None]
    functions = [each for each in all_functions() if each.is_large and each.name.removesuffix("_c") in small]
    return make_program(mpi, C_WITH_ALL, tmp_path, functions)


@pytest.fixture
def reporting(build: Path, tmp_path: Path, program: Program) -> Reporting:
    backend = build / "lib" / f"libespalier-{program.mpi.backend}.so"
    if not backend.exists():
        pytest.skip(f"{backend.name} was not built: its MPI was not there then")
    return Reporting(build / "lib", tmp_path)


def test_each_call_reaches_the_backend_once(program: Program, counting: Counting, tmp_path: Path) -> None:
    program.run(tmp_path, counting.environment())
    expected = Counter(step.function.name for step in steps_for(program.functions))
    seen = Counter(counting.functions(RANKS))
    for name in set(seen) - {function.name for function in all_functions()}:
        del seen[name]
    if program.language is MPI4PY:  # which decides itself about the size of counts
        seen = sum((Counter({name.removesuffix("_c"): calls}) for name, calls in seen.items()), Counter())
    assert seen == expected


@pytest.mark.parametrize("tool_is_first", [True, False])
@pytest.mark.parametrize("mpi", matrix(TITLES))
def test_profiling_tool_sees_each_call_and_so_do_we_once(
    mpi: Mpi, tool_is_first: bool, counting: Counting, tmp_path: Path
) -> None:
    program = make_program(mpi, C, tmp_path)
    libraries = [counting.library, make_tool(mpi, program.functions, tmp_path)]
    preload = ":".join(map(str, reversed(libraries) if tool_is_first else libraries))
    seen_file = tmp_path / "seen_by_tool"
    program.run(tmp_path, {**counting.environment(), "LD_PRELOAD": preload, "TOOL_FILE": seen_file})
    expected = Counter(step.function.name for step in steps_for(program.functions))
    assert seen_by_tool(seen_file) == [expected] * RANKS
    assert counting.functions(RANKS).items() >= expected.items()


def test_calls_are_right_without_espalier(program: Program, counting: Counting, tmp_path: Path) -> None:
    program.run(tmp_path, {**counting.environment(), "ESPALIER": "off"})
    assert counting.processes() == []


def test_calls_are_right_and_reported(program: Program, reporting: Reporting, tmp_path: Path) -> None:
    program.run(tmp_path, reporting.environment())
    assert reporting.calls(RANKS) == program.calls([Form.blocking])


def test_calls_run_on_own_schedules_where_they_are_forced(
    program: Program, reporting: Reporting, build: Path, tmp_path: Path
) -> None:
    record = build / "every_call" / f"{program.mpi}-{program.language.name}.json"
    record.unlink(missing_ok=True)
    setting = own_algorithms(build)
    own = program.run(tmp_path, {**reporting.environment(), "ESPALIER_ALGORITHM": setting})
    assert reporting.calls(RANKS, names_in(setting)) == program.calls([Form.blocking])
    expected = {each.name: 0 if why_passed_on(program.mpi.name, each) else 1 for each in program.functions}
    assert {name: max(runs) for name, runs in own.items()} == expected
    assert {name: min(runs) for name, runs in own.items()} == expected
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps(what_was_seen(program, own), indent=1))


def what_was_seen(program: Program, own: Mapping[str, Counter[int]]) -> dict[str, object]:
    """For the page; functions that are missing, too."""
    mpi, language = program.mpi.name, program.language
    calls = []
    for function in all_functions():
        if function.is_large and not language.has_large:
            continue
        if function.name not in own:
            outcome, why = "-", why_lacking(mpi, language, function)
        elif min(own[function.name]) > 0:
            outcome, why = "own", ""
        else:
            outcome, why = "passed on", why_passed_on(mpi, function)
        names = {"function": function.name, "blocking": f"MPI_{function.blocking}", "form": function.form.value}
        calls.append({**names, "outcome": outcome, "why": why})
    position = PAIRS.index((mpi, language))
    return {"position": position, "mpi": TITLES[mpi], "language": language.name, "calls": calls}


def lacking() -> list[ParameterSet]:
    """For each MPI and language one function of each kind that is missing there. (mpi4py has all, whatever the MPI.)"""
    rows = []
    for (name, language), lack in product(PAIRS, LACKING):
        missing = [each for each in all_functions() if lack.holds_for(name, each)]
        first = next((each for each in missing if language.has_large or not each.is_large), None)
        if first is not None and language is not MPI4PY:
            mpi = matrix([name], language.compiler)[0]
            names = f"{name}-{language.name}-{first.name}"
            rows.append(pytest.param(*mpi.values, language, first, marks=mpi.marks, id=names))
    return rows


@pytest.mark.parametrize(("mpi", "language", "missing"), lacking())
def test_what_an_mpi_lacks_is_not_there(mpi: Mpi, language: Language, missing: Function, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=f"(?i){missing.name.removesuffix('_c')}"):
        programs.make(mpi, language, [missing], tmp_path)


@pytest.mark.parametrize("own_ones", ["chosen", "off", "forced"])
def test_large_counts_are_right_where_only_the_preload_has_them(
    program_with_large_counts: Program, own_ones: str, build: Path, tmp_path: Path
) -> None:
    settings = {
        "chosen": ("ESPALIER", "on"),
        "off": ("ESPALIER", "off"),
        "forced": ("ESPALIER_ALGORITHM", own_algorithms(build)),
    }
    environment: dict[str, str | Path] = {"LD_PRELOAD": build / "lib" / "libespalier.so"}
    own = program_with_large_counts.run(tmp_path, environment | dict([settings[own_ones]]))
    if own_ones == "forced":
        assert {count for runs in own.values() for count in runs} == {1}


def test_page_says_what_was_seen(build: Path) -> None:
    records = [build / "every_call" / f"{name}-{language.name}.json" for name, language in PAIRS]
    if missing := [record.stem for record in records if not record.exists()]:
        pytest.skip(f"nothing was seen of {', '.join(missing)}")
    page = subprocess.run([sys.executable, WRITER, "--build", build], capture_output=True, text=True, check=True).stdout
    rewrite = f"{WRITER.relative_to(ROOT)} > {PAGE.relative_to(ROOT)}"
    assert PAGE.read_text() == page, f"not what was seen; write it again: .deps/tools/bin/python {rewrite}"
