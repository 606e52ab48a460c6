# SPDX-License-Identifier: Apache-2.0
"""espalier bench: the native MPI and our algorithms, interleaved in one run, with spread.

The measuring is done by the MPI program bench/calls (bin/espalier-bench-MPI); this asks it, and prints what it found.
"""

import json as json_format
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import job, mpis, output, output_files, units
from espalier.failure import Failure
from espalier.functions import COLLECTIVES
from espalier.installation import Installation
from espalier.launchers import options_for_one_machine
from espalier.words import bytes_of, checked, listed
from espalier_lab import osu_format
from espalier_lab.bound import bound_seconds

LEGEND = """
Median and quartiles of one call's time on the slowest rank. / native: through Espalier, passed on. / bound: the result
copied once for each rank that gets it, by all cores at full speed. CPU: of the ranks' time. Of the MPI's own
algorithms, forced, only the best is shown."""

OTHER_VARIANTS = ("native", "direct", "hand_written")
FORCED = "forced:"
PROGRAM_PREFIX = "espalier-bench-"
SIZES = ("8", "1KiB", "64KiB", "1MiB")
SIZES_HELP = (
    "Of a message that stays whole, or is reduced and scattered; else of a rank's (all-to-all: a pair's) block."
)


@dataclass(frozen=True)
class Measured:
    """One variant at one size. `seconds`: of each repeat, the call's time on the slowest rank; none if Espalier leaves
    such calls to the MPI."""

    bytes: int
    variant: str
    seconds: list[float]
    cpu_seconds: float  # of one call, all ranks together

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def is_forced(self) -> bool:
        return self.variant.startswith(FORCED)

    @property
    def quartiles(self) -> tuple[float, float]:
        if len(self.seconds) < 2:
            return self.median, self.median
        low, _, high = quantiles(self.seconds, n=4, method="inclusive")
        return low, high


def register(app: typer.Typer) -> None:
    app.command("bench")(bench)


def bench(
    context: typer.Context,
    mpi: Annotated[
        str, typer.Option(metavar="NAME", help="Such as openmpi5 or mpich5. Default: the first built.")
    ] = "",
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=1, help="Number of ranks.")] = 2,
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as bcast,allgatherv. Default: all.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--bytes", metavar="LIST", help=f"{SIZES_HELP} Default: {','.join(SIZES)}.", show_default=False),
    ] = None,
    variants: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="native, forced:* and algorithms. Default: native and all of Espalier's."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each variant.")] = 21,
    json: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write every measured time to this file; - is standard output."),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help="table, or osu: as the OSU micro-benchmarks print it.")
    ] = "table",
    full: Annotated[
        bool, typer.Option("--full", "-f", metavar="", help="With osu: least and longest times, and how many.")
    ] = False,
) -> None:
    """Measure collectives: variants take turns within one run, so that all meet the same noise.

    For example:

    - ./espalier bench --collective allreduce --bytes 8,64KiB --ranks 4
    """
    installation: Installation = context.obj
    output_files.check_can_be_written("--json", json, output_files.json_with("collective", "rows"))
    as_osu = osu_format.checked(format_, full)
    names = tuple(COLLECTIVES)
    collectives = checked("--collective", listed(collective) or names, names)
    bytes_ = ",".join(str(bytes_of("--bytes", size)) for size in listed(sizes) or SIZES)
    program = find_program(installation, mpi)
    console = output.console(stderr=output_files.is_standard(json))
    results = []
    chosen = {name: variants_of(installation, name, listed(variants)) for name in collectives}
    for name in collectives:
        words = ["--collective", name, "--bytes", bytes_, "--variants", chosen[name], "--repeats", str(repeats)]
        results.append(measure(installation, program, ranks, words))
        if as_osu:
            console.out(osu_format.text(results[-1], full), end="", highlight=False)
        else:
            show(results[-1], console)
    if not as_osu:
        console.print(LEGEND)
    if json:
        output_files.write_json(results, json)


def find_program(installation: Installation, mpi: str) -> Path:
    programs = [path for path in sorted((installation.build / "bin").glob(PROGRAM_PREFIX + "*")) if is_of_mpi(path)]
    names = [path.name.removeprefix(PROGRAM_PREFIX) for path in programs]
    if not programs:
        raise Failure(f"There is no {PROGRAM_PREFIX}MPI in {installation.build / 'bin'}.", "Build it first: make build")
    if mpi and mpi not in names:
        raise Failure(f"--mpi {mpi}: there is no program for such an MPI; allowed: {', '.join(names)}")
    return programs[names.index(mpi or preferred(names))]


