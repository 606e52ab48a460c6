// SPDX-License-Identifier: Apache-2.0
// What is planned, by time; of two at the same time the one that was planned first comes first.
//
// Only what comes next is kept in order. The rest lies in spans of time, each sorted once its turn comes, small enough
// for the innermost cache, which a heap of what 80,000 ranks have planned is not. What is planned for the current span
// rises in a heap next to it. What is later than all spans is divided into new ones in the end. (Calendar queues: Brown
// 1988; ladder queues: Tang, Goh, Thng 2005.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace espalier {

template <class Event>
class EventQueue {
 public:
  [[nodiscard]] bool empty() const { return sorted_left() == 0 && rising_.empty(); }
  // Not empty.
  [[nodiscard]] double next() const { return earliest().seconds; }
  // Which event comes about that much later than the next one, if it is known. Those that rise are not counted.
  [[nodiscard]] const Event* ahead(std::size_t events) const {
    return events < sorted_left() ? &sorted_[at_ + events].event : nullptr;
  }

  void push(double seconds, const Event& event) {
    const Planned planned{seconds, ++planned_, event};
    if (empty()) return begin_with(planned);
    const std::size_t span = span_of(seconds);
    if (span <= current_) return rise(planned);
    (span < count_ ? spans_[span] : later_).push_back(planned);
  }

  Event pop() {
    const Event event = earliest().event;
    if (sorted_is_first()) {
      ++at_;
    } else {
      const Planned last = rising_.back();
      rising_.pop_back();
      if (!rising_.empty()) sink(last);
    }
    if (empty()) go_on();
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

  [[nodiscard]] std::size_t sorted_left() const { return sorted_.size() - at_; }
  [[nodiscard]] bool sorted_is_first() const {
    return sorted_left() > 0 && (rising_.empty() || sorted_[at_].comes_before(rising_.front()));
  }
  [[nodiscard]] const Planned& earliest() const { return sorted_is_first() ? sorted_[at_] : rising_.front(); }

  static constexpr std::size_t events_of_a_span = 256;
  static constexpr std::size_t most_spans = 1024;
  static constexpr double instant = 1e300;  // spans in a second: where one takes no time

  // --- Spans ---

  // Grows with time, so no event of a later span comes before one of an earlier one.
  [[nodiscard]] std::size_t span_of(double seconds) const {
    const double span = (seconds - begin_) * spans_per_second_;
    return span > 0 ? static_cast<std::size_t>(std::min(span, static_cast<double>(most_spans))) : 0;
  }

  void begin_with(const Planned& planned) {
    rising_.push_back(planned);
    begin_spans(planned.seconds, 0, 1);
  }

  // The last of them ends just after `seconds` from the first one's beginning.
  void begin_spans(double begin, double seconds, std::size_t count) {
    constexpr double just_after = 1 + 1e-6;
    begin_ = begin;
    spans_per_second_ = seconds > 0 ? static_cast<double>(count) / (just_after * seconds) : instant;
    current_ = 0;
    count_ = count;
    if (spans_.size() < count) spans_.resize(count);
  }

  // To the next span in which something is planned.
  void go_on() {
    while (++current_ < count_) {
      if (spans_[current_].empty()) continue;
      sorted_.clear();
      sorted_.swap(spans_[current_]);
      return sort();
    }
    if (!later_.empty()) divide_later();
  }

  // What is later than all spans, into new ones.
  void divide_later() {
    const auto [first, last] = std::ranges::minmax(later_, {}, &Planned::seconds);
    const std::size_t spans = std::clamp<std::size_t>(later_.size() / events_of_a_span, 1, most_spans);
    begin_spans(first.seconds, last.seconds - first.seconds, spans);
    dividing_.swap(later_);
    sorted_.clear();
    for (const Planned& planned : dividing_) {
      const std::size_t span = span_of(planned.seconds);
      (span == 0 ? sorted_ : spans_[span]).push_back(planned);
    }
    dividing_.clear();
    sort();
  }

  void sort() {
    at_ = 0;
    std::ranges::sort(sorted_, [](const Planned& one, const Planned& other) { return one.comes_before(other); });
  }

  // --- What rises: a heap in which each event has four below it ---

  static constexpr std::size_t branches = 4;
  [[nodiscard]] static std::size_t above(std::size_t place) { return (place - 1) / branches; }

  // Of those below a place, which has some.
  [[nodiscard]] std::size_t first_below(std::size_t place) const {
    const std::size_t first = branches * place + 1;
    std::size_t next = first;
    for (std::size_t k = first + 1; k < std::min(first + branches, rising_.size()); ++k) {
      if (rising_[k].comes_before(rising_[next])) next = k;
    }
    return next;
  }

  // From the end up to where it belongs.
  void rise(const Planned& planned) {
    std::size_t place = rising_.size();
    rising_.push_back(planned);
    for (; place > 0 && planned.comes_before(rising_[above(place)]); place = above(place))
      rising_[place] = rising_[above(place)];
    rising_[place] = planned;
  }

  // From the top down to where it belongs.
  void sink(const Planned& planned) {
    std::size_t place = 0;
    for (std::size_t first = 1; first < rising_.size(); first = branches * place + 1) {
      const std::size_t next = first_below(place);
      if (!rising_[next].comes_before(planned)) break;
      rising_[place] = rising_[next];
      place = next;
    }
    rising_[place] = planned;
  }

  std::vector<Planned> sorted_;  // of the current span, what was planned before it began
  std::size_t at_ = 0;           // of these: what comes next
  std::vector<Planned> rising_;  // for the current span, planned since
  std::vector<std::vector<Planned>> spans_;
  std::vector<Planned> later_, dividing_;
  double begin_ = 0, spans_per_second_ = 0;
  std::size_t count_ = 0, current_ = 0;  // of spans; and the one whose turn it is
  std::uint64_t planned_ = 0;
};

}  // namespace espalier
