# SPDX-License-Identifier: Apache-2.0
"""What programs need, packages of Debian and what scripts/setup makes: what is missing, and how it comes."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from espalier.failure import Failure
from espalier.installation import ROOT
from espalier_lab.apps.description import App
from espalier_lab.apps.quietly import run_quietly

SETUP = "scripts/setup"


def missing_of(app: App) -> list[str]:
    """Packages, and maybe how to make the environment."""
    wanted = missing(app.packages) if app.packages else []
    if app.setup and not (ROOT / ".deps" / app.setup / ".installed").is_file():
        wanted.append(f"{SETUP} {app.setup}")
    return wanted


def install_all(wanted: Sequence[str]) -> str:
    """What `missing_of` has named. Why it did not work; empty if it did."""
    by_apt = [name for name in wanted if not name.startswith(SETUP)]
    complaint = install(by_apt) if by_apt else ""
    for command in wanted:
        if not complaint and command not in by_apt:
            done = run_quietly([str(ROOT / SETUP), command.removeprefix(SETUP).strip()], {}, ROOT)
            complaint = "" if done.returncode == 0 else f"{command} ended with status {done.returncode}:\n{done.stdout}"
    return complaint


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
