# SPDX-License-Identifier: Apache-2.0
"""What was learnt as rules of the native MPIs, for jobs that run without Espalier."""
