// SPDX-License-Identifier: Apache-2.0
// How a test program says what is wrong, also when it hangs.
#pragma once

#include <cstdint>
#include <string>

namespace espalier::apps {

// Prints one line, with this process's rank; after the first few only counts. Any thread may call it.
void fail(const std::string& what);

// What MPI says of an error.
[[nodiscard]] std::string text_of_error(int code);

[[nodiscard]] std::uint64_t failures_here();
// Of all ranks of MPI_COMM_WORLD; collective.
[[nodiscard]] std::uint64_t failures_of_all();

// From here on the program is busy with that; if it still is after `seconds`, or dies, it says so and aborts.
void now_doing(const std::string& what, int seconds = 60);

// Collective over MPI_COMM_WORLD: rank 0 prints {"failures": n, `facts`}; returns the program's exit status.
[[nodiscard]] int conclude(const std::string& facts);

}  // namespace espalier::apps
