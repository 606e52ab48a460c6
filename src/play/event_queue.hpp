// SPDX-License-Identifier: Apache-2.0
// What is planned, by time; of two at the same time the one that was planned first comes first.
//
// A heap in which each event has four below it: half as deep as one with two, and the four lie together in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace espalier {

template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return events_.empty(); }
  [[nodiscard]] std::size_t size() const { return events_.size(); }
  // Not empty.
  [[nodiscard]] double next() const { return events_.front().seconds; }
  [[nodiscard]] const Event& next_event() const { return events_.front().event; }
  // There are at least two. If nothing else is planned meanwhile, it is the second.
  [[nodiscard]] const Event& second_event() const { return events_[first_below(0)].event; }

  void push(double seconds, const Event& event) {
    const Planned planned{seconds, ++planned_, event};
    std::size_t place = events_.size();
    events_.push_back(planned);
    for (; place > 0 && planned.comes_before(events_[above(place)]); place = above(place))
      events_[place] = events_[above(place)];
    events_[place] = planned;
  }

  Event pop() {
    const Event event = events_.front().event;
    const Planned last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(last);
    return event;
  }

 private:
  struct Planned {
    double seconds = 0;
    std::uint64_t number = 0;
    Event event;

    [[nodiscard]] bool comes_before(const Planned& other) const {
      return seconds != other.seconds ? seconds < other.seconds : number < other.number;
    }
  };

  static constexpr std::size_t branches = 4;
  [[nodiscard]] static std::size_t above(std::size_t place) { return (place - 1) / branches; }

  // Of those below a place, which has some.
  [[nodiscard]] std::size_t first_below(std::size_t place) const {
    const std::size_t first = branches * place + 1;
    std::size_t next = first;
    for (std::size_t k = first + 1; k < std::min(first + branches, events_.size()); ++k) {
      if (events_[k].comes_before(events_[next])) next = k;
    }
    return next;
  }

  // From the top to where it belongs.
  void sink(const Planned& planned) {
    std::size_t place = 0;
    for (std::size_t first = 1; first < events_.size(); first = branches * place + 1) {
      const std::size_t next = first_below(place);
      if (!events_[next].comes_before(planned)) break;
      events_[place] = events_[next];
      place = next;
    }
    events_[place] = planned;
  }

  std::vector<Planned> events_;
  std::uint64_t planned_ = 0;
};

}  // namespace espalier
