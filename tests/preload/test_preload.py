# SPDX-License-Identifier: Apache-2.0
"""libespalier.so over a library that only looks like an MPI, for what no real MPI can show.

Runs on this machine's processor and, where a cross compiler and qemu's user mode are installed, on aarch64.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from mpis import ROOT, checked

HERE = Path(__file__).resolve().parent
INTERFACES = ("openmpi", "mpich", "abi")


@dataclass(frozen=True)
class Processor:
    """How to compile and run programs for a processor."""

    name: str
    prefix: str = ""  # of the compilers' names
    emulator: Sequence[str] = ()

    def compile(self, output: Path, sources: Sequence[str], *flags: str | Path) -> Path:
        """Compiles sources of this folder; a library if the output is called one."""
        kind = f"-shared -fPIC -Wl,-soname,{output.name}" if output.suffix == ".so" else "-rdynamic"
        options = f"-O1 -g -w -I{ROOT / 'src'} {kind}".split()
        inputs = [str(HERE / source) for source in sources]
        checked([f"{self.prefix}gcc", *options, "-o", str(output), *inputs, *map(str, flags)])
        return output

    def build_preload(self, output: Path) -> Path:
        """libespalier.so for a processor that the build directory is not for: the same sources, options and exports."""
        folder = ROOT / "src" / "preload"
        options = "-std=c++20 -O2 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra -Werror -shared "
        options += "-fstack-protector-strong -fstack-clash-protection -mbranch-protection=standard -D_FORTIFY_SOURCE=3 "
        options += "-static-libgcc -static-libstdc++ -Wl,--no-undefined -Wl,-z,nodelete,-z,relro,-z,now,-z,text "
        options += f'-Wl,--version-script={folder / "exports.map"} -DESPALIER_VERSION="0"'
        includes = [f"-I{ROOT / part}" for part in ("src", "include", "src/preload/trampolines")]
        sources = map(str, [*sorted(folder.rglob("*.cpp")), *sorted(folder.rglob(f"*_{self.name}.S"))])
        checked([f"{self.prefix}g++", *options.split(), *includes, "-o", str(output), *sources, "-ldl"])
        return output


HOST = Processor(platform.machine())
EMULATED_AARCH64 = Processor("aarch64", "aarch64-linux-gnu-", ("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"))
AARCH64 = HOST if HOST.name == "aarch64" else EMULATED_AARCH64


@dataclass(frozen=True)
class Stage:
    """A directory with everything in it, compiled for one processor."""

    processor: Processor
    folder: Path

    def run(
        self,
        *command: str,
        preload: Sequence[str] = ("espalier/libespalier.so",),
        environment: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program of the stage under the preload; counts of the counting backend go to `counts.<pid>`."""
        for old in self.folder.glob("counts.*"):
            old.unlink()
        variables = {
            "LD_PRELOAD": " ".join(str(self.folder / library) for library in preload),
            "COUNTING_BACKEND_FILE": self.folder / "counts",
            **(environment or {}),
        }
        settings = [f"{name}={value}" for name, value in variables.items()]
        program = [str(self.folder / command[0]), *command[1:]]
        # `env` starts the program, so that the preload meets nothing else; an emulator hands the variables through.
        return checked(["env", *settings, *self.processor.emulator, *program], cwd=self.folder, check=check)

    def counts(self) -> dict[str, dict[str, int]]:
        """What the counting backend counted in the last run; empty if it was not opened."""
        files = list(self.folder.glob("counts.*"))
        assert len(files) <= 1
        return json.loads(files[0].read_text()) if files else {}

    def symbols(self) -> str:
        """readelf's view of what libespalier.so exports."""
        library = self.folder / "espalier" / "libespalier.so"
        return checked([f"{self.processor.prefix}readelf", "--dyn-syms", "-W", str(library)]).stdout

    def dynamic(self) -> str:
        """readelf's view of what libespalier.so needs and demands."""
        library = self.folder / "espalier" / "libespalier.so"
        return checked([f"{self.processor.prefix}readelf", "-d", "-n", "-W", str(library)]).stdout


