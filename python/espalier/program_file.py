# SPDX-License-Identifier: Apache-2.0
"""Why what is preloaded cannot reach a program: what its file says (64-bit ELF, of this machine's byte order)."""

from __future__ import annotations

import mmap
import os
import re
import shutil
import stat
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"\x7fELF\x02\x01"
LIBRARY = re.compile(r"\.so(\.|$)")  # no program, as in the words that hand a preload to Hydra
INTERPRETER = 3  # PT_INTERP: the loader that preloads
SYMBOL_TABLES = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
MPI_FUNCTION = b"PMPI_Init"


@dataclass(frozen=True)
class Section:
    kind: int
    offset: int
    size: int
    link: int
    entry_size: int


def cause_in(command: Sequence[str]) -> str | None:
    """What to say of the first program among these words that cannot be preloaded; None if there is none."""
    return next((cause for word in command if (cause := cause_of(word))), None)


def cause_of(word: str) -> str | None:
    path = Path(shutil.which(word) or "")
    if not path.is_file() or LIBRARY.search(path.name):
        return None
    with suppress(OSError, ValueError, struct.error):
        if what := cause_in_file(path):
            return f"{path} {what}"
    return None


def cause_in_file(path: Path) -> str | None:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content[: len(MAGIC)] != MAGIC:
            return None
        return who_loads_it(content) or whose_rights(path) or whose_mpi(content)


def who_loads_it(content: mmap.mmap) -> str | None:
    if any(kind == INTERPRETER for kind in segment_kinds(content)):
        return None
    return "is linked statically, so nothing can be preloaded into it. Link it with the MPI's shared library."


def whose_rights(path: Path) -> str | None:
    """Root gains nothing by a file's capabilities."""
    status = path.stat()
    gains_user = status.st_mode & stat.S_ISUID and status.st_uid != os.geteuid()
    gains_group = status.st_mode & stat.S_ISGID and status.st_gid != os.getegid()
    gains = (
        "setuid or setgid" if gains_user or gains_group else "with file capabilities" if has_capabilities(path) else ""
    )
    return f"runs {gains}, and the system's loader preloads nothing into such programs." if gains else None


def has_capabilities(path: Path) -> bool:
    return os.geteuid() != 0 and "security.capability" in os.listxattr(path)


def whose_mpi(content: mmap.mmap) -> str | None:
    if not any(defines(content, table, MPI_FUNCTION) for table in SYMBOL_TABLES):
        return None
    return "contains its MPI, so its calls reach no other library. Link it with the MPI's shared library."


def segment_kinds(content: mmap.mmap) -> Iterator[int]:
    (offset,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for index in range(count):
        yield struct.unpack_from("<I", content, offset + index * size)[0]


def sections(content: mmap.mmap) -> list[Section]:
    (offset,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    raw = (struct.unpack_from("<IIQQQQIIQQ", content, offset + index * size) for index in range(count))
    return [Section(kind=one[1], offset=one[4], size=one[5], link=one[6], entry_size=one[9]) for one in raw]


def defines(content: mmap.mmap, table: int, name: bytes) -> bool:
    everything = sections(content)
    for section in everything:
        if section.kind != table or not section.entry_size:
            continue
        names = everything[section.link]
        at = content.find(b"\0" + name + b"\0", names.offset, names.offset + names.size)
        if at < 0:
            continue
        for entry in range(section.offset, section.offset + section.size, section.entry_size):
            name_at, _, _, where = struct.unpack_from("<IBBH", content, entry)
            if where and names.offset + name_at == at + 1:
                return True
    return False
