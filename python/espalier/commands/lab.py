# SPDX-License-Identifier: Apache-2.0
"""espalier lab: real MPI over shaped links between network namespaces, on this machine."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from espalier import output, report, report_files
from espalier.apps import packages
from espalier.commands.run import chosen_settings
from espalier.failure import Failure
from espalier.installation import ROOT, Installation, settings_in
from espalier.job import check_settings
from espalier.lab import compare as compare_
from espalier.lab import (
    comparison_table,
    connections,
    estimates,
    launch,
    namespaces,
    pieces,
    programs,
    rootless,
    series_figure,
    series_table,
    session,
    spec,
    studies,
)
from espalier.lab import figure as figure_
from espalier.lab import halos as halos_
from espalier.lab import outages as outages_
from espalier.lab import part as part_
from espalier.lab import waits as waits_
from espalier.lab.launch import Family
from espalier.lab.plan import DEFAULT_MTU, Plan
from espalier.lab.remaining import duration_text
from espalier.lab.watch import Observation, Watch
from espalier.launchers import exit_status
from espalier.words import advice, bytes_of, checked, listed, numbers_of

lab = typer.Typer(help="Real MPI over shaped links between network namespaces, on this machine.", no_args_is_help=True)

Spec = Annotated[str, typer.Argument(metavar="NETWORK", help=f"{spec.KINDS}", show_default=False)]
Rate = Annotated[str, typer.Option(metavar="RATE", help="Rate of each link, in each direction.")]
Rates = Annotated[
    str, typer.Option(metavar="RATE", help="Rate of each link, in each direction; or of each NIC: 100mbit,50mbit.")
]
Without = Annotated[list[str] | None, typer.Option(metavar="X,Y,..", help="A place without a node; may be repeated.")]
Mtu = Annotated[int, typer.Option(min=1280, max=9000, help="Largest packet, in bytes.")]
Delay = Annotated[str, typer.Option(metavar="TIME", help="One-way delay of a WAN between sites.")]
Nics = Annotated[int, typer.Option(min=1, max=8, help="NICs of each host in a site.")]
Buffer = Annotated[
    str, typer.Option(metavar="SIZE", help="The most that a socket holds, each way. Default: the kernel's.")
]
Uplinks = Annotated[int, typer.Option(min=1, max=64, help="Uplinks of each leaf, and number of spines.")]
Program = Annotated[
    list[str], typer.Argument(metavar="-- PROGRAM", help="An MPI program, and its arguments.", show_default=False)
]
Mpi = Annotated[Family, typer.Option(help="Which MPI runs the program.")]
PerHost = Annotated[int, typer.Option(min=1, help="Ranks on each host.")]
Algorithm = Annotated[str, typer.Option(metavar="SETTING", help="Force algorithms, as in `espalier run`.")]
Native = Annotated[bool, typer.Option("--native", metavar="", help="Without Espalier.")]
Mpis = Annotated[list[str] | None, typer.Option(metavar="LIST", help="Which MPIs: openmpi,mpich. Default: both.")]
Resume = Annotated[bool, typer.Option("--resume", metavar="", help="Only what the results do not have.")]
Results = Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, STUDY.json.")]
RESULTS = ROOT / "results"
Collectives = Annotated[
    list[str] | None, typer.Option(metavar="LIST", help="Only these; the transform is one of them.")
]
Sizes = Annotated[list[str] | None, typer.Option("--bytes", metavar="LIST", help="Only such messages.")]


class View(StrEnum):
    BARS = "bars"
    TABLE = "table"
    CURVES = "curves"
    CONNECTIONS = "connections"


DRAWN = {
    View.BARS: figure_.draw,
    View.TABLE: series_figure.draw_table,
    View.CURVES: series_figure.draw_curves,
    View.CONNECTIONS: connections.draw,
}
IS_OBSERVATION = output.json_with("cpu_busy", "links")
Json = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the traffic of each link, as JSON.")]


def register(app: typer.Typer) -> None:
    app.add_typer(lab, name="lab")


def options_of(
    rate: str, without: list[str] | None, mtu: int, delay: str, nics: int, uplinks: int, buffer: str
) -> spec.Options:
    rates = spec.rates_of(rate)
    return spec.Options(
        rate_bits=sum(rates) / len(rates),
        nic_rates=rates if len(rates) > 1 else (),
        without=tuple(without or ()),
        mtu=mtu,
        delay_seconds=spec.seconds_of(delay),
        nics=nics,
        uplinks=uplinks,
        buffer_bytes=bytes_of("--buffer", buffer) if buffer else 0,
    )


@lab.command(no_args_is_help=True)
def run(
    context: typer.Context,
    network: Spec,
    program: Program,
    rate: Rates = "20mbit",
    without: Without = None,
    mtu: Mtu = DEFAULT_MTU,
    delay: Delay = "10ms",
    nics: Nics = 2,
    uplinks: Uplinks = 2,
    buffer: Buffer = "",
    mpi: Mpi = Family.OPENMPI,
    per_host: PerHost = 1,
    algorithm: Algorithm = "",
    native: Native = False,
    json: Json = None,
) -> None:
    """Bring up a network, run an MPI program on all its hosts, show what the links carried, remove the network.

    The program comes last:

    - ./espalier lab run torus:3x3x3 --rate 20mbit -- ./app
    """
    output.check_can_be_written("--json", json, IS_OBSERVATION)
    rootless.enter()
    with session.lab(network, options_of(rate, without, mtu, delay, nics, uplinks, buffer)) as plan:
        status = run_in(context.obj, plan, mpi, program, per_host, algorithm, native, json)
    raise typer.Exit(status)


@lab.command()
def up(
    network: Spec,
    rate: Rates = "20mbit",
    without: Without = None,
    mtu: Mtu = DEFAULT_MTU,
    delay: Delay = "10ms",
    nics: Nics = 2,
    uplinks: Uplinks = 2,
    buffer: Buffer = "",
) -> None:
    """Bring up a network that stays until `espalier lab down`."""
    plan = session.bring_up(network, options_of(rate, without, mtu, delay, nics, uplinks, buffer), stays=True)
    output.console().print(f"{describe(plan)} up. Use it: ./espalier lab exec -- PROGRAM")


@lab.command(name="exec", no_args_is_help=True)
def exec_(
    context: typer.Context,
    program: Program,
    mpi: Mpi = Family.OPENMPI,
    per_host: PerHost = 1,
    algorithm: Algorithm = "",
    native: Native = False,
    json: Json = None,
) -> None:
    """Run an MPI program in the network that is up."""
    output.check_can_be_written("--json", json, IS_OBSERVATION)
    namespaces.require_root()
    status = run_in(context.obj, session.current().plan, mpi, program, per_host, algorithm, native, json)
    raise typer.Exit(status)


@lab.command()
def outages(
    context: typer.Context,
    network: Spec = "rails:4x2",
    rate: Rate = "50mbit",
    mpi: Mpi = Family.OPENMPI,
    times: Annotated[int, typer.Option(min=1, help="How often a NIC fails.")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="Within so many seconds.")] = 60,
    size: Annotated[str, typer.Option("--bytes", metavar="SIZE", help="Of each message.")] = "256KiB",
    seed: Annotated[int, typer.Option(help="The same outages at the same times.")] = 1,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the result as JSON.")] = None,
) -> None:
    """Let NICs fail and come back while collectives run over libfabric, whose every byte is checked."""
    output.check_can_be_written("--json", json, output.json_with("outages", "wrong_bytes"))
    rootless.enter()
    console = output.console()
    options = spec.Options(rate_bits=spec.rate_of(rate))
    with session.lab(network, options) as plan, progress("outages") as say:
        found = outages_.run(context.obj, plan, mpi, times, seconds, bytes_of("--bytes", size), seed, say)
    worst = max(found.long_calls, default=0.0)
    console.print(
        f"{output.plural(found.outages, 'outage')}, {output.plural(found.calls, 'call')}: {found.wrong_bytes} wrong "
        f"bytes, error {found.error}. {output.plural(len(found.long_calls), 'call')} took longer than "
        f"{outages_.LONG_SECONDS:g} s: median {found.median_s:.2f} s, the longest {worst:.2f} s."
    )
    if json:
        output.write_json(asdict(found), json)
    raise typer.Exit(0 if found.wrong_bytes == 0 and found.error == 0 else 1)


@lab.command()
def status(json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False) -> None:
    """Show which network is up, and what its links have carried."""
    state = session.current()
    carried = sum(item.bytes for item in namespaces.counters(state.plan).values())
    if json:
        facts = {"network": state.plan.spec, "owner": state.owner, "is_alive": state.is_alive, "bytes": carried}
        output.write_json({**facts, "hosts": list(state.plan.hosts)})
        return
    console = output.console()
    owner = f"of process {state.owner}" if state.owner else "until `espalier lab down`"
    if not state.is_alive:
        owner = "left behind by a process that is gone; `espalier lab down` removes it"
    console.print(f"{describe(state.plan)}, {owner}")
    console.print(f"Its links have carried {output.bytes_text(carried)}.")


@lab.command()
def down() -> None:
    """Remove the network, ending what runs in it."""
    namespaces.require_root()
    with session.locked():
        count = session.take_away()
    output.console().print(f"Removed {output.plural(count, 'namespace')}.")


@lab.command()
def compare(
    context: typer.Context,
    study: Annotated[str, typer.Argument(metavar="STUDY", help=", ".join(studies.STUDIES), show_default=False)],
    mpi: Mpis = None,
    network: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only on these networks.")] = None,
    placement: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only with these numbers.")] = None,
    collective: Collectives = None,
    size: Sizes = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only these; * stands for any letters.")
    ] = None,
    calls: Annotated[int, typer.Option(min=0, help="Of a series; 0: as the study has it.")] = 0,
    limit: Annotated[int, typer.Option(min=0, help="Seconds of a native series; 0: as the study has it.")] = 0,
    resume: Resume = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Only say what would be measured.")] = False,
    results: Results = RESULTS,
) -> None:
    """Compare the native MPI, each of its own algorithms, and Espalier on shaped links; all results are checked.

    Results are written as they come; a part of a study, or what is missing of it, can be measured alone:

    - ./espalier lab compare choice --placement 1,2 --bytes 64KiB --resume
    """
    check_study(study)
    part = part_.Part(
        listed(network),
        numbers_of("--placement", listed(placement)),
        listed(collective),
        [bytes_of("--bytes", text) for text in listed(size)],
        calls,
        limit,
    )
    families = families_of(mpi)
    planned = studies.STUDIES[study]()
    comparisons = part.of(planned.comparisons)
    parts = pieces.pieces_of(context.obj, comparisons, families, planned.bound_of, listed(variant))
    if not parts:
        raise Failure(f"--variant {','.join(listed(variant))}: this study measures nothing of that name")
    file, console = results / f"{study}.json", output.console()
    rows = compare_.read(file) if resume and file.exists() else []
    if dry_run:
        show_pieces(parts, rows, console)
        return
    output.make_directory(results)
    rootless.enter()
    if not resume:
        set_aside(file)
    with progress(planned.title) as say:
        done = pieces.run(context.obj, parts, rows, say, partial(output.write_rows, file=file))
    shown = [row for row in done.rows if any(piece.is_row(row) for piece in parts)]
    show_rows(context.obj, planned.title, comparisons, shown, file, console)
    fail_if_any(done.failures)


def families_of(mpi: list[str] | None) -> list[Family]:
    allowed = list(map(str, launch.MEASURED))
    return [Family(name) for name in checked("--mpi", listed(mpi) or allowed, allowed)]


def show_pieces(parts: Sequence[pieces.Piece], rows: Sequence[compare_.Row], console: Console) -> None:
    left = [piece for piece in parts if not piece.is_done(rows)]
    for piece in left:
        console.print(f"{duration_text(piece.weight):>10}  {piece.title}", soft_wrap=True)
    whole = duration_text(sum(piece.weight for piece in left))
    console.print(f"To measure: {len(left)} of {len(parts)}; at a guess {whole} in all.")


def set_aside(file: Path) -> None:
    """What was measured for hours is not lost by a forgotten word."""
    if file.exists():
        file.replace(file.with_suffix(".before.json"))


def show_rows(
    installation: Installation,
    title: str,
    comparisons: Sequence[compare_.Comparison],
    rows: Sequence[compare_.Row],
    file: Path,
    console: Console,
) -> None:
    series, in_turns = [row for row in rows if row.calls], [row for row in rows if not row.calls]
    if series:
        series_table.show(title, series, console)
    if in_turns:
        found = estimates.estimates(installation, comparisons, in_turns)
        output.write_json(estimates.as_json(found), file.with_name(f"{file.stem}-estimates.json"))
        comparison_table.show(title, in_turns, console)
        estimates.show(found, console)
    console.print(f"All rows: {file}")


def check_study(name: str) -> None:
    if name not in studies.STUDIES:
        raise Failure(f"{name}: no such study; {advice(name, list(studies.STUDIES))}")


@lab.command()
def figure(
    study: Annotated[
        str, typer.Argument(metavar="STUDY", help="A study that was compared before, or halo.", show_default=False)
    ],
    svg: Annotated[Path, typer.Option(metavar="FILE", help="The file to write the figure to.")],
    view: Annotated[View | None, typer.Option(help="By default a table of series, and bars of all else.")] = None,
    mpi: Mpis = None,
    collective: Collectives = None,
    size: Sizes = None,
    results: Results = RESULTS,
) -> None:
    """Draw a comparison's results: native, the best forced algorithm and Espalier beside what the links allow.

    Of a series: a table of what all calls took, or curves of what they had taken after each call. Of the study lanes:
    how much of a WAN so many connections carry, too.
    """
    if study != halos_.STUDY:
        check_study(study)
    output.check_can_be_written("--svg", svg, output.is_svg)
    mpis = [family.versioned for family in families_of(mpi)]
    if study == halos_.STUDY:
        draw_halos(mpis, [bytes_of("--bytes", text) for text in listed(size)], results, svg)
        return
    rows = compare_.read(results / f"{study}.json")
    collectives, sizes = listed(collective), [bytes_of("--bytes", text) for text in listed(size)]
    shown = [
        row
        for row in rows
        if row.mpi in mpis and (not collectives or row.collective in collectives) and (not sizes or row.bytes in sizes)
    ]
    if not shown:
        raise Failure(f"{results / study}.json: has no such rows")
    if view is None:
        view = View.TABLE if any(row.calls for row in shown) else View.BARS
    write_figure(DRAWN[view](studies.STUDIES[study]().title, shown), svg)


def draw_halos(mpis: Sequence[str], sizes: Sequence[int], results: Path, svg: Path) -> None:
    file = results / f"{halos_.STUDY}.json"
    rows = [row for row in halos_.read(file) if row.mpi in mpis and (not sizes or row.bytes in sizes)]
    if not rows:
        raise Failure(f"{file}: has no such rows")
    write_figure(halos_.figure(rows), svg)


def write_figure(figure: str, svg: Path) -> None:
    output.write_text(figure, svg)
    if not output.is_standard(svg):
        output.console().print(f"{svg} written.")


@lab.command()
def apps(
    context: typer.Context,
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROGRAM]...",
            help=f"Folders of apps/, and transform. Default: {' '.join(programs.PROGRAMS)}.",
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help=f"On which networks. Default: {','.join(programs.NETWORKS)}."),
    ] = None,
    rate: Rate = f"{programs.RATE_BITS / 1e6:g}mbit",
    mpi: Mpis = None,
    policy: Annotated[str, typer.Option(metavar="NAME", help="How algorithms are chosen.")] = "race",
    described: Annotated[
        bool, typer.Option("--described", metavar="", help="With a description of the network, and without a memory.")
    ] = False,
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each kind.")] = 5,
    resume: Resume = False,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, lab-apps.json.")] = RESULTS,
) -> None:
    """Run real programs on networks, natively and as a policy chooses, in turns: what runs take.

    There is a rank on each host. Debian's programs run under Debian's Open MPI; --mpi is for the transform.

    - ./espalier lab apps lammps transform --network leafspine:2x4 --repeats 3
    - ./espalier lab apps petsc-requests --network rails:8x4 --rate 20mbit --described
    """
    installation: Installation = context.obj
    chosen = checked("PROGRAM", program or programs.PROGRAMS, programs.names())
    families, options = families_of(mpi), spec.Options(spec.rate_of(rate))
    check_settings(installation, {"ESPALIER_POLICY": policy})
    for name in chosen:
        for family in programs.families_of(name, families):
            if missing := packages.missing_of(programs.app_of(name, installation, family)):
                raise Failure(
                    f"{name}: not installed: {' '.join(missing)}", f"Install it: ./espalier apps --install {name}"
                )
    place = (results / "lab-apps").absolute()
    networks = listed(network) or programs.NETWORKS
    planned = programs.planned(chosen, networks, options, policy, families, repeats, place, described=described)
    file = results / "lab-apps.json"
    output.make_directory(results)
    rows = programs.read(file) if resume and file.exists() else []
    rootless.enter()
    if not resume:
        set_aside(file)
    with progress("Real programs") as say:
        done = programs.run(installation, planned, rows, say, partial(output.write_rows, file=file))
    programs.show(done.rows, output.console())
    output.console().print(f"All rows: {file}")
    fail_if_any(done.failures)


@lab.command()
def halos(
    context: typer.Context,
    pattern: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="scale,stencil,irregular,alike. Default: all.")
    ] = None,
    network: Annotated[list[str] | None, typer.Option(metavar="LIST", help="Only on these networks.")] = None,
    size: Annotated[
        list[str] | None, typer.Option("--bytes", metavar="LIST", help="Only such longest messages; any.")
    ] = None,
    variant: Annotated[
        list[str] | None, typer.Option(metavar="LIST", help="Only these: native:persistent,espalier.")
    ] = None,
    mpi: Mpis = None,
    repeats: Annotated[int, typer.Option(min=1, help="Turns of each variant; 20 times as many up to 8 KiB.")] = 9,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Directory of the results, halo.json.")] = RESULTS,
) -> None:
    """Compare exchanges of halos: the MPI's persistent requests, and Espalier's, shared out among NICs by each packer.

    - ./espalier lab halos --pattern scale --network rails:8x4 --bytes 1KiB,219KiB
    """
    wanted = halos_.Part(
        listed(pattern), listed(network), [bytes_of("--bytes", text) for text in listed(size)], listed(variant)
    )
    planned = wanted.of(halos_.exchanges())
    output.make_directory(results)
    file = results / f"{halos_.STUDY}.json"
    rootless.enter()
    set_aside(file)
    with progress(halos_.TITLE) as say:
        done = halos_.run(context.obj, planned, families_of(mpi), repeats, say, partial(output.write_rows, file=file))
    halos_.show(done.rows, output.console())
    output.console().print(f"All rows: {file}")
    fail_if_any(done.failures)


def fail_if_any(failures: Sequence[str]) -> None:
    if failures:
        raise Failure("Not as it should be:\n" + "\n".join(failures), "Go on with --resume.", status=1)


@lab.command()
def waits(context: typer.Context, mpi: Mpi = Family.OPENMPI, results: Results = RESULTS) -> None:
    """Count the links of a torus on which packets wait for others', under three ways to do an all-reduction."""
    output.make_directory(results)
    rootless.enter()
    with progress(waits_.TITLE) as say:
        rows = waits_.run(context.obj, mpi, say)
    output.write_rows(rows, results / "waits.json")
    waits_.show(rows, output.console())


