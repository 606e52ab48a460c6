// SPDX-License-Identifier: Apache-2.0
#include "shared/counted.hpp"

#include <dlfcn.h>

#include <algorithm>

#include "shared/failures.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

void start_counting() {
  const auto start = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "start_counting"));
  if (start == nullptr || start() == 0) fail("nothing to count, or nothing that counts");
}

Counts counted_so_far() {
  static const auto ask = reinterpret_cast<void (*)(long*)>(dlsym(RTLD_DEFAULT, "counted_so_far"));
  Counts counts{};
  if (ask != nullptr) ask(counts.data());
  return counts;
}

Counts counted_since(const Counts& before) {
  Counts counts = counted_so_far();
  for (std::size_t kind = 0; kind < counts.size(); ++kind) counts[kind] -= before[kind];
  return counts;
}

Counts typical_of(std::span<Counts> batches) {
  Counts typical{}, most{};
  const auto middle = static_cast<std::ptrdiff_t>(batches.size() / 2);
  for (std::size_t kind = 0; kind < typical.size(); ++kind) {
    std::ranges::nth_element(batches, batches.begin() + middle, {}, [&](const Counts& batch) { return batch[kind]; });
    typical[kind] = batches[static_cast<std::size_t>(middle)][kind];
  }
  native_mpi().Allreduce(typical.data(), most.data(), static_cast<int>(typical.size()), MPI_LONG, MPI_MAX,
                         MPI_COMM_WORLD);
  return most;
}

std::string text_of(const Counts& counts) {
  std::string text;
  for (const long count : counts) text += (text.empty() ? "[" : ", ") + std::to_string(count);
  return text + "]";
}

}  // namespace espalier::apps
