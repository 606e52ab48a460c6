// SPDX-License-Identifier: Apache-2.0
#include "schedule/builder.hpp"

#include <stdexcept>

#include "schedule/assembler.hpp"

namespace espalier {

Builder::Builder(const Shape& shape, Rank me, Collective collective, Rank root, bool in_place)
    : shape_(shape), me_(me), root_(root) {
  recording_.has_output = collective != Collective::reduce || me == root;
  recording_.in_place = (in_place && recording_.has_output) || collective == Collective::bcast;
}

void Builder::cut(int blocks) {
  if (!recording_.values.empty()) throw std::logic_error("cut: must come before all streams");
  recording_.blocks = blocks;
  current_ = {0, blocks};
}

void Builder::use(Range range, Lane lane) {
  current_ = range;
  lane_ = lane;
}

void Builder::hold_until(const Bundle& streams) {
  held_until_.clear();
  for (const Stream& stream : streams) {
    const Recording::Value& value = recording_.values[stream.value];
    if (value.is_input()) throw std::logic_error("hold_until: an input is there already");
    held_until_.push_back(value.definition);
  }
}

void Builder::hold_until_sent() {
  held_until_.clear();
  for (std::size_t node = 0; node < recording_.nodes.size(); ++node) {
    if (recording_.nodes[node].kind == Recording::Kind::send) held_until_.push_back(static_cast<int>(node));
  }
}

Stream Builder::input(Range range) {
  recording_.values.push_back({range, -1});
  return {static_cast<int>(recording_.values.size()) - 1, 0, 1, range};
}

Stream Builder::recv(Rank from, Range range) {
  if (range.count <= 0) return {-1, 0, 1, range};
  return {define(Recording::Kind::recv, range, from, {}), 0, 1, range};
}

void Builder::send(Rank to, const Stream& stream) { send(to, Bundle{stream}); }

void Builder::send(Rank to, const Bundle& bundle) { record(Recording::Kind::send, -1, to, bundle); }

Stream Builder::reduce(const Stream& left, const Stream& right) {
  if (left.labels != right.labels) throw std::logic_error("reduce: the operands are different blocks");
  if (left.blocks() <= 0) return left;
  return {define(Recording::Kind::reduce, left.labels, no_rank, {left, right}), 0, 1, left.labels};
}

Stream Builder::reduce_in_rank_order(Rank partner, const Stream& mine, const Stream& theirs) {
  return partner < me_ ? reduce(theirs, mine) : reduce(mine, theirs);
}

void Builder::output(const Stream& stream) { output(Bundle{stream}); }

void Builder::output(const Bundle& bundle) {
  if (!recording_.has_output) throw std::logic_error("output: this rank has none");
  record(Recording::Kind::output, -1, no_rank, bundle);
}

Schedule Builder::finish() { return assemble(recording_); }

int Builder::define(Recording::Kind kind, Range labels, Rank peer, const Bundle& sources) {
  recording_.values.push_back({labels, static_cast<int>(recording_.nodes.size())});
  const int value = static_cast<int>(recording_.values.size()) - 1;
  record(kind, value, peer, sources);
  return value;
}

void Builder::record(Recording::Kind kind, int value, Rank peer, const Bundle& sources) {
  Bundle streams;  // without the empty ones, which are no words at all
  for (const Stream& stream : sources) {
    if (stream.blocks() > 0) streams.push_back(stream);
  }
  if (streams.empty() && kind != Recording::Kind::recv) return;
  Recording::Node node{kind, lane_, merged_, peer, value, rounds_, streams, {}, 0};
  if (kind == Recording::Kind::send) {
    node.held_until = held_until_;
    node.company = company_;
  }
  recording_.nodes.push_back(std::move(node));
}

}  // namespace espalier
