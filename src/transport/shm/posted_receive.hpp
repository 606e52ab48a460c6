// SPDX-License-Identifier: Apache-2.0
// Where a message is to go, and who is told when it is there.
#pragma once

#include "transport/shm/completions.hpp"
#include "transport/shm/frame.hpp"

namespace espalier {

struct PostedReceive {
  MessageKey key;
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  Completions* whose = nullptr;
  Token token = 0;
};

}  // namespace espalier
