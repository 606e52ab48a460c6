// SPDX-License-Identifier: Apache-2.0
//    round:  0        1        2        3   ...          n blocks in n - 1 + ceil(log2 p) rounds, for any p: as few
//            r -> r+1 r -> r+2 r -> r+3 r -> r+1         as one port per rank allows. In every round a rank sends one
//            (skips of the circulant graph, in turn)     block and receives another one.
#include "algorithms/shapes/circulant.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The blocks that flow over one edge of the graph: every `phases`-th one, and then, over an edge that carries base
// blocks, the last block of the message.
struct EdgeBlocks {
  Range regular;
  Range last{0, 0};
};

// `block` is what the edge carries in the first turn. Rounds are counted such that the last turn is complete; the
// blocks of that turn which lie past the end all stand for the last one.
EdgeBlocks edge_blocks(int block, int blocks, int phases) {
  const int skipped_rounds = wrap(-(std::int64_t{blocks} - 1), phases);
  const int turns = (skipped_rounds + blocks - 1) / phases + 1;
  const int regular_turns = block >= 0 ? turns - 1 : turns;
  int first = block - skipped_rounds;
  int count = regular_turns;
  while (first < 0 && count > 0) {
    first += phases;
    count--;
  }
  EdgeBlocks edge{{first, count, phases}};
  if (block >= 0) edge.last = {blocks - 1, 1};
  return edge;
}

// The streams that lead to a rank hold different blocks modulo the number of phases, and in the end the last block.
Stream find(const std::vector<Stream>& received, Range blocks) {
  for (const Stream& stream : received) {
    const int distance = blocks.first - stream.labels.first;
    const bool fits = distance >= 0 && distance % stream.labels.step == 0;
    if (fits && distance / stream.labels.step < stream.blocks()) return stream.at(blocks);
  }
  return {};
}

void build(Builder& b, const Tuning& tuning) {
  const int blocks = tuning.pieces;
  b.cut(blocks);
  if (b.size() == 1) return b.output(b.input());

  const Circulant graph(b.size());
  const int phases = graph.phases();
  const Rank place = wrap(std::int64_t{b.rank()} - b.root(), b.size());
  const auto rank_at = [&](Rank other) { return wrap(std::int64_t{other} + b.root(), b.size()); };

  std::vector<Stream> received;
  if (place > 0) {
    const std::vector<int> expected = graph.received_blocks(place);
    for (int phase = 0; phase < phases; phase++) {
      const EdgeBlocks edge = edge_blocks(expected[phase], blocks, phases);
      for (const Range range : {edge.regular, edge.last}) {
        const Stream stream = b.recv(rank_at(graph.before(place, phase)), range);
        if (stream.blocks() > 0) received.push_back(stream);
        b.output(stream);
      }
    }
  }
  for (int phase = 0; phase < phases; phase++) {
    const Rank to = graph.after(place, phase);
    if (to == 0) continue;
    const EdgeBlocks edge = edge_blocks(graph.received_blocks(to)[phase], blocks, phases);
    for (const Range range : {edge.regular, edge.last}) {
      if (range.count > 0) b.send(rank_at(to), place > 0 ? find(received, range) : b.input(range));
    }
  }
  if (place == 0) b.output(b.input());
}

}  // namespace

extern const Algorithm bcast_circulant{
    .name = "circulant",
    .collective = Collective::bcast,
    .description = "round-optimal broadcast of n blocks on a circulant graph",
    .source = "Träff: Optimal broadcast schedules in logarithmic time, 2024",
    .cuts_by_length = true,
    .build = build,
};

}  // namespace espalier
