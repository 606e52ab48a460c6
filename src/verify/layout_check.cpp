// SPDX-License-Identifier: Apache-2.0
#include "verify/layout_check.hpp"

#include "schedule/layout.hpp"
#include "verify/cells.hpp"
#include "verify/describe.hpp"

namespace espalier::proof {

namespace {

std::string text_of(const Extent& extent) {
  return "[" + std::to_string(extent.offset) + ", " + std::to_string(extent.offset + extent.length) + ")";
}

// Where the cells of one rank lie, collected over all items.
class RankLayout {
 public:
  RankLayout(const Network& network, Rank rank, const Message& message)
      : network_(network),
        rank_(rank),
        elements_(message.elements),
        segments_(message.segments),
        layout_(network.schedule(rank), message.elements, message.segments, message.window, message.granule),
        cells_(network.schedule(rank), message.segments, message.window),
        places_(cells_.size()) {}

  std::string check() {
    for (std::uint32_t op = network_.first(rank_); op < network_.first(rank_ + 1); ++op) {
      const int items = network_.operation(op).items(segments_);
      for (int item = 0; item < items && error_.empty(); ++item) check_item(op, item);
    }
    if (error_.empty()) check_disjoint();
    return error_;
  }

  [[nodiscard]] std::size_t length(std::uint32_t op, int item) const {
    const Operation& operation = network_.operation(op);
    return layout_.extent(operation, operation.walked(), item).length;
  }

 private:
  struct Place {
    std::size_t low = 0, high = 0;  // all that was ever in this cell
    int piece = -1;                 // the segment of the message that was there last
    Extent extent;
  };

  void check_item(std::uint32_t number, int item) {
    const Operation& op = network_.operation(number);
    const std::size_t expected = length(number, item);
    for (const Region* region : {&op.source, &op.source_right, &op.target}) {
      if (region->buffer == Buffer::none) continue;
      const Extent extent = layout_.extent(op, *region, item);
      if (extent.length != expected) return fail(number, item, "the regions differ in length");
      const std::size_t limit = region->buffer == Buffer::scratch ? layout_.scratch_elements() : elements_;
      if (extent.length > 0 && extent.offset + extent.length > limit) {
        return fail(number, item, "elements " + text_of(extent) + " lie beyond the end, " + std::to_string(limit));
      }
      const CellRange range = cells_.of(op, *region, item);
      if (op.merged) {
        note_merged(number, *region, range, extent);
      } else {
        note(number, item, range.first, piece_of(*region, item), extent);
      }
    }
  }

  // A merged item must be exactly what its segments would be one by one.
  void note_merged(std::uint32_t number, const Region& region, CellRange range, const Extent& whole) {
    Operation one_by_one = network_.operation(number);
    one_by_one.merged = false;
    std::size_t next = whole.offset;
    for (std::uint32_t k = 0; k < range.count; ++k) {
      const int item = static_cast<int>(k);
      const Extent extent = layout_.extent(one_by_one, region, item);
      if (extent.length > 0 && extent.offset != next) return fail(number, 0, "merged blocks have gaps between them");
      next += extent.length;
      note(number, 0, range.first + k, piece_of(region, item), extent);
    }
    if (next != whole.offset + whole.length) fail(number, 0, "merged blocks are not as long as the message");
  }

  [[nodiscard]] int piece_of(const Region& region, int item) const {
    return region.label.at(item / segments_) * segments_ + item % segments_;
  }

  void note(std::uint32_t number, int item, std::uint32_t cell, int piece, const Extent& extent) {
    if (extent.length == 0) return;
    Place& place = places_[cell];
    if (place.high == 0) {
      place.low = extent.offset;
      place.high = extent.offset + extent.length;
    }
    const bool moved = extent.offset != place.extent.offset || extent.length != place.extent.length;
    if (place.piece == piece && moved) {
      fail(number, item,
           "block " + std::to_string(piece / segments_) + " lies at " + text_of(extent) + ", and elsewhere at " +
               text_of(place.extent));
    }
    place.low = std::min(place.low, extent.offset);
    place.high = std::max(place.high, extent.offset + extent.length);
    place.piece = piece;
    place.extent = extent;
  }

