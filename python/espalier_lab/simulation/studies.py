# SPDX-License-Identifier: Apache-2.0
"""All studies, in the order in which they are played."""

from espalier_lab.simulation import fugaku
from espalier_lab.simulation.study import Study

ALL: tuple[Study, ...] = (fugaku.STUDY,)
STUDIES = {study.name: study for study in ALL}
