// SPDX-License-Identifier: Apache-2.0
#include "schedule/splice.hpp"

#include <stdexcept>
#include <unordered_map>

namespace espalier {

namespace {

int count_of(const Bundle& streams) {
  int blocks = 0;
  for (const Stream& stream : streams) blocks += stream.blocks();
  return blocks;
}

// What one of its values is among the larger one's, and where its blocks begin there.
class SplicedValue {
 public:
  SplicedValue(PlacedCollective& placed, const Range& labels, Bundle streams) : streams_(std::move(streams)) {
    const Walk walk = labels.labels(placed.collective().blocks());
    int first = 0;
    for (int k = 0; k < labels.count; ++k) {
      const auto blocks = static_cast<int>(placed.blocks_of(walk.at(k)).size());
      stretches_[walk.at(k)] = {first, blocks};
      first += blocks;
    }
    if (first != count_of(streams_)) throw std::logic_error("a part is given other blocks than it asks for");
  }

  // In their order; those that follow one another as one stream.
  [[nodiscard]] Bundle at(const Walk& labels, int count) const {
    Bundle chosen;
    BlockStretch current;
    const auto close = [&] {
      const Bundle streams = blocks_of(streams_, current.first, current.blocks);
      chosen.insert(chosen.end(), streams.begin(), streams.end());
    };
    for (int k = 0; k < count; ++k) {
      const BlockStretch next = stretches_.at(labels.at(k));
      if (current.first + current.blocks == next.first) {
        current.blocks += next.blocks;
        continue;
      }
      close();
      current = next;
    }
    close();
    return chosen;
  }

 private:
  struct BlockStretch {
    int first = 0, blocks = 0;
  };
  Bundle streams_;
  std::unordered_map<int, BlockStretch> stretches_;  // by label
};

class Splice {
 public:
  Splice(PlacedCollective& placed, const SplicedWords& how, Recording& into)
      : placed_(placed), recording_(placed.collective().recording()), how_(how), into_(into) {}

  std::vector<Bundle> run(const std::vector<Bundle>& given) {
    add_inputs(given);
    for (const Node& node : recording_.nodes) {
      nodes_.emplace_back();
      switch (node.kind) {
        case RecordedWord::recv: add_value(node.value, received(node)); break;
        case RecordedWord::reduce: add_value(node.value, reduced(node)); break;
        case RecordedWord::send: send(node); break;
        case RecordedWord::output: note_outputs(node); break;
        case RecordedWord::signal:
        case RecordedWord::await: signal(node); break;
        case RecordedWord::stage: throw std::logic_error("a part does not lie in place");
      }
    }
    return std::move(outputs_);
  }

 private:
  using Node = Recording::Node;
  using RecordedWord = Recording::Kind;

  void add_inputs(const std::vector<Bundle>& given) {
    for (std::size_t v = 0; v < recording_.values.size(); ++v) {
      const Recording::Value& value = recording_.values[v];
      if (!value.is_input()) continue;
      const auto found = std::ranges::find(placed_.inputs(), placed_.whole(value.labels));
      if (found == placed_.inputs().end()) continue;  // nobody asked for it
      add_value(static_cast<int>(v), given[static_cast<std::size_t>(found - placed_.inputs().begin())]);
    }
  }

  void add_value(int value, Bundle streams) {
    values_.try_emplace(value, placed_, recording_.values[value].labels, std::move(streams));
  }

  // What was not used along with all of its value, and so had room, has it here, too.
  [[nodiscard]] Bundle streams_of(const Stream& stream) {
    Bundle streams = values_.at(stream.value).at(stream.labels.labels(recording_.blocks), stream.blocks());
    if (stream.labels != recording_.values[stream.value].labels) {
      for (const Stream& one : streams) into_.values[one.value].has_room = true;
    }
    return streams;
  }
  [[nodiscard]] Bundle streams_of(const Bundle& sources) {
    Bundle all;
    for (const Stream& source : sources) {
      const Bundle streams = streams_of(source);
      all.insert(all.end(), streams.begin(), streams.end());
    }
    return all;
  }

  void note_outputs(const Node& node) {
    for (const Stream& source : node.sources) outputs_.push_back(streams_of(source));
  }

