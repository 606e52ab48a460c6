// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/classify.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "fake/rank_of_job.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;

constexpr const char* undefined_operation = "an operation that MPI does not define for the datatype";
constexpr const char* empty_message = "an empty message";

// On rank 1 of 4.
class ClassifyTest : public testing::Test {
 protected:
  [[nodiscard]] Classified classified(Collective collective, Call call, bool is_uneven = false) {
    const bool twice = collective == Collective::allgather || collective == Collective::alltoall;
    function.emplace(Function{.contract = &contract_of(collective), .is_uneven = is_uneven, .names_data_twice = twice});
    call.function = &*function;
    return classify(here.job(), call, 1, 4, use_of_buffers(call, 1));
  }
  [[nodiscard]] Classified sum_of(const CallBlocks& data, MPI_Op op = MPI_SUM) {
    return classified(Collective::allreduce, {.input = &one, .output = &other, .sent = data, .op = op});
  }
  [[nodiscard]] Classified gathered(const CallBlocks& sent, const CallBlocks& received) {
    return classified(Collective::allgather, {.input = &one, .output = &other, .sent = sent, .received = received});
  }

  fake::Started started{4};
  RankOfJob here{fake::make_communicator({0, 1, 2, 3}), {}};
  std::optional<Function> function;
  int one = 0, other = 0;
};

TEST_F(ClassifyTest, speaks_of_bytes_without_arithmetic) {
  const Classified found = classified(Collective::bcast, {.output = &one, .sent = {3, MPI_DOUBLE}, .root = 2});
  EXPECT_EQ(found.unusual, nullptr);
  EXPECT_EQ(found.problem.root, 2);
  EXPECT_EQ(found.problem.count, 24u);
  EXPECT_EQ(found.problem.element_bytes, 1u);
  EXPECT_TRUE(found.by_handles);
}

TEST_F(ClassifyTest, speaks_of_elements_where_they_are_added) {
  const Classified found = sum_of({3, MPI_DOUBLE});
  EXPECT_EQ(found.problem.count, 3u);
  EXPECT_EQ(found.problem.element_bytes, 8u);
  EXPECT_EQ(found.problem.arithmetic, Arithmetic::commutative);
  EXPECT_EQ(sum_of({3, MPI_INT}).problem.arithmetic, Arithmetic::exact);
  EXPECT_NE(kernel_of(found), nullptr);
}

TEST_F(ClassifyTest, asks_whether_an_operation_of_the_application_commutes) {
  const MPI_Op ordered = fake::make_operation(nullptr, false), free = fake::make_operation(nullptr, true);
  EXPECT_EQ(sum_of({1, MPI_INT}, ordered).problem.arithmetic, Arithmetic::rank_order);
  const Classified found = sum_of({1, MPI_INT}, free);
  EXPECT_EQ(found.problem.arithmetic, Arithmetic::commutative);
  EXPECT_FALSE(found.by_handles);  // the handle may come to mean another
  EXPECT_EQ(kernel_of(found), nullptr);
}

TEST_F(ClassifyTest, finds_nothing_unusual_in_a_barrier) {
  EXPECT_EQ(classified(Collective::barrier, {}).unusual, nullptr);
}

TEST_F(ClassifyTest, leaves_empty_messages_to_the_mpi) {
  EXPECT_STREQ(sum_of({0, MPI_INT}).unusual, empty_message);
  MPI_Datatype nothing = MPI_DATATYPE_NULL;
  here.mpi().Type_contiguous(0, MPI_INT, &nothing);
  here.mpi().Type_commit(&nothing);
  EXPECT_STREQ(sum_of({5, nothing}).unusual, empty_message);
}

TEST_F(ClassifyTest, leaves_wrong_operations_to_the_mpi) {
  EXPECT_STREQ(sum_of({1, MPI_DOUBLE}, MPI_BOR).unusual, undefined_operation);
  EXPECT_STREQ(sum_of({1, MPI_INT}, MPI_REPLACE).unusual, undefined_operation);
  EXPECT_STREQ(sum_of({1, MPI_INT}, MPI_OP_NULL).unusual, bad_arguments);
}

