// SPDX-License-Identifier: Apache-2.0
// Reductions by operations that are not MPI's own, or that our kernels do not know.
#include <gtest/gtest.h>

#include <array>

#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

// x -> a x + b, by wrapping numbers.
struct Map {
  unsigned a = 1, b = 0;
  friend bool operator==(const Map&, const Map&) = default;
};
Map after(const Map& left, const Map& right) { return {left.a * right.a, left.a * right.b + left.b}; }
Map map_of(Rank rank) { return {static_cast<unsigned>(2 * rank + 3), static_cast<unsigned>(rank + 7)}; }

// Associative, and not commutative.
void compose(void* left, void* right, int* count, MPI_Datatype*) {
  auto* const result = static_cast<Map*>(right);
  for (int k = 0; k < *count; ++k) result[k] = after(static_cast<const Map*>(left)[k], result[k]);
}

Map composed(Rank size) {
  Map all;
  for (Rank rank = 0; rank < size; ++rank) all = after(all, map_of(rank));
  return all;
}

MPI_Datatype make_pair_of_ints(const Native& mpi) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  mpi.Type_contiguous(2, MPI_INT, &pair);
  mpi.Type_commit(&pair);
  return pair;
}

TEST(Operations, that_do_not_commute_keep_the_order_of_ranks) {
  run_job(5, {.algorithms = "allreduce:in-turn"}, [](RankOfJob& here) {
    const MPI_Op op = fake::make_operation(compose, false);
    const MPI_Datatype pair = make_pair_of_ints(here.mpi());
    for (int call = 0; call < 8; ++call) {
      const std::array<Map, 3> mine = {map_of(here.rank()), map_of(here.rank()), map_of(here.rank())};
      std::array<Map, 3> all;
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(mine.data(), all.data(), 3, pair, op, MPI_COMM_WORLD), MPI_SUCCESS);
      for (const Map& map : all) EXPECT_EQ(map, composed(5));
    }
    EXPECT_GT(here.calls(Collective::allreduce).own, 0u);
  });
}

TEST(Operations, on_pairs_are_done_by_the_native_mpi) {
  Native mpi = fake::functions();
  static int pairs_compared;
  pairs_compared = 0;
  mpi.Reduce_local = [](const void* left, void* right, int count, MPI_Datatype type, MPI_Op op) {
    if (type != MPI_2INT || op != MPI_MAXLOC) return MPI_ERR_OP;
    pairs_compared += count;
    using Located = std::array<int, 2>;
    for (int k = 0; k < count; ++k) {
      const Located mine = static_cast<const Located*>(left)[k];
      if (mine[0] >= static_cast<Located*>(right)[k][0]) static_cast<Located*>(right)[k] = mine;
    }
    return MPI_SUCCESS;
  };
  run_job(3, {.native = mpi, .algorithms = "allreduce:recursive_doubling"}, [](RankOfJob& here) {
    const std::array<int, 2> mine = {here.rank() == 1 ? 50 : 10, here.rank()};
    std::array<int, 2> most{};
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(mine.data(), most.data(), 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_EQ(most, (std::array<int, 2>{50, 1}));
  });
  EXPECT_GT(pairs_compared, 0);
}

TEST(Operations, that_the_mpi_does_not_define_for_a_datatype_are_its_own) {
  Native mpi = fake::functions();
  mpi.Allreduce = [](const void*, void*, int, MPI_Datatype, MPI_Op op, MPI_Comm) {
    return op == MPI_BOR ? MPI_ERR_OP : MPI_SUCCESS;
  };
  run_job(2, {.native = mpi, .algorithms = "allreduce:ring"}, [](RankOfJob& here) {
    double mine = 1, all = 0;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(&mine, &all, 1, MPI_DOUBLE, MPI_BOR, MPI_COMM_WORLD), MPI_ERR_OP);
    EXPECT_EQ(here.calls(Collective::allreduce).native, 1u);
  });
}

}  // namespace
}  // namespace espalier