def fill(stage: Stage, preload: Path) -> None:
    """Compiles the fake MPIs, their callers and the backends."""
    folder, build = stage.folder, stage.processor.compile
    for directory in ("espalier", "alone", "old"):
        (folder / directory).mkdir()
        shutil.copy(preload, folder / directory / "libespalier.so")
    shutil.copy(build(folder / "backend.so", ["counting_backend.c"]), folder / "espalier" / "libespalier-mpich.so")
    build(folder / "old" / "libespalier-mpich.so", ["counting_backend.c"], "-DREPORTED_VERSION=0")

    here = ("-Wl,-rpath,$ORIGIN", f"-L{folder}")
    build(folder / "libfake.so", ["fake_mpi.c"])
    build(folder / "libother.so", ["fake_mpi.c"])
    build(folder / "libunknown.so", ["fake_mpi.c"], '-DLIBRARY_VERSION="Some MPI of its own"')
    build(folder / "libtool.so", ["tool.c"], *here, "-lfake")
    build(folder / "caller", ["caller.c"], *here, "-lfake", "-pthread")
    build(folder / "caller_of_unknown", ["caller.c"], *here, "-lunknown", "-pthread")
    build(folder / "caller_with_tool", ["caller.c"], *here, "-Wl,--no-as-needed", "-ltool", "-lfake", "-pthread")
    build(folder / "caller_of_nothing", ["caller.c"], "-Wl,--unresolved-symbols=ignore-all", "-pthread")
    build(folder / "plugin_host", ["plugin_host.c"])
    build(folder / "plugin.so", ["plugin.c"], *here, "-lfake")
    build(folder / "other_plugin.so", ["plugin.c"], *here, "-lother")
    build(folder / "mca_coll_fake.so", ["plugin.c"], *here, "-lfake")
    build(folder / "libfake_mpifh.so", ["plugin.c"], *here, "-lfake")
    fill_with_stand_ins(stage, here)
    fill_with_handles(stage, here)


def fill_with_stand_ins(stage: Stage, here: Sequence[str]) -> None:
    """Compiles the serial stand-ins, and programs that run on them or on no MPI at all."""
    folder, build = stage.folder, stage.processor.compile
    both = "-DPROFILING_NAMES"
    build(folder / "libstandin.so", ["standin.c"])
    build(folder / "libstandin_both.so", ["standin.c"], both)
    build(folder / "libstep.so", ["plugin.c"])
    build(folder / "serial", ["serial.c"], *here, "-lstandin")
    build(folder / "serial_both", ["serial.c"], both, *here, "-lstandin_both")
    in_order = (*here, "-Wl,--no-as-needed")
    build(folder / "serial_before_mpi", ["serial.c"], *in_order, "-lstandin", "-lfake")
    build(folder / "serial_both_before_mpi", ["serial.c"], both, *in_order, "-lstandin_both", "-lfake")
    build(folder / "serial_inside", ["serial.c", "standin.c"])
    build(folder / "serial_inside_and_library", ["serial.c", "standin.c"], "-DWITH_A_LIBRARY", *here, "-lstep")
    build(folder / "standin_plugin.so", ["plugin.c"], *here, "-lstandin")
    build(folder / "plugin_with_standin_inside.so", ["plugin.c", "standin.c"])
    build(folder / "maybe", ["maybe.c"])
    build(folder / "maybe_over_standin", ["maybe.c"], *in_order, "-lstandin")


def fill_with_handles(stage: Stage, here: Sequence[str]) -> None:
    """Compiles who takes functions from handles, and who goes past what is preloaded."""
    folder, build = stage.folder, stage.processor.compile
    build(folder / "libwhich.so", ["which.c"])
    build(folder / "libdlsym.so", ["other_dlsym.c"])
    build(folder / "handle", ["handle.c"], *here, "-lwhich")
    build(folder / "libfakempi.so", ["fake_mpi.c"])
    build(folder / "deep_plugin.so", ["plugin.c"], *here, "-lfakempi")
    build(folder / "deep_host", ["plugin_host.c"], "-DHOW=RTLD_DEEPBIND")


