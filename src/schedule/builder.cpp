// SPDX-License-Identifier: Apache-2.0
#include "schedule/builder.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "schedule/assembler.hpp"
#include "schedule/splice.hpp"

namespace espalier {

namespace {

// All that a buffer holds, in the order of its places.
Range range_of(const Held& held) {
  if (held.count == 1) return {.first = held.first, .count = 1};
  if (held.first == 0 && held.step == 1) return {.first = 0, .count = held.count};
  return {.first = 0, .count = held.count, .base = held.first, .scale = held.step, .modulus = held.count};
}

}  // namespace

Builder::Builder(const Request& request) : request_(request) {
  const auto& [contract, shape, root, pieces, radix, leaders, arrangement, me, in_place, has_gaps] = request;
  recording_.has_exact_blocks = contract.division != Division::by_algorithm;
  recording_.in_place = contract.in_place == InPlace::always || (in_place && contract.has_output(me, root));
  recording_.has_gaps = has_gaps;
  cut_in(1);
}

void Builder::cut_in(int blocks) {
  const auto& [contract, shape, root, pieces, radix, leaders, arrangement, me, in_place, has_gaps] = request_;
  recording_.blocks = label_count(contract, shape.size, blocks);
  if (contract.has_input(me, root)) recording_.input = held_by(contract, contract.input, me, shape.size, blocks);
  if (contract.has_output(me, root)) recording_.output = held_by(contract, contract.output, me, shape.size, blocks);
  current_ = {.first = 0, .count = recording_.blocks};
  current_input_ = recording_.input ? range_of(*recording_.input) : current_;
}

void Builder::cut(int blocks) {
  if (request_.contract.division != Division::by_algorithm) throw std::logic_error("cut: the blocks are the caller's");
  if (!recording_.values.empty()) throw std::logic_error("cut: must come before all streams");
  cut_in(blocks);
}

Range Builder::to(const Range& ranks) const {
  return {.first = ranks.first, .count = ranks.count, .step = ranks.step, .base = rank() * size(), .modulus = size()};
}

Range Builder::from(const Range& ranks) const {
  return {.first = ranks.first,
          .count = ranks.count,
          .step = ranks.step,
          .base = rank(),
          .scale = size(),
          .modulus = size()};
}

Range Builder::listed(std::vector<std::int32_t> labels) {
  const auto count = static_cast<int>(labels.size());
  recording_.lists.push_back(std::make_shared<const std::vector<std::int32_t>>(std::move(labels)));
  return {.first = 0, .count = count, .list = recording_.lists.back().get()};
}

Rank Builder::place() const {
  return request_.arrangement != nullptr ? request_.arrangement->place_of(rank()) : rank();
}

Rank Builder::rank_at(Rank place) const {
  return request_.arrangement != nullptr ? request_.arrangement->rank_at(place) : place;
}

void Builder::use(const Range& range, Channel channel, Path path) {
  current_ = current_input_ = range;
  channel_ = channel;
  path_ = path;
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

void Builder::next_step() {
  std::vector<int> step;
  for (; first_of_step_ < recording_.nodes.size(); ++first_of_step_) {
    const Recording::Kind kind = recording_.nodes[first_of_step_].kind;
    if (kind == Recording::Kind::send || kind == Recording::Kind::recv)
      step.push_back(static_cast<int>(first_of_step_));
  }
  if (!step.empty()) held_until_ = std::move(step);
}

// It waits for all that later sends have to wait for, so these only wait for it.
void Builder::signal(Rank to) {
  const int node = static_cast<int>(recording_.nodes.size());
  recording_.nodes.push_back({.kind = Recording::Kind::signal,
                              .channel = channel_,
                              .path = path_,
                              .peers = always(rank_at(to)),
                              .held_until = std::exchange(held_until_, {node})});
}

void Builder::await(Rank from) {
  held_until_.push_back(static_cast<int>(recording_.nodes.size()));
  recording_.nodes.push_back(
      {.kind = Recording::Kind::await, .channel = channel_, .path = path_, .peers = always(rank_at(from))});
}

Bundle Builder::perform(const Contract& contract, void (*build)(Builder&), Bundle given) {
  const auto whole = std::tuple(current_, current_input_, merged_);
  Composition part{contract, std::move(given), {}};
  Composition* const outer = std::exchange(part_, &part);
  current_ = {.first = 0, .count = recording_.blocks};
  current_input_ = range_of(held_by(contract, contract.input, rank(), size(), recording_.blocks));
  build(*this);
  part_ = outer;
  std::tie(current_, current_input_, merged_) = whole;
  return std::move(part.made);
}

// What goes in and out has room, or it might wait for others of the whole that wait for it.
std::vector<Bundle> Builder::perform(PlacedCollective& placed, const std::vector<Bundle>& given, bool whole_blocks) {
  const SplicedWords how{
      .first_channel = channel_, .path = path_, .first_step_group = step_groups_, .whole_blocks = whole_blocks};
  for (const Recording::Node& node : placed.collective().recording().nodes) {
    step_groups_ = std::max(step_groups_, how.first_step_group + node.step_group);
  }
  std::vector<Bundle> made = splice(placed, given, how, recording_);
  for (const Bundle& bundle : given) give_room(bundle);
  for (const Bundle& bundle : made) give_room(bundle);
  return made;
}

void Builder::give_room(const Bundle& streams) {
  for (const Stream& stream : streams) recording_.values[stream.value].has_room = true;
}

// The rank's own input is anywhere in its buffer; of another stream it is a stretch.
Stream Builder::given(const Range& range) const {
  const Walk wanted = range.labels(recording_.blocks);
  for (const Stream& stream : part_->given) {
    const Walk there = stream.labels.labels(recording_.blocks);
    for (int k = 0; k + range.count <= stream.blocks(); ++k) {
      bool is_here = true;
      for (int i = 0; i < range.count && is_here; ++i) is_here = there.at(k + i) == wanted.at(i);
      if (!is_here) continue;
      Stream found = stream.part(k, range.count);
      found.labels = range;
      return found;
    }
  }
  throw std::logic_error("input: what the part was given does not hold this as one stream");
}

Stream Builder::input(const Range& range) {
  const bool is_own = part_ == nullptr || std::ranges::all_of(part_->given, [&](const Stream& stream) {
                        return recording_.values[stream.value].is_input();
                      });
  return is_own ? own_input(range) : given(range);
}

Stream Builder::own_input(const Range& range) {
  if (is_overwritten(range)) return staged_input().at(range);
  recording_.values.push_back({range, -1});
  return {static_cast<int>(recording_.values.size()) - 1, 0, 1, range};
}

// Whether other blocks of the output will be where these are; the same one may stay.
bool Builder::is_overwritten(const Range& range) const {
  if (!recording_.in_place || request_.contract.in_place != InPlace::other_place) return false;
  if (range.count != 1) return true;
  const int label = range.labels(recording_.blocks).at(0);
  return !recording_.output->holds(label) || recording_.output->place_of(label) != recording_.input->place_of(label);
}

void Builder::set_input_aside() {
  if (recording_.in_place && request_.contract.in_place == InPlace::other_place) (void)staged_input();
}

Stream Builder::staged_input() {
  if (!staged_) staged_ = define(Recording::Kind::stage, range_of(*recording_.input), {}, {});
  return *staged_;
}

Stream Builder::recv(Rank from, const Range& range) {
  if (range.count <= 0) return {-1, 0, 1, range};
  return define(Recording::Kind::recv, range, always(rank_at(from)), {});
}

void Builder::send(Rank to, const Stream& stream) { send(to, Bundle{stream}); }

void Builder::send(Rank to, const Bundle& bundle) { record(Recording::Kind::send, -1, always(rank_at(to)), bundle); }

Stream Builder::recv_each(const Range& ranks, const Range& range) {
  if (range.count <= 0) return {-1, 0, 1, range};
  return define(Recording::Kind::recv, range, ranks.labels(size()), {});
}

void Builder::send_each(const Range& ranks, const Stream& stream) {
  record(Recording::Kind::send, -1, ranks.labels(size()), {stream});
}

Stream Builder::reduce(const Stream& left, const Stream& right) {
  if (left.labels != right.labels) throw std::logic_error("reduce: the operands are different blocks");
  if (left.blocks() <= 0) return left;
  return define(Recording::Kind::reduce, left.labels, {}, {left, right});
}

Bundle Builder::reduce(const Bundle& left, const Bundle& right) {
  Bundle sums;
  for (const auto& [l, r] : aligned(left, right)) sums.push_back(define(Recording::Kind::reduce, l.labels, {}, {l, r}));
  return sums;
}

Stream Builder::reduce_in_rank_order(Rank partner, const Stream& mine, const Stream& theirs) {
  return partner < rank() ? reduce(theirs, mine) : reduce(mine, theirs);
}

void Builder::output(const Stream& stream) { output(Bundle{stream}); }

void Builder::output(const Bundle& bundle) {
  if (part_ != nullptr) {
    part_->made.insert(part_->made.end(), bundle.begin(), bundle.end());
    return;
  }
  if (!recording_.output) throw std::logic_error("output: this rank has none");
  record(Recording::Kind::output, -1, {}, bundle);
}

Schedule Builder::finish() { return assemble(recording_); }

Stream Builder::define(Recording::Kind kind, const Range& labels, const Walk& peers, const Bundle& sources) {
  recording_.values.push_back({labels, static_cast<int>(recording_.nodes.size())});
  const int value = static_cast<int>(recording_.values.size()) - 1;
  record(kind, value, peers, sources);
  return {value, 0, 1, labels};
}

void Builder::record(Recording::Kind kind, int value, const Walk& peers, const Bundle& sources) {
  Bundle streams;  // without the empty ones, which are no words at all
  for (const Stream& stream : sources) {
    if (stream.blocks() > 0) streams.push_back(stream);
  }
  if (streams.empty() && value < 0) return;
  Recording::Node node{kind, channel_, path_, merged_, peers, value, rounds_, streams, {}, 0};
  if (kind == Recording::Kind::send) {
    node.held_until = held_until_;
    node.step_group = step_group_;
  }
  recording_.nodes.push_back(std::move(node));
}

}  // namespace espalier
