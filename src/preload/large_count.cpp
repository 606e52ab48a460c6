// SPDX-License-Identifier: Apache-2.0
#include "preload/large_count.hpp"

#include <climits>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "preload/interception.hpp"
#include "preload/small_arguments.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

namespace {

constexpr std::size_t not_there = SIZE_MAX;

constexpr std::string_view parameters_of(std::size_t function) { return intercepted_functions[function].parameters; }

constexpr std::size_t words_of(std::string_view parameters) {
  std::size_t words = 1;
  for (const char c : parameters) words += c == ',';
  return words;
}

constexpr std::size_t position_of(std::string_view parameters, std::string_view word) {
  const std::size_t at = parameters.find(word);
  return at == std::string_view::npos ? not_there : words_of(parameters.substr(0, at)) - 1;
}

constexpr std::string_view word_at(std::string_view parameters, std::size_t position) {
  for (; position > 0; --position) parameters.remove_prefix(parameters.find(',') + 1);
  return parameters.substr(0, parameters.find(','));
}

// Arrays of counts and displacements, by the ranks that a buffer has blocks for.
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

// A number, or an array of them, that is an int in the small form.
constexpr bool is_large(std::size_t function, std::size_t position) {
  return word_at(parameters_of(function), position) != word_at(parameters_of(small_form(function)), position);
}

constexpr bool has_fallback(std::size_t function) { return small_form(function) != not_there; }

// Each large form has a fallback.
constexpr bool all_are_served() {
  for (std::size_t function = 0; function < intercepted_count; ++function) {
    const std::string_view parameters = parameters_of(function);
    if (!std::string_view(intercepted_functions[function].profiling_name).ends_with("_c")) continue;
    if (!has_fallback(function) || words_of(parameters) > max_words) return false;
  }
  return true;
}
static_assert(all_are_served(), "a large form that no fallback can serve");

bool ask(const char* name, Word comm, int& answer, const void* caller) {
  using Question = int (*)(Word comm, int* answer);
  const auto question = reinterpret_cast<Question>(function_of_mpi(name, caller));
  return question != nullptr && question(comm, &answer) == 0;
}

bool is_an_mpich(const void* caller) {
  const char* const interface = interface_of_mpi(caller);
  return interface != nullptr && std::strcmp(interface, "mpich") == 0;
}

// Only the root has blocks for several ranks.
bool is_root(int root, Word comm, bool between_groups, const void* caller) {
  const int mpi_root = is_an_mpich(caller) ? -3 : -4;
  int rank = -1;
  if (between_groups) return root == mpi_root;
  return ask("PMPI_Comm_rank", comm, rank, caller) && rank == root;
}

// How long the arrays of a call are; 0 where they count for nothing. Each of two groups shares the result of a
// reduction out among its own ranks.
struct Lengths {
  int sent = 0, received = 0;
};

Lengths ranks_addressed(Word comm, std::optional<int> root, bool reduces, const void* caller) {
  int inter = 0, ranks = 0;
  if (!ask("PMPI_Comm_test_inter", comm, inter, caller)) return {};
  if (root && !is_root(*root, comm, inter != 0, caller)) return {};
  const bool among_others = inter != 0 && !reduces;
  if (!ask(among_others ? "PMPI_Comm_remote_size" : "PMPI_Comm_size", comm, ranks, caller)) return {};
  return {ranks, ranks};
}

Lengths neighbours_in_graph(Word comm, const void* caller) {
  using Question = int (*)(Word comm, int* from, int* to, int* weighted);
  const auto question = reinterpret_cast<Question>(function_of_mpi("PMPI_Dist_graph_neighbors_count", caller));
  int weighted = 0;
  Lengths lengths;
  if (question == nullptr || question(comm, &lengths.received, &lengths.sent, &weighted) != 0) return {};
  return lengths;
}

Lengths neighbours_in_old_graph(Word comm, const void* caller) {
  using Question = int (*)(Word comm, int rank, int* count);
  const auto question = reinterpret_cast<Question>(function_of_mpi("PMPI_Graph_neighbors_count", caller));
  int rank = 0, count = 0;
  if (question == nullptr || !ask("PMPI_Comm_rank", comm, rank, caller) || question(comm, rank, &count) != 0) return {};
  return {count, count};
}

// By the kind of topology, whose numbers differ. (MPIs of the standard binary interface have all large forms.)
Lengths neighbours(Word comm, const void* caller) {
  const bool mpich = is_an_mpich(caller);
  const int cartesian = mpich ? 2 : 1, graph = mpich ? 1 : 2, distributed_graph = 3;
  int kind = 0, dimensions = 0;
  if (!ask("PMPI_Topo_test", comm, kind, caller)) return {};
  if (kind == distributed_graph) return neighbours_in_graph(comm, caller);
  if (kind == graph) return neighbours_in_old_graph(comm, caller);
  if (kind != cartesian || !ask("PMPI_Cartdim_get", comm, dimensions, caller)) return {};
  return {2 * dimensions, 2 * dimensions};
}

// The request that a call gave back, as a number. MPICH's handles are ints, all others' pointers.
Word handle_at(Word request, const void* caller) {
  return is_an_mpich(caller) ? *reinterpret_cast<const int*>(request) : *reinterpret_cast<const Word*>(request);
}

// Of a call in place, what is said of the other buffer counts for nothing. No buffer has one of these addresses.
bool is_in_place_mark(Word buffer) { return buffer == 1 || buffer == -1; }

constexpr bool is_for_neighbours(std::size_t function) {
  return std::string_view(intercepted_functions[function].profiling_name).find("eighbor") != std::string_view::npos;
}

template <std::size_t function>
Lengths array_lengths(const SmallArguments& arguments, const void* caller) {
  constexpr std::string_view parameters = parameters_of(function);
  constexpr std::size_t at = position_of(parameters, "int root");
  const Word comm = arguments[position_of(parameters, "MPI_Comm ")];
  if (is_for_neighbours(function)) return neighbours(comm, caller);
  const auto root = at == not_there ? std::nullopt : std::optional(static_cast<int>(arguments[at]));
  constexpr bool reduces = position_of(parameters, "MPI_Op op") != not_there;
  return ranks_addressed(comm, root, reduces, caller);
}

// Arguments that the function does not have are carried along unread.
template <std::size_t function>
int narrowed(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k) {
  const void* const caller = __builtin_return_address(0);
  constexpr std::string_view parameters = parameters_of(function);
  constexpr std::size_t output = position_of(parameters, "void* recvbuf");
  constexpr std::size_t request = position_of(parameters, "MPI_Request* ");
  void* const small = target_for(slot_of(small_form(function)), caller);
  SmallArguments arguments({a, b, c, d, e, f, g, h, i, j, k});
  const bool is_in_place = is_in_place_mark(a);
  const Lengths lengths = takes_arrays(parameters) ? array_lengths<function>(arguments, caller) : Lengths();
  for (std::size_t at = 0; at < words_of(parameters); ++at) {
    if (!is_large(function, at)) continue;
    if (!takes_arrays(word_at(parameters, at))) {
      arguments.narrow_number(at);
    } else if (at < output && is_in_place) {
      arguments.leave_out(at);
    } else {
      arguments.narrow_array(at, at < output ? lengths.sent : lengths.received);
    }
  }
  const int status = arguments.pass_to(small);
  if constexpr (request != not_there && takes_arrays(parameters)) {
    if (status == 0) arguments.keep_arrays_for(handle_at(arguments[request], caller));
  }
  return status;
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
