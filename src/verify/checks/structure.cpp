// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/structure.hpp"

#include "verify/model/describe.hpp"

namespace espalier::proof {

namespace {

using Kind = Operation::Kind;

class RankStructure {
 public:
  RankStructure(const Case& problem, Rank rank, const Schedule& schedule)
      : problem_(problem), rank_(rank), schedule_(schedule) {}

  std::string check() const {
    for (std::size_t k = 0; k < schedule_.areas.size(); ++k) {
      const Area& area = schedule_.areas[k];
      if (area.kind != Area::Kind::ring && area.blocks < 1) {
        return "rank " + std::to_string(rank_) + ", area " + std::to_string(k) + " has no blocks";
      }
    }
    for (std::size_t i = 0; i < schedule_.operations.size(); ++i) {
      const Operation& op = schedule_.operations[i];
      std::string wrong = check_operation(op);
      if (wrong.empty()) wrong = check_dependencies(i, op);
      if (!wrong.empty()) return describe(rank_, i, op) + ": " + wrong;
    }
    return {};
  }

 private:
  std::string check_operation(const Operation& op) const {
    if (op.communicates()) {
      if (op.channel >= max_channels) return "there is no channel " + std::to_string(op.channel);
      if (op.merged && !op.has_one_peer()) return "a merged message for several ranks";
      const int peers = op.has_one_peer() ? 1 : op.walked().blocks;
      for (int k = 0; k < peers; ++k) {
        const Rank peer = op.peer(k);
        if (peer < 0 || peer >= problem_.size) return "there is no rank " + std::to_string(peer);
        if (peer == rank_) return "a message to the rank itself";
      }
    }
    if (op.is_signal()) return op.merged && op.walked().buffer == Buffer::none ? "" : "no blocks";
    if (op.walked().blocks < 1) return "no blocks";
    const bool reads_right = op.kind == Kind::reduce, reads = op.kind != Kind::recv, writes = op.kind != Kind::send;
    std::string wrong = check_region("source", op, op.source, reads);
    if (wrong.empty()) wrong = check_region("right source", op, op.source_right, reads_right);
    if (wrong.empty()) wrong = check_region("target", op, op.target, writes);
    if (wrong.empty() && writes && op.target.buffer == Buffer::input) wrong = "writes the input buffer";
    return wrong;
  }

  std::string check_region(const char* name, const Operation& op, const Region& region, bool is_needed) const {
    if (!is_needed) return region.buffer == Buffer::none ? "" : std::string("has a ") + name;
    std::string wrong;
    switch (region.buffer) {
      case Buffer::none: return std::string("has no ") + name;
      case Buffer::input:
        if (problem_.in_place_at(rank_)) wrong = "touches the input buffer of an in-place call";
        break;
      case Buffer::output:
        if (!problem_.has_output(rank_)) wrong = "touches an output buffer that the rank does not have";
        break;
      case Buffer::scratch: wrong = check_area(op, region); break;
    }
    if (wrong.empty() && region.blocks != op.walked().blocks) wrong = "the regions differ in their number of blocks";
    for (int k = 0; wrong.empty() && k < region.blocks; ++k) wrong = check_block(op, region, k);
    return wrong.empty() ? wrong : std::string(name) + ": " + wrong;
  }

  std::string check_area(const Operation& op, const Region& region) const {
    if (region.area < 0 || region.area >= static_cast<int>(schedule_.areas.size())) {
      return "there is no area " + std::to_string(region.area);
    }
    const Area::Kind kind = schedule_.areas[region.area].kind;
    if (op.merged && kind == Area::Kind::ring) return "a merged message does not fit into a ring's slot";
    if (op.merged && kind == Area::Kind::slots && region.blocks > 1) return "merged blocks lie in slots, not packed";
    return {};
  }

  std::string check_block(const Operation& op, const Region& region, int k) const {
    const int place = region.place.at(k), label = region.label.at(k);
    if (label < 0 || label >= schedule_.blocks) return "there is no block " + std::to_string(label);
    if (label != op.walked().label.at(k)) return "the regions differ in the label of block " + std::to_string(k);
    if (region.buffer != Buffer::scratch) {
      if (!may_lie_at(region.buffer, place, label)) {
        return "block " + std::to_string(label) + " lies at place " + std::to_string(place);
      }
    } else {
      const Area& area = schedule_.areas[region.area];
      if (area.kind == Area::Kind::ring) return {};
      if (place < 0 || place >= area.blocks) return "there is no slot " + std::to_string(place) + " in its area";
      if (area.kind == Area::Kind::packed && area.labels.at(place) != label) {
        return "block " + std::to_string(label) + " lies in the slot of block " + std::to_string(area.labels.at(place));
      }
    }
    if (op.merged && place != region.place.at(0) + k) return "merged blocks are not one stretch of memory";
    return {};
  }

  [[nodiscard]] bool may_lie_at(Buffer buffer, int place, int label) const {
    const auto lies_in = [&](const Held& held) { return held.holds(label) && held.place_of(label) == place; };
    const Held input = problem_.input(rank_, schedule_.blocks), output = problem_.output(rank_, schedule_.blocks);
    if (buffer == Buffer::input) return lies_in(input);
    const bool is_elsewhere = problem_.in_place_at(rank_) && problem_.contract().in_place == InPlace::other_place;
    return lies_in(output) || (is_elsewhere && lies_in(input));
  }

  std::string check_dependencies(std::size_t number, const Operation& op) const {
    if (std::size_t{op.first_dependency} + op.dependency_count > schedule_.dependencies.size()) {
      return "its dependencies are not in the schedule's list";
    }
    for (const Dependency& dependency : schedule_.dependencies_of(op)) {
      if (dependency.operation >= schedule_.operations.size()) {
        return "depends on operation " + std::to_string(dependency.operation) + ", which does not exist";
      }
      if (dependency.operation == number) return "depends on itself";
    }
    return {};
  }

  const Case& problem_;
  Rank rank_;
  const Schedule& schedule_;
};

}  // namespace

std::string check_structure(const Case& problem, std::span<const Schedule> ranks) {
  if (problem.size < 1) return "a collective needs at least one rank";
  if (static_cast<std::size_t>(problem.size) != ranks.size()) return "there must be one schedule for each rank";
  if (problem.root < 0 || problem.root >= problem.size) return "the root is not one of the ranks";
  for (Rank rank = 0; rank < problem.size; ++rank) {
    if (ranks[rank].blocks < 1) return "rank " + std::to_string(rank) + ": a message has at least one block";
    if (ranks[rank].blocks != ranks[0].blocks) {
      return "rank " + std::to_string(rank) + " cuts the message in " + std::to_string(ranks[rank].blocks) +
             " blocks, rank 0 in " + std::to_string(ranks[0].blocks);
    }
    std::string wrong = RankStructure(problem, rank, ranks[rank]).check();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace espalier::proof
