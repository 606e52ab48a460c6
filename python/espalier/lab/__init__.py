# SPDX-License-Identifier: Apache-2.0
"""The lab: real MPI over shaped links between network namespaces, on one machine."""
