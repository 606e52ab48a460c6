# SPDX-License-Identifier: Apache-2.0
"""A process of another user that wants the memory which ranks of a job share, or that of a rank.

python3 intruder.py SECONDS PROGRAM FOLDER [PROCESS:BEGIN-END]...      says as JSON what it has tried, and what it got.

For so long it tries all processes of that program, from their start on, and what has a name in the folder, which is
their /dev/shm; then the ranges of memory that it is told of.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PTRACE_SEIZE = 0x4206  # unlike PTRACE_ATTACH it stops nobody
PIDFD_OPEN, PIDFD_GETFD = 434, 438
DESCRIPTORS = 80

libc = ctypes.CDLL(None, use_errno=True)
tried: Counter[str] = Counter()
got: Counter[str] = Counter()


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("bytes", ctypes.c_size_t))


def note(what: str, has_worked: bool) -> None:
    tried[what] += 1
    got[what] += has_worked


def opens(path: str) -> bool:
    for flags in (os.O_RDWR, os.O_RDONLY):
        try:
            os.close(os.open(path, flags))
        except OSError:
            continue
        return True
    return False


def processes_of(program: str) -> Iterator[int]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes().split(b"\0")[0] == program.encode():
                yield int(process.name)
        except OSError:
            continue


def try_descriptors(process: int) -> None:
    try:
        handle = os.pidfd_open(process)
    except OSError:  # it ended
        return
    for number in range(3, DESCRIPTORS):
        note("descriptor", opens(f"/proc/{process}/fd/{number}"))
        note("pidfd_getfd", libc.syscall(PIDFD_GETFD, handle, number, 0) >= 0)
    os.close(handle)


def try_names(folder: Path) -> None:
    for path in folder.iterdir():
        if len(path.name) == 32:
            note("name", opens(str(path)))


def try_memory(process: int, span: str) -> None:
    begin = int(span.split("-")[0], 16)
    note("map_files", opens(f"/proc/{process}/map_files/{span}"))
    note("mem", opens(f"/proc/{process}/mem"))
    here = ctypes.create_string_buffer(8)
    ours, theirs = Piece(ctypes.addressof(here), 8), Piece(begin, 8)
    for call in (libc.process_vm_readv, libc.process_vm_writev):
        note(call.__name__, call(process, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0) > 0)
    note("ptrace", libc.ptrace(PTRACE_SEIZE, process, None, None) == 0)


def main() -> None:
    seconds, program, folder, *spans = sys.argv[1:]
    until = time.monotonic() + float(seconds)
    while time.monotonic() < until:
        for process in processes_of(program):
            try_descriptors(process)
        try_names(Path(folder))
        time.sleep(0.001)
    for process, _, span in (word.partition(":") for word in spans):
        try_memory(int(process), span)
    json.dump({"user": os.geteuid(), "tried": tried, "got": +got}, sys.stdout)


main()
