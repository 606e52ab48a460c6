// SPDX-License-Identifier: Apache-2.0
// What one process says to another one, so that nobody without the job's secret can read or say it.
#pragma once

#include "core/types.hpp"
#include "transport/fabric/wire/siphash.hpp"

namespace espalier {

// Goes along with a sealed text.
struct SealedHead {
  std::uint64_t mark = 0;    // proves number and text
  std::uint64_t number = 0;  // of no other text under that seal
};

// One direction between two processes, in one epoch of theirs; 0: in none. Texts consist of whole words of 64 bits.
class Seal {
 public:
  Seal(const HashKey& job, Rank from, Rank to, std::uint32_t epoch);

  [[nodiscard]] SealedHead close(std::uint64_t number, std::span<std::byte> text) const;
  // False: somebody else's. It is left as it was.
  [[nodiscard]] bool open(const SealedHead& head, std::span<std::byte> text) const;

 private:
  [[nodiscard]] std::uint64_t mark_of(std::uint64_t number, std::span<const std::byte> text) const;
  void mask(std::uint64_t number, std::span<std::byte> text) const;

  HashKey marks_, masks_;
};

}  // namespace espalier
