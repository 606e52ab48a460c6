// SPDX-License-Identifier: Apache-2.0
// All ranks' schedules run at once on symbols instead of numbers, with sends that wait for their receives.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "verify/cells.hpp"
#include "verify/expression.hpp"
#include "verify/network.hpp"

namespace espalier::proof {

// Nothing that has become possible ever becomes impossible (items wait for counts that only rise, and the posting order
// on each channel is forced), so whether a run ends and what it yields does not depend on the order in which its events
// are taken. One run speaks for all. That needs the posting order and the absence of races, which are checked on their
// own.
class SymbolicRun {
 public:
  struct Limits {
    int segments = 1;
    int window = 1;
    int in_flight = 1;           // items of one operation under way at once; 1 is all that an engine must grant
    bool breadth_first = false;  // another order of events, for the sake of doubt
  };
  struct Event {
    std::uint32_t op = 0;
    std::int32_t item = 0;
  };

  // `network` has passed check_messages(); both arguments must outlive this.
  SymbolicRun(const Network& network, Limits limits, Expressions& expressions);

  // Empty text: the run has ended, and nothing undefined or unfit was read on the way.
  [[nodiscard]] std::string run();

  [[nodiscard]] const Limits& limits() const { return limits_; }
  // The expression in that piece of the rank's output, none if it was never written.
  [[nodiscard]] Expressions::Id output(Rank rank, int block, int segment) const;
  // Is that what lies there the right piece of the message?
  [[nodiscard]] bool output_is_in_place(Rank rank, int block, int segment) const;
  [[nodiscard]] const Cells& cells(Rank rank) const { return cells_[rank]; }
  // The items of one rank in an order that respects its dependencies.
  [[nodiscard]] const std::vector<Event>& events(Rank rank) const { return events_[rank]; }
  [[nodiscard]] std::size_t count_events() const;

 private:
  struct Value {
    Expressions::Id expression = Expressions::none;
    std::uint32_t piece = 0;  // which block and segment of the message this is a part of
  };
  struct State {
    int items = 0, posted = 0, done = 0;
    bool leads = false;  // others keep in step with it
    bool queued = false;
  };
  struct Cursor {  // the next item of one side of a channel
    std::size_t index = 0;
    int item = 0;
  };
  struct Traffic {
    Cursor next_send, next_receive;  // to be matched
    std::size_t posting_send = 0, posting_receive = 0;
    int sends_posted = 0, receives_posted = 0;  // and not yet matched
  };

  void define_inputs();
  void find_dependants();
  void wake(std::uint32_t op);
  void wake_dependants(std::uint32_t op);
  [[nodiscard]] bool can_post(std::uint32_t op) const;
  void post(std::uint32_t op);
  void post_message(std::uint32_t op);
  void finish(std::uint32_t op, int item);
  void match(std::uint32_t channel);
  [[nodiscard]] Event take(Cursor& cursor, const std::vector<std::uint32_t>& side) const;
  void transfer(Event send, Event receive);
  void copy(std::uint32_t op, int item);
  void reduce(std::uint32_t op, int item);
  [[nodiscard]] CellRange load(std::uint32_t op, const Region& region, int item);
  [[nodiscard]] std::string explain_stop() const;
  [[nodiscard]] std::string waits_for(std::uint32_t op) const;
  void fail(std::string text);

  const Network& network_;
  Limits limits_;
  Expressions& expressions_;
  std::vector<Cells> cells_;
  std::vector<std::vector<Value>> memory_;  // by rank and cell
  std::vector<State> states_;
  std::vector<Traffic> traffic_;  // by channel
  std::vector<std::uint32_t> first_dependant_, dependants_;
  std::vector<std::vector<Event>> events_;  // by rank
  std::deque<std::uint32_t> queue_;
  std::string error_;
};

}  // namespace espalier::proof
