# SPDX-License-Identifier: Apache-2.0
"""espalier simulate: what collectives take on a described machine, by SimGrid."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from espalier import output_files, story
from espalier.failure import Failure
from espalier.installation import Installation, complaint
from espalier_lab import gain as gains

PROGRAM = "espalier-simulate"


def register(app: typer.Typer) -> None:
    app.command("simulate")(simulate)


def simulate(
    context: typer.Context,
    collective: Annotated[str, typer.Argument(metavar="COLLECTIVE", help="Such as allreduce or bcast.")],
    machine: Annotated[
        str, typer.Option(metavar="NAME", help="One that is known, such as k-48x6x32.", show_default=False)
    ] = "",
    topology: Annotated[str, typer.Option(metavar="FILE", help="A description of a machine.", show_default=False)] = "",
    torus: Annotated[str, typer.Option(metavar="EXTENTS", help="A torus, such as 8x8x8.", show_default=False)] = "",
    mesh: Annotated[str, typer.Option(metavar="EXTENTS", help="A mesh, such as 8x8.", show_default=False)] = "",
    rate: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Of a torus or mesh: bytes per second of a link.", show_default=False),
    ] = None,
    hop_seconds: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Of a torus or mesh: what a message costs.", show_default=False),
    ] = None,
    engines: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of a torus or mesh: messages a node sends at a time.", show_default=False),
    ] = None,
    hostfile: Annotated[
        str, typer.Option(metavar="FILE", help="Ranks on nodes. Default: one on each.", show_default=False)
    ] = "",
    sizes: Annotated[
        str, typer.Option("--bytes", metavar="LIST", help="8,64KiB or 64KiB..1GiB, doubled each time.")
    ] = "64KiB..16MiB",
    algorithm: Annotated[
        str, typer.Option(metavar="LIST", help="ring,trinaryx3,segment=64KiB. Default: all.", show_default=False)
    ] = "",
    root: Annotated[int | None, typer.Option(metavar="R", help="Default: 0.", show_default=False)] = None,
    segments: Annotated[
        int | None,
        typer.Option(metavar="N", help="In the shortest play of a long message.", show_default=False),
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", metavar="", help="Play long messages to their end.")] = False,
    by_simgrid: Annotated[
        bool, typer.Option("--by-simgrid", metavar="", help="Also messages that share no link.")
    ] = False,
    gain: Annotated[
        bool, typer.Option("--gain", metavar="", help="With --algorithm, too: what Espalier's choice gains.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", metavar="", help="A line for each algorithm, not what would be gained.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a web page with the gains.", show_default=False)
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the gains.", show_default=False)] = None,
    export: Annotated[
        str, typer.Option(metavar="FORMAT", help="Do not play, but write goal or chakra.", show_default=False)
    ] = "",
    output: Annotated[str, typer.Option(metavar="PATH", help="Where --export writes.", show_default=False)] = "",
    force: Annotated[bool, typer.Option("--force", metavar="", help="Export more than 1 GiB.")] = False,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Play collectives on a described machine: the schedules that run there, with SimGrid for what shares links.

    It says what Espalier would gain over a plain MPI; or, if algorithms are named, what these take.

    For example:

    - ./espalier simulate allreduce --torus 8x8x8 --bytes 64KiB..16MiB --algorithm ring,trinaryx3_fused
    - ./espalier simulate bcast --machine k-48x6x32 --bytes 1MiB --algorithm trinaryx3,trinaryx6
    - ./espalier simulate allreduce --topology my.toml --bytes 64KiB..1GiB --report gain.html
    - ./espalier simulate bcast --torus 4x4 --algorithm chain --bytes 1MiB --export goal --output chain.goal
    """
    installation: Installation = context.obj
    valued = {
        "--machine": machine,
        "--topology": topology,
        "--torus": torus,
        "--mesh": mesh,
        "--rate": rate,
        "--hop-seconds": hop_seconds,
        "--engines": engines,
        "--hostfile": hostfile,
        "--bytes": sizes,
        "--algorithm": algorithm,
        "--root": root,
        "--segments": segments,
        "--export": export,
        "--output": output,
    }
    words = [collective]
    for option, value in valued.items():
        if value is not None and value != "":
            words += [option, str(value)]
    draws = report is not None or svg is not None
    asks_gain = not export and not every and (gain or draws or not algorithm)
    flags = {"--whole": whole, "--by-simgrid": by_simgrid, "--force": force, "--gain": asks_gain}
    words += [flag for flag, is_set in flags.items() if is_set]
    if not asks_gain and (gain or draws):
        other = "--all" if every else "--export"
        raise Failure(f"{other}: goes without --gain, --report and --svg; allowed: one of them")
    if json and draws:
        raise Failure("--json: goes without --report and --svg; allowed: one of them")
    output_files.check_can_be_written("--report", report, story.is_page)
    output_files.check_can_be_written("--svg", svg, output_files.is_svg)
    if report is not None and report == svg:
        raise Failure(f"--svg {svg}: is what --report writes, too; allowed: another name")
    if asks_gain and not json:
        gains.show(answer(installation, [*words, "--json"]), report, svg)
    else:
        sys.stdout.write(answer(installation, [*words, *(["--json"] if json else [])]))


def answer(installation: Installation, words: Sequence[str]) -> str:
    """What the program prints; on a terminal it shows its progress there."""
    program = installation.build / installation.programs / PROGRAM
    if not program.exists():
        raise Failure(f"{program} does not exist.", "It takes SimGrid (libsimgrid-dev); then: make build")
    done = subprocess.run(
        [program, *words],
        stdout=subprocess.PIPE,
        stderr=None if sys.stderr.isatty() else subprocess.PIPE,
        text=True,
        errors="backslashreplace",
        check=False,
    )
    if done.returncode != 0:
        status = done.returncode if done.returncode > 0 else 1
        said = complaint(done.stderr or "").removeprefix(f"{PROGRAM}: ")
        raise Failure(said or f"{PROGRAM} ended with status {done.returncode}.", status=status)
    return done.stdout
