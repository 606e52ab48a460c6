# SPDX-License-Identifier: Apache-2.0
"""One module, or package, for each command: register(app) declares it."""
