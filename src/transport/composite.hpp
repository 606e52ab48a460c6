// SPDX-License-Identifier: Apache-2.0
// Two transports as one: the edges of one schedule may take different ones, by their path. For tests of the engine;
// calls of the application go by HybridPort (hybrid/), which decides by host.
#pragma once

#include <utility>
#include <vector>

#include "transport/port.hpp"

namespace espalier {

// Paths below `first_of_second` are the first port's, and the others the second's, where they are counted from 0 again.
template <Port First, Port Second>
class CompositePort {
 public:
  // The ports must outlive this.
  CompositePort(First& first, Second& second, Path first_of_second)
      : first_(first), second_(second), first_of_second_(first_of_second) {}

  void reserve(std::size_t tokens) {
    first_.reserve(tokens);
    second_.reserve(tokens);
    is_second_.resize(tokens);
    polled_.reserve(tokens);
  }
  void begin(std::uint64_t run, const RunMemory& memory) {
    first_.begin(run, memory);
    second_.begin(run, memory);
  }
  void send(Token token, const Message& message) {
    takes_second(token, message) ? second_.send(token, as_of_second(message)) : first_.send(token, message);
  }
  void recv(Token token, const Message& message) {
    takes_second(token, message) ? second_.recv(token, as_of_second(message)) : first_.recv(token, message);
  }
  [[nodiscard]] bool test(Token token) { return is_second_[token] != 0 ? second_.test(token) : first_.test(token); }
  void wait(Token token) {
    while (!test(token) && !failed()) idle();
  }
  [[nodiscard]] std::span<const Token> poll() {
    polled_.clear();
    for (const Token token : first_.poll()) polled_.push_back(token);
    for (const Token token : second_.poll()) polled_.push_back(token);
    return polled_;
  }
  void idle() {
    first_.idle();
    second_.idle();
  }
  [[nodiscard]] bool failed() const { return first_.failed() || second_.failed(); }
  [[nodiscard]] int take_error() {
    const int first = first_.take_error(), second = second_.take_error();
    return first != 0 ? first : second;
  }
  void end() {
    first_.end();
    second_.end();
  }
  void abandon() {
    first_.abandon();
    second_.abandon();
  }

  void open(const Reach& reach, std::vector<Opening> openings) requires OpeningPort<First> || OpeningPort<Second> {
    std::vector<Opening> of_second;
    for (Opening& opening : openings) {
      if (opening.path < first_of_second_) continue;
      opening.path = static_cast<Path>(opening.path - first_of_second_);
      of_second.push_back(std::move(opening));
      opening.landings.clear();
    }
    std::erase_if(openings, [](const Opening& opening) { return opening.landings.empty(); });
    if constexpr (OpeningPort<First>) first_.open(reach, std::move(openings));
    if constexpr (OpeningPort<Second>) second_.open(reach, std::move(of_second));
  }

 private:
  [[nodiscard]] bool takes_second(Token token, const Message& message) {
    is_second_[token] = message.path >= first_of_second_ ? 1 : 0;
    return is_second_[token] != 0;
  }
  [[nodiscard]] Message as_of_second(Message message) const {
    message.path = static_cast<Path>(message.path - first_of_second_);
    return message;
  }

  First& first_;
  Second& second_;
  const Path first_of_second_;
  std::vector<char> is_second_;  // by token
  std::vector<Token> polled_;
};

}  // namespace espalier
