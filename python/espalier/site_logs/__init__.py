# SPDX-License-Identifier: Apache-2.0
"""The logs that jobs leave beneath ESPALIER_LOG_DIR, and what they say together (docs/reference/job-log.md)."""
