# SPDX-License-Identifier: Apache-2.0
"""espalier simulations: what the papers and other machines' owners measured, next to the same calls simulated.

The playing is done by espalier-simulate. A row of the results: espalier_lab/simulation/rows.py.
"""

from typing import Annotated

import typer

from espalier import output, output_files
from espalier.installation import Installation
from espalier.words import checked
from espalier_lab.commands.options import RESULTS, Results, Resume
from espalier_lab.simulation import study as runner
from espalier_lab.simulation.studies import STUDIES


def register(app: typer.Typer) -> None:
    app.command("simulations")(simulations)


def simulations(
    context: typer.Context,
    studies: Annotated[
        list[str] | None,
        typer.Argument(metavar="[STUDY]...", help=f"Of {', '.join(STUDIES)}. Default: all.", show_default=False),
    ] = None,
    resume: Resume = False,
    results: Results = RESULTS,
) -> None:
    """Simulate what was measured on machines that are not here, and what these algorithms would take there.

    For example:

    - ./espalier simulations fugaku
    """
    installation: Installation = context.obj
    names = checked("STUDY", studies or list(STUDIES), list(STUDIES))
    output_files.make_directory(results)
    console = output.console()
    for name in names:
        one = STUDIES[name]
        file = results / f"simulation-{name}.json"
        rows = runner.run(installation, one, file, resumes=resume)
        console.print(f"\n{one.title}", style="bold")
        one.show(rows, console)
        drawing = one.figure(rows)
        if drawing:
            file.with_suffix(".svg").write_text(drawing, encoding="utf-8")
        console.print(f"All rows: {file}")
