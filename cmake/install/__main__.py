# SPDX-License-Identifier: Apache-2.0
"""Starts the installed command: beside this folder lie the packages that it brings along."""

import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = HERE.parent / "packages"
NEEDED = ["typer", "rich", "jinja2", "tomli_w"] + ([] if sys.version_info >= (3, 11) else ["tomli"])

sys.path[:1] = [str(HERE), str(PACKAGES)]
missing = [name for name in NEEDED if find_spec(name) is None]
if missing:
    sys.exit(
        f"espalier: this Python ({sys.executable}) lacks {', '.join(missing)}: they were not installed with Espalier."
        f"\nTo get them: {sys.executable} -m pip install --target {PACKAGES} -r {HERE.parent / 'packages.txt'}"
    )

from espalier.cli import main  # noqa: E402 - only now is it known where from

main()
