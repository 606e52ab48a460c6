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

#include "mpi/communicators/persistent_tags.hpp"

namespace espalier {

enum class PairSide : std::uint8_t { sends, receives };
[[nodiscard]] constexpr PairSide other(PairSide side) {
  return side == PairSide::sends ? PairSide::receives : PairSide::sends;
}

// What the other end has to say of a start.
enum class PairAnswer : std::uint8_t {
  nothing,       // as yet
  none_like_it,  // no request with that tag, or none of that length
  is_there,      // one that it may meet
  other_length,  // what it meets is longer or shorter: it never fits
};

// What a rank sends to one other rank with one tag, or receives from there. From any thread; what each start does takes
// no lock.
class PairStream {
 public:
  explicit PairStream(int tag) : tag_(tag) {}

  // Of a start of a request of this many bytes. Nothing else that the two ranks send each other in the same direction
  // has it under way.
  [[nodiscard]] std::uint64_t start(std::size_t bytes) {
    const std::uint64_t start = started_.fetch_add(1, std::memory_order_relaxed) + 1;
    latest_.store(start << 32 | static_cast<std::uint32_t>(bytes), std::memory_order_relaxed);
    return static_cast<std::uint64_t>(tag_) << 32 | start;
  }

  // Requests that live.
  void add(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ++requests_[bytes];
  }
  void remove(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    if (--requests_[bytes] == 0) requests_.erase(bytes);
  }

  // For the other end, which has started something of this many bytes with that number. `mine`: the length of what is
  // started here with it, as far as 32 bits tell.
  [[nodiscard]] PairAnswer answer_for(std::uint64_t number, std::size_t bytes, std::uint32_t& mine) const {
    const std::uint64_t latest = latest_.load(std::memory_order_relaxed);
    mine = static_cast<std::uint32_t>(latest);
    if (static_cast<std::uint32_t>(number) == latest >> 32)
      return mine == static_cast<std::uint32_t>(bytes) ? PairAnswer::is_there : PairAnswer::other_length;
    const std::lock_guard lock(mutex_);
    return requests_.contains(bytes) ? PairAnswer::is_there : PairAnswer::none_like_it;
  }

  // What the other end has answered to the start of that number; only the latest answer is kept.
  void note_answer(std::uint64_t number, PairAnswer answer, std::uint32_t theirs) {
    theirs_.store(theirs, std::memory_order_relaxed);
    answer_.store(number << 8 | static_cast<std::uint8_t>(answer), std::memory_order_release);
  }
  struct Answer {
    PairAnswer answer = PairAnswer::nothing;
    std::uint32_t theirs = 0;
  };
  [[nodiscard]] Answer answer_to(std::uint64_t number) const {
    const std::uint64_t answer = answer_.load(std::memory_order_acquire);
    if (answer >> 8 != (number << 8) >> 8) return {};
    return {static_cast<PairAnswer>(answer & 0xFF), theirs_.load(std::memory_order_relaxed)};
  }

 private:
  const int tag_;
  std::atomic<std::uint32_t> started_{0}, theirs_{0};
  std::atomic<std::uint64_t> latest_{0};  // the number of the latest start, and its length
  std::atomic<std::uint64_t> answer_{0};
  mutable std::mutex mutex_;
  std::map<std::size_t, int> requests_;  // how many, by length
};

// Of one communicator, on whose ranks all have it, or none. Shared by its requests.
class Pairs {
 public:
  // `tags`: for nothing else. Throws on allocation failure.
  [[nodiscard]] static std::shared_ptr<Pairs> make(std::shared_ptr<PersistentTags> tags);
  explicit Pairs(std::shared_ptr<PersistentTags> tags)  // for make()
      : tags_(std::move(tags)) {
    tags_->endpoint().numbering = Numbering::by_itself;
  }
  ~Pairs();
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  // By the number on which its ranks have agreed. Null: there is none.
  [[nodiscard]] static std::shared_ptr<Pairs> find(std::uint64_t number);

  [[nodiscard]] const std::shared_ptr<PersistentTags>& tags() const { return tags_; }
  [[nodiscard]] std::uint64_t number() const { return static_cast<std::uint64_t>(tags_->endpoint().peers.first_tag); }
  // It stays for as long as this: the other end counts on. Throws on allocation failure.
  [[nodiscard]] PairStream& stream(PairSide side, Rank peer, int tag) {
    const std::lock_guard lock(mutex_);
    return streams_.try_emplace({side, peer, tag}, tag).first->second;
  }
  // Null: there was never one.
  [[nodiscard]] PairStream* known_stream(PairSide side, Rank peer, int tag) {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find({side, peer, tag});
    return found != streams_.end() ? &found->second : nullptr;
  }

 private:
  const std::shared_ptr<PersistentTags> tags_;
  std::mutex mutex_;
  std::map<std::tuple<PairSide, Rank, int>, PairStream> streams_;
};

}  // namespace espalier
