# SPDX-License-Identifier: Apache-2.0
"""Commands of which nobody wants to see anything unless they fail."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run_quietly(
    words: Sequence[str], environment: Mapping[str, str], directory: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """With these variables next to those of today; the command cannot ask. Both its outputs are in `stdout`."""
    return subprocess.run(
        words,
        env={**os.environ, **environment},
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
