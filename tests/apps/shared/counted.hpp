// SPDX-License-Identifier: Apache-2.0
// What Espalier itself asks of its surroundings, as steady/count.c counts it.
#pragma once

#include <array>
#include <span>
#include <string>

namespace espalier::apps {

// Pieces of memory, locks, system calls, yields.
using Counts = std::array<long, 4>;

// Once, when all is loaded. Fails the test if there is nothing to count, or nothing that counts.
void start_counting();
// Of this process.
[[nodiscard]] Counts counted_so_far();
[[nodiscard]] Counts counted_since(const Counts& before);

// Of most batches, on the rank that asks most. Collective over MPI_COMM_WORLD.
[[nodiscard]] Counts typical_of(std::span<Counts> batches);

// "[1, 2, 3, 4]"
[[nodiscard]] std::string text_of(const Counts& counts);

}  // namespace espalier::apps
