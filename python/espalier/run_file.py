# SPDX-License-Identifier: Apache-2.0
"""The file of a run: what `run --json FILE` wrote, or a report of ESPALIER_REPORT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from espalier import report, stored
from espalier.failure import Failure

ALLOWED = "allowed: what `run --json FILE` writes, or a report of ESPALIER_REPORT"


def read(path: Path) -> list[report.Report]:
    """One of each job."""
    try:
        raw = stored.load(path.read_text(encoding="utf-8-sig"))
        return [report.of(one) for one in jobs_in(raw)]
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Failure(f"{path} cannot be read as a run: {why}; {ALLOWED}") from error


def jobs_in(raw: Any) -> list[Any]:
    return stored.list_in(raw, "jobs") if isinstance(raw, dict) and "jobs" in raw else [raw]
