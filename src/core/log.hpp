// SPDX-License-Identifier: Apache-2.0
// What the user is to know: one line on standard error, "espalier: ...". Everything that the library of an MPI says
// goes through here; what goes to other processes is sent.
#pragma once

#include <cstdarg>

namespace espalier {

// Written at once, so that lines of several ranks do not mix. Allocates nothing; what is longer than 4 KiB is cut off.
[[gnu::format(printf, 1, 2)]] void log_line(const char* format, ...);
[[gnu::format(printf, 1, 0)]] void log_line_of(const char* format, std::va_list arguments);

}  // namespace espalier
