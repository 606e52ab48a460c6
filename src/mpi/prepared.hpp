// SPDX-License-Identifier: Apache-2.0
// Everything that a call of one kind needs again: a bound schedule with its transport and its arithmetic. Each
// communicator keeps a bounded number of them.
#pragma once

#include <memory>
#include <unordered_map>

#include "engine/bound.hpp"
#include "mpi/arithmetic.hpp"
#include "select/plan.hpp"

namespace espalier {

// Calls with equal keys can use the same prepared schedule. Handles of a user's datatypes and operations may be reused
// for others; so all that was derived from them stands here too.
struct PreparedKey {
  Problem problem;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  ElementLayout layout;
  bool operator==(const PreparedKey& other) const;
  struct Hash {
    std::size_t operator()(const PreparedKey& key) const;
  };
};

class Prepared {
 public:
  struct Setup {
    PreparedKey key;
    Choice choice;
    Shape shape;
    Rank me = 0;
    Elements elements;                             // if there is no native arithmetic
    std::unique_ptr<NativeArithmetic> arithmetic;  // may be null
    Wire wire;
  };

  Prepared(Setup setup, const MpiPeers& peers, CallWatch& watch);

  // Blocking; returns an MPI code. `call` is the call's number on its communicator. Exceptions of a user's operation
  // pass through. Whatever happened, it can be run again.
  [[nodiscard]] int run(std::uint64_t call, const Buffers& buffers);
  // Whether the last run was given up before its end, by an error of this rank or for a reason from outside.
  [[nodiscard]] bool failed() const { return transport_.failed(); }
  [[nodiscard]] CallState ended_by() const { return transport_.ended_by(); }

  [[nodiscard]] std::size_t scratch_bytes() const;

  std::uint64_t last_used = 0;

 private:
  Prepared(Setup& setup, const MpiPeers& peers, CallWatch& watch, Schedule schedule);

  const std::unique_ptr<NativeArithmetic> arithmetic_;
  const Elements elements_;
  CallWatch& watch_;
  MpiTransport transport_;
  BoundSchedule<MpiTransport> bound_;
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
