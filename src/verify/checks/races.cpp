// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/races.hpp"

#include <algorithm>
#include <optional>

#include "verify/model/describe.hpp"

namespace espalier::proof {

namespace {

using Event = SymbolicRun::Event;

// What must have finished before an item is posted, for all items of one rank: a count for each operation.
class Clocks {
 public:
  Clocks(const AllRanks& all, const SymbolicRun& run, Rank rank)
      : all_(all),
        items_(run.items(rank)),
        window_(run.window()),
        base_(all.first(rank)),
        width_(all.first(rank + 1) - base_) {
    first_item_.push_back(0);
    for (std::uint32_t op = 0; op < width_; ++op) {
      first_item_.push_back(first_item_.back() + items(op));
    }
    counts_.assign(first_item_.back() * width_, 0);
    for (const Event& event : run.events(rank)) advance(event);
  }

  [[nodiscard]] bool has_finished(Event earlier, Event later) const {
    return clock(later.op - base_, later.item)[earlier.op - base_] > earlier.item;
  }

 private:
  [[nodiscard]] int items(std::uint32_t op) const { return items_.count(op); }
  [[nodiscard]] const int* clock(std::uint32_t op, int item) const {
    return counts_.data() + (first_item_[op] + item) * width_;
  }

  void advance(Event event) {
    const std::uint32_t op = event.op - base_;
    int* const mine = counts_.data() + (first_item_[op] + event.item) * width_;
    if (event.item > 0) include(mine, op, event.item - 1);
    const bool immediate = !all_.operation(event.op).communicates();
    mine[op] = immediate ? event.item : std::max(0, event.item + 1 - window_);
    for (const Dependency& dependency : all_.dependencies_of(event.op)) {
      const std::uint32_t other = dependency.operation;
      const int count = items_.needed(dependency, op, event.item, window_);
      if (count == 0) continue;
      include(mine, other, count - 1);
      if (!dependency.is_of_posting()) mine[other] = std::max(mine[other], count);
    }
  }
  void include(int* mine, std::uint32_t op, int item) const {
    const int* other = clock(op, item);
    for (std::uint32_t k = 0; k < width_; ++k) mine[k] = std::max(mine[k], other[k]);
  }

  const AllRanks& all_;
  const Items& items_;
  int window_;
  std::uint32_t base_;
  std::size_t width_;  // operations
  std::vector<std::size_t> first_item_;
  std::vector<int> counts_;  // by item and operation
};

class RankRaces {
 public:
  RankRaces(const AllRanks& all, const SymbolicRun& run, Rank rank)
      : all_(all), run_(run), rank_(rank), cells_(run.cells(rank).size()) {}

  std::string check() {
    for (const Event& event : run_.events(rank_)) {
      check(event);
      if (!error_.empty()) break;
    }
    return error_;
  }

 private:
  static constexpr std::int32_t nothing = -1;
  struct Cell {
    Event writer{0, nothing};
    std::int32_t readers = nothing;  // since the last write: a list in readers_
  };
  struct CellReader {
    Event event;
    std::int32_t next = nothing;
  };

  void check(Event event) {
    const Operation& op = all_.operation(event.op);
    const CellRange target = range(event.op, op.target, event.item);
    for (const Region* source : {&op.source, &op.source_right}) {
      if (source->buffer == Buffer::none) continue;
      const CellRange read = range(event.op, *source, event.item);
      const bool in_place = op.kind == Operation::Kind::reduce && read == target;
      if (read.meets(target) && !in_place) return fail("writes over its own source", event);
      for (std::uint32_t cell = read.first; cell < read.first + read.count; ++cell) note_read(cells_[cell], event);
    }
    for (std::uint32_t cell = target.first; cell < target.first + target.count; ++cell) {
      note_write(cells_[cell], event);
    }
  }

  [[nodiscard]] CellRange range(std::uint32_t op, const Region& region, int item) const {
    return region.buffer == Buffer::none ? CellRange{} : run_.cells(rank_).of(all_.number_of(op), region, item);
  }

  void note_read(Cell& cell, Event event) {
    require_order(cell.writer, event);
    readers_.push_back({event, cell.readers});
    cell.readers = static_cast<std::int32_t>(readers_.size()) - 1;
  }

  void note_write(Cell& cell, Event event) {
    require_order(cell.writer, event);
    for (std::int32_t k = cell.readers; k != nothing; k = readers_[k].next) require_order(readers_[k].event, event);
    cell = {event, nothing};
  }

  void require_order(Event earlier, Event later) {
    const bool same = earlier.op == later.op && earlier.item == later.item;
    if (earlier.item == nothing || same || is_ordered_directly(earlier, later)) return;
    if (!clocks_) clocks_.emplace(all_, run_, rank_);
    if (clocks_->has_finished(earlier, later)) return;
    fail("touches what item " + std::to_string(earlier.item) + " of operation " +
             std::to_string(all_.number_of(earlier.op)) + " touches, and nothing orders them",
         later);
  }

  [[nodiscard]] bool is_ordered_directly(Event earlier, Event later) const {
    if (earlier.op == later.op) {
      const int distance = all_.operation(later.op).communicates() ? run_.window() : 1;
      return earlier.item + distance <= later.item;
    }
    for (const Dependency& dependency : all_.dependencies_of(later.op)) {
      if (all_.target_of(later.op, dependency) != earlier.op) continue;
      if (dependency.is_of_posting()) continue;
      const std::uint32_t number = all_.number_of(later.op);
      if (run_.items(rank_).needed(dependency, number, later.item, run_.window()) > earlier.item) return true;
    }
    return false;
  }

  void fail(const std::string& what, Event event) {
    if (error_.empty()) error_ = "race: " + describe(all_, event.op, event.item) + " " + what;
  }

  const AllRanks& all_;
  const SymbolicRun& run_;
  Rank rank_;
  std::vector<Cell> cells_;
  std::vector<CellReader> readers_;
  std::optional<Clocks> clocks_;  // only made when some pair has no direct dependency
  std::string error_;
};

}  // namespace

std::string check_races(const AllRanks& all, const SymbolicRun& run) {
  for (Rank rank = 0; rank < all.size(); ++rank) {
    std::string wrong = RankRaces(all, run, rank).check();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace espalier::proof