TEST_F(ClassifyTest, leaves_wrong_datatypes_and_counts_to_the_mpi) {
  here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype not_committed = fake::make_vector(2, 1, 2, MPI_INT);
  EXPECT_STREQ(sum_of({1, MPI_DATATYPE_NULL}).unusual, bad_arguments);
  EXPECT_STREQ(sum_of({1, not_committed}).unusual, bad_arguments);
  EXPECT_STREQ(sum_of({-1, MPI_INT}).unusual, bad_arguments);
  EXPECT_STREQ(sum_of({MPI_Count{1} << 62, MPI_DOUBLE}).unusual, bad_arguments);  // no memory is so large
  EXPECT_STREQ(sum_of({MPI_Count{1} << 60, MPI_DOUBLE}).unusual, bad_arguments);
}

TEST_F(ClassifyTest, leaves_wrong_roots_and_buffers_to_the_mpi) {
  for (const int root : {-1, 4}) {
    EXPECT_STREQ(classified(Collective::bcast, {.output = &one, .sent = {1, MPI_INT}, .root = root}).unusual,
                 bad_arguments);
  }
  EXPECT_STREQ(classified(Collective::bcast, {.sent = {1, MPI_INT}}).unusual, bad_arguments);
  EXPECT_STREQ(
      classified(Collective::allreduce, {.input = &one, .output = &one, .sent = {1, MPI_INT}, .op = MPI_SUM}).unusual,
      bad_arguments);
}

TEST_F(ClassifyTest, compares_what_is_sent_with_what_is_received_by_bytes) {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  here.mpi().Type_contiguous(2, MPI_INT, &pair);
  here.mpi().Type_commit(&pair);
  const Classified found = gathered({4, MPI_INT}, {2, pair});
  EXPECT_EQ(found.unusual, nullptr);
  EXPECT_EQ(found.problem.count, 16u);
  EXPECT_FALSE(found.by_handles);
  EXPECT_STREQ(gathered({4, MPI_INT}, {3, pair}).unusual, bad_arguments);
  EXPECT_STREQ(gathered({4, MPI_INT}, {2, MPI_DATATYPE_NULL}).unusual, bad_arguments);
}

TEST_F(ClassifyTest, looks_only_at_what_is_received_in_place) {
  const Classified found =
      classified(Collective::allgather,
                 {.input = MPI_IN_PLACE, .output = &other, .sent = {-7, MPI_DATATYPE_NULL}, .received = {2, MPI_INT}});
  EXPECT_EQ(found.unusual, nullptr);
  EXPECT_TRUE(found.in_place);
  EXPECT_EQ(found.problem.count, 8u);
}

TEST_F(ClassifyTest, speaks_of_the_mean_of_uneven_blocks) {
  const int counts[] = {1, 2, 3, 6}, displacements[] = {0, 1, 3, 6};
  Call call{.input = &one,
            .output = &other,
            .sent = {2, MPI_INT},
            .received = {.type = MPI_INT, .counts = counts, .displacements = displacements}};
  const Classified found = classified(Collective::allgather, call, true);
  EXPECT_EQ(found.unusual, nullptr);
  EXPECT_TRUE(found.problem.is_uneven);
  EXPECT_EQ(found.problem.count, 12u);
  EXPECT_TRUE(found.by_handles);
  call.sent.count = 3;  // others expect 2 of this rank
  EXPECT_STREQ(classified(Collective::allgather, call, true).unusual, bad_arguments);
}

TEST_F(ClassifyTest, leaves_wrong_uneven_blocks_to_the_mpi) {
  const int counts[] = {1, -2, 3, 6}, none[] = {0, 0, 0, 0};
  Call call{.input = &one,
            .output = &other,
            .sent = {0, MPI_INT},
            .received = {.type = MPI_INT, .counts = none, .displacements = none}};
  EXPECT_STREQ(classified(Collective::allgather, call, true).unusual, empty_message);
  call.received.counts = counts;
  EXPECT_STREQ(classified(Collective::allgather, call, true).unusual, bad_arguments);
  call.received.counts = nullptr;
  EXPECT_STREQ(classified(Collective::allgather, call, true).unusual, bad_arguments);
}

TEST_F(ClassifyTest, knows_no_sizes_of_uneven_pairs) {
  const int counts[] = {1, 2, 3, 6}, displacements[] = {0, 1, 3, 6};
  const CallBlocks blocks{.type = MPI_INT, .counts = counts, .displacements = displacements};
  Call call{.input = &one, .output = &other, .sent = blocks, .received = blocks};
  const Classified found = classified(Collective::alltoall, call, true);
  EXPECT_EQ(found.unusual, nullptr);
  EXPECT_EQ(found.problem.count, 0u);
  call.sent.displacements = nullptr;
  EXPECT_STREQ(classified(Collective::alltoall, call, true).unusual, bad_arguments);
}

}  // namespace
}  // namespace espalier
