// SPDX-License-Identifier: Apache-2.0
// Whether the application keeps its promise that persistent sends and receives meet each other, of the same length
// (ESPALIER_PERSISTENT=paired). Who waits long asks the other end, over the fabric, which answers from within whatever
// call of the MPI it is in. As long as the promise is kept, nobody asks.
#pragma once

#include <chrono>

#include "mpi/communicators/pairs.hpp"

namespace espalier {

class Fabric;  // transport/fabric
struct FabricWord;

struct PairEnd {
  PairSide side = PairSide::sends;
  Rank peer = no_rank;
  int tag = 0;
};

// Of one request; used by whoever waits for it.
class Promise {
 public:
  Promise(Fabric& fabric, Pairs& pairs, PairStream& stream, const PairEnd& end, std::size_t bytes)
      : fabric_(fabric), pairs_(pairs), stream_(stream), end_(end), bytes_(bytes) {}

  // At each start, of this number.
  void begin(std::uint64_t number) {
    number_ = number;
    looks_ = 0;
    has_begun_ = false;
  }
  // Whenever nothing has come. True: it is broken, which has been said on standard error.
  [[nodiscard]] bool is_found_broken() noexcept {
    constexpr unsigned seldom = 256;
    return ++looks_ % seldom == 0 && look();
  }

  // Answers others, and takes in their answers: for the fabric.
  static void listen(Fabric& fabric, Rank from, const FabricWord& word) noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool look() noexcept;
  void ask() noexcept;
  void say(const char* what) const;

  Fabric& fabric_;
  Pairs& pairs_;
  PairStream& stream_;
  const PairEnd end_;
  const std::size_t bytes_;
  std::uint64_t number_ = 0;
  unsigned looks_ = 0;
  bool has_begun_ = false, has_said_ = false;
  Clock::time_point asked_, alone_since_;  // since when the other end says that it has none like it
};

}  // namespace espalier
