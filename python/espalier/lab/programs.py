# SPDX-License-Identifier: Apache-2.0
"""Real programs on networks of the lab: natively, as a policy chooses, and as it chooses with the memory of an earlier
run, or with a description of the network, in turns; what a run takes.

A row of the results: {"program", "network", "mpi", "ranks", "variant", "result", "seconds", "contexts",
"right_at_once"}. `seconds` has one run after the other: whole ones, or what the program says of its own time. `result`
says whether they computed what the first native run did. Of so many `contexts` it is known by what their calls should
be done, and of so many of them that was what ran first, or nearly as fast.
"""

import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console

from espalier import contexts, job, output, report, report_files, stored
from espalier.apps import description, results, trial
from espalier.apps.description import App, Quantity
from espalier.installation import Installation
from espalier.lab import launch, transform
from espalier.lab.collected import Collected, on_each_network
from espalier.lab.compare import shuffled
from espalier.lab.launch import Family
from espalier.lab.plan import Plan
from espalier.lab.spec import Options, plan_of
from espalier.lab.ways import DESCRIBED, NATIVE, POLICY, TRANSFORM, WARM, kind_of, settings_of

NETWORKS = ("leafspine:2x4", "torus:2x2x2")
PROGRAMS = ("quantum-espresso", "cp2k", "gromacs", "lammps", "petsc", TRANSFORM)
RATE_BITS = 100e6
TRANSFORM_POINTS, TRANSFORM_STEPS = 64, 100

TIMEOUT_SECONDS = 3600
USUAL_SECONDS = 60.0  # of a run; a first guess
SEED = 1  # of the placement

UNKNOWN = results.Comparison("not compared")  # what the native run computed is gone
VERDICTS = (results.SAME, results.WITHIN, UNKNOWN.verdict, results.DIFFERENT)

LEGEND = """Seconds of whole runs, with their start, or as the program says: the median, the least and the most.
Over native: each run beside the native one before or after it.
Warm: with the memory of an earlier run. At once: in how many contexts what ran
first was the best of all that was timed, or within 5% of it."""


@dataclass(frozen=True)
class Row:
    program: str
    network: str
    mpi: str
    ranks: int
    variant: str
    result: str = results.SAME
    seconds: list[float] = field(default_factory=list)
    contexts: int = 0
    right_at_once: int = 0

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.program, self.network, self.mpi, self.variant


