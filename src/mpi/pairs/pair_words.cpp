// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/pair_words.hpp"

namespace espalier {

namespace {

// A word is a question, or else the answer that it says.
constexpr auto question = static_cast<std::uint32_t>(PairAnswer::nothing);

// Of a process in the communicator; its size, if it is not there.
Rank rank_of(const MpiPeers& peers, Rank in_world) {
  Rank rank = 0;
  while (rank < peers.size && peers.world_ranks[rank] != in_world) ++rank;
  return rank;
}

// As PairStream numbers starts.
int tag_of(const FabricWord& word) { return static_cast<int>(word.run.number >> 32); }

// Of this end. Null: there was never one.
PairStream* stream_of(Pairs& pairs, PairSide side, Rank from, const FabricWord& word) {
  return pairs.known_stream(side, rank_of(pairs.tags()->endpoint().peers, from), tag_of(word));
}

// The length of what is asked about comes along; the answer has that of what is here.
FabricWord answer_to(const FabricWord& asked, const PairStream* stream) {
  std::uint32_t mine = 0;
  const PairAnswer answer =
      stream == nullptr ? PairAnswer::none_like_it : stream->answer_for(asked.run.number, asked.bytes, mine);
  return {.run = asked.run, .bytes = mine, .kind = static_cast<std::uint32_t>(answer), .side = asked.side};
}

}  // namespace

FabricWord question_of(const PairEnd& asker, std::uint64_t number, std::size_t bytes, std::uint64_t pairs) {
  return {.run = {number, pairs}, .bytes = bytes, .kind = question, .side = static_cast<std::uint32_t>(asker.side)};
}

std::optional<FabricWord> take_word(Pairs* pairs, Rank from, const FabricWord& word) {
  const auto asker = static_cast<PairSide>(word.side);
  const bool is_question = word.kind == question;
  PairStream* const stream =
      pairs != nullptr ? stream_of(*pairs, is_question ? other(asker) : asker, from, word) : nullptr;
  if (is_question) return answer_to(word, stream);
  if (stream == nullptr) return std::nullopt;
  stream->note_answer(word.run.number, static_cast<PairAnswer>(word.kind), static_cast<std::uint32_t>(word.bytes));
  return std::nullopt;
}

}  // namespace espalier
