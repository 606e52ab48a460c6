# SPDX-License-Identifier: Apache-2.0
"""espalier site: what many jobs did, from the logs that they left."""

from pathlib import Path
from typing import Annotated, Optional

import typer

from espalier import output, output_files, story
from espalier.failure import Failure
from espalier.site_logs import logs, table, totals


def register(app: typer.Typer) -> None:
    app.command("site")(site)


def site(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="With the logs of jobs in it, at any depth.", show_default=False)
    ],
    json: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Also write the sums to this file, as JSON; - is standard output."),
    ] = None,
    report: Annotated[
        Optional[Path],
        typer.Option(metavar="FILE", help="Also write them to this file, as a web page; - is standard output."),
    ] = None,
) -> None:
    """Add up the logs that jobs left under ESPALIER_LOG_DIR.

    Say which programs spend how much in which collectives, what was saved or lost, and which calls failed.
    """
    output_files.check_can_be_written("--json", json, output_files.json_with("jobs", "programs"))
    output_files.check_can_be_written("--report", report, story.is_page)
    if json and json == report:
        raise Failure(f"--report {report}: is what --json writes, too; allowed: another name")
    if not directory.is_dir():
        raise Failure(f"{directory}: is no directory", "Name the one that ESPALIER_LOG_DIR begins with.")
    troubles = logs.Troubles()
    sums = totals.of(logs.found(directory, troubles))
    to_standard = output_files.is_standard(json) or output_files.is_standard(report)
    table.show(sums, troubles, output.console(stderr=to_standard))
    if json:
        left_out = {"unreadable": troubles.unreadable, "of_others": troubles.of_others}
        output_files.write_json({**totals.as_json(sums), **left_out}, json)
    if report:
        write_page(directory, sums, troubles, report)


def write_page(directory: Path, sums: totals.Totals, troubles: logs.Troubles, file: Path) -> None:
    # What draws takes long to load.
    from espalier.site_logs import page

    output_files.write_text(page.page(str(directory), sums, troubles), file)