@dataclass(frozen=True)
class Series:
    """A program on a network, all its runs. There is a rank on each host."""

    program: str
    network: str
    options: Options
    family: Family
    variants: Sequence[str]
    repeats: int
    place: Path  # where the programs run, each in a folder of its own

    @property
    def lab(self) -> str:
        return f"{self.network} {self.options.rate_bits / 1e6:g}mbit"

    @property
    def title(self) -> str:
        return f"{self.program}, {self.lab}, {self.family.value}"

    def key(self, variant: str) -> tuple[str, str, str, str]:
        return self.program, self.lab, self.family.versioned, variant

    def runs_left(self, rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
        """In turns, and each turn begins with another variant."""
        done = {row.key: len(row.seconds) for row in rows}
        for repeat in range(self.repeats):
            first = repeat % len(self.variants)
            for variant in (*self.variants[first:], *self.variants[:first]):
                if done.get(self.key(variant), 0) <= repeat:
                    yield repeat, variant


def names() -> list[str]:
    return [*description.names(), TRANSFORM]


def families_of(program: str, wanted: Sequence[Family]) -> Sequence[Family]:
    """Debian's programs are linked to Debian's MPI, those that were set up to Open MPI 5."""
    if program == TRANSFORM:
        return wanted
    return (Family.OPENMPI if description.read(program).setup else Family.OPENMPI4,)


def app_of(program: str, installation: Installation, family: Family) -> App:
    if program != TRANSFORM:
        app = description.read(program)
        return replace(app, runs=app.long_runs or app.runs)
    words = [str(transform.path(installation, family)), str(TRANSFORM_POINTS), str(TRANSFORM_STEPS)]
    right = Quantity("check", r": (right|WRONG)$")
    about = "a three-dimensional Fourier transform, forth and back"
    return App(TRANSFORM, "Fourier transform", about, [], 0, [shlex.join(words)], [right])


def run(
    installation: Installation,
    planned: Sequence[Series],
    rows: Sequence[Row],
    say: output.Say,
    keep: Callable[[Sequence[Row]], None],
) -> Collected[Row]:
    """All that `rows` does not have yet."""
    left = [one for one in planned if any(one.runs_left(rows))]
    collected = Collected(rows, [USUAL_SECONDS for one in left for _ in one.runs_left(rows)], say, keep)
    on_each_network(left, partial(run_all, installation, collected))
    return collected


def run_all(installation: Installation, collected: Collected[Row], plan: Plan, planned: Sequence[Series]) -> None:
    for series in planned:
        run_series(installation, collected, plan, series)


def run_series(installation: Installation, collected: Collected[Row], plan: Plan, series: Series) -> None:
    app = app_of(series.program, installation, series.family)
    natively = trial.values_of_earlier(app, place_of(series, NATIVE)) if has_native(series, collected.rows) else None
    runs = list(series.runs_left(collected.rows))
    for number, (repeat, variant) in enumerate(runs, start=1):
        title = f"{series.title}, {variant}, run {repeat + 1}"
        side = collected.attempt(title, partial(carry_out, installation, plan, series, app, variant))
        if side is None:
            collected.leave_out(len(runs) - number)  # it is not tried again
            return
        if variant == NATIVE and natively is None:
            natively = side.values
        verdict = results.compared(app.results, natively, side.values) if natively else UNKNOWN
        if verdict.difference:
            collected.failures.append(f"{title}: {verdict.difference}")
        whose, first = series.key(variant)[:3], first_choices(side.reports)
        right = sum(one <= contexts.AS_GOOD for one in first)
        add(
            collected.rows,
            Row(*whose, len(plan.hosts), variant, verdict.verdict, [side.seconds], len(first), right),
        )
        collected.keep()


def first_choices(reports: Sequence[report.Report]) -> list[float]:
    """In each context of which that is known, how much longer what ran first takes than the best."""
    return [found for one in reports for each in contexts.of(one) if (found := contexts.first_over_best(each)) > 0]


def add(rows: list[Row], one: Row) -> None:
    """A run: to the row of those before, if there were any."""
    at = next((index for index, row in enumerate(rows) if row.key == one.key), None)
    if at is None:
        rows.append(one)
        return
    former = rows[at]
    rows[at] = replace(
        former,
        result=max(former.result, one.result, key=VERDICTS.index),
        seconds=[*former.seconds, *one.seconds],
        contexts=former.contexts + one.contexts,
        right_at_once=former.right_at_once + one.right_at_once,
    )


def carry_out(installation: Installation, plan: Plan, series: Series, app: App, variant: str) -> trial.Side:
    def in_lab(command: str, directory: Path) -> job.Outcome:
        with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
            files = report_files.ReportFiles(Path(temporary) / "report")
            cache, memory = Path(temporary) / "cache", memory_of(series, app, command)
            copy_if_there(memory if kind_of(variant) == WARM else None, cache)
            settings = {**settings_of(variant), **files.settings, "XDG_CACHE_HOME": str(cache)}
            environment = [f"{name}={value}" for name, value in app.environment.items()]
            words = ["env", *environment, *shlex.split(command)]
            order = shuffled(len(plan.hosts), SEED)
            wanted = launch.Job(words, None if variant == NATIVE else settings, order=order)
            with launch.prepared(installation, plan, series.family, wanted) as prepared:
                ended = replace(prepared, arguments=launch.limited(prepared.arguments, TIMEOUT_SECONDS))
                status, text = job.wait_for(ended, capture=True, directory=directory)
            if kind_of(variant) == POLICY:
                copy_if_there(cache, memory)
            return job.Outcome(prepared, status, files.read(), files, text)

    return trial.side(app, trial.fresh_directory(app, place_of(series, variant)), in_lab)


def place_of(series: Series, variant: str) -> Path:
    words = (series.program, series.network, series.family.versioned, variant)
    return series.place.joinpath(*(word.replace(":", "-") for word in words))


def memory_of(series: Series, app: App, command: str) -> Path:
    """What the policy's last run of the command had learnt."""
    return place_of(series, "memory") / f"run-{app.runs.index(command)}"


def copy_if_there(source: Path | None, target: Path) -> None:
    """In the place of what was there."""
    shutil.rmtree(target, ignore_errors=True)
    if source is not None and source.is_dir():
        shutil.copytree(source, target)


def has_native(series: Series, rows: Sequence[Row]) -> bool:
    return any(row.key == series.key(NATIVE) for row in rows)


def planned(
    programs: Sequence[str],
    networks: Sequence[str],
    options: Options,
    policy: str,
    wanted: Sequence[Family],
    repeats: int,
    place: Path,
    *,
    described: bool = False,
) -> list[Series]:
    for network in networks:
        plan_of(network, options)  # or says what is wrong with it
    variants = (NATIVE, *(f"{kind}:{policy}" for kind in ((DESCRIBED,) if described else (POLICY, WARM))))
    return [
        Series(program, network, options, family, variants, repeats, place)
        for network in networks
        for program in programs
        for family in families_of(program, wanted)
    ]


def read(file: Path) -> list[Row]:
    return stored.rows_of(Row, file, "espalier lab apps")


def show(rows: Sequence[Row], console: Console) -> None:
    table = output.table(
        *("Program", "Network", "MPI", "Native", "Way", "Time", "Over native", "At once"),
        right=("Native", "Time", "Over native", "At once"),
    )
    by_key = {row.key: row for row in rows}
    for row in rows:
        native = by_key.get((*row.key[:3], NATIVE))
        if row.variant == NATIVE or native is None:
            continue
        over = [one / other - 1 for one, other in zip(row.seconds, native.seconds, strict=False)]
        words = f"{median(over):+.1%} ({min(over):+.1%} to {max(over):+.1%})" if over else "-"
        kind, _, policy = row.variant.partition(":")
        way = policy if kind == POLICY else f"{policy}, {kind}"
        at_once = f"{row.right_at_once}/{row.contexts}" if row.contexts else "-"
        table.add_row(
            row.program, row.network, row.mpi, spread(native.seconds), way, spread(row.seconds), words, at_once
        )
    console.print(table)
    console.print(LEGEND)


def spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})" if seconds else "-"
