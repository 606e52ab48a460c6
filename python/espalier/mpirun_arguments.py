# SPDX-License-Identifier: Apache-2.0
"""How Open MPI's mpirun is told which variables its processes get: by -x, once for each application context.

-x counts for one context; `:` begins the next one. Two forms that say something else next to it are taken over here:
- A file of contexts (--app): mpirun ignores -x next to one, so its lines become contexts of the command line.
- mca_base_env_list: Open MPI 4 does not take it together with -x, so its variables are given by -x, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from espalier import several_programs
from espalier.failure import Failure
from espalier.installation import COMMAND

ENV_LIST = "mca_base_env_list"
DELIMITER = "mca_base_env_list_delimiter"
VARIABLE = "OMPI_MCA_"
MCA = ("mca", "gmca", "omca", "prtemca", "pmixmca")  # followed by a name and a value
APP = ("-app", "--app")
OPTIONS_WITHOUT_VALUE = frozenset(
    (
        *("allow-run-as-root", "bind-to-core", "bind-to-socket", "bycore", "bynode", "byslot", "continuous", "d"),
        *("daemonize", "debug", "debug-daemons", "debug-daemons-file", "debug-devel", "disable-recovery"),
        *("display-allocation", "display-devel-allocation", "display-devel-map", "display-diffable-map"),
        *("display-map", "display-topo", "do-not-launch", "do-not-resolve", "enable-instant-on-support"),
        *("enable-recovery", "fwd-mpirun-port", "get-stack-traces", "index-argv-by-rank", "leave-session-attached"),
        *("merge-stderr-to-stdout", "nolocal", "nooversubscribe", "noprefix", "novm", "output-proctable"),
        *("oversubscribe", "pernode", "preload-binary", "q", "quiet", "report-bindings"),
        *("report-child-jobs-separately", "report-pid", "report-state-on-timeout", "s", "set-cwd-to-session-dir"),
        *("show-progress", "stop-in-app", "stop-in-init", "stop-on-exec", "tag-output", "timestamp-output", "tv"),
        *("use-hwthread-cpus", "use-regexp", "v", "V", "verbose", "version", "xml"),
    )
)


def with_files_read(rest: Sequence[str]) -> list[str]:
    """The arguments with the contexts of files among them."""
    return several_programs.joined(chain.from_iterable(map(with_file_read, several_programs.split(rest))))


def described(
    rest: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """The arguments with the variables, and mpirun's own environment."""
    listed, contexts = without_env_list(several_programs.split(rest), environment)
    if any(item.partition("=")[0] == "LD_PRELOAD" for item in listed):
        raise Failure(
            f"{ENV_LIST} has an LD_PRELOAD",
            f"Set LD_PRELOAD in the environment of {COMMAND} instead; then both are loaded.",
        )
    given = [*("=".join(item) for item in variables.items()), *listed]
    words = [word for item in given for word in ("-x", item)]
    kept = {name: value for name, value in environment.items() if name != VARIABLE + ENV_LIST}
    return several_programs.joined([[*words, *context] for context in contexts]), kept


def options_of(context: Sequence[str]) -> Iterator[list[str]]:
    """Each option of a context with its values; not what belongs to the command."""
    at = 0
    while at < len(context) and context[at].startswith("-"):
        name = context[at].lstrip("-")
        is_alone = name in OPTIONS_WITHOUT_VALUE or "=" in name or "".join(context[at + 1 : at + 2]).startswith("-")
        width = 3 if name in MCA else 1 if is_alone else 2
        yield list(context[at : at + width])
        at += width


def with_file_read(context: Sequence[str]) -> list[list[str]]:
    options = list(options_of(context))
    file = next((words[1] for words in options if words[0] in APP and len(words) == 2), None)
    if file is None:
        return [list(context)]
    for_all = [word for words in options if words[0] not in APP for word in words]
    first, *others = contexts_in(file)
    return [[*for_all, *first], *others]


def contexts_in(file: str) -> list[list[str]]:
    try:
        text = Path(file).read_text()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise Failure(f"--app {file}: cannot be read: {why}") from error
    contexts = [words for line in text.splitlines() if (words := line.partition("#")[0].split())]
    if not contexts:
        raise Failure(f"--app {file}: there is no application in it; allowed: a line of options and a command for each")
    return contexts


def without_env_list(
    contexts: Sequence[Sequence[str]], environment: Mapping[str, str]
) -> tuple[list[str], list[list[str]]]:
    """The variables that mca_base_env_list has, wherever it is set, and the contexts without it."""
    given = {name: environment[VARIABLE + name] for name in (ENV_LIST, DELIMITER) if VARIABLE + name in environment}
    result: list[list[str]] = []
    for context in contexts:
        options = list(options_of(context))
        given |= {words[1]: words[2] for words in options if is_parameter(words, (ENV_LIST, DELIMITER))}
        command = context[sum(map(len, options)) :]
        kept = [word for words in options if not is_parameter(words, (ENV_LIST,)) for word in words]
        result.append([*kept, *command])
    items = given.get(ENV_LIST, "").split(given.get(DELIMITER) or ";")
    return [item for item in items if item], result


def is_parameter(words: Sequence[str], names: Sequence[str]) -> bool:
    return len(words) == 3 and words[1] in names
