# SPDX-License-Identifier: Apache-2.0
"""Debian's packages: which are missing, and how they come."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from espalier.apps.quietly import run_quietly
from espalier.failure import Failure


def missing(packages: Sequence[str]) -> list[str]:
    if not shutil.which("dpkg-query"):
        raise Failure("These programs are packages of Debian, and this is no Debian-like system.")
    words = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n", *packages]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    installed = {line.partition(" ")[2] for line in listed.splitlines() if line.startswith("installed ")}
    return [package for package in packages if package not in installed]


def install(packages: Sequence[str]) -> str:
    """Why it did not work; empty if it did. Installs only what is named and what that needs."""
    if os.geteuid() != 0:
        return f"please install it first: sudo apt-get install -y --no-install-recommends {' '.join(packages)}"
    return update() or apt_get("install", "-y", "--no-install-recommends", *packages)


@cache
def update() -> str:
    return apt_get("update")


def apt_get(*words: str) -> str:
    """Asks nothing. What went wrong, if anything did, in apt's own words."""
    done = run_quietly(["apt-get", *words], {"DEBIAN_FRONTEND": "noninteractive"})
    if done.returncode == 0:
        return ""
    complaints = [line for line in done.stdout.splitlines() if line.startswith("E: ")]
    return (complaints or [f"apt-get {words[0]} ended with status {done.returncode}"])[0]
