// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/promise.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>

#include "transport/fabric/fabric.hpp"

namespace espalier {

namespace {

using namespace std::chrono_literals;

// Who waits so long asks, and then again and again.
constexpr auto time_to_ask = 1s;
// It says so after that time; the other end may come to it still.
constexpr std::chrono::duration<double> time_to_say = 10s;

// What a word says: a question, or else what is answered.
constexpr std::uint32_t question = 0;
static_assert(static_cast<std::uint32_t>(PairAnswer::none_like_it) != question);

// Of a process in the communicator.
Rank rank_of(const MpiPeers& peers, Rank in_world) {
  Rank rank = 0;
  while (rank < peers.size && peers.world_ranks[rank] != in_world) ++rank;
  return rank;
}

int tag_of(const FabricWord& word) { return static_cast<int>(word.run.number >> 32); }

// The length of what is asked about comes along; the answer has that of what is here.
FabricWord answer_to(const FabricWord& asked, PairStream* stream) {
  std::uint32_t mine = 0;
  const PairAnswer answer =
      stream == nullptr ? PairAnswer::none_like_it : stream->answer_for(asked.run.number, asked.bytes, mine);
  return {.run = asked.run, .bytes = mine, .kind = static_cast<std::uint32_t>(answer), .side = asked.side};
}

}  // namespace

// `side`: of whoever asked. What cannot be had for want of memory is asked again later.
void Promise::listen(Fabric& fabric, Rank from, const FabricWord& word) noexcept try {
  const std::shared_ptr<Pairs> pairs = Pairs::find(word.run.context);
  const bool is_question = word.kind == question;
  const auto asker = static_cast<PairSide>(word.side);
  const Rank peer = pairs != nullptr ? rank_of(pairs->tags()->endpoint().peers, from) : no_rank;
  PairStream* const stream =
      pairs != nullptr ? pairs->known_stream(is_question ? other(asker) : asker, peer, tag_of(word)) : nullptr;
  if (is_question) return fabric.say(from, answer_to(word, stream));
  if (stream == nullptr) return;
  stream->note_answer(word.run.number, static_cast<PairAnswer>(word.kind), static_cast<std::uint32_t>(word.bytes));
} catch (const std::bad_alloc&) {
}

bool Promise::look() noexcept {
  const Clock::time_point now = Clock::now();
  if (!std::exchange(has_begun_, true)) asked_ = alone_since_ = now;
  const PairStream::Answer answer = stream_.answer_to(number_);
  if (answer.answer == PairAnswer::other_length) {
    say(("meets one of " + std::to_string(answer.theirs) + " bytes").c_str());
    return true;
  }
  if (answer.answer != PairAnswer::none_like_it) alone_since_ = now;
  const auto timeout = fabric_.options().lane_timeout;
  if (now - alone_since_ > timeout) {
    say("meets no persistent one of that tag and length there; ESPALIER_LANE_TIMEOUT is over");
    return true;
  }
  if (now - alone_since_ > std::min(time_to_say, timeout) && !std::exchange(has_said_, true)) {
    say("waits, and there is no persistent one of that tag and length there as yet");
  }
  if (now - asked_ > time_to_ask) {
    asked_ = now;
    ask();
  }
  return false;
}

void Promise::ask() noexcept try {
  const std::unique_lock guard(fabric_.lock(), std::try_to_lock);
  if (!guard.owns_lock()) return;
  fabric_.say(pairs_.tags()->endpoint().peers.world_ranks[end_.peer], {.run = {number_, pairs_.number()},
                                                                       .bytes = bytes_,
                                                                       .kind = question,
                                                                       .side = static_cast<std::uint32_t>(end_.side)});
} catch (const std::bad_alloc&) {
}

void Promise::say(const char* what) const {
  const MpiPeers& peers = pairs_.tags()->endpoint().peers;
  std::fprintf(stderr,
               "espalier: ESPALIER_PERSISTENT=paired: rank %d's persistent %s of %zu bytes with tag %d %s rank %d %s. "
               "Where persistent messages do not meet persistent ones of the same length, leave it at `native`.\n",
               peers.me, end_.side == PairSide::sends ? "send" : "receive", bytes_, end_.tag,
               end_.side == PairSide::sends ? "to" : "from", end_.peer, what);
}

}  // namespace espalier
