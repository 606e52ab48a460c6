// SPDX-License-Identifier: Apache-2.0
// Whether the application keeps its promise that persistent sends and receives meet each other, of the same length
// (ESPALIER_PERSISTENT=paired). Who waits long asks the other end, over the fabric, which answers from within whatever
// call of the MPI it is in. As long as the promise is kept, nobody asks.
#pragma once

#include "mpi/job/pair_fabric.hpp"
#include "mpi/pairs/missing_end.hpp"
#include "mpi/pairs/pair_words.hpp"

namespace espalier {

// Of one request; used by a caller that waits for it.
class Promise {
 public:
  Promise(PairFabric& fabric, Pairs& pairs, PairStream& stream, const PairEnd& end, std::size_t bytes)
      : fabric_(fabric), pairs_(pairs), stream_(stream), end_(end), bytes_(bytes) {}

  // At each start, of this number.
  void begin(std::uint64_t number) {
    number_ = number;
    looks_ = 0;
    missing_.begin();
  }
  // Whenever nothing has arrived. True: it is broken, which has been said on standard error.
  [[nodiscard]] bool is_found_broken() noexcept { return ++looks_ % looks_between_times == 0 && look(); }
  static constexpr unsigned looks_between_times = 256;

 private:
  [[nodiscard]] bool look() noexcept;
  void log(const char* what) const;
  void log(MissingEnd::Finding finding, std::uint32_t their_bytes) const;

  PairFabric& fabric_;
  Pairs& pairs_;
  PairStream& stream_;
  const PairEnd end_;
  const std::size_t bytes_;
  std::uint64_t number_ = 0;
  unsigned looks_ = 0;
  MissingEnd missing_;
};

}  // namespace espalier
