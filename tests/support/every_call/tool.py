# SPDX-License-Identifier: Apache-2.0
"""A profiling tool as the MPI standard means it: each of its MPI_X counts the call and makes it by PMPI_X."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from every_call.functions import Function, prototypes
from mpis import Mpi

SOURCE = """\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

{wrappers}
int MPI_Finalize(void) {{
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", getenv("TOOL_FILE"), (int)getpid());
  FILE* const file = fopen(path, "w");
{lines}
  fclose(file);
  return PMPI_Finalize();
}}
"""
WRAPPER = """\
static int seen_{name};
int {name}{prototype} {{ return ++seen_{name}, P{name}({arguments}); }}
"""
LINE = '  fprintf(file, "{name} %d\\n", seen_{name});'


def wrapper(name: str) -> str:
    prototype = prototypes()[name]
    arguments = re.findall(r"(\w+)(?:\[\])*(?=[,)])", prototype)
    return WRAPPER.format(name=name, prototype=prototype, arguments=", ".join(arguments))


def make_tool(mpi: Mpi, functions: Sequence[Function], folder: Path) -> Path:
    """A library with all of these."""
    names = [function.name for function in functions]
    source = folder / "tool.c"
    lines = (LINE.format(name=name) for name in names)
    source.write_text(SOURCE.format(wrappers="".join(map(wrapper, names)), lines="\n".join(lines)))
    return mpi.compile([source], folder / "libtool.so", ["-shared", "-fPIC"])


def seen_by_tool(file: Path) -> list[Counter[str]]:
    """Of each process, which had TOOL_FILE=`file`."""
    processes = [path.read_text().splitlines() for path in file.parent.glob(f"{file.name}.*")]
    return [Counter({name: int(count) for name, count in map(str.split, lines)}) for lines in processes]
