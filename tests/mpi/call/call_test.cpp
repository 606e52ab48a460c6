// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/call.hpp"

#include <gtest/gtest.h>

namespace espalier::call_test {
namespace {

struct Buffer {
  const void* input;
  void* output;
};

class BuffersTest : public testing::Test {
 protected:
  [[nodiscard]] Call call_of(Collective collective, const Buffer& buffers) {
    function.emplace(Function{.contract = &contract_of(collective)});
    return {.function = &*function, .input = buffers.input, .output = buffers.output, .root = 1};
  }
  [[nodiscard]] BufferUse use(Collective collective, const Buffer& buffers, Rank me = 0) {
    return use_of_buffers(call_of(collective, buffers), me);
  }
  [[nodiscard]] bool has(Collective collective, const Buffer& buffers, Rank me = 0) {
    return has_buffers(call_of(collective, buffers), me);
  }

  std::optional<Function> function;
  int one = 0, other = 0;
};

TEST_F(BuffersTest, are_one_for_a_broadcast) {
  EXPECT_EQ(use(Collective::bcast, {nullptr, &one}), BufferUse::in_place);
}

TEST_F(BuffersTest, are_none_for_a_barrier) {
  EXPECT_EQ(use(Collective::barrier, {nullptr, nullptr}), BufferUse::separate);
  EXPECT_TRUE(has(Collective::barrier, {nullptr, nullptr}));
}

TEST_F(BuffersTest, are_in_place_if_the_call_says_so) {
  EXPECT_EQ(use(Collective::allreduce, {MPI_IN_PLACE, &one}), BufferUse::in_place);
  EXPECT_EQ(use(Collective::allreduce, {&one, &other}), BufferUse::separate);
  EXPECT_EQ(use(Collective::allreduce, {&one, MPI_IN_PLACE}), BufferUse::wrong);
}

TEST_F(BuffersTest, are_at_one_address_if_it_is_said_twice) {
  EXPECT_EQ(use(Collective::allreduce, {&one, &one}), BufferUse::one_address);
  EXPECT_EQ(use(Collective::allgather, {&one, &one}), BufferUse::one_address);
  EXPECT_EQ(use(Collective::scatter, {&one, &one}, 1), BufferUse::one_address);
  EXPECT_EQ(use(Collective::scatter, {&one, &one}, 0), BufferUse::separate);
}

TEST_F(BuffersTest, are_separate_if_nothing_lies_anywhere) {
  EXPECT_EQ(use(Collective::alltoall, {nullptr, nullptr}), BufferUse::separate);
  EXPECT_EQ(use(Collective::gather, {nullptr, nullptr}, 1), BufferUse::separate);
}

TEST_F(BuffersTest, at_one_address_mean_in_place_to_a_rank_that_reduces) {
  EXPECT_TRUE(is_in_place(call_of(Collective::scan, {&one, &one}), BufferUse::one_address));
  EXPECT_FALSE(is_in_place(call_of(Collective::allgather, {&one, &one}), BufferUse::one_address));
  EXPECT_TRUE(is_in_place(call_of(Collective::allgather, {MPI_IN_PLACE, &one}), BufferUse::in_place));
}

TEST_F(BuffersTest, are_the_input_alone_where_a_rank_has_no_output) {
  EXPECT_EQ(use(Collective::reduce, {&one, nullptr}, 0), BufferUse::separate);
  EXPECT_EQ(use(Collective::reduce, {&one, &one}, 0), BufferUse::separate);
  EXPECT_EQ(use(Collective::reduce, {MPI_IN_PLACE, nullptr}, 0), BufferUse::wrong);
  EXPECT_EQ(use(Collective::reduce, {MPI_IN_PLACE, &one}, 1), BufferUse::in_place);
}

TEST_F(BuffersTest, are_there_if_those_that_the_rank_needs_are) {
  EXPECT_TRUE(has(Collective::reduce, {&one, nullptr}, 0));
  EXPECT_FALSE(has(Collective::reduce, {nullptr, nullptr}, 0));
  EXPECT_FALSE(has(Collective::reduce, {&one, nullptr}, 1));
  EXPECT_TRUE(has(Collective::bcast, {nullptr, &one}));
  EXPECT_FALSE(has(Collective::bcast, {&one, nullptr}));
  EXPECT_FALSE(has(Collective::allreduce, {nullptr, &one}));
}

TEST_F(BuffersTest, are_the_output_twice_in_place) {
  const Call call = call_of(Collective::allreduce, {MPI_IN_PLACE, &one});
  EXPECT_EQ(static_cast<const void*>(buffers_of(call, true).input), &one);
  EXPECT_EQ(static_cast<void*>(buffers_of(call, true).output), &one);
  EXPECT_EQ(static_cast<const void*>(buffers_of(call_of(Collective::allreduce, {&one, &other}), false).input), &one);
}

}  // namespace
}  // namespace espalier::call_test
