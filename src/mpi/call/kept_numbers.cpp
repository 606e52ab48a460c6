// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/kept_numbers.hpp"

#include <mutex>

namespace espalier {

const int* KeptNumbers::keep(std::vector<int> numbers) {
  ConvertedArrays& arrays = mine_[MPI_REQUEST_NULL];
  arrays.push_back(std::move(numbers));
  arrays.back().push_back(0);
  return arrays.back().data();
}

void KeptNumbers::keep_for(MPI_Request request) noexcept {
  static std::mutex mutex;
  static std::map<MPI_Request, ConvertedArrays> all;
  auto entry = mine_.extract(MPI_REQUEST_NULL);
  if (entry.empty()) return;
  entry.key() = request;
  const std::lock_guard lock(mutex);
  all.erase(request);
  all.insert(std::move(entry));
}

}  // namespace espalier
