// SPDX-License-Identifier: Apache-2.0
// What was decided for the calls that a communicator saw last: the fast path looks only here. Calls are told apart by
// handles alone, so only predefined ones may be put in: a user's handle can come to mean something else.
#pragma once

#include <array>

#include "mpi/call.hpp"
#include "mpi/handles.hpp"
#include "mpi/prepared.hpp"
#include "mpi/statistics.hpp"

namespace espalier {

struct RecentCall {
  MPI_Count count = -1;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  Collective collective = Collective::barrier;
  bool in_place = false;
  Prepared* prepared = nullptr;  // null: the native MPI
  StatisticsRow* row = nullptr;  // null: no report is wanted
  std::size_t bytes = 0;         // for the report

  [[nodiscard]] bool is_for(const Call& call, bool call_in_place) const {
    return count == call.count && type == call.type && op == call.op && root == call.root &&
           collective == call.collective && in_place == call_in_place;
  }
};

class RecentCalls {
 public:
  // The place of such a call, whatever stands there.
  [[nodiscard]] RecentCall& place_of(const Call& call) {
    const std::uintptr_t handles = number_of(call.type) * 5 + number_of(call.op) * 3;
    const auto sizes = static_cast<std::uintptr_t>(call.count) * 7 + static_cast<std::uintptr_t>(call.root);
    const std::uintptr_t mixed = (handles + sizes + static_cast<std::uintptr_t>(call.collective)) * 0x9e3779b97f4a7c15;
    return calls_[mixed >> (64 - index_bits)];
  }

  void forget(const Prepared& prepared) {
    for (RecentCall& call : calls_) {
      if (call.prepared == &prepared) call = {};
    }
  }
  void clear() { calls_.fill({}); }

 private:
  static constexpr int index_bits = 6;
  std::array<RecentCall, 1 << index_bits> calls_;
};

}  // namespace espalier
