# SPDX-License-Identifier: Apache-2.0
"""Jobs of our test programs with more ranks than cores: who waits must not take the core from whom it waits for."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from drawn import IS_THOROUGH
from mpis import Mpi

# With TRANSPORT=fabric or TRANSPORT=mpi in the environment, messages of ours go over that in all of these tests.
TRANSPORTS = {"fabric": {"ESPALIER_TRANSPORT": "fabric"}, "mpi": {"ESPALIER_SHARED_MEMORY": "off"}}
TRANSPORT = TRANSPORTS.get(os.environ.get("TRANSPORT", ""), {})


def environment_of(mpi: Mpi, ranks: int, build: Path) -> dict[str, str | Path]:
    """Espalier under the job, and whatever makes that MPI yield or sleep while it waits."""
    return {**waiting_environment_of(mpi, ranks, build), **TRANSPORT}


def waiting_environment_of(mpi: Mpi, ranks: int, build: Path) -> dict[str, str | Path]:
    library = build / "lib" / "libespalier.so"
    if mpi.family == "openmpi":
        return {"LD_PRELOAD": library, "OMPI_MCA_mpi_yield_when_idle": "1"}
    if ranks <= 2:
        return {"LD_PRELOAD": library}
    # MPICH never yields when it waits in shared memory, but sockets can be waited for in the kernel. Over these alone
    # MPICH 4.0's MPI_Finalize does not end now and then, natively, too.
    by = "self,sm,tcp" if mpi.name == "mpich4" else "tcp,self"
    sockets = {"MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_CH4_NETMOD": "ucx", "UCX_TLS": by}
    return {"LD_PRELOAD": f"{build / 'lib' / 'libespalier-patient.so'}:{library}", **sockets}


def complaints(errors: str) -> list[str]:
    """What Espalier had to say."""
    return [line for line in errors.splitlines() if line.startswith("espalier: ")]


def facts_in(output: str) -> dict[str, Any]:
    """The last line of JSON: MPICH's UCX may have its say on standard output, too."""
    facts: dict[str, Any] = json.loads(next(line for line in reversed(output.splitlines()) if line.startswith("{")))
    return facts


def run(
    mpi: Mpi,
    ranks: int,
    build: Path,
    name: str,
    arguments: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    wrapper: Sequence[str] = (),
) -> tuple[dict[str, Any], str]:
    """Runs the program of that name; returns the facts that it prints, and what was printed on standard error."""
    program = build / "bin" / f"{name}-{mpi}"
    if not program.exists():
        pytest.skip(f"{program.name} was not built: its MPI was not there then")
    environment = {**environment_of(mpi, ranks, build), **(settings or {})}
    limit = 3600 if IS_THOROUGH else 300
    result = mpi.run(ranks, [*wrapper, program, *arguments], environment, timeout_seconds=limit)
    facts = facts_in(result.stdout)
    print(mpi, ranks, name, *arguments, json.dumps(facts))
    assert facts["failures"] == 0, result.stderr
    return facts, result.stderr
