// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/channels.hpp"

#include <algorithm>

#include "verify/model/describe.hpp"

namespace espalier::proof {

namespace {

// The messages of one side of a channel, unit by unit.
class Units {
 public:
  struct Unit {
    std::vector<int> labels;
    bool merged = false;
    friend bool operator==(const Unit&, const Unit&) = default;
  };

  Units(const AllRanks& all, const std::vector<Stretch>& side) : all_(all), side_(side) {}

  [[nodiscard]] bool at_end() const { return at_ == side_.size(); }
  [[nodiscard]] std::uint32_t operation() const { return side_[at_].op; }
  [[nodiscard]] Unit unit() const {
    const Region& walked = all_.operation(operation()).walked();
    Unit unit{.merged = all_.operation(operation()).merged};
    const int blocks = unit.merged ? walked.blocks : 1;
    for (int k = 0; k < blocks; ++k) unit.labels.push_back(walked.label.at(side_[at_].first + block_ + k));
    return unit;
  }
  void advance() {
    if (++block_ < side_[at_].blocks) return;
    block_ = 0;
    ++at_;
  }

 private:
  const AllRanks& all_;
  const std::vector<Stretch>& side_;
  std::size_t at_ = 0;
  int block_ = 0;  // of the stretch
};

std::string text_of(const Units::Unit& unit) {
  if (unit.labels.empty()) return "a signal";
  const std::string label = "block " + std::to_string(unit.labels.front());
  return unit.merged ? std::to_string(unit.labels.size()) + " merged blocks from " + label + " on" : label;
}

std::string check_messages(const AllRanks& all, const AllRanks::ChannelEnds& channel) {
  Units sent(all, channel.sends), received(all, channel.receives);
  for (; !sent.at_end() && !received.at_end(); sent.advance(), received.advance()) {
    if (sent.unit() == received.unit()) continue;
    return describe(channel) + ": " + describe(all, sent.operation()) + " sends " + text_of(sent.unit()) + " where " +
           describe(all, received.operation()) + " expects " + text_of(received.unit());
  }
  if (!sent.at_end())
    return describe(channel) + ": nothing receives what " + describe(all, sent.operation()) + " sends";
  if (!received.at_end()) {
    return describe(channel) + ": nothing is sent for " + describe(all, received.operation());
  }
  return {};
}

// Which operations have surely posted all their items when the first item of an operation is posted?
class PostedBefore {
 public:
  explicit PostedBefore(const AllRanks& all) : all_(all) {}

  [[nodiscard]] bool operator()(std::uint32_t earlier, std::uint32_t later) const {
    for (const Dependency& dependency : all_.dependencies_of(later)) {
      if (all_.target_of(later, dependency) == earlier && is_full(dependency, later)) return true;
    }
    return reaches(earlier, later);
  }

 private:
  [[nodiscard]] bool is_full(const Dependency& dependency, std::uint32_t of) const {
    if (dependency.kind == Dependency::Kind::whole || dependency.kind == Dependency::Kind::posted) return true;
    if (dependency.kind != Dependency::Kind::aligned || dependency.shift < 0) return false;
    const Operation& op = all_.operation(all_.target_of(of, dependency));
    return op.merged || dependency.shift >= op.walked().blocks;
  }

  // All that has begun before `later` begins, by dependencies of first items on first items.
  [[nodiscard]] bool reaches(std::uint32_t earlier, std::uint32_t later) const {
    std::vector<std::uint32_t> open{later}, seen{later};
    while (!open.empty()) {
      const std::uint32_t op = open.back();
      open.pop_back();
      for (const Dependency& dependency : all_.dependencies_of(op)) {
        const bool has_begun =
            is_full(dependency, op) || (dependency.kind == Dependency::Kind::aligned && dependency.shift >= 0);
        const std::uint32_t target = all_.target_of(op, dependency);
        if (!has_begun) continue;
        if (target == earlier && is_full(dependency, op)) return true;
        if (std::ranges::find(seen, target) != seen.end()) continue;
        seen.push_back(target);
        open.push_back(target);
      }
    }
    return false;
  }

  const AllRanks& all_;
};

std::string check_side(const AllRanks& all, const std::vector<Stretch>& side) {
  const PostedBefore posted_before(all);
  for (std::size_t k = 1; k < side.size(); ++k) {
    const std::uint32_t earlier = side[k - 1].op, later = side[k].op;
    if (earlier == later || posted_before(earlier, later)) continue;
    return describe(all, later) + " may be posted before operation " + std::to_string(all.number_of(earlier)) +
           ", which is earlier on the same channel";
  }
  return {};
}

}  // namespace

std::string check_messages(const AllRanks& all) {
  for (const AllRanks::ChannelEnds& channel : all.channels()) {
    std::string wrong = check_messages(all, channel);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string check_posting_order(const AllRanks& all) {
  for (const AllRanks::ChannelEnds& channel : all.channels()) {
    for (const auto* side : {&channel.sends, &channel.receives}) {
      std::string wrong = check_side(all, *side);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace espalier::proof
