# SPDX-License-Identifier: Apache-2.0
from conftest import Espalier

from espalier_lab.same_algorithms import NONE, SAME, ranks_of, same_algorithm


def test_names_of_other_libraries_are_known() -> None:
    assert same_algorithm("bcast", "scatter_allgather_ring_ompi") == "scatter_allgather"
    assert same_algorithm("alltoall", "default-modified-bruck") == "bruck"
    assert same_algorithm("bcast", "default-trinaryx6") == NONE
    assert same_algorithm("scan", "ring") == NONE


def test_ranks_are_read_from_the_job() -> None:
    assert ranks_of("leonardo 64x4 2025_06_04___14_26_23 OMPI") == 256
    assert ranks_of("fugaku 8x8x8x1 2025_03_27___04_01_47 FJMPI") == 512
    assert ranks_of("leafspine:4x4 50mbit placement 1 openmpi") == 0


def test_each_stands_for_an_algorithm_of_ours(espalier: Espalier) -> None:
    ours = {
        f"{collective}:{choice.partition(',')[0]}" for collective, names in SAME.items() for choice in names.values()
    }
    done = espalier("verify", *sorted(ours), "--ranks", "4")
    assert done.returncode == 0, done.stderr
