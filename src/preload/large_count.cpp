// SPDX-License-Identifier: Apache-2.0
#include "preload/large_count.hpp"

#include <climits>
#include <cstdint>
#include <string_view>
#include <utility>

#include "preload/interception.hpp"
#include "preload/trampolines.hpp"

namespace espalier {

namespace {

// Every argument of these functions is an integer or a pointer, so it travels in one register or stack slot.
using Word = std::intptr_t;
constexpr std::size_t max_words = 8;
using Untyped = int (*)(Word, Word, Word, Word, Word, Word, Word, Word);

constexpr std::size_t not_there = SIZE_MAX;

// Which argument is the large count.
constexpr std::size_t count_position(std::string_view parameters) {
  const std::size_t at = parameters.find("MPI_Count ");
  if (at == std::string_view::npos || parameters.find("MPI_Count ", at + 1) != std::string_view::npos) return not_there;
  std::size_t position = 0;
  for (const char c : parameters.substr(0, at)) position += c == ',';
  return position;
}

// The function of the same name without _c.
constexpr std::size_t small_form(std::size_t function) {
  const std::string_view name = intercepted_functions[function].profiling_name;
  if (!name.ends_with("_c")) return not_there;
  for (std::size_t other = 0; other < intercepted_count; ++other) {
    if (intercepted_functions[other].profiling_name == name.substr(0, name.size() - 2)) return other;
  }
  return not_there;
}

constexpr bool has_fallback(std::size_t function) {
  return small_form(function) != not_there && count_position(intercepted_functions[function].parameters) != not_there;
}

// Arguments that the function does not have are carried along unread.
template <std::size_t function>
int narrowed(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  void* small = target_for(slot_of(small_form(function)), __builtin_return_address(0));
  Word words[max_words] = {a, b, c, d, e, f, g, h};
  Word& count = words[count_position(intercepted_functions[function].parameters)];
  if (count < 0 || count > INT_MAX) count = -1;
  return reinterpret_cast<Untyped>(small)(words[0], words[1], words[2], words[3], words[4], words[5], words[6],
                                          words[7]);
}

template <std::size_t function>
void* fallback() {
  if constexpr (has_fallback(function)) return reinterpret_cast<void*>(&narrowed<function>);
  return nullptr;
}

}  // namespace

void* large_count_fallback(std::size_t function) {
  return [function]<std::size_t... all>(std::index_sequence<all...>) {
    void* const fallbacks[] = {fallback<all>()...};
    return fallbacks[function];
  }
  (std::make_index_sequence<intercepted_count>{});
}

}  // namespace espalier
