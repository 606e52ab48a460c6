// SPDX-License-Identifier: Apache-2.0
#include "schedule/sub_collective.hpp"

#include <utility>

namespace espalier {

namespace {

Recording recorded(const Request& among, void (*build)(Builder&)) {
  Builder builder(among);
  build(builder);
  return std::move(builder).take_recording();
}

// Labels that go up or down by one step need no list.
std::optional<Range> as_steps(const std::vector<std::int32_t>& labels) {
  const auto count = static_cast<int>(labels.size());
  const int step = count > 1 ? labels[1] - labels[0] : 1;
  for (std::size_t k = 1; k < labels.size(); ++k) {
    if (labels[k] - labels[k - 1] != step) return std::nullopt;
  }
  return Range{.first = labels.empty() ? 0 : labels[0], .count = count, .step = step};
}

}  // namespace

SubCollective::SubCollective(const Request& among, void (*build)(Builder&)) : recording_(recorded(among, build)) {}

bool SubCollective::merges() const { return std::ranges::any_of(recording_.nodes, &Recording::Node::merged); }

PlacedCollective::PlacedCollective(Builder& builder, const SubCollective& collective, std::vector<Rank> ranks,
                                   BlocksOfOne blocks)
    : builder_(builder), collective_(collective), ranks_(std::move(ranks)), blocks_(std::move(blocks)) {
  const Recording& recording = collective.recording();
  for (const Recording::Node& node : recording.nodes) {
    for (const Stream& stream : node.sources) {
      const Recording::Value& value = recording.values[stream.value];
      if (value.is_input()) note_input(whole(value.labels));
      if (node.kind == Recording::Kind::output) outputs_.push_back(whole(stream.labels));
    }
  }
}

void PlacedCollective::note_input(const Range& range) {
  if (std::ranges::find(inputs_, range) == inputs_.end()) inputs_.push_back(range);
}

const std::vector<std::int32_t>& PlacedCollective::blocks_of(int block) {
  const auto [found, is_new] = known_blocks_.try_emplace(block);
  if (is_new) found->second = blocks_(block);
  return found->second;
}

Range PlacedCollective::whole(const Range& range) {
  const auto [found, is_new] = known_ranges_.try_emplace(range);
  if (!is_new) return found->second;
  const Walk walk = range.labels(collective_.blocks());
  std::vector<std::int32_t> labels;
  for (int k = 0; k < range.count; ++k) {
    const std::vector<std::int32_t>& blocks = blocks_of(walk.at(k));
    labels.insert(labels.end(), blocks.begin(), blocks.end());
  }
  const auto steps = as_steps(labels);
  return found->second = steps ? *steps : builder_.listed(std::move(labels));
}

}  // namespace espalier
