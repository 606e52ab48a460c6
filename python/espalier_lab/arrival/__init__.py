# SPDX-License-Identifier: Apache-2.0
"""The benchmarks of paper 4, on real MPIs: what late ranks cost, and what it helps to arrange them."""
