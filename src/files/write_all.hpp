// SPDX-License-Identifier: Apache-2.0
// Writes a text to an open file, whatever interrupts that. No signal of its own doing ends the program: a pipe that was
// closed and a limit of size are errors.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

// Nothing, or what went wrong. Of a pipe that nobody reads it waits a few seconds.
[[nodiscard]] std::string write_all(int file, std::string_view text);

// The same, and closes the file, or says why it could not be opened (errno), if it is less than 0.
[[nodiscard]] std::string write_and_close(int file, std::string_view text);

}  // namespace espalier
