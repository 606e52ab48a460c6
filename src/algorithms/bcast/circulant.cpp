// SPDX-License-Identifier: Apache-2.0
//    round:  0        1        2        3   ...          n blocks in n - 1 + ceil(log2 p) rounds, for any p: as few
//            r -> r+1 r -> r+2 r -> r+3 r -> r+1         as one port per rank allows. In every round a rank sends one
//            (skips of the circulant graph, in turn)     block and receives another one.
#include "algorithms/shapes/circulant.hpp"

#include <algorithm>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// Blocks that flow over one edge of the graph, in the rounds in which they do.
struct EdgeFlow {
  enum class Direction : std::uint8_t { in, out };
  Direction direction;
  Rank other;  // the virtual rank at the edge's other end
  Range blocks;
  Rounds rounds;
};

// An edge carries every `phases`-th block and then, if these are base blocks, the last one of the message. `block` is
// what it carries in the first turn. Rounds are counted such that the last turn is complete; the blocks of that turn
// which lie past the end all stand for the last one.
void add_flows(std::vector<EdgeFlow>& flows, EdgeFlow::Direction direction, Rank other, int block, int phase,
               int blocks, int phases) {
  const int skipped_rounds = wrap(-(std::int64_t{blocks} - 1), phases);
  const int turns = (skipped_rounds + blocks - 1) / phases + 1;
  const bool carries_base_blocks = block >= 0;
  int turn = 0;
  int first = block - skipped_rounds;
  for (; first < 0 && turn < turns; turn++) first += phases;
  const int regular_turns = (carries_base_blocks ? turns - 1 : turns) - turn;
  if (regular_turns > 0) {
    flows.push_back({direction, other, {first, regular_turns, phases}, {turn * phases + phase, phases}});
  }
  if (carries_base_blocks) {
    flows.push_back({direction, other, {blocks - 1, 1}, {(turns - 1) * phases + phase, phases}});
  }
}

// All that one virtual rank receives and sends, by first round. What is received in a round can be sent in the next
// one.
std::vector<EdgeFlow> find_flows(const Circulant& graph, Rank vrank, int blocks) {
  const int phases = graph.phases();
  const std::vector<int> expected = vrank > 0 ? graph.received_blocks(vrank) : std::vector<int>();
  std::vector<EdgeFlow> flows;
  for (int phase = 0; phase < phases; phase++) {
    const Rank from = graph.before(vrank, phase);
    const Rank to = graph.after(vrank, phase);
    if (vrank > 0) add_flows(flows, EdgeFlow::Direction::in, from, expected[phase], phase, blocks, phases);
    if (to > 0) {
      const int block = graph.received_blocks(to)[phase];
      add_flows(flows, EdgeFlow::Direction::out, to, block, phase, blocks, phases);
    }
  }
  std::stable_sort(flows.begin(), flows.end(),
                   [](const EdgeFlow& a, const EdgeFlow& b) { return a.rounds.first < b.rounds.first; });
  return flows;
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

void build(Builder& b) {
  const int blocks = b.pieces();
  b.cut(blocks);
  if (b.size() == 1) return b.output(b.input());

  const Rank vrank = wrap(std::int64_t{b.rank()} - b.root(), b.size());
  std::vector<Stream> received;
  for (const EdgeFlow& flow : find_flows(Circulant(b.size()), vrank, blocks)) {
    const Rank other = wrap(std::int64_t{flow.other} + b.root(), b.size());
    b.keep_to(flow.rounds);
    if (flow.direction == EdgeFlow::Direction::in) {
      received.push_back(b.recv(other, flow.blocks));
    } else {
      b.send(other, vrank > 0 ? find(received, flow.blocks) : b.input(flow.blocks));
    }
  }
  b.output(vrank > 0 ? received : Bundle{b.input()});
}

}  // namespace

extern const Algorithm bcast_circulant{
    .name = "circulant",
    .collective = Collective::bcast,
    .description = "round-optimal broadcast of n blocks on a circulant graph",
    .source = "Träff: Optimal broadcast schedules in logarithmic time, 2024",
    .takes_pieces = true,
    .keeps_in_step = true,
    .rule = {{.min_ranks = 4,
              .min_bytes = 512 << 10,
              .reason = "large message: a pipeline whose start-up grows with the logarithm of the ranks only"}},
    .build = build,
};

}  // namespace espalier
