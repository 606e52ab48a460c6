// SPDX-License-Identifier: Apache-2.0
#include "differential/tally.hpp"

#include "algorithms/algorithm.hpp"
#include "shared/failures.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

std::string members(const std::map<std::string, std::uint64_t>& numbers) {
  std::string text;
  for (const auto& [name, number] : numbers) {
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(number);
  }
  return "{" + text + "}";
}

// The last rank is in every communicator.
std::string as_the_last_rank_has_it(std::string text) {
  int size = 0, length = static_cast<int>(text.size());
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  native_mpi().Bcast(&length, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  native_mpi().Bcast(text.data(), length, MPI_CHAR, size - 1, MPI_COMM_WORLD);
  return text;
}

}  // namespace

std::string without_parameters(const std::string& algorithm) { return algorithm.substr(0, algorithm.find(',')); }

void Tally::add_call(const Task& task, const CallCounts& counted) {
  const Case& one = task.made_of();
  check_path(task, counted);
  own_ += counted.own;
  native_ += counted.own > 0 ? 0 : 1;
  ++by_function_[one.form->function.name];
  if (counted.own == 0 || one.algorithm.empty()) return;
  const std::string algorithm = without_parameters(one.algorithm);
  ++by_algorithm_[algorithm];
  ++own_by_pair_[std::string(one.form->function.name) + " " + algorithm];
}

// Persistent calls that are handed on are not counted, nor those between groups; nonblocking ones run natively until
// the ranks of a communicator have met in another call.
void Tally::check_path(const Task& task, const CallCounts& counted) const {
  if (!is_intercepted(task.contract().collective)) return;
  const std::string text = text_of(task.made_of());
  const bool is_blocking = task.made_of().form->kind == Kind::blocking && !task.group().is_between_groups();
  if (counted.own + counted.native > 1 || (is_blocking && counted.own + counted.native != 1)) {
    fail(text + ": one call counted as " + std::to_string(counted.own) + " of our own and " +
         std::to_string(counted.native) + " native");
  }
  const bool is_chosen_by_time = task.made_of().algorithm.empty() && task.group().size > 1;
  if (!task.moves_something() || is_chosen_by_time) return;
  if (counted.own > 0 && !task.is_ours()) fail(text + ": it should have gone to the native MPI");
  if (counted.own == 0 && is_blocking && task.is_ours()) fail(text + ": it went to the native MPI");
}

void Tally::add_bits(const Task& task, std::uint64_t hash) {
  bits_ += scramble(hash, task.made_of().seed, task.group().rank);
}

std::string Tally::facts(const std::vector<std::string>& wanted_pairs) const {
  std::uint64_t bits = 0;
  std::string unmet;
  for (const std::string& pair : wanted_pairs) {
    if (!own_by_pair_.contains(pair)) unmet += (unmet.empty() ? "\"" : ", \"") + pair + "\"";
  }
  native_mpi().Allreduce(&bits_, &bits, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  std::string text = "\"own\": " + std::to_string(own_) + ", \"native\": " + std::to_string(native_) +
                     ", \"expressions\": " + std::to_string(expressions_) + ", \"bits\": \"" + std::to_string(bits) +
                     "\", \"functions\": " + members(by_function_) + ", \"algorithms\": " + members(by_algorithm_) +
                     ", \"unmet\": [" + unmet + "]";
  return as_the_last_rank_has_it(std::move(text));
}

}  // namespace espalier::apps
