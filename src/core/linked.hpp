// SPDX-License-Identifier: Apache-2.0
// Lists of things that hold their own links, so that to put one in takes neither memory nor a lock. A thing is in one
// list at a time, at most.
#pragma once

#include <atomic>
#include <cstddef>

namespace espalier {

template <class Thing>
class Linked {
  template <class>
  friend class Queue;
  template <class>
  friend class Inbox;
  Thing* next_ = nullptr;
};

// First in, first out. For one thread at a time.
template <class Thing>
class Queue {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  void push(Thing& thing) {
    thing.next_ = nullptr;
    (first_ == nullptr ? first_ : last_->next_) = &thing;
    last_ = &thing;
    ++size_;
  }
  // Not from an empty one.
  Thing& pop() {
    Thing& popped = *first_;
    first_ = popped.next_;
    --size_;
    return popped;
  }
  // False if it is not here.
  bool remove(const Thing& thing) {
    Thing* before = nullptr;
    for (Thing* one = first_; one != nullptr; before = one, one = one->next_) {
      if (one == &thing) return remove_after(before);
    }
    return false;
  }

 private:
  // `before`: null for the first one.
  bool remove_after(Thing* before) {
    Thing*& link = before == nullptr ? first_ : before->next_;
    if (link == last_) last_ = before;
    link = link->next_;
    --size_;
    return true;
  }

  Thing *first_ = nullptr, *last_ = nullptr;
  std::size_t size_ = 0;
};

// Any thread may leave something here; one thread at a time takes all that there is.
template <class Thing>
class Inbox {
 public:
  void leave(Thing& thing) noexcept {
    Thing* latest = latest_.load(std::memory_order_relaxed);
    do {
      thing.next_ = latest;
    } while (!latest_.compare_exchange_weak(latest, &thing, std::memory_order_release, std::memory_order_relaxed));
  }

  // Calls each(thing), in the order in which they were left.
  template <class Each>
  void take_all(Each each) {
    if (latest_.load(std::memory_order_relaxed) == nullptr) return;
    Thing* earliest = turned_round(latest_.exchange(nullptr, std::memory_order_acquire));
    while (earliest != nullptr) {
      Thing& thing = *earliest;
      earliest = thing.next_;
      each(thing);
    }
  }

 private:
  static Thing* turned_round(Thing* latest) {
    Thing* turned = nullptr;
    while (latest != nullptr) {
      Thing* const before = latest->next_;
      latest->next_ = turned;
      turned = latest;
      latest = before;
    }
    return turned;
  }

  std::atomic<Thing*> latest_{nullptr};
};

}  // namespace espalier
