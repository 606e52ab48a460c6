// SPDX-License-Identifier: Apache-2.0
// Another algorithm at every call, native ones among them: if two ranks ever counted their calls differently, they
// would diverge at once. Mixed collectives on four communicators; each rank names its data by datatypes of its own, and
// roots reduce in place or not, as they like.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 turns [collectives [seed]]
#include <cstdlib>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/preloaded.hpp"
#include "shared/random.hpp"
#include "shared/spread.hpp"

namespace espalier::apps {

namespace {

const char* const in_turn =
    "bcast:in-turn;reduce:in-turn;allreduce:in-turn;barrier:in-turn;allgather:in-turn;alltoall:in-turn;"
    "reduce_scatter_block:in-turn";

// Few enough that each is met often.
constexpr int counts[] = {1, 2, 5, 64, 700};

class Turn {
 public:
  Turn(const Member& member, std::uint64_t number)
      : member_(member),
        number_(number),
        root_(static_cast<int>(scramble(number, 1) % member.size)),
        count_(counts[scramble(number, 2) % std::size(counts)]) {}

  void make() {
    switch (scramble(number_, 3) % 7) {
      case 0: return bcast();
      case 1: return reduce();
      case 2: return allreduce();
      case 3: return allgather();
      case 4: return alltoall();
      case 5: return reduce_scatter_block();
      default: MPI_Barrier(member_.comm);
    }
  }

 private:
  [[nodiscard]] std::uint64_t value(int rank, int i) const { return scramble(number_, rank, i); }
  [[nodiscard]] Values values_of(int rank, int first, int count) const {
    Values values;
    for (int i = first; i < first + count; ++i) values.push_back(value(rank, i));
    return values;
  }
  [[nodiscard]] Values sums(int first, int count) const {
    Values sums(static_cast<std::size_t>(count));
    for (int rank = 0; rank < member_.size; ++rank) {
      for (int i = 0; i < count; ++i) sums[static_cast<std::size_t>(i)] += value(rank, first + i);
    }
    return sums;
  }
  // What each rank decides for itself.
  [[nodiscard]] std::uint64_t own_random(int which) const { return scramble(number_, 100 + member_.rank, which); }

  void check(const Values& got, const Values& expected, const char* collective) const {
    if (got == expected) return;
    fail("call " + std::to_string(number_) + ", " + collective + ", rank " + std::to_string(member_.rank) + " of " +
         std::to_string(member_.size) + ", root " + std::to_string(root_) + ", " + std::to_string(count_) + " values");
  }

  void bcast() {
    const Spread layout(count_, own_random(0));
    const Values expected = layout.spread(values_of(root_, 0, count_));
    Values values = member_.rank == root_ ? expected : layout.empty();
    MPI_Bcast(values.data(), count_, layout.type(), root_, member_.comm);
    check(values, expected, "bcast");
  }
  void reduce() {
    const Values input = values_of(member_.rank, 0, count_);
    const bool is_root = member_.rank == root_, in_place = is_root && own_random(0) % 2 == 0;
    Values output = in_place ? input : Values(input.size());
    MPI_Reduce(in_place ? MPI_IN_PLACE : input.data(), output.data(), count_, MPI_UINT64_T, MPI_SUM, root_,
               member_.comm);
    if (is_root) check(output, sums(0, count_), "reduce");
  }
  void allreduce() {
    const Values input = values_of(member_.rank, 0, count_);
    const bool in_place = scramble(number_, 4) % 2 == 0;
    Values output = in_place ? input : Values(input.size());
    MPI_Allreduce(in_place ? MPI_IN_PLACE : input.data(), output.data(), count_, MPI_UINT64_T, MPI_SUM, member_.comm);
    check(output, sums(0, count_), "allreduce");
  }
  void allgather() {
    const Spread from(count_, own_random(0)), to(count_ * member_.size, own_random(1));
    Values all;
    for (int rank = 0; rank < member_.size; ++rank) {
      for (const std::uint64_t one : values_of(rank, 0, count_)) all.push_back(one);
    }
    const Values input = from.spread(values_of(member_.rank, 0, count_));
    Values output = to.empty();
    MPI_Allgather(input.data(), count_, from.type(), output.data(), count_, to.type(), member_.comm);
    check(output, to.spread(all), "allgather");
  }
  void alltoall() {
    const int all = count_ * member_.size;
    const Spread from(all, own_random(0)), to(all, own_random(1));
    Values expected;
    for (int rank = 0; rank < member_.size; ++rank) {
      for (const std::uint64_t one : values_of(rank, member_.rank * count_, count_)) expected.push_back(one);
    }
    const Values input = from.spread(values_of(member_.rank, 0, all));
    Values output = to.empty();
    MPI_Alltoall(input.data(), count_, from.type(), output.data(), count_, to.type(), member_.comm);
    check(output, to.spread(expected), "alltoall");
  }
  void reduce_scatter_block() {
    const Values input = values_of(member_.rank, 0, count_ * member_.size);
    Values output(static_cast<std::size_t>(count_));
    MPI_Reduce_scatter_block(input.data(), output.data(), count_, MPI_UINT64_T, MPI_SUM, member_.comm);
    check(output, sums(member_.rank * count_, count_), "reduce_scatter_block");
  }

  const Member& member_;
  std::uint64_t number_;
  int root_, count_;
};

// Whether this rank is in a communicator is its own business: the others do not ask.
void take_turns(const std::vector<Member>& members, std::uint64_t collectives, std::uint64_t seed) {
  for (std::uint64_t number = seed; number < seed + collectives; ++number) {
    const Member& member = members[scramble(number, 5) % members.size()];
    if (number % 1000 == 0) now_doing("turns, seed " + std::to_string(seed) + ", call " + std::to_string(number));
    if (member.comm != MPI_COMM_NULL) Turn(member, number).make();
  }
}

int run(std::uint64_t collectives, std::uint64_t seed) {
  const Member world(MPI_COMM_WORLD);
  MPI_Comm backwards, copy, most;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &backwards);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, world.rank > 0 ? 0 : 1, world.rank, &most);
  if (const std::string error = force(in_turn); !error.empty()) fail(error);
  take_turns({world, Member(backwards), Member(copy), Member(most)}, collectives, seed);
  for (MPI_Comm* comm : {&backwards, &copy, &most}) MPI_Comm_free(comm);
  const CallCounts counted = all_calls();
  return conclude("\"collectives\": " + std::to_string(collectives) + ", \"seed\": " + std::to_string(seed) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::uint64_t collectives = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20261122;
  const int status = espalier::apps::run(collectives, seed);
  MPI_Finalize();
  return status;
}
