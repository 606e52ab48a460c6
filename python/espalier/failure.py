# SPDX-License-Identifier: Apache-2.0
"""What went wrong, and what to do about it."""

from __future__ import annotations

EXIT_USAGE = 2


class Failure(Exception):
    """Ends the command with a message, a remedy if there is one, and an exit status."""

    def __init__(self, message: str, remedy: str = "", status: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.status = status
