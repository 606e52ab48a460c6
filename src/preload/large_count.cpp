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
constexpr std::size_t max_words = 9;
using Untyped = int (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word);

constexpr std::size_t not_there = SIZE_MAX;

constexpr std::string_view parameters_of(std::size_t function) { return intercepted_functions[function].parameters; }

constexpr std::size_t words_of(std::string_view parameters) {
  std::size_t words = 1;
  for (const char c : parameters) words += c == ',';
  return words;
}

// Which of the arguments are large counts, as bits.
constexpr unsigned count_positions(std::string_view parameters) {
  unsigned positions = 0;
  for (std::size_t at = parameters.find("MPI_Count "); at != std::string_view::npos;
       at = parameters.find("MPI_Count ", at + 1)) {
    positions |= 1U << (words_of(parameters.substr(0, at)) - 1);
  }
  return positions;
}

// Arrays of counts cannot be narrowed here: nobody knows how long they are.
constexpr bool takes_arrays(std::string_view parameters) { return parameters.find("[]") != std::string_view::npos; }

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
  return small_form(function) != not_there && !takes_arrays(parameters_of(function));
}

// Each large form either has a fallback or takes arrays.
constexpr bool all_are_served() {
  for (std::size_t function = 0; function < intercepted_count; ++function) {
    const std::string_view parameters = parameters_of(function);
    if (!std::string_view(intercepted_functions[function].profiling_name).ends_with("_c") || takes_arrays(parameters)) {
      continue;
    }
    const bool is_served =
        has_fallback(function) && count_positions(parameters) != 0 && words_of(parameters) <= max_words;
    if (!is_served) return false;
  }
  return true;
}
static_assert(all_are_served(), "a large form that no fallback can serve");

// Arguments that the function does not have are carried along unread.
template <std::size_t function>
int narrowed(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i) {
  void* small = target_for(slot_of(small_form(function)), __builtin_return_address(0));
  Word words[max_words] = {a, b, c, d, e, f, g, h, i};
  for (std::size_t k = 0; k < max_words; ++k) {
    if ((count_positions(parameters_of(function)) >> k & 1) == 0) continue;
    if (words[k] < 0 || words[k] > INT_MAX) words[k] = -1;
  }
  return reinterpret_cast<Untyped>(small)(words[0], words[1], words[2], words[3], words[4], words[5], words[6],
                                          words[7], words[8]);
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
