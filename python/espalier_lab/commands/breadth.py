# SPDX-License-Identifier: Apache-2.0
"""espalier breadth: every collective with blocks or in rank order, on one machine, under each MPI.

A row of the results: {"lab", "mpi", "collective", "bytes", "ranks", "variant", "median_s", "q1_s", "q3_s", "repeats",
"bound_s", "cpu_busy"}, as those of the labs. `native` is the MPI past Espalier.
"""

from functools import partial
from typing import Annotated

import typer

from espalier import output, output_files
from espalier.functions import BREADTH
from espalier.installation import ROOT, Installation
from espalier.words import bytes_of, checked, listed
from espalier_lab import breadth_table
from espalier_lab.bound import bound_seconds
from espalier_lab.breadth_table import Row
from espalier_lab.commands import bench
from espalier_lab.commands.options import Results
from espalier_lab.commands.progress import progress

MPIS = ("openmpi5", "mpich5")
SIZES = ("8", "128", "1KiB", "8KiB", "64KiB", "512KiB", "4MiB")
TITLE = "Every collective on one machine"


def register(app: typer.Typer) -> None:
    app.command("breadth")(breadth)


def breadth(
    context: typer.Context,
    mpi: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Default: {','.join(MPIS)}.", show_default=False)
    ] = None,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=2, help="Number of ranks.")] = 2,
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Such as alltoallv,scan. Default: all.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--bytes", metavar="LIST", help=f"{bench.SIZES_HELP} Default: {','.join(SIZES)}."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of each variant.")] = 11,
    results: Results = ROOT / "results",
) -> None:
    """Compare, on this machine, the native MPI, each of its own algorithms, and each of Espalier's, collective by
    collective.

    For example:

    - ./espalier breadth --collective alltoall,scan --bytes 8,64KiB
    """
    installation: Installation = context.obj
    collectives = checked("--collective", listed(collective) or BREADTH, BREADTH)
    bytes_ = ",".join(str(bytes_of("--bytes", size)) for size in listed(sizes) or SIZES)
    programs = {name: bench.find_program(installation, name) for name in listed(mpi) or MPIS}
    output_files.make_directory(results)
    keep = partial(output_files.write_rows, file=results / "breadth.json")
    rows: list[Row] = []
    with progress(TITLE) as announce:
        for name, program in programs.items():
            for one in collectives:
                announce(f"{one}, {name}", is_step=True)
                own = bench.algorithms_of(installation, one)
                words = ["--collective", one, "--bytes", bytes_, "--repeats", str(repeats)]
                words += ["--variants", ",".join(["direct", "forced:*", *own])]
                result = bench.measure(installation, program, ranks, words)
                rows += [row_of(measured, name, one, ranks) for measured in bench.rows_of(result) if measured.seconds]
                keep(rows)
    breadth_table.show(rows, output.console())
    output.console().print(f"All rows: {results / 'breadth.json'}")


def row_of(measured: bench.Measured, mpi: str, collective: str, ranks: int) -> Row:
    low, high = measured.quartiles
    return Row(
        lab="one machine",
        mpi=mpi,
        collective=collective,
        bytes=measured.bytes,
        ranks=ranks,
        variant=variant_of(measured),
        median_s=measured.median,
        q1_s=low,
        q3_s=high,
        repeats=len(measured.seconds),
        bound_s=bound_seconds(collective, measured.bytes, ranks),
        cpu_busy=measured.cpu_seconds / (measured.median * ranks),
    )


def variant_of(measured: bench.Measured) -> str:
    """As the labs call it."""
    if measured.variant == "direct":
        return breadth_table.NATIVE
    return measured.variant if measured.is_forced else breadth_table.OWN + measured.variant
