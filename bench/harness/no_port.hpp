// SPDX-License-Identifier: Apache-2.0
// A port for programs that bind schedules and never run them: nobody is there to talk to.
#pragma once

#include "transport/port.hpp"

namespace espalier {

struct NoPort {
  void reserve(std::size_t) {}
  void begin(std::uint64_t, const RunMemory&) {}
  void send(Token, const Message&) {}
  void recv(Token, const Message&) {}
  bool test(Token) { return true; }
  void wait(Token) {}
  std::span<const Token> poll() { return {}; }
  void idle() {}
  bool failed() const { return false; }
  int take_error() { return 0; }
  void end() {}
  void abandon() {}
};

}  // namespace espalier
