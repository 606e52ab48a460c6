// SPDX-License-Identifier: Apache-2.0
// A run of a schedule at one process, as far as those must know it who move its messages: its name, which messages are
// over, why it failed, and its memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "transport/fabric/protocol/region.hpp"
#include "transport/port.hpp"

namespace espalier {

enum FabricError : int {
  lack_of_lanes = 1,    // to another process, for too long
  lack_of_descriptors,  // for a lane to another process, for too long
  lack_of_memory,       // it could not be registered
  other_length,         // of a message, than that for which it is
  aborted_elsewhere,    // another process has aborted the run
  cancelled,            // from outside
};

class FabricRun {
 public:
  FabricRun(const FabricRun&) = delete;
  FabricRun& operator=(const FabricRun&) = delete;

  [[nodiscard]] const RunName& run_name() const { return name_; }
  // Whether somebody looked soon after this run had begun, or, until somebody looks, the one before: then what is to
  // leave in turn may wait for the next look.
  [[nodiscard]] bool is_attended() const { return is_attended_; }

  void note_over(Token token) {
    is_over_[token] = 1;
    over_.push_back(token);
  }
  // Its first error counts. `peer`: to whom there was no lane, or who has aborted the run, if that was the error.
  void fail(FabricError error, Rank peer = no_rank) {
    if (failed_) return;
    error_ = error;
    failed_peer_ = peer;
    failed_ = true;
  }
  [[nodiscard]] bool failed() const { return failed_; }

  // Until the run ends, others may write there. The region holds the data. Throws if it cannot be registered.
  [[nodiscard]] virtual const WritableRegion& open_to_writes(std::byte* data, std::size_t bytes) = 0;
  // By which a lane that wants it reads from there.
  [[nodiscard]] virtual void* descriptor(const std::byte* data, int lane) const = 0;

 protected:
  FabricRun() = default;
  ~FabricRun() = default;

  RunName name_{};
  bool is_attended_ = true, failed_ = false;
  int error_ = 0;
  Rank failed_peer_ = no_rank;
  std::vector<char> is_over_;  // by token
  std::vector<Token> over_;
};

}  // namespace espalier
