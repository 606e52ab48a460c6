// SPDX-License-Identifier: Apache-2.0
// All ranks' schedules run at once on symbols instead of numbers, with sends that wait for their receives.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "verify/model/all_ranks.hpp"
#include "verify/model/cells.hpp"
#include "verify/model/expression.hpp"

namespace espalier::proof {

// Nothing that has become possible ever becomes impossible (items wait for counts that only rise, and the posting order
// on each channel is forced), so whether a run ends and what it yields does not depend on the order in which its events
// are taken. One run speaks for all. That needs the posting order and the absence of races, which are checked on their
// own.
class SymbolicRun {
 public:
  struct IssueOrder {
    int window = 1;
    int in_flight = 1;           // items of one operation under way at once; 1 is all that an engine must grant
    bool breadth_first = false;  // another order of events, for the sake of doubt
  };
  struct Event {
    std::uint32_t op = 0;
    std::int32_t item = 0;
  };

  // `all` has passed check_messages(); a partition for each rank. All but `order` must outlive this.
  SymbolicRun(const AllRanks& all, std::span<const Partition> partitions, IssueOrder order, Expressions& expressions);

  // Empty text: the run has ended, and nothing undefined or unfit was read en route.
  [[nodiscard]] std::string run();

  [[nodiscard]] int window() const { return order_.window; }
  [[nodiscard]] const Partition& partition(Rank rank) const { return partitions_[rank]; }
  [[nodiscard]] const Items& items(Rank rank) const { return cells_[rank].items(); }
  // The expression in a segment of a place of the rank's output, none if it was never written.
  [[nodiscard]] Expressions::Id output(Rank rank, int place, int segment) const;
  // Is what lies there that segment of the block with this label?
  [[nodiscard]] bool output_is(Rank rank, int place, int segment, int label) const;
  [[nodiscard]] const Cells& cells(Rank rank) const { return cells_[rank]; }
  // The items of one rank in an order that respects its dependencies.
  [[nodiscard]] const std::vector<Event>& events(Rank rank) const { return events_[rank]; }
  [[nodiscard]] std::size_t count_events() const;

 private:
  struct SymbolicValue {
    Expressions::Id expression = Expressions::none;
    std::int32_t label = -1, segment = 0;  // which part of the message this is
  };
  struct OperationState {
    int items = 0, posted = 0, done = 0;
    bool leads = false;  // others keep in step with it
    bool queued = false;
  };
  struct Cursor {  // the next item of one side of a channel
    std::uint32_t next_stretch = 0;
    std::uint32_t op = 0;   // of the stretch
    int item = 0, end = 0;  // what is left of it
  };
  struct Traffic {
    Cursor next_send, next_receive;             // to be matched
    Cursor posting_send, posting_receive;       // to be posted
    int sends_posted = 0, receives_posted = 0;  // and not yet matched
  };

  void define_inputs();
  void find_dependants();
  void wake(std::uint32_t op);
  void wake_dependants(std::uint32_t op);
  [[nodiscard]] bool can_post(std::uint32_t op) const;
  void post(std::uint32_t op);
  void post_message(std::uint32_t op, int item);
  void finish(std::uint32_t op, int item);
  void match(std::uint32_t channel);
  [[nodiscard]] Event take(Cursor& cursor, const std::vector<Stretch>& side) const;
  [[nodiscard]] const Items& items_of(std::uint32_t op) const { return cells_[all_.rank_of(op)].items(); }
  [[nodiscard]] int needed(const Dependency& dependency, std::uint32_t op, int item) const {
    return items_of(op).needed(dependency, all_.number_of(op), item, order_.window);
  }
  [[nodiscard]] CellRange cells_of(std::uint32_t op, const Region& region, int item) const {
    return cells_[all_.rank_of(op)].of(all_.number_of(op), region, item);
  }
  void transfer(Event send, Event receive);
  void copy(std::uint32_t op, int item);
  void reduce(std::uint32_t op, int item);
  [[nodiscard]] CellRange load(std::uint32_t op, const Region& region, int item);
  [[nodiscard]] std::string explain_stop() const;
  [[nodiscard]] std::string waits_for(std::uint32_t op) const;
  void fail(std::string text);

  const AllRanks& all_;
  std::span<const Partition> partitions_;
  IssueOrder order_;
  Expressions& expressions_;
  std::vector<Cells> cells_;
  std::vector<std::vector<SymbolicValue>> memory_;  // by rank and cell
  std::vector<OperationState> states_;
  std::vector<Traffic> traffic_;  // by channel
  std::vector<std::uint32_t> first_dependant_, dependants_;
  std::vector<std::vector<Event>> events_;  // by rank
  std::deque<std::uint32_t> queue_;
  std::string error_;
};

}  // namespace espalier::proof