@pytest.fixture(scope="session", params=[HOST, AARCH64], ids=["here", "aarch64"])
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, build: Path) -> Stage:
    processor: Processor = request.param
    folder = tmp_path_factory.mktemp(processor.name)
    preload = build / "lib" / "libespalier.so"
    if processor is not HOST:
        if not shutil.which(f"{processor.prefix}g++"):
            pytest.skip("no aarch64-linux-gnu-g++: the aarch64 trampolines are not even compiled here")
        preload = processor.build_preload(folder / "libespalier.so")
    result = Stage(processor, folder)
    fill(result, preload)
    return result


@pytest.fixture
def running(stage: Stage) -> Stage:
    """A stage whose programs can be run here."""
    if stage.processor.emulator and not shutil.which(stage.processor.emulator[0]):
        pytest.skip(f"no {stage.processor.emulator[0]}: {stage.processor.name} is compiled and looked at, not run")
    return stage


def names_of_functions() -> list[str]:
    text = (ROOT / "src" / "preload" / "trampolines" / "functions.inc").read_text()
    return re.findall(r"^ESPALIER_FUNCTION\((\w+),", text, re.M)


def test_library_exports_each_function_under_both_names_and_nothing_else(stage: Stage) -> None:
    exported = re.findall(r"(?:FUNC|OBJECT|TLS|NOTYPE)\s+(?:GLOBAL|WEAK)\s+DEFAULT\s+\d+ (\S+)", stage.symbols())
    functions = names_of_functions()
    ours = {f"espalier_{word}" for word in ("version", "active", "force", "error", "calls")}
    others = {"PMIx_Commit", "dlsym", "__asan_default_options"}
    assert set(exported) == {*functions, *(f"P{name}" for name in functions), *ours, *others}


def test_library_needs_nothing_but_the_c_library(stage: Stage) -> None:
    needed = re.findall(r"NEEDED.*\[(.*)\]", stage.dynamic())
    assert needed
    assert all(name.startswith(("libc.so", "ld-linux", "libdl.so", "libpthread.so")) for name in needed)


def test_library_can_never_be_unloaded(stage: Stage) -> None:
    assert "NODELETE" in stage.dynamic()


def test_trampolines_are_marked_as_fit_for_branch_protection(stage: Stage) -> None:
    flag, mark = {"x86_64": ("-fcf-protection", "IBT, SHSTK"), "aarch64": ("-mbranch-protection=standard", "BTI")}[
        stage.processor.name
    ]
    source = ROOT / "src" / "preload" / "trampolines" / f"trampolines_{stage.processor.name}.S"
    compiled = stage.folder / "trampolines.o"
    checked([f"{stage.processor.prefix}gcc", flag, "-c", str(source), "-o", str(compiled)])
    assert mark in checked([f"{stage.processor.prefix}readelf", "-n", str(compiled)]).stdout


def test_arguments_survive_the_first_call_and_the_later_ones(running: Stage) -> None:
    assert running.run("caller", "arguments", environment={"ESPALIER": "off"}).stdout == "0 0\n" * 2


def test_call_stack_can_be_unwound_while_a_function_is_resolved(running: Stage) -> None:
    assert "main" in running.run("caller", "stack").stdout


def test_backend_gets_the_calls_under_both_names(running: Stage) -> None:
    assert running.run("caller", "barriers").stdout == "0 0\n"
    assert running.counts()["own"] == {"MPI_Barrier": 2}


def test_start_is_passed_to_the_backend(running: Stage) -> None:
    assert running.run("caller", "start").stdout == "0\n"
    assert running.counts()["own"] == {"MPI_Init": 1}


def test_setting_off_opens_no_backend(running: Stage) -> None:
    assert running.run("caller", "barriers", environment={"ESPALIER": "off"}).stdout == "0 0\n"
    assert running.counts() == {}


def test_other_values_of_the_switch_are_left_to_the_backend(running: Stage) -> None:
    running.run("caller", "barriers", environment={"ESPALIER": "offf"})
    assert running.counts()["own"] == {"MPI_Barrier": 2}


def test_large_count_function_works_over_an_mpi_without_it(running: Stage) -> None:
    # What does not fit into an int arrives as -1, for the MPI to refuse.
    assert running.run("caller", "large_count").stdout.split() == ["0", "3", str(2**31 - 1), "-1", "-1"]