  // How many blocks it walks along decides nothing: the other end may walk along others.
  [[nodiscard]] bool goes_block_by_block(const Node& node) const { return how_.whole_blocks && !node.merged; }

  Node node_like(const Node& node) {
    Node made = node;
    made.merged = node.merged || how_.whole_blocks;
    made.channel = static_cast<Channel>(how_.first_channel + node.channel);
    if (node.path == 0) made.path = how_.path;
    if (how_.whole_blocks) made.rounds = {};
    if (node.step_group > 0) made.step_group = how_.first_step_group + node.step_group;
    made.held_until.clear();
    for (const int held : node.held_until) {
      const std::vector<int>& nodes = nodes_[static_cast<std::size_t>(held)];
      made.held_until.insert(made.held_until.end(), nodes.begin(), nodes.end());
    }
    return made;
  }

  // With whom each block is exchanged, here.
  [[nodiscard]] Walk peers_of(const Node& node, const Range& range) {
    const Walk labels = range.labels(recording_.blocks);
    if (node.peers.step == 0) return always(placed_.rank(node.peers.at(0)));
    std::vector<std::int32_t> peers;
    for (int k = 0; k < range.count; ++k) {
      peers.insert(peers.end(), placed_.blocks_of(labels.at(k)).size(), placed_.rank(node.peers.at(k)));
    }
    if (std::ranges::count(peers, peers.front()) == std::ssize(peers)) return always(peers.front());
    into_.lists.push_back(std::make_shared<const std::vector<std::int32_t>>(std::move(peers)));
    return {.first = 0, .list = into_.lists.back().get()};
  }

  // The k-th block alone.
  [[nodiscard]] static Node part_of(Node node, int k) {
    node.peers = node.peers.from(k);
    return node;
  }

  Bundle received(const Node& node) {
    const Range& labels = recording_.values[node.value].labels;
    if (!goes_block_by_block(node)) return {define(node, labels)};
    Bundle blocks;
    for (int k = 0; k < labels.count; ++k) blocks.push_back(define(part_of(node, k), labels.part(k, 1)));
    return blocks;
  }

  Stream define(const Node& node, const Range& labels) {
    Node made = node_like(node);
    made.peers = peers_of(node, labels);
    return add(std::move(made), placed_.whole(labels));
  }

  void send(const Node& node) {
    if (!goes_block_by_block(node)) return send(node, node.sources);
    int done = 0;
    for (const Stream& source : node.sources) {
      for (int k = 0; k < source.blocks(); ++k) send(part_of(node, done++), {source.part(k)});
    }
  }

  // Several streams go to one rank.
  void send(const Node& node, const Bundle& sources) {
    Node made = node_like(node);
    made.peers = peers_of(node, sources.front().labels);
    made.sources = streams_of(sources);
    add(std::move(made));
  }

  void signal(const Node& node) {
    Node made = node_like(node);
    made.peers = always(placed_.rank(node.peers.at(0)));
    add(std::move(made));
  }

  Stream add(Node made, const Range& labels) {
    into_.values.push_back({labels, static_cast<int>(into_.nodes.size())});
    made.value = static_cast<int>(into_.values.size()) - 1;
    add(std::move(made));
    return {into_.nodes.back().value, 0, 1, labels};
  }
  void add(Node made) {
    nodes_.back().push_back(static_cast<int>(into_.nodes.size()));
    into_.nodes.push_back(std::move(made));
  }

  // Piece by piece, where either operand lies in several.
  Bundle reduced(const Node& node) {
    Bundle sums;
    for (const auto& [left, right] : aligned(streams_of(node.sources[0]), streams_of(node.sources[1]))) {
      Node made = node_like(node);
      made.sources = {left, right};
      sums.push_back(add(std::move(made), left.labels));
    }
    return sums;
  }

  PlacedCollective& placed_;
  const Recording& recording_;
  const SplicedWords how_;
  Recording& into_;
  std::map<int, SplicedValue> values_;
  std::vector<std::vector<int>> nodes_;  // by node: those that it is here
  std::vector<Bundle> outputs_;
};

}  // namespace

std::vector<Bundle> splice(PlacedCollective& placed, const std::vector<Bundle>& given, const SplicedWords& how,
                           Recording& into) {
  return Splice(placed, how, into).run(given);
}

}  // namespace espalier
