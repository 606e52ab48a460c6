# SPDX-License-Identifier: Apache-2.0
"""All studies, in the order in which they are played."""

from espalier_lab.simulation import alltoalls, fugaku, late_ranks, packings, paper1, scale, sites, trust
from espalier_lab.simulation.study import Study

PAPERS = (sites.STUDY, alltoalls.STUDY, packings.STUDY, late_ranks.STUDY)  # 2, 5, 3 and 4
ALL: tuple[Study, ...] = (trust.STUDY, fugaku.STUDY, paper1.STUDY, *PAPERS, scale.STUDY)
STUDIES = {study.name: study for study in ALL}
