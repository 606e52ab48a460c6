# SPDX-License-Identifier: Apache-2.0
"""espalier-simulate --export: what it writes is read back and played, and takes what our own simulation says."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import goal_player
import pytest

RATE = 1e9
RAILS = """\
hop_seconds = 2e-6
arithmetic = 1e12
[rails]
rate = {rate}
nodes = [{nodes}]
"""
WITHIN = 0.04  # LogGOPSim's receivers are busy while bytes arrive, and ours are not

PLAYED = [
    ("allreduce", "ring", 8, "1MiB"),
    ("allreduce", "recursive_doubling", 8, "256KiB"),
    ("allreduce", "recursive_doubling", 7, "256KiB"),
    ("bcast", "knomial,radix=2", 13, "512KiB"),
    ("bcast", "knomial,radix=4", 16, "512KiB"),
    ("reduce", "binomial", 9, "256KiB"),
    ("allgather", "ring", 5, "256KiB"),
]


@pytest.fixture
def program(build: Path) -> Path:
    path = build / "bin" / "espalier-simulate"
    if not path.exists():
        pytest.skip("espalier-simulate is not built: no SimGrid")
    return path


def machine(folder: Path, nodes: int) -> Path:
    path = folder / f"rails-{nodes}.toml"
    path.write_text(RAILS.format(rate=RATE, nodes=", ".join(f'"n{k}"' for k in range(nodes))))
    return path


def call(program: Path, folder: Path, collective: str, algorithm: str, nodes: int, size: str, *more: str) -> list[str]:
    where = ["--topology", str(machine(folder, nodes))]
    return [str(program), collective, "--algorithm", algorithm, "--bytes", size, *where, "--json", *more]


def answer(command: list[str]) -> object:
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def export(program: Path, folder: Path, format: str, *case: object) -> tuple[Path, dict[str, float]]:
    output = folder / "exported"
    command = call(program, folder, *case, "--export", format, "--output", str(output))  # type: ignore[arg-type]
    facts = answer(command)
    assert isinstance(facts, dict)
    return output, facts


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
def test_goal_takes_what_our_simulation_says(program: Path, tmp_path: Path, case: tuple[str, str, int, str]) -> None:
    output, facts = export(program, tmp_path, "goal", *case)
    ranks = goal_player.read(output)
    assert output.stat().st_size == facts["written_bytes"]
    assert sum(map(len, ranks)) == facts["tasks"]
    network = goal_player.LogGP(facts["latency_ns"], facts["overhead_ns"], facts["gap_per_byte_ns"])
    rows = answer(call(program, tmp_path, *case, "--whole"))
    assert isinstance(rows, list)
    assert goal_player.Player(ranks, network).play() == pytest.approx(1e9 * rows[0]["seconds"], rel=WITHIN)


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
def test_goal_pairs_each_send_with_one_receive(program: Path, tmp_path: Path, case: tuple[str, str, int, str]) -> None:
    ranks = goal_player.read(export(program, tmp_path, "goal", *case)[0])
    sent = goal_player.messages(ranks, "send")
    assert sent
    assert sent == goal_player.messages(ranks, "recv")
    assert set(sent.values()) == {1}


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case[0]} {case[1]} {case[2]}")
def test_chakra_has_the_same_messages_as_goal(program: Path, tmp_path: Path, case: tuple[str, str, int, str]) -> None:
    reader = pytest.importorskip("chakra_reader", reason="needs protobuf", exc_type=ImportError)
    goal = goal_player.messages(goal_player.read(export(program, tmp_path, "goal", *case)[0]), "send")
    sent: Counter[tuple[int, ...]] = Counter()
    received: Counter[tuple[int, ...]] = Counter()
    output, facts = export(program, tmp_path, "chakra", *case)
    nodes = 0
    for rank in range(case[2]):
        metadata, *rest = reader.messages(Path(f"{output}.{rank}.et"))
        assert metadata.version == "0.0.4"
        assert [node.id for node in rest] == list(range(len(rest)))
        nodes += len(rest)
        for node in rest:
            has = reader.attributes(node)
            assert has["is_cpu_op"] is False
            if node.type == reader.COMP_NODE:
                assert {"num_ops", "tensor_size"} < has.keys()
                continue
            key = tuple(has[f"comm_{name}"] for name in ("src", "dst", "tag", "size"))
            sends = node.type == reader.COMM_SEND_NODE
            assert key[0 if sends else 1] == rank
            (sent if sends else received)[key] += 1
    assert sent == received == goal
    assert nodes == facts["tasks"]


def test_chakra_nodes_do_not_wait_for_each_other(program: Path, tmp_path: Path) -> None:
    reader = pytest.importorskip("chakra_reader", reason="needs protobuf", exc_type=ImportError)
    case = ("allreduce", "ring,segment=16KiB,window=2", 5, "1MiB")
    output, _ = export(program, tmp_path, "chakra", *case)
    traces = [list(reader.messages(Path(f"{output}.{rank}.et")))[1:] for rank in range(case[2])]
    begun: set[tuple[int, ...]] = set()  # messages that their sender or receiver can begin
    done: set[tuple[int, int]] = set()
    moves = True
    while moves:
        moves = False
        ready = []
        for rank, nodes in enumerate(traces):
            ready += [
                (rank, node)
                for node in nodes
                if (rank, node.id) not in done and all((rank, other) in done for other in node.data_deps)
            ]
        for _, node in ready:
            begun.add(end_of(reader, node))
        for rank, node in ready:
            if node.type == reader.COMP_NODE or other_end_of(reader, node) in begun:
                done.add((rank, node.id))
                moves = True
    assert len(done) == sum(map(len, traces))


def end_of(reader: object, node: object) -> tuple[int, ...]:
    has = reader.attributes(node)  # type: ignore[attr-defined]
    return (node.type, *(has.get(f"comm_{name}", -1) for name in ("src", "dst", "tag")))  # type: ignore[attr-defined]


def other_end_of(reader: object, node: object) -> tuple[int, ...]:
    kind, *message = end_of(reader, node)
    both = reader.COMM_SEND_NODE + reader.COMM_RECV_NODE  # type: ignore[attr-defined]
    return (both - kind, *message)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--export", "dot", "--output", "x"], "allowed: goal or chakra"),
        (["--export", "goal"], "--output PATH"),
        (["--output", "x"], "go with --export"),
        (["--export", "goal", "--output", "x", "--bytes", "1KiB..4KiB"], "one call at a time"),
        (["--export", "goal", "--output", "/no/such/folder/x"], "/no/such/folder/x: cannot be written"),
        (["--export", "goal", "--output", "x", "--bytes", "4GiB", "--algorithm", "chain,segment=1KiB"], "--force"),
    ],
)
def test_what_cannot_be_exported_is_refused(program: Path, tmp_path: Path, words: list[str], said: str) -> None:
    command = [str(program), "bcast", "--topology", str(machine(tmp_path, 6))]
    for option, value in (("--bytes", "1KiB"), ("--algorithm", "chain")):
        command += [] if option in words else [option, value]
    ended = subprocess.run([*command, *words], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode in (1, 2)
    assert said in ended.stderr
    assert not (tmp_path / "x").exists()
