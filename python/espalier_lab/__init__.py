# SPDX-License-Identifier: Apache-2.0
"""What measures Espalier: the lab, its experiments, real programs, benchmarks. It uses the package espalier."""
