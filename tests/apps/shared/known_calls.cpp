// SPDX-License-Identifier: Apache-2.0
#include "shared/known_calls.hpp"

#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

using Values = std::vector<std::uint64_t>;

class KnownCall {
 public:
  KnownCall(const Member& member, std::uint64_t number, int max_elements)
      : member_(member), number_(number), root_(static_cast<int>(scramble(number, 1) % member.size)) {
    // Mostly short ones, of which some are empty.
    const std::uint64_t random = scramble(number, 2);
    count_ = static_cast<int>(random % 16 == 0 ? random / 16 % (max_elements + 1) : random / 16 % 9);
  }

  void make() {
    switch (scramble(number_, 3) % 4) {
      case 0: return bcast();
      case 1: return reduce();
      case 2: return allreduce();
      default: return check(MPI_Barrier(member_.comm), "barrier");
    }
  }

 private:
  [[nodiscard]] std::uint64_t value(int rank, int i) const { return scramble(number_, rank, i); }
  [[nodiscard]] Values values_of(int rank) const {
    Values values(count_);
    for (int i = 0; i < count_; ++i) values[i] = value(rank, i);
    return values;
  }
  [[nodiscard]] Values sums() const {
    Values sums(count_, 0);
    for (int rank = 0; rank < member_.size; ++rank) {
      for (int i = 0; i < count_; ++i) sums[i] += value(rank, i);
    }
    return sums;
  }

  void check(int status, const char* collective) const {
    if (status != MPI_SUCCESS) fail(describe(collective) + ": error " + std::to_string(status));
  }
  void check(const Values& got, const Values& expected, const char* collective) const {
    if (got != expected) fail(describe(collective) + ": wrong result");
  }
  [[nodiscard]] std::string describe(const char* collective) const {
    return "call " + std::to_string(number_) + ", " + collective + ", rank " + std::to_string(member_.rank) + " of " +
           std::to_string(member_.size) + ", root " + std::to_string(root_) + ", " + std::to_string(count_) +
           " elements";
  }

  void bcast() {
    const Values expected = values_of(root_);
    Values values = member_.rank == root_ ? expected : Values(count_);
    check(MPI_Bcast(values.data(), count_, MPI_UINT64_T, root_, member_.comm), "bcast");
    check(values, expected, "bcast");
  }

  void reduce() {
    const Values input = values_of(member_.rank);
    Values output(count_);
    check(MPI_Reduce(input.data(), output.data(), count_, MPI_UINT64_T, MPI_SUM, root_, member_.comm), "reduce");
    check(output, member_.rank == root_ ? sums() : Values(count_), "reduce");
  }

  void allreduce() {
    Values values = values_of(member_.rank);
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count_, MPI_UINT64_T, MPI_SUM, member_.comm), "allreduce");
    check(values, sums(), "allreduce");
  }

  const Member& member_;
  const std::uint64_t number_;
  const int root_;
  int count_ = 0;
};

}  // namespace

void make_known_call(const Member& member, std::uint64_t number, int max_elements) {
  KnownCall(member, number, max_elements).make();
}

}  // namespace espalier::apps
