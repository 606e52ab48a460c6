// SPDX-License-Identifier: Apache-2.0
// Which messages of a port are over.
#pragma once

#include <atomic>
#include <span>
#include <utility>
#include <vector>

#include "transport/port.hpp"

namespace espalier {

enum ShmError : int {
  cut_off_in_memory = 1,  // a message was longer than its receive: an error, but no failure
  damaged_memory,         // another process wrote what makes no sense
  no_memory_left,         // of this process's own
};

class Completions {
 public:
  void reserve(std::size_t tokens) {
    is_over_.resize(tokens);
    over_.reserve(tokens);
    taken_.reserve(tokens);
  }

  void complete(Token token) {
    is_over_[token] = 1;
    over_.push_back(token);
  }
  void note(ShmError error) {
    if (error_ == 0) error_ = error;
  }
  void fail(ShmError error) {
    note(error);
    failed_ = true;
  }

  // True once for each that is over. A caller asks for single ones, or takes all: not both in one run.
  [[nodiscard]] bool take(Token token) {
    if (is_over_[token] == 0) return false;
    is_over_[token] = 0;
    return true;
  }
  [[nodiscard]] std::span<const Token> take_all() {
    taken_.swap(over_);
    over_.clear();
    for (const Token token : taken_) is_over_[token] = 0;
    return taken_;
  }

  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }
  [[nodiscard]] int take_error() { return std::exchange(error_, 0); }
  // Of a run that begins.
  void clear() {
    for (const Token token : over_) is_over_[token] = 0;
    over_.clear();
    failed_ = false;
    error_ = 0;
  }

 private:
  std::vector<char> is_over_;  // by token
  std::vector<Token> over_, taken_;
  int error_ = 0;
  std::atomic<bool> failed_ = false;  // asked without the node's lock
};

}  // namespace espalier
