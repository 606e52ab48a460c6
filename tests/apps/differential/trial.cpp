// SPDX-License-Identifier: Apache-2.0
#include "differential/trial.hpp"

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "shared/failures.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

// What takes even blocks only leaves the others to the native MPI.
std::string Trial::describe() const {
  std::string text = std::string(name_of(problem.collective)) + ", " + variant.name() + ", " + group.name + " of " +
                     std::to_string(group.size) + ", rank " + std::to_string(group.rank);
  if (contract_of(problem.collective).is_rooted()) text += ", root " + std::to_string(problem.root);
  return text + ", " + what + ", trial " + std::to_string(number);
}

void Trial::begin() const { now_doing(describe()); }

void Trial::fail(const std::string& how) const { apps::fail(describe() + ": " + how); }

void Tally::check_path(const Trial& trial, unsigned long long own, unsigned long long native) {
  if (own + native != 1) {
    trial.fail("one call counted as " + std::to_string(own) + " of our own and " + std::to_string(native) + " native");
  }
  own_ += own;
  native_ += native;
  if (!trial.moves_something()) return;
  const Choice choice = trial.choice();
  if (trial.is_ours() != (own == 1))
    trial.fail(own == 1 ? "it should have gone to the native MPI" : "it went to the native MPI");
  if (own == 1 && !choice.native()) {
    ++own_by_algorithm_[std::string(name_of(trial.problem.collective)) + ":" + std::string(choice.algorithm->name)];
  }
}

void Tally::add_bits(const Trial& trial, std::uint64_t hash) {
  bits_ += scramble(hash, trial.number, trial.group.rank);
}

void Tally::compare_common(const Variant& variant, const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    const std::vector<std::uint64_t>& mine = common_[&group];
    if (!group.has_me() || mine.empty()) continue;
    std::vector<std::uint64_t> least(mine.size()), most(mine.size());
    const int count = static_cast<int>(mine.size());
    native_mpi().allreduce(mine.data(), least.data(), count, MPI_UINT64_T, MPI_MIN, group.comm);
    native_mpi().allreduce(mine.data(), most.data(), count, MPI_UINT64_T, MPI_MAX, group.comm);
    if (least != most) fail(variant.name() + ", " + group.name + ": ranks have different bits of one result");
  }
  common_.clear();
}

std::string Tally::facts() const {
  std::uint64_t bits = 0;
  native_mpi().allreduce(&bits_, &bits, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  std::string algorithms;
  for (const auto& [name, count] : own_by_algorithm_) {
    algorithms += (algorithms.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(count);
  }
  return "\"trials\": " + std::to_string(trials_) + ", \"own\": " + std::to_string(own_) +
         ", \"native\": " + std::to_string(native_) + ", \"expressions\": " + std::to_string(expressions_) +
         ", \"bits\": \"" + std::to_string(bits) + "\", \"algorithms\": {" + algorithms + "}";
}

}  // namespace espalier::apps
