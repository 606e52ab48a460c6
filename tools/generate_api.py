#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/preload/trampolines/functions.inc: the C signatures of the functions that libespalier.so intercepts.

They are named in src/native/collective_functions.def and src/preload/trampolines/functions.txt.

The signatures come from the MPI Forum's machine-readable API data (PyPI: pympistandard). The result is kept in the
repository, so building needs no Python package; a test checks that it is what this program would write.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import pympistandard  # type: ignore[import-untyped]

SOURCES = Path(__file__).resolve().parents[1] / "src"
COLLECTIVES = SOURCES / "native" / "collective_functions.def"
NAMES = SOURCES / "preload" / "trampolines" / "functions.txt"
RESULT = SOURCES / "preload" / "trampolines" / "functions.inc"

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by tools/generate_api.py from collective_functions.def, functions.txt and the MPI Forum's API data. Do not
 * edit.
 *
 * ESPALIER_FUNCTION(name, result type, parameters), for C++ and for the assembler alike. */
"""


def collective_names(text: str) -> list[str]:
    """All forms of the functions of collective_functions.def. What has no data has no large counts."""
    names = []
    for blocking, nonblocking, arguments in re.findall(
        r"^(?:COLLECTIVE|PASSED_ON)_FUNCTION\((\w+), (\w+), \w+, (\w+)\)", text, re.M
    ):
        for form in (blocking, nonblocking, f"{blocking}_init"):
            names += [f"MPI_{form}"] if arguments == "NoData" else [f"MPI_{form}", f"MPI_{form}_c"]
    return names


def names_in(text: str) -> list[str]:
    """The function names of functions.txt, without its comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def prototype(name: str) -> str:
    """The C prototype of an MPI function; MPI_X_c is the large-count form of MPI_X."""
    procedure = pympistandard.PROCEDURES.get(name.lower().removesuffix("_c"))
    if procedure is None:
        raise SystemExit(f"{NAMES.name}: {name} is not a function of the MPI standard")
    if not name.endswith("_c"):
        return str(procedure.express.iso_c)
    if not procedure.has_embiggenment():
        raise SystemExit(f"{NAMES.name}: {name}: the MPI standard has no large-count form of it")
    return str(procedure.express.embiggen.iso_c)


def line(entry: str) -> str:
    """One line of functions.inc, for a name of the standard or for the whole prototype of an MPI's own function."""
    wanted = entry if "(" in entry else prototype(entry)
    parts = re.fullmatch(r"(\w+) (\w+)(\(.*\))", wanted)
    if parts is None or entry not in (parts[2], wanted):
        raise SystemExit(f"{NAMES.name}: {entry}: the API data has it as {wanted}")
    return f"ESPALIER_FUNCTION({parts[2]}, {parts[1]}, {parts[3]})\n"


def generate() -> str:
    """The whole of functions.inc."""
    pympistandard.use_api_version()
    names = collective_names(COLLECTIVES.read_text()) + names_in(NAMES.read_text())
    return HEAD + "".join(map(line, names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    options = parser.parse_args()
    text = generate()
    if not options.check:
        RESULT.write_text(text)
    elif RESULT.read_text() != text:
        sys.exit(f"{RESULT.name} is not up to date: run tools/generate_api.py")


if __name__ == "__main__":
    main()
