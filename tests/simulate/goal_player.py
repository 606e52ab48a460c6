# SPDX-License-Identifier: Apache-2.0
"""Reads GOAL as LogGOPSim's txt2bin does, and plays it by LogGOPSim's rules.

A message keeps both processors busy for o, and each NIC for its bytes; the receiver's processor waits for the last of
them. All messages are rendezvous: a send ends when its receive has met it. Whatever the reader does not know is wrong.
"""

import heapq
import re
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path

MESSAGE = re.compile(r"(l\d+): (?:(send) (\d+)b to|(recv) (\d+)b from) (\d+) tag (\d+) cpu 0 nic (\d+)")
CALC = re.compile(r"(l\d+): calc (\d+) cpu 0")
EDGE = re.compile(r"(l\d+) (requires|irequires) (l\d+)")
LARGEST_TAG = 2**31 - 1


@dataclass(eq=False)
class Task:
    rank: int
    kind: str
    size: int
    peer: int = -1
    tag: int = 0
    nic: int = 0
    waits_for: int = 0
    at_start: "list[Task]" = field(default_factory=list)
    at_end: "list[Task]" = field(default_factory=list)
    finished: bool = False


def read(path: Path) -> list[list[Task]]:
    with path.open() as lines:
        head = re.fullmatch(r"num_ranks (\d+)\n", next(lines))
        assert head
        ranks = []
        for line in lines:
            assert line == f"rank {len(ranks)} {{\n"
            ranks.append(read_rank(len(ranks), lines))
        assert len(ranks) == int(head[1])
        return ranks


def read_rank(rank: int, lines: "object") -> list[Task]:
    tasks: dict[str, Task] = {}
    for line in lines:  # type: ignore[attr-defined]
        text = line.removesuffix("\n")
        if text == "}":
            return list(tasks.values())
        if edge := EDGE.fullmatch(text):
            later, word, earlier = tasks[edge[1]], edge[2], tasks[edge[3]]
            later.waits_for += 1
            (earlier.at_end if word == "requires" else earlier.at_start).append(later)
            continue
        if calc := CALC.fullmatch(text):
            label, task = calc[1], Task(rank, "calc", int(calc[2]))
        else:
            message = MESSAGE.fullmatch(text)
            assert message, text
            size, peer, tag, nic = (int(message[k] or 0) for k in (3, 6, 7, 8))
            label, task = message[1], Task(rank, message[2] or message[4], size or int(message[5]), peer, tag, nic)
            assert task.size > 0
            assert tag <= LARGEST_TAG
        assert label not in tasks
        tasks[label] = task
    raise AssertionError("a rank does not end")


def messages(ranks: list[list[Task]], kind: str) -> Counter[tuple[int, int, int, int]]:
    """Of each sender, receiver, tag and size: how many."""
    found: Counter[tuple[int, int, int, int]] = Counter()
    for tasks in ranks:
        for task in tasks:
            ends = (task.rank, task.peer) if kind == "send" else (task.peer, task.rank)
            found[(*ends, task.tag, task.size)] += task.kind == kind
    return +found


@dataclass(frozen=True)
class LogGP:
    L: float
    o: float
    G: float
    g: float = 0


class Player:
    def __init__(self, ranks: list[list[Task]], network: LogGP) -> None:
        self.ranks, self.network = ranks, network
        self.processor = [0.0] * len(ranks)  # when it is free
        self.sending: dict[tuple[int, int], float] = defaultdict(float)  # when a NIC is
        self.receiving: dict[tuple[int, int], float] = defaultdict(float)
        self.posted: dict[tuple[int, int, int], deque[Task]] = defaultdict(deque)
        self.unexpected: dict[tuple[int, int, int], deque[Task]] = defaultdict(deque)
        self.events: list[tuple[float, int, str, Task]] = []
        self.planned = 0

    def play(self) -> float:
        """The time at which the last one ends, in nanoseconds."""
        for tasks in self.ranks:
            for task in tasks:
                if task.waits_for == 0:
                    self.plan(0, task.kind, task)
        while self.events:
            time, number, kind, task = heapq.heappop(self.events)
            free = self.free_from(kind, task)
            if free > time:
                heapq.heappush(self.events, (free, number, kind, task))
            else:
                getattr(self, kind)(time, task)
        stuck = [task for tasks in self.ranks for task in tasks if not task.finished]
        assert not stuck, f"tasks wait for each other: {stuck[0].kind} of rank {stuck[0].rank}"
        return max(self.processor)

    def plan(self, time: float, kind: str, task: Task) -> None:
        self.planned += 1
        heapq.heappush(self.events, (time, self.planned, kind, task))

    def free_from(self, kind: str, task: Task) -> float:
        if kind == "arrive":
            return max(self.processor[task.peer], self.receiving[task.peer, task.nic])
        if kind == "send":
            return max(self.processor[task.rank], self.sending[task.rank, task.nic])
        return self.processor[task.rank] if kind == "calc" else 0

    def bytes_take(self, task: Task) -> float:
        return (task.size - 1) * self.network.G

    def calc(self, time: float, task: Task) -> None:
        self.processor[task.rank] = time + task.size
        self.start(task)
        self.end(task)

    def send(self, time: float, task: Task) -> None:
        self.processor[task.rank] = time + self.network.o
        self.sending[task.rank, task.nic] = time + self.network.g + self.bytes_take(task)
        self.start(task)
        self.plan(time + self.network.o + self.network.L, "arrive", task)

    def recv(self, time: float, task: Task) -> None:
        self.start(task)
        key = (task.peer, task.rank, task.tag)
        if self.unexpected[key]:
            self.meet(time, self.unexpected[key].popleft(), task)
        else:
            self.posted[key].append(task)

    def arrive(self, time: float, sent: Task) -> None:
        self.processor[sent.peer] = time + self.network.o + self.bytes_take(sent)
        self.receiving[sent.peer, sent.nic] = time + self.network.g + self.bytes_take(sent)
        key = (sent.rank, sent.peer, sent.tag)
        if self.posted[key]:
            self.meet(time, sent, self.posted[key].popleft())
        else:
            self.unexpected[key].append(sent)

    def meet(self, time: float, sent: Task, received: Task) -> None:
        assert sent.size == received.size
        self.processor[sent.rank] = max(self.processor[sent.rank], time)
        self.end(sent)
        self.end(received)

    def start(self, task: Task) -> None:
        self.free(task.at_start)

    def end(self, task: Task) -> None:
        task.finished = True
        self.free(task.at_end)

    def free(self, tasks: list[Task]) -> None:
        for task in tasks:
            task.waits_for -= 1
            if task.waits_for == 0:
                self.plan(self.processor[task.rank], task.kind, task)
