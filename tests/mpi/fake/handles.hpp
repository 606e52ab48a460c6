// SPDX-License-Identifier: Apache-2.0
// What handles stand for. They are numbers, and are given out again as soon as they are free, as MPICH does.
#pragma once

#include <map>

#include "fake/turns.hpp"

namespace espalier::fake {

template <class T>
class Handles {
 public:
  explicit Handles(unsigned first) : first_(static_cast<int>(first)) {}

  int add(T object) {
    int handle = first_;
    while (objects_.contains(handle)) ++handle;
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  void put(int handle, T object) { objects_.insert_or_assign(handle, std::move(object)); }

  [[nodiscard]] T* find(int handle) {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] T& at(int handle) {
    T* const found = find(handle);
    if (found == nullptr) fail("no such handle: " + std::to_string(handle));
    return *found;
  }
  void remove(int handle) {
    if (objects_.erase(handle) == 0) fail("freed twice: " + std::to_string(handle));
  }
  [[nodiscard]] std::size_t size() const { return objects_.size(); }

 private:
  const int first_;
  std::map<int, T> objects_;
};

}  // namespace espalier::fake
