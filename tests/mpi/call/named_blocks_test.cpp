// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/named_blocks.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace espalier {
namespace {

// On rank 1 of 3.
class NamedBlocksTest : public testing::Test {
 protected:
  void use(Collective collective, bool is_large = false) {
    function.emplace(Function{.contract = &contract_of(collective),
                              .is_large = is_large,
                              .is_uneven = true,
                              .names_data_twice = !contract_of(collective).reduces});
  }
  [[nodiscard]] Call call(const void* sent, const void* received, int root = 0) const {
    return {.function = &*function,
            .sent = {.counts = sent, .displacements = sent},
            .received = {.counts = received, .displacements = received},
            .root = root};
  }
  [[nodiscard]] bool note(const Call& its, bool in_place = false) { return blocks.note(its, in_place, 1, 3); }

  [[nodiscard]] static std::uintptr_t hash(const Call& its) { return NamedBlocks::hash(its, false, 1, 3); }

  std::optional<Function> function;
  NamedBlocks blocks;
  const int some[3] = {1, 2, 3}, same[3] = {1, 2, 3}, others[3] = {1, 2, 4};
};

TEST_F(NamedBlocksTest, are_the_same_in_other_arrays) {
  use(Collective::alltoall);
  ASSERT_TRUE(note(call(some, others)));
  EXPECT_TRUE(blocks.are_in(call(same, others)));
  EXPECT_EQ(hash(call(some, others)), hash(call(same, others)));
  EXPECT_FALSE(blocks.are_in(call(others, others)));
  EXPECT_FALSE(blocks.are_in(call(same, same)));
  EXPECT_NE(hash(call(some, others)), hash(call(others, some)));
}

TEST_F(NamedBlocksTest, are_those_of_the_last_call_that_was_noted) {
  use(Collective::alltoall);
  ASSERT_TRUE(note(call(some, some)));
  ASSERT_TRUE(note(call(others, some)));
  EXPECT_FALSE(blocks.are_in(call(some, some)));
  EXPECT_TRUE(blocks.are_in(call(others, some)));
}

TEST_F(NamedBlocksTest, may_be_large) {
  use(Collective::alltoall, true);
  const MPI_Count large[3] = {1, 2, MPI_Count{3} << 32}, larger[3] = {1, 2, MPI_Count{4} << 32};
  ASSERT_TRUE(note(call(large, large)));
  EXPECT_TRUE(blocks.are_in(call(large, large)));
  EXPECT_FALSE(blocks.are_in(call(large, larger)));
}

TEST_F(NamedBlocksTest, are_not_looked_at_where_they_mean_nothing) {
  use(Collective::gather);
  ASSERT_TRUE(note(call(nullptr, some, 2)));  // the root is another
  EXPECT_TRUE(blocks.are_in(call(nullptr, nullptr, 2)));
  EXPECT_EQ(hash(call(nullptr, some, 2)), hash(call(nullptr, others, 2)));
  ASSERT_TRUE(note(call(nullptr, some, 1)));
  EXPECT_FALSE(blocks.are_in(call(nullptr, others, 1)));
  use(Collective::alltoall);
  ASSERT_TRUE(note(call(nullptr, some), true));
  EXPECT_TRUE(blocks.are_in(call(nullptr, some)));
}

TEST_F(NamedBlocksTest, are_not_there_in_a_wrong_call) {
  use(Collective::alltoall);
  ASSERT_TRUE(note(call(some, some)));
  EXPECT_FALSE(blocks.are_in(call(some, nullptr)));
}

TEST_F(NamedBlocksTest, have_no_displacements_in_reductions) {
  use(Collective::reduce_scatter);
  Call reduction = call(some, nullptr);
  reduction.sent.displacements = nullptr;
  ASSERT_TRUE(note(reduction));
  EXPECT_TRUE(blocks.are_in(reduction));
  reduction.sent.counts = others;
  EXPECT_FALSE(blocks.are_in(reduction));
}

// Those of an exchange with neighbours: there are as many as there are neighbours.
TEST_F(NamedBlocksTest, have_places_where_neighbours_have_types) {
  function.emplace(
      Function{.kind = FunctionKind::exchange, .is_uneven = true, .is_typed = true, .names_data_twice = true});
  const MPI_Aint places[3] = {0, 100, 200}, other_places[3] = {0, 100, 300};
  const MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_BYTE};
  const auto call_at = [&](const MPI_Aint* sent) {
    return Call{.function = &*function,
                .sent = {.counts = some, .types = types, .places = sent},
                .received = {.counts = some, .types = types, .places = places}};
  };
  ASSERT_TRUE(blocks.note(call_at(places), NamedPlaces{3, 2}));
  EXPECT_TRUE(blocks.are_in(call_at(places)));
  EXPECT_FALSE(blocks.are_in(call_at(other_places)));
  EXPECT_FALSE(blocks.are_in(call_at(nullptr)));
  ASSERT_TRUE(blocks.note(call_at(places), NamedPlaces{2, 2}));
  EXPECT_TRUE(blocks.are_in(call_at(other_places)));
}

}  // namespace
}  // namespace espalier
