// SPDX-License-Identifier: Apache-2.0
// What is planned, by time; of two at the same time the one that was planned first comes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace espalier {

template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return events_.empty(); }
  // Not empty.
  [[nodiscard]] double next() const { return events_.front().seconds; }

  void push(double seconds, const Event& event) {
    events_.push_back({seconds, ++planned_, event});
    std::ranges::push_heap(events_, std::greater<>());
  }
  Event pop() {
    std::ranges::pop_heap(events_, std::greater<>());
    const Event event = events_.back().event;
    events_.pop_back();
    return event;
  }

 private:
  struct Planned {
    double seconds = 0;
    std::uint64_t number = 0;
    Event event;

    bool operator>(const Planned& other) const {
      return seconds != other.seconds ? seconds > other.seconds : number > other.number;
    }
  };

  std::vector<Planned> events_;  // a heap
  std::uint64_t planned_ = 0;
};

}  // namespace espalier