  // Input, output and scratch memory are apart; within each, cells lie in the order of their numbers.
  void check_disjoint() {
    const std::uint32_t output = cells_.output(0, 0), scratch = cells_.output(network_.blocks(), 0);
    std::size_t end = 0;
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
      if (cell == output || cell == scratch) end = 0;
      const Place& place = places_[cell];
      if (place.high == 0) continue;
      if (place.low < end) {
        const char* buffer = cell < output ? "the input" : cell < scratch ? "the output" : "scratch memory";
        error_ = "rank " + std::to_string(rank_) + ": two cells overlap in " + buffer + " at element " +
                 std::to_string(place.low);
        return;
      }
      end = place.high;
    }
  }

  void fail(std::uint32_t number, int item, const std::string& what) {
    if (error_.empty()) error_ = describe(network_, number, item) + ": " + what;
  }

  const Network& network_;
  Rank rank_;
  std::size_t elements_;
  int segments_;
  Layout layout_;
  Cells cells_;
  std::vector<Place> places_;
  std::string error_;
};

// The items of one side of a channel, one after the other.
class Messages {
 public:
  Messages(const Network& network, const std::vector<RankLayout>& ranks, const std::vector<std::uint32_t>& side,
           int segments)
      : network_(network), ranks_(ranks), side_(side), segments_(segments) {}

  [[nodiscard]] bool at_end() const { return at_ == side_.size(); }
  [[nodiscard]] std::uint32_t operation() const { return side_[at_]; }
  [[nodiscard]] int item() const { return item_; }
  [[nodiscard]] std::size_t length() const { return ranks_[network_.rank_of(operation())].length(operation(), item_); }
  void advance() {
    if (++item_ < network_.operation(operation()).items(segments_)) return;
    item_ = 0;
    ++at_;
  }

 private:
  const Network& network_;
  const std::vector<RankLayout>& ranks_;
  const std::vector<std::uint32_t>& side_;
  int segments_;
  std::size_t at_ = 0;
  int item_ = 0;
};

std::string check_lengths(const Network& network, const std::vector<RankLayout>& ranks, int segments) {
  for (const Network::Channel& channel : network.channels()) {
    Messages sent(network, ranks, channel.sends, segments), received(network, ranks, channel.receives, segments);
    for (; !sent.at_end() && !received.at_end(); sent.advance(), received.advance()) {
      if (sent.length() == received.length()) continue;
      return describe(network, sent.operation(), sent.item()) + " sends " + std::to_string(sent.length()) +
             " elements where " + describe(network, received.operation(), received.item()) + " expects " +
             std::to_string(received.length());
    }
  }
  return {};
}

std::string in_words(const Message& message) {
  return "a message of " + std::to_string(message.elements) + " elements in " + std::to_string(message.segments) +
         " segments, window " + std::to_string(message.window) + ", granule " + std::to_string(message.granule) + ": ";
}

}  // namespace

std::string check_layout(const Network& network, const Message& message) {
  std::vector<RankLayout> ranks;
  for (Rank rank = 0; rank < network.size(); ++rank) {
    std::string wrong = ranks.emplace_back(network, rank, message).check();
    if (!wrong.empty()) return in_words(message) + wrong;
  }
  std::string wrong = check_lengths(network, ranks, message.segments);
  return wrong.empty() ? wrong : in_words(message) + wrong;
}

std::string check_layouts(const Network& network) {
  const auto blocks = static_cast<std::size_t>(network.blocks());
  const std::size_t fewer = blocks - 1, uneven = 11 * blocks + blocks / 2 + 1, large = (std::size_t{1} << 33) + 7;
  const Message messages[] = {{0, 1, 1, 1},      {fewer, 2, 1, 1},  {uneven, 1, 4, 1},
                              {uneven, 3, 2, 1}, {uneven, 2, 1, 8}, {large, 4, 2, 64}};
  for (const Message& message : messages) {
    std::string wrong = check_layout(network, message);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace espalier::proof
