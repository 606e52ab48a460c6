# SPDX-License-Identifier: Apache-2.0
"""Options that several commands of the memory have."""

from pathlib import Path
from typing import Annotated, Optional

import typer

Directory = Annotated[
    Optional[Path],
    typer.Option(metavar="DIR", help="Where it is kept; by default ESPALIER_MEMORY, or ~/.cache/espalier."),
]
Fingerprint = Annotated[str, typer.Argument(metavar="FINGERPRINT", help="Its first digits, as list shows them.")]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")]