def test_threads_that_meet_at_the_first_call_are_all_served(running: Stage) -> None:
    assert running.run("caller", "threads").stdout == "0 wrong, 8000 native\n"
    assert running.counts()["own"] == {"MPI_Barrier": 8000}


def test_missing_backend_is_said_once_and_calls_go_native(running: Stage) -> None:
    result = running.run("caller", "barriers", preload=["alone/libespalier.so"])
    assert result.stdout == "0 0\n"
    assert result.stderr.count("espalier: ") == 1
    assert "libespalier-mpich.so" in result.stderr
    assert "install all of it" in result.stderr


def test_message_comes_from_one_process_of_a_node_only(running: Stage) -> None:
    second = {"OMPI_COMM_WORLD_LOCAL_RANK": "1"}
    assert not running.run("caller", "barriers", preload=["alone/libespalier.so"], environment=second).stderr


def test_backend_of_another_version_is_refused(running: Stage) -> None:
    result = running.run("caller", "barriers", preload=["old/libespalier.so"])
    assert result.stdout == "0 0\n"
    assert "version mismatch" in result.stderr
    assert result.stderr.count("espalier: ") == 1


def test_unknown_mpi_is_said_once_and_calls_go_native(running: Stage) -> None:
    result = running.run("caller_of_unknown", "barriers")
    assert result.stdout == "0 0\n"
    assert running.counts() == {}
    assert "libunknown.so" in result.stderr
    assert result.stderr.count("espalier: ") == 1


ON_AND_OFF = pytest.mark.parametrize("switch", ["", "off"], ids=["on", "off"])
SERIAL = ("serial", "serial_both", "serial_before_mpi", "serial_both_before_mpi", "serial_inside")


def alike_without_us(running: Stage, switch: str, *command: str) -> str:
    """What a program prints, which must be what it prints without the preload: no more, and no message."""
    without = running.run(*command, preload=())
    under = running.run(*command, environment={"ESPALIER": switch})
    assert (under.stdout, under.stderr) == (without.stdout, without.stderr)
    assert running.counts() == {}
    return under.stdout


@ON_AND_OFF
@pytest.mark.parametrize("program", [*SERIAL, "serial_inside_and_library"])
def test_serial_stand_in_gets_its_calls_as_without_us(running: Stage, program: str, switch: str) -> None:
    assert alike_without_us(running, switch, program).startswith("7 7 7 7 3")


@ON_AND_OFF
@pytest.mark.parametrize("plugin", ["standin_plugin.so", "plugin_with_standin_inside.so"])
def test_serial_stand_in_of_a_plugin_gets_its_calls_as_without_us(running: Stage, plugin: str, switch: str) -> None:
    actions = [f"./{plugin}:{action}" for action in ("start", "step", "step", "native_calls")]
    assert alike_without_us(running, switch, "plugin_host", *actions) == "start 7\nstep 7\nstep 7\nnative_calls 3\n"


def test_plugin_with_a_serial_stand_in_inside_can_be_closed_and_opened_again(running: Stage) -> None:
    actions = [f"./plugin_with_standin_inside.so:{action}" for action in ("step", "close", "step", "native_calls")]
    assert alike_without_us(running, "", "plugin_host", *actions) == "step 7\nstep 7\nnative_calls 1\n"


@pytest.mark.parametrize("mpi_first", [True, False])
@pytest.mark.parametrize("stand_in", ["standin_plugin.so", "plugin_with_standin_inside.so"])
def test_serial_stand_in_next_to_an_mpi_gets_its_calls_and_the_mpi_is_served(
    running: Stage, stand_in: str, mpi_first: bool
) -> None:
    serial = [f"./{stand_in}:{action}" for action in ("start", "step", "step", "native_calls")]
    parallel = [f"./plugin.so:{action}" for action in ("start", "step", "step", "native_calls")]
    actions = parallel + serial + parallel[1:] if mpi_first else serial + parallel + serial[1:]
    without = running.run("plugin_host", *actions, preload=())
    result = running.run("plugin_host", *actions)
    assert result.stdout == without.stdout
    assert not result.stderr
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 4 if mpi_first else 2}


def test_large_count_function_works_over_a_stand_in_without_it(running: Stage) -> None:
    assert running.run("maybe_over_standin", "weak_large").stdout == "3\n"


