# SPDX-License-Identifier: Apache-2.0
"""Whose memories are believed, as the library has it: those that the user or root wrote, and nobody else may write.

Each directory en route is looked at before what it leads to. Where nobody else may write, nobody else can change
where the path leads afterwards; in a sticky directory (/tmp) that holds for what belongs to the user or root.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from espalier.failure import Failure

SETTING = "ESPALIER_MEMORY_TRUST"
MOST_LINKS = 40


class Judge:
    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.me = os.geteuid()
        believes_groups = environment.get(SETTING) == "group"
        self.groups = {os.getegid(), *os.getgroups()} if believes_groups else set[int]()

    def owns(self, facts: os.stat_result) -> bool:
        return facts.st_uid in (self.me, 0) or facts.st_gid in self.groups

    def is_written_by_others(self, facts: os.stat_result) -> bool:
        if stat.S_ISLNK(facts.st_mode):
            return False
        by_group = bool(facts.st_mode & stat.S_IWGRP) and facts.st_gid not in self.groups
        return by_group or bool(facts.st_mode & stat.S_IWOTH)

    def trusts(self, facts: os.stat_result) -> bool:
        return self.owns(facts) and not self.is_written_by_others(facts)

    def complaint(self, facts: os.stat_result) -> str:
        users = f"user {self.me}" + ("" if self.me == 0 else " or root")
        return (
            f"of user {facts.st_uid}, mode {stat.S_IMODE(facts.st_mode):04o}; allowed: of {users}, written by nobody "
            f"else (chown, chmod go-w; {SETTING}=group trusts your groups, too)"
        )


def check_directory(directory: Path) -> None:
    """Raises a FileNotFoundError if it is not there, and other errors as the system has them."""
    judge = Judge()
    facts = os.lstat("/")
    owner_of_root = facts.st_uid
    here = Path("/")
    left = list(directory.absolute().parts[1:])
    links = 0
    while left:
        is_shared = check_directories(here, facts, judge, owner_of_root)
        path = here / left.pop(0)
        facts = os.lstat(path)
        is_link = stat.S_ISLNK(facts.st_mode)
        is_roots_link = is_link and not is_shared and facts.st_uid == owner_of_root
        if (is_shared or is_link) and not judge.owns(facts) and not is_roots_link:
            refuse(path, facts, judge)
        if is_link:
            links += 1
            if links > MOST_LINKS:
                raise Failure(f"{path}: too many links lead to {directory}", status=1)
            target = path.readlink()
            left = [*(target.parts[1:] if target.is_absolute() else target.parts), *left]
            here = Path("/") if target.is_absolute() else here
            facts = os.lstat(here)
        else:
            here = path
    if stat.S_ISDIR(facts.st_mode) and not judge.trusts(facts):
        refuse(here, facts, judge)


def check_directories(here: Path, facts: os.stat_result, judge: Judge, owner_of_root: int) -> bool:
    """Whether others may put entries into this directory; then it is sticky: they cannot replace ours."""
    is_shared = judge.is_written_by_others(facts)
    is_owned = judge.owns(facts) or facts.st_uid == owner_of_root
    if not is_owned or (is_shared and not facts.st_mode & stat.S_ISVTX):
        refuse(here, facts, judge)
    return is_shared


def refuse(path: Path, facts: os.stat_result, judge: Judge) -> None:
    raise Failure(f"{path}: {judge.complaint(facts)}", status=1)


def check_file(facts: os.stat_result) -> None:
    """Of one that is open. Raises a ValueError."""
    if not stat.S_ISREG(facts.st_mode):
        raise ValueError("is no regular file")
    judge = Judge()
    if not judge.trusts(facts):
        raise ValueError(judge.complaint(facts))