def is_of_mpi(program: Path) -> bool:
    """Others of that prefix measure other things: kernels, schedules, networks."""
    return re.fullmatch(r"(openmpi|mpich)[0-9]+", program.name.removeprefix(PROGRAM_PREFIX)) is not None


def preferred(names: list[str]) -> str:
    return next((name for name in ("openmpi5", "mpich5", "openmpi4", "mpich4") if name in names), names[0])


def find_launcher(program: Path) -> list[str]:
    name = program.name.removeprefix(PROGRAM_PREFIX).partition("-")[0]
    for mpi in mpis.found():
        if mpi.name == name:
            return [str(mpi.path), *options_for_one_machine(mpi.launcher)]
    raise Failure(f"The launcher of {name} is not installed.", "Install what is missing: scripts/setup")


def binding(ranks: int) -> list[str]:
    """Each rank to a core of its own, where there are enough: ranks that share one wait for their turns to run."""
    return ["--bind-to", "core"] if ranks <= len(os.sched_getaffinity(0)) else []


def variants_of(installation: Installation, collective: str, wanted: list[str]) -> str:
    """What is wanted, with its parameters, if this collective has all of it; or else all that there is."""
    algorithms = algorithms_of(installation, collective)
    names = [word for word in wanted if "=" not in word and not word.startswith(FORCED)]
    checked(f"--variants: {collective}", names, [*OTHER_VARIANTS, *algorithms])
    return ",".join(wanted or ["native", *algorithms])


def algorithms_of(installation: Installation, collective: str) -> list[str]:
    known = installation.ask_tool(["algorithms"])["algorithms"]
    return [item["name"] for item in known if item["collective"] == COLLECTIVES[collective]]


def measure(installation: Installation, program: Path, ranks: int, words: list[str]) -> dict[str, Any]:
    command = [*find_launcher(program), *binding(ranks), "-n", str(ranks), str(program), *words]
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        file = Path(directory) / "bench.json"
        # No report: a report times every call. What is chosen is chosen once, for the variants come in turns.
        settings = {"ESPALIER_REPORT": "", "ESPALIER_POLICY": "estimate", **job.NO_MEMORY}
        outcome = job.run(installation, [*command, "--json", str(file)], settings, capture=True)
        if outcome.status != 0 or not file.exists():
            raise Failure(
                f"The benchmark ended with status {outcome.status}:\n{outcome.output[-3000:]}",
                "The whole command: " + " ".join(command),
                status=1,
            )
        result: dict[str, Any] = json_format.loads(file.read_text())
        return result


def rows_of(result: dict[str, Any]) -> list[Measured]:
    return [Measured(**{name: row[name] for name in Measured.__dataclass_fields__}) for row in result["rows"]]


def without_slower_forced(rows: list[Measured]) -> list[Measured]:
    """Of each size the best of those only."""
    best: dict[int, Measured] = {}
    for row in sorted((row for row in rows if row.is_forced), key=lambda row: row.median):
        best.setdefault(row.bytes, row)
    return [row for row in rows if not row.is_forced or row is best[row.bytes]]


def show(result: dict[str, Any], console: Console) -> None:
    rows = without_slower_forced(rows_of(result))
    native = {row.bytes: row.median for row in rows if row.variant == "native"}
    columns = ("Message", "Variant", "Median", "Quartiles", "/ native", "/ bound", "CPU")
    table = output.table(*columns, right=tuple(name for name in columns if name not in ("Message", "Variant")))
    last = None
    for row in rows:
        size = units.bytes_text(row.bytes) if row.bytes != last else ""
        bound = bound_seconds(result["collective"], row.bytes, result["ranks"])
        table.add_row(size, row.variant, *cells_of(row, native.get(row.bytes), bound, result["ranks"]))
        last = row.bytes
    console.print(f"\n{result['collective']}, {units.plural(result['ranks'], 'rank')}, {result['mpi']}")
    console.print(table)


def cells_of(row: Measured, native: float | None, bound: float | None, ranks: int) -> tuple[str, ...]:
    if not row.seconds:
        return "left to the MPI", "-", "-", "-", "-"
    return (
        units.seconds_text(row.median),
        " - ".join(map(units.seconds_text, row.quartiles)),
        ratio_text(row.median, native),
        ratio_text(row.median, bound),
        f"{row.cpu_seconds / (row.median * ranks):.0%}",
    )


def ratio_text(seconds: float, other: float | None) -> str:
    return f"{seconds / other:.2f}" if other else "-"
