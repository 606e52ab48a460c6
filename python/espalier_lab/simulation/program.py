# SPDX-License-Identifier: Apache-2.0
"""Has the program espalier-simulate play a call."""

import subprocess
from dataclasses import dataclass

from espalier import stored
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.simulation.rows import Wanted

PROGRAM = "espalier-simulate"


@dataclass(frozen=True)
class Played:
    """What the program says of one call. There is more in its JSON."""

    seconds: float
    off: float  # by how much a long message's last play lies off the line through the others
    messages: int
    waited: int


def play(installation: Installation, wanted: Wanted) -> Played:
    program = installation.build / installation.programs / PROGRAM
    if not program.exists():
        raise Failure(f"{program} does not exist.", "It needs SimGrid: make build")
    call = [wanted.collective, "--bytes", str(wanted.bytes), "--algorithm", wanted.algorithm]
    words = [str(program), *call, *wanted.where, *wanted.options, "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}:\n{done.stderr.strip()}", status=1)
    try:
        (row,) = stored.load(done.stdout)
        return stored.dataclass_of(Played, row)
    except ValueError as error:
        raise Failure(f"{' '.join(words)}: {error}", "The algorithm may not fit this call.", status=1) from error
