# SPDX-License-Identifier: Apache-2.0
"""One module for each command: register(app) declares it."""
