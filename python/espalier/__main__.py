# SPDX-License-Identifier: Apache-2.0
from espalier.cli import main

main()
