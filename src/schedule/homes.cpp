// SPDX-License-Identifier: Apache-2.0
#include "schedule/homes.hpp"

#include <algorithm>
#include <unordered_map>

#include "schedule/walks.hpp"

namespace espalier {

namespace {

class Homes {
 public:
  explicit Homes(const Recording& recording)
      : recording_(recording), uses_(recording.values.size()), barred_(recording.values.size(), false) {
    for (int node = 0; node < static_cast<int>(recording.nodes.size()); node++) {
      for (const Stream& stream : recording.nodes[node].sources) uses_[stream.value].push_back({node, stream.labels});
    }
  }

  std::vector<bool> choose() {
    do assign();
    while (bar_one_conflict());
    return home_;
  }

 private:
  struct LabelUse {
    int node;
    Range labels;
  };

  [[nodiscard]] const Recording::Value& value(int v) const { return recording_.values[v]; }
  [[nodiscard]] bool may_live_in_output(int v) const { return !value(v).is_input() && !barred_[v] && fits_output(v); }

  // All its blocks are blocks of the output, and those of a merged message one stretch of it.
  [[nodiscard]] bool fits_output(int v) const {
    const Range& labels = value(v).labels;
    const Walk walk = labels.labels(recording_.blocks);
    for (int k = 0; k < labels.count && recording_.output->count < recording_.blocks; ++k) {
      if (!recording_.output->holds(walk.at(k))) return false;
    }
    const bool merged = recording_.nodes[value(v).definition].merged && labels.count > 1;
    if (!merged) return true;
    return labels.list == nullptr && labels.step == 1 && !recording_.has_gaps &&
           walk.at(labels.count - 1) == walk.at(0) + labels.count - 1;
  }

  void assign() {
    home_.assign(recording_.values.size(), false);
    if (!recording_.output) return;
    for (int i = static_cast<int>(recording_.nodes.size()) - 1; i >= 0; i--) {
      const Recording::Node& node = recording_.nodes[i];
      if (node.kind == Recording::Kind::output) {
        for (const Stream& stream : node.sources) {
          if (may_live_in_output(stream.value)) home_[stream.value] = true;
        }
      }
      if (node.kind == Recording::Kind::reduce && home_[node.value]) accumulate_in_place(i, node);
    }
  }

  // An operand that ends here may already have been where the result goes.
  void accumulate_in_place(int index, const Recording::Node& node) {
    for (const Stream& operand : node.sources) {
      const bool ends_here = uses_[operand.value].back().node == index;
      const bool whole = operand.labels == value(operand.value).labels;
      if (home_[operand.value]) return;
      if (ends_here && whole && may_live_in_output(operand.value)) {
        home_[operand.value] = true;
        return;
      }
    }
  }

  [[nodiscard]] bool meets(Range a, Range b) const {
    return meet(a.labels(recording_.blocks), a.count, b.labels(recording_.blocks), b.count).has_value();
  }

  // Is some block of `later` still needed of `earlier` when `later` is written?
  [[nodiscard]] bool needed_after(int earlier, int later) const {
    const Recording::Value& writer = value(later);
    for (const LabelUse& use : uses_[earlier]) {
      const bool is_output = recording_.nodes[use.node].kind == Recording::Kind::output;
      if ((use.node > writer.definition || is_output) && meets(use.labels, writer.labels)) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_output_within(int v, Range labels) const {
    for (const LabelUse& use : uses_[v]) {
      if (recording_.nodes[use.node].kind == Recording::Kind::output && meets(use.labels, labels)) return true;
    }
    return false;
  }

  // What may lie in the output already, in order of definition, and which of it has some block. Where there are few
  // values, it is not worth the while to tell them by their blocks.
  class Earlier {
   public:
    Earlier(const Homes& homes, bool tells_blocks) : homes_(homes), tells_blocks_(tells_blocks) {}

    void add(int v) {
      all_.push_back(v);
      if (!tells_blocks_) return;
      for_each_block_of(v, [&](int block) { with_block_[block].push_back(v); });
    }
    // All that may meet it, in order.
    [[nodiscard]] std::vector<int> that_may_meet(int v) const {
      if (!tells_blocks_) return all_;
      std::vector<int> found;
      for_each_block_of(v, [&](int block) {
        const auto there = with_block_.find(block);
        if (there != with_block_.end()) found.insert(found.end(), there->second.begin(), there->second.end());
      });
      std::ranges::sort(found);
      found.erase(std::unique(found.begin(), found.end()), found.end());
      return found;
    }

   private:
    template <class Work>
    void for_each_block_of(int v, const Work& work) const {
      const Range& labels = homes_.value(v).labels;
      const Walk walk = labels.labels(homes_.recording_.blocks);
      for (int k = 0; k < labels.count; ++k) work(walk.at(k));
    }

    const Homes& homes_;
    const bool tells_blocks_;
    std::vector<int> all_;
    std::unordered_map<int, std::vector<int>> with_block_;
  };

  bool bar_one_conflict() {
    constexpr std::size_t few_values = 64;
    Earlier earlier(*this, recording_.values.size() > few_values);
    for (int v = 0; v < static_cast<int>(recording_.values.size()); v++) {
      if (value(v).is_input() && recording_.in_place) earlier.add(v);
    }
    for (int v = 0; v < static_cast<int>(recording_.values.size()); v++) {
      if (!home_[v]) continue;
      for (const int u : earlier.that_may_meet(v)) {
        if (!needed_after(u, v)) continue;
        const bool keep_earlier = value(u).is_input() || is_output_within(u, value(v).labels);
        barred_[keep_earlier ? v : u] = true;
        return true;
      }
      earlier.add(v);
    }
    return false;
  }

  const Recording& recording_;
  std::vector<std::vector<LabelUse>> uses_;
  std::vector<bool> barred_, home_;
};

}  // namespace

std::vector<bool> choose_homes(const Recording& recording) { return Homes(recording).choose(); }

}  // namespace espalier
