# SPDX-License-Identifier: Apache-2.0
"""Simulated next to measured: our own algorithms in the lab (`espalier lab compare simulated`).

Of the machine no constant is fitted: rates are those of the shapers, and what a message costs was measured in the same
job. A row's reference is the median of what was measured.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import median

from rich.console import Console

from espalier import output, units
from espalier.failure import Failure
from espalier.installation import Installation
from espalier_lab.experiments import comparison, estimates
from espalier_lab.experiments.simulated_study import simulated_study
from espalier_lab.simulation.rows import Row, Wanted
from espalier_lab.simulation.study import Study
from espalier_lab.simulation.written import directory

MEASURED = Path(__file__).resolve().parents[3] / "results" / "simulated.json"
"""
