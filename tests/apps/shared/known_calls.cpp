// SPDX-License-Identifier: Apache-2.0
#include "shared/known_calls.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

using Values = std::vector<std::uint64_t>;

void append(Values& values, const Values& more) { values.insert(values.end(), more.begin(), more.end()); }

class KnownCall {
 public:
  KnownCall(const Member& member, std::uint64_t number, int max_elements)
      : member_(member), number_(number), root_(static_cast<int>(scramble(number, 1) % member.size)) {
    // Mostly short ones, of which some are empty.
    const std::uint64_t random = scramble(number, 2);
    count_ = static_cast<int>(random % 16 == 0 ? random / 16 % (max_elements + 1) : random / 16 % 9);
  }

  void make() {
    switch (scramble(number_, 3) % 8) {
      case 0: return bcast();
      case 1: return reduce();
      case 2: return allreduce();
      case 3: return allgather();
      case 4: return alltoall();
      case 5: return alltoallv();
      case 6: return reduce_scatter_block();
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

  void allgather() {
    const Values input = values_of(member_.rank);
    Values output(input.size() * member_.size), expected;
    for (int rank = 0; rank < member_.size; ++rank) append(expected, values_of(rank));
    check(MPI_Allgather(input.data(), count_, MPI_UINT64_T, output.data(), count_, MPI_UINT64_T, member_.comm),
          "allgather");
    check(output, expected, "allgather");
  }

  // Each block begins with another of its sender's values.
  [[nodiscard]] Values block(int from, int to, int count) const {
    Values values(count);
    for (int i = 0; i < count; ++i) values[i] = value(from, to + i);
    return values;
  }

  void alltoall() {
    Values input, expected;
    for (int rank = 0; rank < member_.size; ++rank) append(input, block(member_.rank, rank, count_));
    for (int rank = 0; rank < member_.size; ++rank) append(expected, block(rank, member_.rank, count_));
    Values output(expected.size());
    check(MPI_Alltoall(input.data(), count_, MPI_UINT64_T, output.data(), count_, MPI_UINT64_T, member_.comm),
          "alltoall");
    check(output, expected, "alltoall");
  }

  // Of the ranks' blocks, every second one is empty.
  void alltoallv() {
    Values input, expected;
    std::vector<int> send_counts, send_begins, receive_counts, receive_begins;
    for (int rank = 0; rank < member_.size; ++rank) {
      send_begins.push_back(static_cast<int>(input.size()));
      receive_begins.push_back(static_cast<int>(expected.size()));
      send_counts.push_back((member_.rank + rank) % 2 * count_);
      receive_counts.push_back(send_counts.back());
      append(input, block(member_.rank, rank, send_counts.back()));
      append(expected, block(rank, member_.rank, receive_counts.back()));
    }
    Values output(expected.size());
    check(MPI_Alltoallv(input.data(), send_counts.data(), send_begins.data(), MPI_UINT64_T, output.data(),
                        receive_counts.data(), receive_begins.data(), MPI_UINT64_T, member_.comm),
          "alltoallv");
    check(output, expected, "alltoallv");
  }

  void reduce_scatter_block() {
    Values input, output(count_), expected(count_, 0);
    for (int rank = 0; rank < member_.size; ++rank) {
      append(input, block(member_.rank, rank, count_));
      const Values theirs = block(rank, member_.rank, count_);
      std::ranges::transform(expected, theirs, expected.begin(), std::plus());
    }
    check(MPI_Reduce_scatter_block(input.data(), output.data(), count_, MPI_UINT64_T, MPI_SUM, member_.comm),
          "reduce_scatter_block");
    check(output, expected, "reduce_scatter_block");
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
