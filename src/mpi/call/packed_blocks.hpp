// SPDX-License-Identifier: Apache-2.0
// The blocks of both sides of a call, packed one after the other in memory of ours.
#pragma once

#include "mpi/call/staging.hpp"
#include "mpi/call/user_blocks.hpp"

namespace espalier {

// What a rank gives and gets.
struct UserSides {
  UserBlocks input, output;
};

// Whether all elements lie in memory exactly as they would be packed.
[[nodiscard]] bool are_contiguous(const Job& job, const UserBlocks& blocks);

class PackedBlocks : public Staging {
 public:
  struct Sharing {
    bool has_one_buffer = false;  // for both sides
    bool output_stays = false;    // where the input is, so that nothing is delivered
  };
  [[nodiscard]] static std::size_t bytes_for(const UserSides& sides, const Sharing& sharing) {
    return sharing.has_one_buffer ? sides.output.bytes() : sides.input.bytes() + sides.output.bytes();
  }

  // `memory`: this many bytes, which outlive this.
  PackedBlocks(const SelfCopy& self_copy, UserSides sides, std::byte* memory, const Sharing& sharing);

  [[nodiscard]] int stage() override;
  // Who gives what it gets has it already.
  [[nodiscard]] int deliver() override;
  [[nodiscard]] Buffers buffers() const override { return {memory_, output()}; }

 private:
  [[nodiscard]] std::byte* output() const { return sharing_.has_one_buffer ? memory_ : memory_ + input_bytes_; }

  const SelfCopy self_copy_;
  const UserSides sides_;
  const Sharing sharing_;
  const std::size_t input_bytes_;
  std::byte* const memory_;
};

}  // namespace espalier
