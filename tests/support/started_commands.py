# SPDX-License-Identifier: Apache-2.0
"""The command line, started some hundred times: most of what a start takes goes into reading modules, so one process
reads them all and forks for each command. What a command then does, and how it ends, is its own.

As a program it is that process: for each line of its input, which is a request, it writes the status of the command.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTED = [ROOT / "espalier"]
# What Python, the loader and the C library read at the start of a process alone.
READ_AT_START = ("PYTHON", "LD_", "LC_", "LANG")


class Commands:
    """Asked from one thread."""

    def __init__(self) -> None:
        self.environment = dict(os.environ)
        self.server: subprocess.Popen[str] | None = None

    def run(
        self, words: Sequence[str | Path], environment: Mapping[str, str | Path], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """As subprocess.run() has it, without input."""
        whole = {**os.environ, **{name: str(value) for name, value in environment.items()}}
        if self.read_at_start(whole) != self.read_at_start(self.environment):
            return started(words, whole, timeout)
        with tempfile.TemporaryDirectory(prefix="command-") as folder:
            paths = {name: str(Path(folder) / name) for name in ("stdout", "stderr")}
            request = {"words": [str(word) for word in words], "environment": whole, "folder": str(Path.cwd()), **paths}
            status = self.status_of(request, timeout)
            said = {name: Path(path).read_text(errors="strict") for name, path in paths.items()}
        return subprocess.CompletedProcess(request["words"], status, said["stdout"], said["stderr"])

    @staticmethod
    def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
        return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}

    def status_of(self, request: Mapping[str, object], timeout: float) -> int:
        if self.server is None:
            self.server = subprocess.Popen(
                [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        requests, answers = self.server.stdin, self.server.stdout
        assert requests
        assert answers
        requests.write(json.dumps(request) + "\n")
        requests.flush()
        if not select.select([answers], [], [], timeout)[0]:
            self.close()
            raise subprocess.TimeoutExpired(str(request["words"]), timeout)
        return int(answers.readline())

    def close(self) -> None:
        if self.server:
            self.server.kill()
            self.server.wait()
            self.server = None


def started(
    words: Sequence[str | Path], environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*STARTED, *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def become(request: Mapping[str, str], words: Sequence[str], environment: Mapping[str, str]) -> None:
    """This process, which was just forked, is the command from now on."""
    for number, path, how in (
        (0, os.devnull, os.O_RDONLY),
        (1, request["stdout"], os.O_WRONLY | os.O_CREAT),
        (2, request["stderr"], os.O_WRONLY | os.O_CREAT),
    ):
        opened = os.open(path, how, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(request["folder"])
    sys.argv = ["espalier", *words]


def read_all_modules() -> None:
    """Those of the commands, and what libraries read late."""
    from espalier import cli, commands

    for name, package in commands.COMMANDS.items():
        import_module(f"{package}.commands.{name}")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        cli.app(["explain", "--help"])


def serve() -> None:
    from espalier import cli

    read_all_modules()
    gc.freeze()  # else the collector of each child writes to all there is, and so copies it
    answers = os.dup(1)
    os.set_inheritable(answers, False)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            os.close(answers)
            become(request, request["words"], request["environment"])
            return cli.main()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(answers, f"{status}\n".encode())
    return None


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    serve()