@contextmanager
def progress(title: str) -> Iterator[output.Say]:
    """A line on the terminal with what is being done and for how long; to be called with the former."""
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=output.console(stderr=True)) as bar:
        task = bar.add_task(title, total=None)

        def say(text: str, *, is_step: bool = False) -> None:
            bar.update(task, description=output.printable(text)[:70])
            if is_step and not bar.console.is_terminal:  # a log is told less
                bar.console.print(text, highlight=False)

        yield say


def describe(plan: Plan) -> str:
    shaped = [cable for cable in plan.cables if cable.rate_bits is not None]
    rate = min((cable.rate_bits or 0) for cable in shaped) / 1e6
    hosts, links = output.plural(len(plan.hosts), "host"), output.plural(len(shaped), "link")
    return f"{plan.spec}: {hosts}, {links} of {rate:g} Mbit/s each way"


def run_in(
    installation: Installation,
    plan: Plan,
    family: Family,
    program: list[str],
    per_host: int,
    algorithm: str,
    native: bool,
    json: Path | None,
) -> int:
    console = output.console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
        wanted = {**settings_in(os.environ), **chosen_settings(algorithm, "", False, [])}
        files = report_files.planned(wanted, Path(temporary))
        job = launch.Job(program, None if native else {**wanted, **files.settings}, per_host)
        watch = Watch(plan)
        with (
            launch.prepared(installation, plan, family, job) as prepared,
            subprocess.Popen(prepared.arguments, env=prepared.environment) as process,
        ):
            process.wait()
        seen = watch.observe()
        reports = files.read()
    status = exit_status(process.returncode)
    with output.complaints_only(console):
        report.show(reports, console)
        show(seen, console)
    with output.complaints_only(console):
        files.pass_on(reports)
    with output.complaints_only(console):
        if json:
            output.write_json(as_json(seen, status), json)
    return status


def show(seen: Observation, console: Console) -> None:
    (near, far), most = seen.busiest
    console.print(
        f"{seen.seconds:.1f} s, CPUs {seen.cpu_busy:.0%} busy. Links carried {output.bytes_text(seen.bytes)} "
        f"in all, on {seen.used} of {len(seen.traffic)} directions; the most: {output.bytes_text(most.bytes)} from "
        f"{near.namespace} to {far.namespace}; packets dropped: {seen.drops}."
    )
    if seen.drops:
        console.print("Packets were dropped: times taken here are of TCP's recovery, not of the links.")
    if seen.cpu_busy > 0.9:
        console.print("The CPUs were the limit, not the links: take a lower --rate or fewer hosts.")


def as_json(seen: Observation, status: int) -> dict[str, object]:
    links = [
        {
            "from": near.namespace,
            "to": far.namespace,
            "device": near.device,
            "bytes": t.bytes,
            "packets": t.packets,
            "drops": t.drops,
            "waits": t.waits,
        }
        for (near, far), t in seen.traffic.items()
    ]
    return {"status": status, "seconds": seen.seconds, "cpu_busy": seen.cpu_busy, "links": links}
