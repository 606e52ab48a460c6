# SPDX-License-Identifier: Apache-2.0
"""espalier arrival: the benchmarks of paper 4, in which ranks arrive late to broadcasts.

The measuring is done by bench/late (bin/espalier-bench-late-MPI) and examples/sparse_product, on this machine and in a
lab. The rows of the results are described in espalier_lab/arrival/rows.py.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from espalier import output, output_files
from espalier.failure import Failure
from espalier.installation import ROOT, Installation
from espalier.units import duration_text
from espalier.words import bytes_of, checked, listed, matches, numbers_of
from espalier_lab.arrival import effect_table, figures, late_program, load_table, places, product_table, sparse_product
from espalier_lab.arrival.piece import Budget, Piece, Where
from espalier_lab.arrival.places import LAB, MACHINE, Lab, Machine, Place
from espalier_lab.arrival.rows import PRODUCT, EffectRow, LoadRow, ProductRow, Row, merged, of_kind, read
from espalier_lab.arrival.sparse_product import Matrix
from espalier_lab.arrival.variants import COLLECTIVES, every
from espalier_lab.arrival.wanted import BENCHMARKS, Wanted
from espalier_lab.commands.options import Mpis, Rate, Resume, families_of
from espalier_lab.commands.progress import fail_if_any, progress, set_aside
from espalier_lab.experiments import bench_program
from espalier_lab.experiments.collected import Collected
from espalier_lab.network import rootless, session, spec

WHERES = (MACHINE, LAB)
DELAYS = ("0", "1", "8", "50")
TITLE = "Ranks that arrive late"
MOST_DELAY = 10000.0
LEAST_RANKS = 3

EACH_MATRIX = "Of the sparse matrix, a product for each."


def register(app: typer.Typer) -> None:
    app.command("arrival")(arrival)


def arrival(
    context: typer.Context,
    benchmark: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Default: {','.join(BENCHMARKS)}.", show_default=False)
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Default: {','.join(WHERES)}.", show_default=False)
    ] = None,
    network: Annotated[str, typer.Option(metavar="NETWORK", help="Of the lab.")] = "torus:4x4",
    rate: Rate = "200mbit",
    mpi: Mpis = None,
    collective: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help=f"Of {','.join(COLLECTIVES)}. Default: bcast.")
    ] = None,
    sizes: Annotated[
        list[str] | None,
        typer.Option("--bytes", metavar="LIST", help="Of messages. Default: 1KiB to 8MiB; of b 1MiB."),
    ] = None,
    delays: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST",
            help=f"In multiples of a call's own time. Default: {','.join(DELAYS)}.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only these; * stands for any letters.")
    ] = None,
    ranks: Annotated[int, typer.Option("--ranks", "-n", min=LEAST_RANKS, max=1024, help="On this machine.")] = 32,
    calls: Annotated[int, typer.Option(min=4, help="Of each variant, in a round.")] = 100,
    limit: Annotated[
        float, typer.Option(min=0, help="Seconds of a row: if it takes longer there are fewer calls, or none.")
    ] = 20,
    patterns: Annotated[int, typer.Option(min=1, help="Random patterns of b.")] = 50,
    most: Annotated[
        float, typer.Option(min=0.001, max=MOST_DELAY, help="Largest random delay of b, in a call's own time.")
    ] = 0.7,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds of a and change, and runs of each product of c.")] = 3,
    n: Annotated[list[str] | None, typer.Option("--n", metavar="LIST", help=f"{EACH_MATRIX} Default: 4000.")] = None,
    percent: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Its nonzeros. Default: 10.")] = None,
    slope: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Of its columns. Default: 0.2.")] = None,
    rows: Annotated[int, typer.Option(min=0, help="Of the product; 0: all.")] = 0,
    sleep: Annotated[
        float, typer.Option(min=0, help="Seconds that c's ranks sleep instead of a million multiplications; 0: none.")
    ] = 0,
    resume: Resume = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Only say what would be measured.")] = False,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where rows and figures go.")] = ROOT / "results",
) -> None:
    """Measure what late ranks cost, and what it helps to arrange them: a late inner rank (a), the same when it becomes
    another one (change), random delays (b), and a sparse matrix product (c).

    For example:

    - ./espalier arrival --benchmark a --where machine --mpi openmpi --bytes 1MiB --delays 0,1,8
    """
    installation: Installation = context.obj
    collectives = checked("--collective", listed(collective) or ["bcast"], COLLECTIVES)
    wanted = Wanted(
        benchmarks=checked("--benchmark", listed(benchmark) or BENCHMARKS, BENCHMARKS),
        families=families_of(mpi),
        collectives=collectives,
        sizes=[bytes_of("--bytes", text) for text in listed(sizes)],
        delays=fractions_of("--delays", listed(delays) or DELAYS, MOST_DELAY),
        variants=checked_variants(listed(variant), collectives),
        budget=Budget(calls, limit, repeats),
        patterns=patterns,
        most=most,
        matrices=matrices_of(listed(n), listed(percent), listed(slope), rows, sleep),
    )
    options = spec.Options(spec.rate_of(rate))
    wheres = {
        kind: where_of(kind, ranks, network, options) for kind in checked("--where", listed(where) or WHERES, WHERES)
    }
    file = results / "arrival.json"
    known = read(file) if resume and file.exists() else []
    left = {kind: [piece for piece in wanted.pieces(one) if not piece.is_done(known)] for kind, one in wheres.items()}
    if dry_run:
        show_pieces(left, output.console())
        return
    check_programs(installation, wanted)
    output_files.make_directory(results)
    if LAB in wheres:
        rootless.enter()
    if not resume:
        set_aside(file)
    weights = [piece.weight for found in left.values() for piece in found]
    with progress(TITLE) as announce:
        collected = Collected(known, weights, announce, partial(output_files.write_rows, file=file))
        for kind, found in left.items():
            if found:
                with opened(installation, kind, ranks, network, options) as place:
                    measure(place, found, collected, announce)
    show(collected.rows, file, output.console())
    show_left_out([piece for found in left.values() for piece in found], collected, output.console())
    fail_if_any(collected.failures)


def fractions_of(option: str, words: Sequence[str], most: float) -> list[float]:
    found = []
    for word in words:
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", word) or float(word) > most:
            raise Failure(f"{option} {word}: allowed: numbers from 0 to {most:g}, such as 0.5")
        found.append(float(word))
    return found


def checked_variants(wanted: Sequence[str], collectives: Sequence[str]) -> list[str]:
    """What none of them is like was misspelt."""
    allowed = list(dict.fromkeys(one for name in collectives for one in every(name)))
    for word in wanted:
        if not any(matches(one, [word]) for one in allowed):
            checked("--variant", [word], allowed)
    return list(wanted)


def matrices_of(
    n: Sequence[str], percent: Sequence[str], slope: Sequence[str], rows: int, sleep: float
) -> list[Matrix]:
    return [
        Matrix(size, part, gradient, rows, sleep)
        for size in numbers_of("--n", n or ["4000"])
        for part in fractions_of("--percent", percent or ["10"], 100)
        for gradient in fractions_of("--slope", slope or ["0.2"], 1)
    ]


def where_of(kind: str, ranks: int, network: str, options: spec.Options) -> Where:
    if kind == MACHINE:
        return Where(MACHINE, ranks)
    hosts = len(spec.plan_of(network, options).hosts)
    if hosts < LEAST_RANKS:
        raise Failure(f"--network {network}: too few hosts; allowed: {LEAST_RANKS} or more")
    return Where(places.lab_name(network, options), hosts)


def check_programs(installation: Installation, wanted: Wanted) -> None:
    """Before anything is measured."""
    for family in wanted.families:
        if set(wanted.benchmarks) - {PRODUCT}:
            places.program(installation, late_program.PROGRAM, family)
            bench_program.path(installation, family)
        if PRODUCT in wanted.benchmarks:
            places.program(installation, sparse_product.PROGRAM, family)


@contextmanager
def opened(installation: Installation, kind: str, ranks: int, network: str, options: spec.Options) -> Iterator[Place]:
    if kind == MACHINE:
        yield Machine(installation, ranks)
        return
    with session.lab(network, options) as plan:
        yield Lab(installation, plan, network, options)


def measure(place: Place, pieces: Sequence[Piece], collected: Collected[Row], announce: output.Announce) -> None:
    for piece in pieces:
        found = collected.attempt(piece.title, partial(piece.measure, place, collected.rows, announce))
        if found:
            collected.rows = merged(collected.rows, found)
            collected.keep()


def show_pieces(left: Mapping[str, Sequence[Piece]], console: Console) -> None:
    pieces = [piece for found in left.values() for piece in found]
    for piece in pieces:
        console.print(f"{duration_text(piece.weight):>10}  {piece.title}", soft_wrap=True)
    whole = duration_text(sum(piece.weight for piece in pieces))
    console.print(f"To measure: {len(pieces)}; at a guess {whole} in all.")


def show(rows: Sequence[Row], file: Path, console: Console) -> None:
    effects, loads = of_kind(EffectRow, rows), of_kind(LoadRow, rows)
    effect_table.show(effects, console)
    load_table.show(loads, console)
    product_table.show(of_kind(ProductRow, rows), console)
    console.print(f"\nAll rows: {file}")
    drawn = {"arrival.svg": figures.draw_effect(effects), "arrival-patterns.svg": figures.draw_load(loads)}
    for name, figure in drawn.items():
        if figure:
            output_files.write_text(figure, file.with_name(name))
            console.print(f"Figure: {file.with_name(name)}")


def show_left_out(pieces: Sequence[Piece], collected: Collected[Row], console: Console) -> None:
    """What failed is said otherwise."""
    out = [piece.title for piece in pieces if not piece.is_done(collected.rows)]
    out = [title for title in out if not any(failure.startswith(f"{title}: ") for failure in collected.failures)]
    if out:
        console.print("\nLeft out, as they take longer than --limit allows:\n" + "\n".join(out))
