// SPDX-License-Identifier: Apache-2.0
#include "preload/large_count.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
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

constexpr std::size_t position_of(std::string_view parameters, std::string_view word) {
  const std::size_t at = parameters.find(word);
  return at == std::string_view::npos ? not_there : words_of(parameters.substr(0, at)) - 1;
}

// Arrays of counts and displacements, by the ranks of the communicator.
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

constexpr bool has_fallback(std::size_t function) { return small_form(function) != not_there; }

// Each large form has a fallback.
constexpr bool all_are_served() {
  for (std::size_t function = 0; function < intercepted_count; ++function) {
    const std::string_view parameters = parameters_of(function);
    if (!std::string_view(intercepted_functions[function].profiling_name).ends_with("_c")) continue;
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

// For how many ranks a call on the communicator has blocks; 0 if it is none.
int ranks_addressed(Word comm, const void* caller) {
  using Question = int (*)(Word comm, int* answer);
  const auto ask = [&](const char* name, int& answer) {
    const auto question = reinterpret_cast<Question>(function_of_mpi(name, caller));
    return question != nullptr && question(comm, &answer) == 0;
  };
  int between_groups = 0, ranks = 0;
  if (!ask("PMPI_Comm_test_inter", between_groups)) return 0;
  return ask(between_groups != 0 ? "PMPI_Comm_remote_size" : "PMPI_Comm_size", ranks) ? ranks : 0;
}

// Of a call in place, what is said of the other buffer counts for nothing. No buffer has one of these addresses.
bool is_in_place(Word buffer) { return buffer == 1 || buffer == -1; }

// The arguments of a small form. Its arrays stay as long as this object; for want of memory there is none, which the
// MPI refuses.
class SmallArguments {
 public:
  explicit SmallArguments(const Word (&words)[max_words]) { std::copy(words, words + max_words, words_); }
  ~SmallArguments() {
    for (int* const array : arrays_) std::free(array);
  }
  SmallArguments(const SmallArguments&) = delete;
  SmallArguments& operator=(const SmallArguments&) = delete;

  void narrow_number(std::size_t k) {
    if (words_[k] < 0 || words_[k] > INT_MAX) words_[k] = -1;
  }
  // What is not there stays so.
  void narrow_array(std::size_t k, int length) {
    const auto* const large = reinterpret_cast<const std::int64_t*>(words_[k]);
    if (large == nullptr) return;
    arrays_[k] = static_cast<int*>(std::malloc(sizeof(int) * (static_cast<std::size_t>(length) + 1)));
    for (int i = 0; arrays_[k] != nullptr && i < length; ++i) {
      arrays_[k][i] = static_cast<int>(large[i]);
      all_fit_ = all_fit_ && arrays_[k][i] == large[i];
    }
    words_[k] = reinterpret_cast<Word>(arrays_[k]);
  }
  void leave_out(std::size_t k) { words_[k] = 0; }

  // A number that does not fit makes a count wrong.
  int pass_to(void* small) {
    for (int* const array : arrays_) {
      if (!all_fit_ && array != nullptr) array[0] = -1;
    }
    const Word(&w)[max_words] = words_;
    return reinterpret_cast<Untyped>(small)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]);
  }

 private:
  Word words_[max_words];
  int* arrays_[max_words] = {};
  bool all_fit_ = true;
};

bool is_large(std::string_view parameter) {
  return parameter.find("MPI_Count ") != std::string_view::npos ||
         parameter.find("MPI_Aint ") != std::string_view::npos;
}

template <std::size_t function>
int narrowed_arrays(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i) {
  static_assert(sizeof(Word) == sizeof(std::int64_t), "MPI_Count and MPI_Aint are as long as a word");
  const void* const caller = __builtin_return_address(0);
  constexpr std::string_view parameters = parameters_of(function);
  constexpr std::size_t output = position_of(parameters, "void* recvbuf");
  void* const small = target_for(slot_of(small_form(function)), caller);
  const Word words[max_words] = {a, b, c, d, e, f, g, h, i};
  const int ranks = ranks_addressed(words[position_of(parameters, "MPI_Comm ")], caller);
  SmallArguments arguments(words);
  std::string_view rest = parameters;
  for (std::size_t k = 0; k < words_of(parameters); ++k) {
    const std::string_view parameter = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(parameter.size() + 1, rest.size()));
    if (!is_large(parameter)) continue;
    if (!takes_arrays(parameter)) {
      arguments.narrow_number(k);
    } else if (k < output && is_in_place(words[0])) {
      arguments.leave_out(k);
    } else {
      arguments.narrow_array(k, ranks);
    }
  }
  return arguments.pass_to(small);
}

template <std::size_t function>
void* fallback() {
  if constexpr (!has_fallback(function)) {
    return nullptr;
  } else if constexpr (takes_arrays(parameters_of(function))) {
    return reinterpret_cast<void*>(&narrowed_arrays<function>);
  } else {
    return reinterpret_cast<void*>(&narrowed<function>);
  }
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
