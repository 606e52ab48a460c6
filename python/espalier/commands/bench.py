# SPDX-License-Identifier: Apache-2.0
"""espalier bench: the native MPI and our algorithms, interleaved in one run, with spread.

The measuring is done by the MPI program bench/calls (bin/espalier-bench-MPI); this asks it, and prints what it found.
"""

import json as json_format
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Annotated, Any

import typer
from rich.console import Console

from espalier import job, mpis, output
from espalier.bound import bound_seconds
from espalier.failure import Failure
from espalier.installation import Installation
from espalier.launchers import options_for_one_machine
from espalier.words import advice, bytes_of, checked, listed

LEGEND = """
Median and quartiles of one call's time on the slowest rank. / native: through Espalier, passed on. / bound: the
message copied once for each rank that gets the result, by all cores at full speed. CPU: of the ranks' time."""

OTHER_VARIANTS = ("native", "direct", "hand_written")
PROGRAM_PREFIX = "espalier-bench-"
COLLECTIVES = ("bcast", "reduce", "allreduce", "barrier")
SIZES = ("8", "1KiB", "64KiB", "1MiB")


@dataclass(frozen=True)
class Measured:
    """One variant at one size. `seconds`: of each repeat, the call's time on the slowest rank."""

    bytes: int
    variant: str
    seconds: list[float]
    cpu_seconds: float  # of one call, all ranks together

    @property
    def median(self) -> float:
        return median(self.seconds)

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
        list[str] | None, typer.Option(metavar="LIST", help="Such as bcast,reduce. Default: all.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--bytes", metavar="LIST", help=f"Message sizes. Default: {','.join(SIZES)}.", show_default=False),
    ] = None,
    variants: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="native and algorithms. Default: native and all that there are."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each variant.")] = 21,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write every measured time to this file.")
    ] = None,
) -> None:
    """Measure collectives: variants take turns within one run, so that all meet the same noise.

    For example:

    - ./espalier bench --collective allreduce --bytes 8,64KiB --ranks 4
    """
    installation: Installation = context.obj
    output.check_can_be_written("--json", json)
    collectives = checked("--collective", listed(collective) or COLLECTIVES, COLLECTIVES)
    bytes_ = ",".join(str(bytes_of("--bytes", size)) for size in listed(sizes) or SIZES)
    program = find_program(installation, mpi)
    launcher = find_launcher(program)
    console = output.console()
    results = []
    chosen = {name: variants_of(installation, name, listed(variants)) for name in collectives}
    for name in collectives:
        words = ["--collective", name, "--bytes", bytes_, "--variants", chosen[name], "--repeats", str(repeats)]
        results.append(measure(installation, [*launcher, "-n", str(ranks), str(program), *words]))
        show(results[-1], console)
    console.print(LEGEND)
    if json:
        output.write_json(results, json)


def find_program(installation: Installation, mpi: str) -> Path:
    programs = sorted((installation.build / "bin").glob(PROGRAM_PREFIX + "*"))
    names = [path.name.removeprefix(PROGRAM_PREFIX) for path in programs]
    if not programs:
        raise Failure(f"There is no {PROGRAM_PREFIX}* in {installation.build / 'bin'}.", "Build it first: make build")
    if mpi and mpi not in names:
        raise Failure(f"--mpi {mpi}: not built; {advice(mpi, names)}")
    return programs[names.index(mpi or preferred(names))]


def preferred(names: list[str]) -> str:
    return next((name for name in ("openmpi5", "mpich5", "openmpi4", "mpich4") if name in names), names[0])


def find_launcher(program: Path) -> list[str]:
    name = program.name.removeprefix(PROGRAM_PREFIX).partition("-")[0]
    for mpi in mpis.found():
        if mpi.name == name:
            return [str(mpi.path), *options_for_one_machine(mpi.launcher)]
    raise Failure(f"The launcher of {name} is not installed.", "Install what is missing: scripts/setup")


def variants_of(installation: Installation, collective: str, wanted: list[str]) -> str:
    """What is wanted, with its parameters, if this collective has all of it; or else all that there is."""
    algorithms = algorithms_of(installation, collective)
    names = [word for word in wanted if "=" not in word]
    checked(f"--variants: {collective}", names, [*OTHER_VARIANTS, *algorithms])
    return ",".join(wanted or ["native", *algorithms])


def algorithms_of(installation: Installation, collective: str) -> list[str]:
    known = installation.ask_tool(["algorithms"])["algorithms"]
    return [item["name"] for item in known if item["collective"] == collective]


def measure(installation: Installation, words: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="espalier-") as directory:
        file = Path(directory) / "bench.json"
        # No report: a report times every call.
        outcome = job.run(installation, [*words, "--json", str(file)], {"ESPALIER_REPORT": ""}, capture=True)
        if outcome.status != 0 or not file.exists():
            raise Failure(
                f"The benchmark ended with status {outcome.status}:\n{outcome.output[-3000:]}",
                "The whole command: " + " ".join(words),
                status=1,
            )
        result: dict[str, Any] = json_format.loads(file.read_text())
        return result


def show(result: dict[str, Any], console: Console) -> None:
    rows = [Measured(**{name: row[name] for name in Measured.__dataclass_fields__}) for row in result["rows"]]
    native = {row.bytes: row.median for row in rows if row.variant == "native"}
    columns = ("Message", "Variant", "Median", "Quartiles", "/ native", "/ bound", "CPU")
    table = output.table(*columns, right=tuple(name for name in columns if name not in ("Message", "Variant")))
    last = None
    for row in rows:
        table.add_row(
            output.bytes_text(row.bytes) if row.bytes != last else "",
            row.variant,
            output.seconds_text(row.median),
            " - ".join(map(output.seconds_text, row.quartiles)),
            ratio_text(row.median, native.get(row.bytes)),
            ratio_text(row.median, bound_seconds(result["collective"], row.bytes, result["ranks"])),
            f"{row.cpu_seconds / (row.median * result['ranks']):.0%}",
        )
        last = row.bytes
    console.print(f"\n{result['collective']}, {output.plural(result['ranks'], 'rank')}, {result['mpi']}")
    console.print(table)


def ratio_text(seconds: float, other: float | None) -> str:
    return f"{seconds / other:.2f}" if other else "-"
