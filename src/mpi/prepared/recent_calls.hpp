// SPDX-License-Identifier: Apache-2.0
// What was decided for the calls that a communicator saw last: the fast path looks only here. Calls are distinguished
// by handles and numbers alone, so only predefined handles may be put in: a user's can come to mean something else.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "mpi/call/call.hpp"
#include "mpi/call/named_blocks.hpp"
#include "mpi/prepared/decisions.hpp"
#include "mpi/prepared/prepared.hpp"
#include "mpi/types/handles.hpp"
#include "report/statistics.hpp"

namespace espalier {

// Who wants to know of calls of one kind, and how long they take.
struct Watchers {
  StatisticsRow* row = nullptr;   // null: no report is wanted
  std::size_t bytes = 0;          // for the report
  Decision* decision = nullptr;   // null: the choice is permanent
  std::size_t problem_bytes = 0;  // for the decision: equal on all ranks
  // By what holds now: most calls of a decision are counted, no more.
  [[nodiscard]] bool decision_is_timed() const { return decision != nullptr && decision->is_timed(); }
  [[nodiscard]] bool want_seconds() const { return row != nullptr || decision_is_timed(); }
};

struct RecentCall {
  const Function* function = nullptr;  // null: nothing is remembered
  MPI_Count sent_count = 0, received_count = 0;
  MPI_Datatype sent_type = MPI_DATATYPE_NULL, received_type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
  bool in_place = false;
  bool lacks_input = false, lacks_output = false;  // since there is nothing in it, as blocks of their own sizes may say
  bool is_watched = false;                         // somebody wants to know how long these calls take
  std::uint64_t* counter = nullptr;                // of such calls; null: it holds for all of them
  std::uint64_t until = 0;                         // call by that counter: it holds for those before that one
  Prepared* prepared = nullptr;                    // null: the native MPI
  std::ptrdiff_t input_offset = 0, output_offset = 0;  // from the call's buffers to those of what is prepared
  NamedBlocks blocks;                                  // if they are uneven
  Watchers watchers;

  // A call by predefined handles, and where the buffers lie that it was prepared for. False, and nothing is remembered,
  // on allocation failure. By rank `me` of this many.
  [[nodiscard]] bool note(const Call& call, bool call_in_place, const Buffers& buffers, Rank me, Rank size) noexcept {
    const bool is_uneven = call.function->is_uneven;
    return note(call, call_in_place, buffers, is_uneven ? named_places(call, call_in_place, me, size) : NamedPlaces{});
  }
  // `places`: of the blocks, if they are uneven.
  [[nodiscard]] bool note(const Call& call, bool call_in_place, const Buffers& buffers,
                          const NamedPlaces& places) noexcept;
  [[nodiscard]] bool is_for(const Call& call, bool call_in_place) const {
    return is_for_even(call, call_in_place) && (!call.function->is_uneven || (has_memory(call) && blocks.are_in(call)));
  }
  // If its blocks have one size.
  [[nodiscard, gnu::always_inline]] bool is_for_even(const Call& call, bool call_in_place) const {
    return sent_count == call.sent.count && sent_type == call.sent.type && received_count == call.received.count &&
           received_type == call.received.type && op == call.op && root == call.root && function == call.function &&
           in_place == call_in_place;
  }
  // Whether it still holds for the next call, or is to be asked for first.
  [[nodiscard]] bool is_current() const { return counter == nullptr || *counter < until; }
  void count() const {
    if (counter != nullptr) ++*counter;
  }
  [[nodiscard]] bool has_memory(const Call& call) const {
    return (call.input != nullptr || lacks_input) && (call.output != nullptr || lacks_output);
  }
  [[nodiscard, gnu::always_inline]] Buffers buffers(const Call& call) const {
    const Buffers its = buffers_of(call, in_place);
    return {its.input + input_offset, its.output + output_offset};
  }
};

// Most communicators see few kinds of calls, so places are made when they are first looked at.
class RecentCalls {
 public:
  RecentCalls() = default;
  RecentCalls(const RecentCalls&) = delete;
  RecentCalls& operator=(const RecentCalls&) = delete;
  ~RecentCalls() {
    for_all([](RecentCall& call) { std::destroy_at(&call); });
  }

  // The place of such a call, whatever stands there. `blocks`: of uneven ones, so that programs can take turns with
  // several sets of them.
  [[nodiscard, gnu::always_inline]] RecentCall& place_of(const Call& call, std::uintptr_t blocks) {
    const std::uintptr_t handles = number_of(call.sent.type) * 5 + number_of(call.op) * 3;
    const auto sizes = static_cast<std::uintptr_t>(call.sent.count) * 7 + static_cast<std::uintptr_t>(call.root);
    const auto function = reinterpret_cast<std::uintptr_t>(call.function) / sizeof(Function);
    const std::uintptr_t mixed = (handles + sizes + blocks + function) * 0x9e3779b97f4a7c15;
    const std::size_t index = mixed >> (64 - index_bits);
    if ((made_ >> index & 1) == 0) [[unlikely]]
      make(index);
    return *place(index);
  }

  void forget(const Prepared& prepared) {
    for_all([&](RecentCall& call) {
      if (call.prepared == &prepared) call = {};
    });
  }
  void clear() {
    for_all([](RecentCall& call) { call = {}; });
  }
  // Its pages are there from now on.
  void prefault() {
    if (made_ != 0) return;
    for (std::size_t index = 0; index >> index_bits == 0; ++index)
      *reinterpret_cast<volatile std::byte*>(place(index)) = std::byte{};
  }

 private:
  static constexpr int index_bits = 6;

  [[nodiscard]] RecentCall* place(std::size_t index) { return reinterpret_cast<RecentCall*>(memory_) + index; }
  [[gnu::noinline]] void make(std::size_t index) {
    std::construct_at(place(index));
    made_ |= std::uint64_t{1} << index;
  }
  template <class Do>
  void for_all(Do work) {
    for (std::uint64_t rest = made_; rest != 0; rest &= rest - 1) {
      work(*place(static_cast<std::size_t>(std::countr_zero(rest))));
    }
  }

  std::uint64_t made_ = 0;  // by bit: which there are
  alignas(RecentCall) std::byte memory_[sizeof(RecentCall) << index_bits];
};

}  // namespace espalier
