# SPDX-License-Identifier: Apache-2.0
"""What was learnt about collectives' times, as the library keeps it in files; docs/reference/memory.md."""
