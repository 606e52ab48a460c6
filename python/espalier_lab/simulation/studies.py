# SPDX-License-Identifier: Apache-2.0
"""All studies, in the order in which they are played."""

from espalier_lab.simulation import fugaku, paper1
from espalier_lab.simulation.study import Study

ALL: tuple[Study, ...] = (fugaku.STUDY, paper1.STUDY)
STUDIES = {study.name: study for study in ALL}
