# SPDX-License-Identifier: Apache-2.0
"""The headless browser that `make browser` installs, and what is found in it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".deps/browser/bin/python"
NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
BROWSER = next((path for name in NAMES if (path := shutil.which(name))), None)

needs_browser = pytest.mark.skipif(
    BROWSER is None or not PYTHON.exists(), reason="no headless browser is installed; make browser does it"
)


def found_by(script: str, what: Path) -> list[dict[str, Any]]:
    """What a script of this folder says of a page or a site."""
    done = subprocess.run(
        [PYTHON, ROOT / "tests/support" / script, str(BROWSER), what],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
