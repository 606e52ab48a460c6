# SPDX-License-Identifier: Apache-2.0
"""All studies, in the order in which they are played."""

from espalier_lab.simulation.study import Study

ALL: tuple[Study, ...] = ()
STUDIES = {study.name: study for study in ALL}
