// SPDX-License-Identifier: Apache-2.0
// What one rank says of a place in the program from which it called a function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

struct SiteRow {
  std::string function;      // "MPI_Bcast"; empty: all places that there was no room for
  std::string object;        // path of the file; empty: code that was made at run time, or several places
  std::uint64_t offset = 0;  // where the call returns to, as the file counts
  std::string symbol;
  std::uint64_t calls = 0, bytes = 0, nanoseconds = 0;
};

// One line, without its end, and back; what is no row is one without calls.
[[nodiscard]] std::string text_of(const SiteRow& row);
[[nodiscard]] SiteRow site_in(std::string_view line);

}  // namespace espalier