@ON_AND_OFF
@pytest.mark.parametrize("how", ["weak", "dlsym"])
def test_program_that_asks_for_an_mpi_finds_the_stand_in(running: Stage, how: str, switch: str) -> None:
    assert alike_without_us(running, switch, "maybe_over_standin", how) == "1 1 1\n"


@ON_AND_OFF
@pytest.mark.parametrize("program", ["maybe", "caller_of_nothing"])
def test_call_that_leads_nowhere_fails_and_says_so_once(running: Stage, program: str, switch: str) -> None:
    argument = {"maybe": "weak", "caller_of_nothing": "barriers"}[program]
    result = running.run(program, argument, environment={"ESPALIER": switch})
    assert "0" not in result.stdout
    assert result.stderr.count("espalier: ") == 1
    assert "no MPI library is loaded" in result.stderr
    assert "without LD_PRELOAD" in result.stderr


def test_relative_preload_path_still_finds_the_backend_after_a_change_of_directory(running: Stage) -> None:
    relative = {"LD_PRELOAD": "./espalier/libespalier.so"}
    assert running.run("caller", "barriers_elsewhere", environment=relative).stdout == "0 0\n"
    assert running.counts()["own"] == {"MPI_Barrier": 2}


@pytest.mark.parametrize(
    ("program", "libraries"),
    [
        ("caller_with_tool", ["espalier/libespalier.so"]),
        ("caller", ["espalier/libespalier.so", "libtool.so"]),
        ("caller", ["libtool.so", "espalier/libespalier.so"]),
    ],
    ids=["linked", "preloaded behind us", "preloaded before us"],
)
def test_profiling_tool_sees_each_call_and_so_does_the_backend_once(
    running: Stage, program: str, libraries: list[str]
) -> None:
    result = running.run(program, "barriers", preload=libraries)
    assert result.stdout == "0 0\ntool saw 1\n"  # the program's PMPI_Barrier is not the tool's to see
    assert running.counts()["own"] == {"MPI_Barrier": 2}


def test_mpi_that_is_opened_out_of_sight_is_found(running: Stage) -> None:
    assert running.run("plugin_host", "./plugin.so:start", "./plugin.so:step").stdout == "start 0\nstep 0\n"
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 1}


def test_functions_from_a_handle_are_served_under_both_names(running: Stage) -> None:
    assert running.run("handle", "calls", "./libfake.so").stdout == "0 0 0, 3 native\n"
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 2}


def test_functions_from_a_handle_that_opens_the_mpi_behind_it_are_served(running: Stage) -> None:
    assert running.run("handle", "calls", "./plugin.so").stdout == "0 0 0, 3 native\n"
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 2}


def test_functions_from_a_handle_are_the_mpis_own_with_setting_off(running: Stage) -> None:
    assert running.run("handle", "calls", "./libfake.so", environment={"ESPALIER": "off"}).stdout == "0 0 0, 3 native\n"
    assert running.counts() == {}


def test_functions_from_the_handle_of_a_second_mpi_are_its_own(running: Stage) -> None:
    result = running.run("handle", "both", "./libfake.so", "./libother.so")
    assert result.stdout == "0 0 0, 3 native\n" * 2
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 2}


def test_mpi_that_is_only_looked_at_can_be_closed_and_leaves_the_place_to_another(running: Stage) -> None:
    assert running.run("handle", "probe", "./libfake.so", "./libother.so").stdout == "gone\n0 0 0, 3 native\n"
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 2}
    assert running.counts()["mpi"].endswith("libother.so")


def test_functions_from_the_handle_of_a_stand_in_are_its_own(running: Stage) -> None:
    assert alike_without_us(running, "", "handle", "errors", "./libstandin_both.so") == "1\n1\n1\n"


def test_look_ups_leave_the_errors_that_they_do_without_us(running: Stage) -> None:
    assert alike_without_us(running, "", "handle", "errors", "./libfake.so") == "1\n1\n1\n"


def test_look_ups_without_a_handle_are_about_who_calls(running: Stage) -> None:
    assert alike_without_us(running, "", "handle", "scopes") == "1 2 1 1\n"


