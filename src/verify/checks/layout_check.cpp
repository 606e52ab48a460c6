// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/layout_check.hpp"

#include <algorithm>
#include <utility>

#include "schedule/layout.hpp"
#include "verify/model/cells.hpp"
#include "verify/model/describe.hpp"
#include "verify/model/samples.hpp"

namespace espalier::proof {

namespace {

std::string text_of(const Extent& extent) {
  return "[" + std::to_string(extent.offset) + ", " + std::to_string(extent.offset + extent.length) + ")";
}

// Where the cells of one rank lie, collected over all items.
class RankLayout {
 public:
  RankLayout(const AllRanks& all, Rank rank, const Partition& partition, int window)
      : all_(all),
        rank_(rank),
        partition_(partition),
        layout_(all.schedule(rank), partition, window),
        cells_(all.problem(), rank, all.schedule(rank), partition, window),
        places_(cells_.size()) {
    first_length_.push_back(0);
    for (std::uint32_t op = 0; op < all.schedule(rank).operations.size(); ++op) {
      first_length_.push_back(first_length_.back() + static_cast<std::uint32_t>(layout_.items().count(op)));
    }
    lengths_.resize(first_length_.back());
  }

  std::string check() {
    for (std::uint32_t op = all_.first(rank_); op < all_.first(rank_ + 1); ++op) {
      const int items = layout_.items().count(all_.number_of(op));
      for (int item = 0; item < items && error_.empty(); ++item) check_item(op, item);
    }
    if (error_.empty()) check_disjoint();
    return error_;
  }

  [[nodiscard]] const Items& items() const { return layout_.items(); }
  // Of an item of an own operation; known once check() has passed.
  [[nodiscard]] std::size_t length(std::uint32_t own, int item) const { return lengths_[first_length_[own] + item]; }

 private:
  struct CellExtent {
    std::size_t low = 0, high = 0;  // all that was ever in this cell
    int label = -1, segment = 0;    // what was there last
    Extent extent;
  };

  void check_item(std::uint32_t number, int item) {
    const Operation& op = all_.operation(number);
    const std::uint32_t own = all_.number_of(number);
    std::size_t& length = lengths_[first_length_[own] + item];
    bool is_first = true;
    for (const Region* region : {&op.source, &op.source_right, &op.target}) {
      if (region->buffer == Buffer::none) continue;
      const Extent extent = layout_.extent(own, *region, item);
      if (std::exchange(is_first, false)) length = extent.length;
      if (extent.length != length) return fail(number, item, "the regions differ in length");
      const std::size_t limit = region->buffer == Buffer::scratch ? layout_.scratch_elements() : partition_.elements();
      const bool is_limited = region->buffer == Buffer::scratch || partition_.is_even();
      if (is_limited && extent.length > 0 && extent.offset + extent.length > limit) {
        return fail(number, item, "elements " + text_of(extent) + " lie beyond the end, " + std::to_string(limit));
      }
      const CellRange range = cells_.of(own, *region, item);
      if (op.merged) {
        note_merged(number, *region, range, extent);
      } else {
        const auto [block, segment] = layout_.items().piece(own, item);
        note(number, item, range.first, region->label.at(block), segment, extent);
      }
    }
  }

  // A merged item must be exactly what its segments would be one by one.
  void note_merged(std::uint32_t number, const Region& region, CellRange range, const Extent& whole) {
    std::size_t next = whole.offset;
    std::uint32_t cell = range.first;
    for (int block = 0; block < region.blocks; ++block) {
      const int label = region.label.at(block);
      for (int segment = 0; segment < partition_.segments(label); ++segment, ++cell) {
        const Extent part = partition_.segment(label, segment);
        const Extent extent{layout_.block_offset(region, block) + part.offset, part.length};
        if (extent.length > 0 && extent.offset != next) return fail(number, 0, "merged blocks have gaps between them");
        next += extent.length;
        note(number, 0, cell, label, segment, extent);
      }
    }
    if (next != whole.offset + whole.length) fail(number, 0, "merged blocks are not as long as the message");
  }

  void note(std::uint32_t number, int item, std::uint32_t cell, int label, int segment, const Extent& extent) {
    if (extent.length == 0) return;
    CellExtent& place = places_[cell];
    if (place.high == 0) {
      place.low = extent.offset;
      place.high = extent.offset + extent.length;
    }
    const bool moved = extent.offset != place.extent.offset || extent.length != place.extent.length;
    if (place.label == label && place.segment == segment && moved) {
      fail(number, item,
           "block " + std::to_string(label) + " lies at " + text_of(extent) + ", and elsewhere at " +
               text_of(place.extent));
    }
    place.low = std::min(place.low, extent.offset);
    place.high = std::max(place.high, extent.offset + extent.length);
    place.label = label;
    place.segment = segment;
    place.extent = extent;
  }

  // Input, output and scratch memory are apart.
  void check_disjoint() {
    check_disjoint(0, cells_.first_output(), "the input");
    check_disjoint(cells_.first_output(), cells_.first_scratch(), "the output");
    check_disjoint(cells_.first_scratch(), cells_.size(), "scratch memory");
  }
  void check_disjoint(std::uint32_t first, std::uint32_t last, const char* buffer) {
    std::vector<CellExtent> used;
    for (std::uint32_t cell = first; cell < last; ++cell) {
      if (places_[cell].high > 0) used.push_back(places_[cell]);
    }
    std::ranges::sort(used, {}, &CellExtent::low);
    for (std::size_t k = 1; k < used.size() && error_.empty(); ++k) {
      if (used[k].low >= used[k - 1].high) continue;
      error_ = "rank " + std::to_string(rank_) + ": two cells overlap in " + buffer + " at element " +
               std::to_string(used[k].low);
    }
  }

