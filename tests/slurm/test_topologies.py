# SPDX-License-Identifier: Apache-2.0
"""Slurm's descriptions of the network, read by a job on its nodes: where this Slurm knows the kind, its own files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpis
import pytest
import slurm
from drawn import IS_THOROUGH
from slurm_jobs import ALL_MPIS, command_of, only_job, skip_without, srun, sum_of

# Nodes of a torus say by their names where they are; of these, two share a leaf or a block.
NODES = ("n000", "n100", "n200")
TREE = "SwitchName=s0 Nodes=n[000,100]\nSwitchName=s1 Nodes=n200\nSwitchName=s2 Switches=s[0-1]\n"
BLOCK = "BlockName=b0 Nodes=n[000,100]\nBlockName=b1 Nodes=n200\nBlockSizes=1\n"
YAML = {
    "tree": """tree:
      switches:
        - switch: s0
          nodes: n[000,100]
        - switch: s1
          nodes: n200
        - switch: s2
          children: s[0-1]
""",
    "block": """block:
      block_sizes: [1]
      blocks:
        - block: b0
          nodes: n[000,100]
        - block: b1
          nodes: n200
""",
    "torus3d": """torus3d:
      toruses:
        - name: t
          dims: {x: 3, y: 1, z: 1}
          nodes: n000,n100,n200
""",
}
TORUS = "# A torus by its nodes' names, as topology/3d_torus has it.\nNodeName=n[000x200] CPUs=4\n"
# By file: what it says, and an algorithm that needs what it says, if there is one.
DESCRIPTIONS = {
    "block.conf": (BLOCK, ""),
    "torus.conf": (TORUS, "allreduce:trinaryx3"),
    **{f"{kind}.yaml": (f"- topology: default\n  {text}", "") for kind, text in YAML.items()},
    "torus3d.yaml": (f"- topology: default\n  {YAML['torus3d']}", "allreduce:trinaryx3"),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[slurm.Cluster]:
    """A Slurm that goes by a topology.conf. This one (22.05) knows no blocks, no topology.yaml and, as Debian builds
    it, no torus: of those its jobs read a description alone."""
    if reason := slurm.missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "topology.conf").write_text(TREE)
    with slurm.cluster(folder, "TopologyPlugin=topology/tree\n", NODES) as cluster:
        yield cluster


@dataclass(frozen=True)
class Job:
    """One with a rank on each node."""

    cluster: slurm.Cluster
    build: Path
    mpi: mpis.Mpi
    folder: Path

    def all_reductions(self, description: Path, algorithm: str = "") -> dict[str, Any]:
        listed = self.cluster.run(["srun", "--mpi=list"])
        skip_without(listed.stdout + listed.stderr, self.mpi)
        report = self.folder / "report.json"
        options = ["--set", f"topology={description}", *(["--algorithm", algorithm] if algorithm else [])]
        command = command_of(self.build, report, srun(self.mpi, sum_of(self.mpi, self.folder)), *options)
        job = self.cluster.submit(command, ["-N3", "-n3"])
        (ended,) = self.cluster.wait_for(job)
        assert ended["JobState"] == "COMPLETED", self.cluster.output(job)
        (row,) = [row for row in only_job(report)["rows"] if row["collective"] == "allreduce"]
        return dict(row)


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_job_reads_the_file_that_slurm_itself_goes_by(
    tree: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    assert "SwitchName=s2 Level=1" in tree.run(["scontrol", "show", "topology"]).stdout
    row = Job(tree, build, mpi, tmp_path).all_reductions(tree.folder / "topology.conf")
    assert row["reason"].startswith("network:")


@pytest.mark.skipif(not IS_THOROUGH, reason="the reader has unit tests; this takes seconds")
@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_job_reads_what_slurm_shows_of_its_topology(
    tree: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    (tmp_path / "shown.conf").write_text(tree.run(["scontrol", "show", "topology"]).stdout)
    row = Job(tree, build, mpi, tmp_path).all_reductions(tmp_path / "shown.conf")
    assert row["reason"].startswith("network:")


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("file", DESCRIPTIONS if IS_THOROUGH else ["block.yaml", "torus.conf"])
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_job_reads_each_kind_of_description(
    tree: slurm.Cluster, build: Path, mpi: mpis.Mpi, file: str, tmp_path: Path
) -> None:
    text, algorithm = DESCRIPTIONS[file]
    (tmp_path / file).write_text(text)
    row = Job(tree, build, mpi, tmp_path).all_reductions(tmp_path / file, algorithm)
    if algorithm:
        assert row["algorithm"] == algorithm.partition(":")[2]
    else:
        assert row["reason"].startswith("network:")


@pytest.mark.on_any_mpi
@pytest.mark.parametrize("mpi", ALL_MPIS)
def test_a_description_without_a_node_of_the_job_is_done_without(
    tree: slurm.Cluster, build: Path, mpi: mpis.Mpi, tmp_path: Path
) -> None:
    (tmp_path / "two.conf").write_text(TREE.replace("n[000,100]", "n000"))
    row = Job(tree, build, mpi, tmp_path).all_reductions(tmp_path / "two.conf")
    assert row["reason"].startswith("fixed table")