def test_tool_with_a_dlsym_of_its_own_behind_us_is_asked_too(running: Stage) -> None:
    result = running.run("handle", "calls", "./libfake.so", preload=["espalier/libespalier.so", "libdlsym.so"])
    assert result.stdout == "0 0 0, 3 native\ntool was asked: yes\n"
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 2}


def test_tool_with_a_dlsym_of_its_own_before_us_passes_us_over_and_works(running: Stage) -> None:
    """It asks for the C library's, by its version."""
    result = running.run("handle", "calls", "./libfake.so", preload=["libdlsym.so", "espalier/libespalier.so"])
    assert result.stdout == "0 0 0, 3 native\ntool was asked: yes\n"
    assert running.counts() == {}


def test_process_with_calls_past_us_says_whose_at_its_end(running: Stage) -> None:
    result = running.run("deep_host", "./deep_plugin.so:start", "./deep_plugin.so:step")
    assert result.stdout == "start 0\nstep 0\n"
    assert running.counts() == {}
    assert result.stderr.count("espalier: ") == 1
    assert re.search("deep_plugin.so calls .*libfakempi.so directly.* RTLD_DEEPBIND", result.stderr)
    off = running.run("deep_host", "./deep_plugin.so:start", environment={"ESPALIER": "off"})
    assert not off.stderr


def test_process_that_opens_an_mpi_and_does_not_start_it_says_nothing(running: Stage) -> None:
    assert not running.run("deep_host", "./deep_plugin.so:native_calls").stderr


def test_second_mpi_is_said_once_and_left_alone(running: Stage) -> None:
    one, two = "./plugin.so", "./other_plugin.so"
    actions = [f"{one}:start", f"{one}:step", f"{two}:start"] + 3 * [f"{two}:step"] + 2 * [f"{one}:step"]
    result = running.run("plugin_host", *actions, f"{one}:native_calls", f"{two}:native_calls")
    assert result.stdout.endswith("native_calls 4\nnative_calls 4\n")
    assert running.counts()["own"] == {"MPI_Init": 1, "MPI_Barrier": 3}
    assert result.stderr.count("espalier: ") == 1
    assert "libother.so" in result.stderr


def test_second_mpi_gets_its_own_calls_with_setting_off_too(running: Stage) -> None:
    actions = [f"./{plugin}.so:{action}" for plugin in ("plugin", "other_plugin") for action in ("start", "step")]
    counts = ["./plugin.so:native_calls", "./other_plugin.so:native_calls"]
    result = running.run("plugin_host", *actions, *counts, environment={"ESPALIER": "off"})
    assert result.stdout.endswith("native_calls 2\nnative_calls 2\n")
    assert not result.stderr


def test_calls_of_the_mpis_own_plugins_are_internal_and_those_of_its_fortran_library_are_not(running: Stage) -> None:
    running.run("plugin_host", "./mca_coll_fake.so:step", "./libfake_mpifh.so:step", "./mca_coll_fake.so:step")
    assert running.counts()["own"] == {"MPI_Barrier": 1}
    assert running.counts()["internal"] == {"MPI_Barrier": 2}


def test_closed_plugin_does_not_hand_its_addresses_to_another_one(running: Stage) -> None:
    running.run("plugin_host", "./plugin.so:step", "./plugin.so:close", "./mca_coll_fake.so:step")
    assert running.counts()["own"] == {"MPI_Barrier": 1}
    assert running.counts()["internal"] == {"MPI_Barrier": 1}


def test_interface_functions_ask_the_backend_once_there_is_one(running: Stage) -> None:
    version, before, after = running.run("caller", "interface").stdout.splitlines()
    assert re.fullmatch(r"[\d.]+", version)
    reason = "Espalier is not active: no MPI of this process runs under it"
    assert before == f"active 0, force 1, error '{reason}', calls 1"
    error = "the counting backend's error"
    assert after == f"active 1, force 0, error '{error}', calls 0"


def test_generated_signatures_are_what_the_api_data_gives() -> None:
    pytest.importorskip("pympistandard", reason="the API data (PyPI: pympistandard) is not installed")
    checked([sys.executable, str(ROOT / "tools" / "generate_api.py"), "--check"])
