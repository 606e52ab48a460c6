// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/call.hpp"

#include <gtest/gtest.h>

namespace espalier {
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

TEST_F(BuffersTest, AreOneForABroadcast) { EXPECT_EQ(use(Collective::bcast, {nullptr, &one}), BufferUse::in_place); }

TEST_F(BuffersTest, AreNoneForABarrier) {
  EXPECT_EQ(use(Collective::barrier, {nullptr, nullptr}), BufferUse::separate);
  EXPECT_TRUE(has(Collective::barrier, {nullptr, nullptr}));
}

TEST_F(BuffersTest, AreInPlaceIfTheCallSaysSo) {
  EXPECT_EQ(use(Collective::allreduce, {MPI_IN_PLACE, &one}), BufferUse::in_place);
  EXPECT_EQ(use(Collective::allreduce, {&one, &other}), BufferUse::separate);
  EXPECT_EQ(use(Collective::allreduce, {&one, MPI_IN_PLACE}), BufferUse::wrong);
}

TEST_F(BuffersTest, AreAtOneAddressIfItIsSaidTwice) {
  EXPECT_EQ(use(Collective::allreduce, {&one, &one}), BufferUse::one_address);
  EXPECT_EQ(use(Collective::allgather, {&one, &one}), BufferUse::one_address);
  EXPECT_EQ(use(Collective::scatter, {&one, &one}, 1), BufferUse::one_address);
  EXPECT_EQ(use(Collective::scatter, {&one, &one}, 0), BufferUse::separate);
}

TEST_F(BuffersTest, AreSeparateIfNothingLiesAnywhere) {
  EXPECT_EQ(use(Collective::alltoall, {nullptr, nullptr}), BufferUse::separate);
  EXPECT_EQ(use(Collective::gather, {nullptr, nullptr}, 1), BufferUse::separate);
}

TEST_F(BuffersTest, AtOneAddressMeanInPlaceToWhoeverReduces) {
  EXPECT_TRUE(is_in_place(call_of(Collective::scan, {&one, &one}), BufferUse::one_address));
  EXPECT_FALSE(is_in_place(call_of(Collective::allgather, {&one, &one}), BufferUse::one_address));
  EXPECT_TRUE(is_in_place(call_of(Collective::allgather, {MPI_IN_PLACE, &one}), BufferUse::in_place));
}

TEST_F(BuffersTest, AreTheInputAloneWhereARankHasNoOutput) {
  EXPECT_EQ(use(Collective::reduce, {&one, nullptr}, 0), BufferUse::separate);
  EXPECT_EQ(use(Collective::reduce, {&one, &one}, 0), BufferUse::separate);
  EXPECT_EQ(use(Collective::reduce, {MPI_IN_PLACE, nullptr}, 0), BufferUse::wrong);
  EXPECT_EQ(use(Collective::reduce, {MPI_IN_PLACE, &one}, 1), BufferUse::in_place);
}

TEST_F(BuffersTest, AreThereIfThoseThatTheRankNeedsAre) {
  EXPECT_TRUE(has(Collective::reduce, {&one, nullptr}, 0));
  EXPECT_FALSE(has(Collective::reduce, {nullptr, nullptr}, 0));
  EXPECT_FALSE(has(Collective::reduce, {&one, nullptr}, 1));
  EXPECT_TRUE(has(Collective::bcast, {nullptr, &one}));
  EXPECT_FALSE(has(Collective::bcast, {&one, nullptr}));
  EXPECT_FALSE(has(Collective::allreduce, {nullptr, &one}));
}

TEST_F(BuffersTest, AreTheOutputTwiceInPlace) {
  const Call call = call_of(Collective::allreduce, {MPI_IN_PLACE, &one});
  EXPECT_EQ(static_cast<const void*>(buffers_of(call, true).input), &one);
  EXPECT_EQ(static_cast<void*>(buffers_of(call, true).output), &one);
  EXPECT_EQ(static_cast<const void*>(buffers_of(call_of(Collective::allreduce, {&one, &other}), false).input), &one);
}

}  // namespace
}  // namespace espalier