  void fail(std::uint32_t number, int item, const std::string& what) {
    if (error_.empty()) error_ = describe(all_, number, item) + ": " + what;
  }

  const AllRanks& all_;
  Rank rank_;
  const Partition& partition_;
  Layout layout_;
  Cells cells_;
  std::vector<CellExtent> places_;
  std::vector<std::uint32_t> first_length_;  // of each operation
  std::vector<std::size_t> lengths_;         // of its items
  std::string error_;
};

// The items of one side of a channel, one after the other.
class SideMessages {
 public:
  SideMessages(const AllRanks& all, const std::vector<RankLayout>& ranks, const std::vector<Stretch>& side)
      : all_(all), ranks_(ranks), side_(side) {
    begin_stretch();
  }

  [[nodiscard]] bool at_end() const { return at_ == side_.size(); }
  [[nodiscard]] std::uint32_t operation() const { return side_[at_].op; }
  [[nodiscard]] int item() const { return item_; }
  [[nodiscard]] std::size_t length() const { return rank_->length(own_, item_); }
  void advance() {
    if (++item_ < end_) return;
    ++at_;
    begin_stretch();
  }

 private:
  void begin_stretch() {
    if (at_end()) return;
    const Stretch& stretch = side_[at_];
    rank_ = &ranks_[all_.rank_of(stretch.op)];
    own_ = all_.number_of(stretch.op);
    item_ = rank_->items().first_item(own_, stretch.first);
    end_ = rank_->items().first_item(own_, stretch.first + stretch.blocks);
  }

  const AllRanks& all_;
  const std::vector<RankLayout>& ranks_;
  const std::vector<Stretch>& side_;
  std::size_t at_ = 0;  // the stretch
  const RankLayout* rank_ = nullptr;
  std::uint32_t own_ = 0;   // its operation
  int item_ = 0, end_ = 0;  // its items from here on
};

std::string check_lengths(const AllRanks& all, const std::vector<RankLayout>& ranks) {
  for (const AllRanks::ChannelEnds& channel : all.channels()) {
    SideMessages sent(all, ranks, channel.sends), received(all, ranks, channel.receives);
    for (; !sent.at_end() && !received.at_end(); sent.advance(), received.advance()) {
      if (sent.length() == received.length()) continue;
      return describe(all, sent.operation(), sent.item()) + " sends " + std::to_string(sent.length()) +
             " elements where " + describe(all, received.operation(), received.item()) + " expects " +
             std::to_string(received.length());
    }
    if (!sent.at_end() || !received.at_end()) return describe(channel) + ": the two ends cut the message differently";
  }
  return {};
}

std::string text_of(const Partition& partition, int window) {
  return (partition.is_even() ? "a message of " + std::to_string(partition.elements()) + " elements in "
                              : std::string("blocks of different sizes, in up to ")) +
         std::to_string(partition.max_segments()) + " segments, window " + std::to_string(window) + ": ";
}

}  // namespace

std::string check_layout(const AllRanks& all, std::span<const Partition> partitions, int window) {
  std::vector<RankLayout> ranks;
  ranks.reserve(static_cast<std::size_t>(all.size()));
  for (Rank rank = 0; rank < all.size(); ++rank) {
    std::string wrong = ranks.emplace_back(all, rank, partitions[rank], window).check();
    if (!wrong.empty()) return text_of(partitions[rank], window) + wrong;
  }
  std::string wrong = check_lengths(all, ranks);
  return wrong.empty() ? wrong : text_of(partitions.front(), window) + wrong;
}

std::string check_layouts(const AllRanks& all, bool uneven) {
  struct Message {
    std::size_t elements = 0;
    int segments = 1;
    int window = 1;
    std::size_t granule = 1;
  };
  const auto blocks = static_cast<std::size_t>(all.blocks());
  const std::size_t fewer = blocks - 1, odd = 11 * blocks + blocks / 2 + 1, large = (std::size_t{1} << 33) + 7;
  const Message messages[] = {{0, 1, 1, 1},   {fewer, 2, 1, 1}, {odd, 1, 4, 1},
                              {odd, 3, 2, 1}, {odd, 2, 1, 8},   {large, 4, 2, 64}};
  const bool exact = all.problem().contract().division != Division::by_algorithm;
  for (const auto& [elements, segments, window, granule] : messages) {
    const Partition partition({all.blocks(), exact ? elements / blocks * blocks : elements, segments, granule, exact});
    std::string wrong = check_layout(all, std::vector(static_cast<std::size_t>(all.size()), partition), window);
    if (!wrong.empty()) return wrong;
  }
  for (const std::size_t segment : {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {
    std::vector<Partition> partitions;
    for (Rank rank = 0; rank < all.size() && uneven; ++rank) {
      partitions.push_back(uneven_partition(all.problem(), rank, all.blocks(), 5, segment));
    }
    std::string wrong = uneven ? check_layout(all, partitions, 2) : "";
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace espalier::proof
