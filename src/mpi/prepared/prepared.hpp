// SPDX-License-Identifier: Apache-2.0
// Everything that a call of one kind needs again: a bound schedule with its port and its arithmetic. Each
// communicator keeps a bounded number of them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>

#include "algorithms/plan.hpp"
#include "core/linked.hpp"
#include "engine/scratch.hpp"
#include "mpi/prepared/bound_to_transport.hpp"
#include "mpi/types/arithmetic.hpp"

namespace espalier {

// Calls with equal keys can use the same prepared schedule. Handles of a user's datatypes and operations may be reused
// for others; so all that was derived from them stands here too.
struct PreparedKey {
  Problem problem;
  bool in_place = false;  // the input lies in the output buffer
  Choice choice;          // not native
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  ElementLayout layout;
  std::vector<std::size_t> blocks;  // sizes and offsets, if they are uneven
  std::size_t aside_bytes = 0;      // of the input, if the output will cover parts of it while they are still needed
  friend bool operator==(const PreparedKey&, const PreparedKey&) = default;
  struct Hash {
    std::size_t operator()(const PreparedKey& key) const;
  };
};

class Prepared : public Linked<Prepared> {
 public:
  struct Setup {
    PreparedKey key;
    Shape shape;
    Rank me = 0;
    Elements elements;                             // if there is no native arithmetic
    std::unique_ptr<NativeArithmetic> arithmetic;  // may be null
    Wire wire;
    bool is_of_bytes = false;            // messages are what lies in memory, and as long on both sides
    std::optional<Partition> partition;  // of uneven blocks
  };

  // On the schedule that the choice's algorithm makes.
  Prepared(Setup setup, MpiEndpoint& endpoint);
  // On one that was made elsewhere.
  Prepared(Setup setup, Schedule schedule, MpiEndpoint& endpoint) : Prepared(setup, endpoint, std::move(schedule)) {}

  // Blocking; returns an MPI code. `call` is the call's number on its communicator. Exceptions of a user's operation
  // pass through. Whatever happened, it can be run again.
  [[nodiscard]] int run(std::uint64_t call, const Buffers& buffers);
  // The same before the call itself, for what its ranks share.
  [[nodiscard]] int run_shared(std::uint64_t call, const Buffers& buffers);
  // The same in steps, from inside the MPI's own progress; result() once advance() is true. Without native arithmetic,
  // which could call the application.
  void start(std::uint64_t call, const Buffers& buffers) {
    bound_.with([&](auto& bound) {
      bound.port.ask_quietly(true);
      bound.schedule.start(call, with_input_aside(buffers));
    });
  }
  [[nodiscard]] bool advance() {
    return bound_.with([](auto& bound) { return bound.schedule.advance(); });
  }
  // Once it was started: to its end, from outside of the MPI's progress. `back_off()` is called whenever nothing has
  // arrived.
  template <class Rest>
  void wait(Rest back_off) {
    bound_.with([&](auto& bound) {
      bound.port.ask_quietly(false);
      for (; !bound.schedule.advance(); back_off()) bound.port.back_off();
    });
  }
  // While it is under way: it ends with an error, since that rank's part of it will never meet this one's.
  void cancel(Rank rank) {
    bound_.with([&](auto& bound) { bound.port.cancel(rank); });
  }
  [[nodiscard]] int result();
  // Of the next run: as the port has it.
  void note_first_message(std::chrono::steady_clock::time_point* at) {
    bound_.with([&](auto& bound) { bound.port.note_first_message(at); });
  }
  // Whether the last run was aborted before its end, by an error of this rank or for a reason from outside.
  [[nodiscard]] bool failed() const {
    return bound_.with([](const auto& bound) { return bound.port.failed(); });
  }
  [[nodiscard]] CallState ended_by() const {
    return bound_.with([](const auto& bound) { return bound.port.ended_by(); });
  }

  [[nodiscard]] const PreparedKey& key() const { return key_; }
  [[nodiscard]] std::size_t scratch_bytes() const;

  std::uint64_t last_used = 0;

 private:
  Prepared(Setup& setup, MpiEndpoint& endpoint, Schedule schedule);

  [[nodiscard]] Buffers with_input_aside(const Buffers& buffers) const {
    if (key_.aside_bytes == 0) [[likely]]
      return buffers;
    std::copy_n(buffers.input, key_.aside_bytes, aside_.data());
    return {aside_.data(), buffers.output};
  }

  const PreparedKey key_;
  const std::unique_ptr<NativeArithmetic> arithmetic_;
  const Elements elements_;
  const Scratch aside_;
  CallWatch& watch_;
  BoundToTransport bound_;
};

class PreparedCache {
 public:
  explicit PreparedCache(int max_entries) : max_entries_(static_cast<std::size_t>(max_entries)) {}

  // Null if there is none.
  [[nodiscard]] Prepared* find(const PreparedKey& key);
  // Makes room first: `forget` is told what goes.
  template <class Forget>
  Prepared& insert(const PreparedKey& key, std::unique_ptr<Prepared> prepared, Forget forget);
  void clear() { by_key_.clear(), scratch_bytes_ = 0; }

  void touch(Prepared& prepared) { prepared.last_used = ++uses_; }

 private:
  // Scratch memory of prepared schedules that may wait for their next use, per communicator.
  static constexpr std::size_t max_scratch_bytes = std::size_t{64} << 20;
  using Map = std::unordered_map<PreparedKey, std::unique_ptr<Prepared>, PreparedKey::Hash>;

  [[nodiscard]] Map::iterator oldest();

  const std::size_t max_entries_;
  std::uint64_t uses_ = 0;
  std::size_t scratch_bytes_ = 0;
  Map by_key_;
};

template <class Forget>
Prepared& PreparedCache::insert(const PreparedKey& key, std::unique_ptr<Prepared> prepared, Forget forget) {
  const std::size_t bytes = prepared->scratch_bytes();
  while (!by_key_.empty() && (by_key_.size() >= max_entries_ || scratch_bytes_ + bytes > max_scratch_bytes)) {
    const auto victim = oldest();
    forget(*victim->second);
    scratch_bytes_ -= victim->second->scratch_bytes();
    by_key_.erase(victim);
  }
  scratch_bytes_ += bytes;
  touch(*prepared);
  return *(by_key_[key] = std::move(prepared));
}

}  // namespace espalier
