# SPDX-License-Identifier: Apache-2.0
"""Benchmark (c): the square of a sparse matrix, whose rows are broadcast to ranks that have more or less to do
(examples/sparse_product; paper 4, section 5.2). Variants take turns in going first."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from espalier import output
from espalier.failure import Failure
from espalier_lab.arrival import places
from espalier_lab.arrival.ideal import arrangement_for
from espalier_lab.arrival.piece import START_SECONDS, Where, in_turn
from espalier_lab.arrival.places import Place
from espalier_lab.arrival.rows import PRODUCT, ProductRow, Row, of_kind, short
from espalier_lab.arrival.variants import DEFAULT, IDEAL, NATIVE, algorithm_of
from espalier_lab.experiments.launch import Family, is_late, limited
from espalier_lab.network import watch

PROGRAM = "sparse_product"
COLLECTIVE = "bcast"
TIMEOUT_SECONDS = 3600.0
GUESSED_SECONDS = 20.0

BROADCASTS = re.compile(r"^(\d+) rows, each a broadcast of (\d+) bytes", re.MULTILINE)
SECONDS = re.compile(r"^seconds ([\d.]+)$", re.MULTILINE)
MEAN_SECONDS = re.compile(r"^mean seconds ([\d.]+)$", re.MULTILINE)
IN_BROADCASTS = re.compile(r"^seconds in broadcasts ([\d.]+)$", re.MULTILINE)
WORK = re.compile(r"^multiplications by rank((?: \d+)+)$", re.MULTILINE)
SUM = re.compile(r"^sum (-?\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Matrix:
    n: int
    percent: float
    slope: float
    rows: int  # of the product; 0: all
    sleep: float  # seconds for a million multiplications that are not made; 0: they are made

    @property
    def words(self) -> list[str]:
        words = ["--n", str(self.n), "--percent", f"{self.percent:g}", "--slope", f"{self.slope:g}"]
        words += ["--rows", str(self.rows)] if self.rows else []
        return [*words, *(["--sleep", f"{self.sleep:g}"] if self.sleep else [])]

    @property
    def title(self) -> str:
        return f"{self.n} x {self.n}, {self.percent:g}%, slope {self.slope:g}"


@dataclass(frozen=True)
class Printed:
    """By one run."""

    broadcasts: int
    bytes: int
    seconds: float
    mean_seconds: float  # until a rank was through
    in_broadcasts: float
    work: list[int]  # multiplications in a row, by rank
    sum: str


def printed_in(text: str) -> Printed:
    head, seconds, inside = BROADCASTS.search(text), SECONDS.search(text), IN_BROADCASTS.search(text)
    mean, work = MEAN_SECONDS.search(text), WORK.search(text)
    if not head or not seconds or not mean or not inside or not work:
        raise Failure(f"{PROGRAM} did not say how long it took:\n{text[-3000:]}", status=1)
    found = SUM.search(text)
    return Printed(
        broadcasts=int(head[1]),
        bytes=int(head[2]),
        seconds=float(seconds[1]),
        mean_seconds=float(mean[1]),
        in_broadcasts=float(inside[1]),
        work=[int(count) for count in work[1].split()],
        sum=found[1] if found else "",
    )


def settings_of(variant: str, ideal: Sequence[int] = ()) -> dict[str, str] | None:
    """None: without Espalier. `ideal`: the ranks by place."""
    if variant == NATIVE:
        return None
    if variant == DEFAULT:
        return dict(places.SETTINGS)
    algorithm = algorithm_of(variant, COLLECTIVE, ideal, swap="swap(16)")  # as the paper measured this
    return {**places.SETTINGS, "ESPALIER_ALGORITHM": f"{COLLECTIVE}:{algorithm}"}


@dataclass(frozen=True)
class ProductPiece:
    """Each variant once more."""

    where: Where
    family: Family
    matrix: Matrix
    variants: Sequence[str]
    round: int

    @property
    def title(self) -> str:
        words = [self.where.name, self.family.value, "sparse product", self.matrix.title]
        return ", ".join([*words, f"round {self.round + 1}"])

    @property
    def weight(self) -> float:
        return len(self.variants) * (START_SECONDS + GUESSED_SECONDS)

    def own(self, rows: Sequence[Row]) -> dict[str, ProductRow]:
        one = self.matrix
        here = (self.where.name, self.where.ranks, self.family.versioned, one.n, one.percent, one.slope, one.sleep)
        return {
            row.variant: row
            for row in of_kind(ProductRow, rows)
            if (row.where, row.ranks, row.mpi, row.n, row.percent, row.slope, row.sleep) == here
            and one.rows in (0, row.rows)
        }

    def is_done(self, rows: Sequence[Row]) -> bool:
        found = self.own(rows)
        return all(name in found and len(found[name].each_overall_s) > self.round for name in self.variants)

    def measure(self, place: Place, rows: Sequence[Row], announce: output.Announce) -> list[Row]:
        found, sums, new = self.own(rows), set[str](), list[Row]()
        ideal = self.ideal(place) if IDEAL in self.variants else []
        for name in in_turn(self.variants, self.round):
            announce(f"{self.title}, {name}")
            before = watch.cpu_times()
            printed = self.run(place, self.matrix, settings_of(name, ideal))
            busy, every = (now - then for now, then in zip(watch.cpu_times(), before, strict=True))
            sums.add(printed.sum)
            new.append(with_run(found.get(name) or self.empty_row(place, name, printed), printed, busy / max(1, every)))
        if len(sums) > 1:
            raise Failure(f"{PROGRAM} got different sums: {', '.join(sorted(sums))}", status=1)
        return new

    def ideal(self, place: Place) -> list[int]:
        """Who has how much to do is seen by a row."""
        return arrangement_for(self.run(place, replace(self.matrix, rows=1), None).work)

    def run(self, place: Place, matrix: Matrix, settings: Mapping[str, str] | None) -> Printed:
        file = places.program(place.installation, PROGRAM, self.family)
        with place.launched(self.family, [str(file), *matrix.words], settings) as launch:
            words = limited(launch.arguments, TIMEOUT_SECONDS)
            done = subprocess.run(words, env=launch.environment, capture_output=True, text=True, check=False)
        if is_late(done.returncode):
            raise Failure(f"{PROGRAM} was not done after {TIMEOUT_SECONDS:g} s, and was ended.", status=1)
        if done.returncode != 0:
            text = f"{done.stdout}{done.stderr}"
            raise Failure(f"{PROGRAM} ended with status {done.returncode}:\n{text[-3000:]}", status=1)
        return printed_in(done.stdout)

    def empty_row(self, place: Place, variant: str, printed: Printed) -> ProductRow:
        return ProductRow(
            benchmark=PRODUCT,
            where=place.name,
            mpi=self.family.versioned,
            collective=COLLECTIVE,
            bytes=printed.bytes,
            delay_s=0.0,
            variant=variant,
            overall_s=0.0,
            mean_s=0.0,
            ranks=place.ranks,
            calls=printed.broadcasts,
            cpu_busy=0.0,
            n=self.matrix.n,
            percent=self.matrix.percent,
            slope=self.matrix.slope,
            sleep=self.matrix.sleep,
            rows=printed.broadcasts,
            through_s=0.0,
            in_broadcasts_s=0.0,
            each_overall_s=[],
            each_through_s=[],
            each_in_broadcasts_s=[],
        )


def with_run(row: ProductRow, printed: Printed, cpu_busy: float) -> ProductRow:
    """One more."""
    overall = [*row.each_overall_s, short(printed.seconds)]
    through = [*row.each_through_s, short(printed.mean_seconds)]
    inside = [*row.each_in_broadcasts_s, short(printed.in_broadcasts)]
    return replace(
        row,
        overall_s=short(median(overall)),
        mean_s=short(median(inside) / row.calls),
        through_s=short(median(through)),
        in_broadcasts_s=short(median(inside)),
        cpu_busy=short(cpu_busy),
        each_overall_s=overall,
        each_through_s=through,
        each_in_broadcasts_s=inside,
    )
