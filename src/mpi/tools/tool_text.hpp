// SPDX-License-Identifier: Apache-2.0
// What the functions for tools give back: numbers and texts, of which a tool may ask for some only.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

namespace espalier {

template <class T>
void give(T* where, T value) {
  if (where != nullptr) *where = value;
}

// As the MPI has it: `length` says how much there is room for, and then how much there would have to be. Of a text that
// is too long the beginning is given.
inline void give_text(std::string_view value, char* text, int* length) {
  if (length == nullptr) return;
  const int room = text != nullptr ? *length : 0;
  if (room > 0) {
    const std::size_t copied = std::min(value.size(), static_cast<std::size_t>(room - 1));
    std::memcpy(text, value.data(), copied);
    text[copied] = '\0';
  }
  *length = static_cast<int>(value.size()) + 1;
}

}  // namespace espalier
