# SPDX-License-Identifier: Apache-2.0
"""Real programs, natively and under Espalier: what they are, how they run, and whether their results are the same."""
