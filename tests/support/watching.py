# SPDX-License-Identifier: Apache-2.0
"""Who watches a program's calls: a backend that counts them and passes them on, or the real ones with their report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container
from pathlib import Path

from espalier.functions import COLLECTIVES


class Counting:
    """The counting backend (tests/preload/counting_backend.c), in the place of every real one."""

    def __init__(self, libraries: Path, folder: Path) -> None:
        self.library = libraries / "libespalier.so"
        self.prefix = folder / "counts"

    def environment(self) -> dict[str, str | Path]:
        return {"LD_PRELOAD": self.library, "COUNTING_BACKEND_FILE": self.prefix}

    def processes(self) -> list[dict[str, dict[str, int]]]:
        """What each process counted, by function name; only those that opened a backend."""
        return [json.loads(path.read_text()) for path in self.prefix.parent.glob("counts.*")]

    def functions(self, ranks: int) -> dict[str, int]:
        """Calls of the program's own by function name, MPI_X and PMPI_X alike; the same on all ranks."""
        processes = [process["own"] for process in self.processes()]
        assert len(processes) == ranks
        assert all(process == processes[0] for process in processes)
        return processes[0]

    def calls(self, ranks: int) -> dict[str, int]:
        """Blocking calls per collective, with large counts or without."""
        calls: Counter[str] = Counter()
        for name, count in self.functions(ranks).items():
            calls[name.removeprefix("MPI_").removesuffix("_c").lower()] += count
        return {name: count for name, count in calls.items() if name in COLLECTIVES.values()}


class Reporting:
    """The real backends, asked for their report."""

    def __init__(self, libraries: Path, folder: Path) -> None:
        self.library = libraries / "libespalier.so"
        self.report = folder / "report.json"

    def environment(self) -> dict[str, str | Path]:
        return {"LD_PRELOAD": self.library, "ESPALIER_REPORT": self.report}

    def calls(self, ranks: int, algorithms: Container[str] | None = None) -> dict[str, int]:
        """Blocking ones of each rank, per collective, whatever was done with them, or only those that ran on one of
        `algorithms`."""
        calls: Counter[str] = Counter()
        for row in json.loads(self.report.read_text())["rows"]:
            if row["form"] == "blocking" and (algorithms is None or row["algorithm"] in algorithms):
                calls[row["collective"]] += row["calls"]
        assert all(count % ranks == 0 for count in calls.values())
        return {collective: count // ranks for collective, count in calls.items()}
