# SPDX-License-Identifier: Apache-2.0
"""What is measured in the lab: comparisons, estimates, halos, outages, programs; with their tables and figures."""
