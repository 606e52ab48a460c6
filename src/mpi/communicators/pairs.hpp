// SPDX-License-Identifier: Apache-2.0
// How persistent sends and receives find each other where the application promises that they meet
// (ESPALIER_PERSISTENT=paired). As MPI has it, what one rank sends to another one with one tag is received in the order
// in which it is sent: the n-th start of a send meets the n-th start of a receive, whichever requests these are. So
// both ends give a start the same number without asking, and a set of requests is a set of puts. (Paper 3, persistent
// communication.)
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "mpi/communicators/persistent_tags.hpp"

namespace espalier {

enum class PairSide : std::uint8_t { sends, receives };

// What a rank sends to one other rank with one tag, or receives from there. From any thread.
class PairStream {
 public:
  explicit PairStream(int tag) : tag_(tag) {}

  // Of the next start. Nothing else that the two ranks send each other in the same direction has it under way.
  [[nodiscard]] std::uint64_t next_number() {
    return static_cast<std::uint64_t>(tag_) << 32 | started_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  const int tag_;
  std::atomic<std::uint32_t> started_{0};
};

// Of one communicator, on whose ranks all have it, or none. Shared by its requests.
class Pairs {
 public:
  // `tags`: for nothing else.
  explicit Pairs(std::shared_ptr<PersistentTags> tags) : tags_(std::move(tags)) {
    tags_->endpoint().numbering = Numbering::by_itself;
  }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  [[nodiscard]] const std::shared_ptr<PersistentTags>& tags() const { return tags_; }
  // It stays for as long as this: the other end counts on. Throws for want of memory.
  [[nodiscard]] PairStream& stream(PairSide side, Rank peer, int tag) {
    const std::lock_guard lock(mutex_);
    return streams_.try_emplace({side, peer, tag}, tag).first->second;
  }

 private:
  const std::shared_ptr<PersistentTags> tags_;
  std::mutex mutex_;
  std::map<std::tuple<PairSide, Rank, int>, PairStream> streams_;
};

}  // namespace espalier
