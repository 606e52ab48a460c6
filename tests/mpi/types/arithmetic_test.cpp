// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/arithmetic.hpp"

#include <gtest/gtest.h>

#include <array>

#include "fake/fake_mpi.hpp"

namespace espalier {
namespace {

// Not commutative: what stands left counts for ten.
void ten_left_and_right(void* left, void* right, int* count, MPI_Datatype*) {
  for (int k = 0; k < *count; ++k) {
    static_cast<int*>(right)[k] += 10 * static_cast<int*>(left)[k];
  }
}

using Two = std::array<int, 2>;

class ArithmeticTest : public testing::Test {
 protected:
  [[nodiscard]] NativeArithmetic::Operands setup(bool copies_whole) const {
    return {.type = MPI_INT,
            .op = op,
            .layout = {.stride_bytes = 4},
            .wire = {.type = MPI_INT, .stride_bytes = 4},
            .copies_whole = copies_whole,
            .self_copy = {&mpi, MPI_COMM_WORLD, 0, 7}};
  }

  fake::Started started{1};
  Native mpi = fake::functions();
  MPI_Op op = fake::make_operation(ten_left_and_right, false);
  Two left = {1, 2}, right = {3, 4}, target = {0, 0};
};

TEST_F(ArithmeticTest, keeps_operands_in_order_wherever_the_result_goes) {
  for (const bool copies_whole : {false, true}) {
    NativeArithmetic arithmetic(setup(copies_whole));
    const Elements elements = arithmetic.elements();
    Two a = {1, 2}, b = {3, 4};
    elements.reduction(target.data(), left.data(), right.data(), 2);
    elements.reduction(b.data(), left.data(), b.data(), 2);
    elements.reduction(a.data(), a.data(), right.data(), 2);
    for (const Two& result : {target, a, b}) EXPECT_EQ(result, (Two{13, 24}));
    EXPECT_EQ(arithmetic.take_error(), MPI_SUCCESS);
  }
}

TEST_F(ArithmeticTest, leaves_both_operands_alone) {
  NativeArithmetic arithmetic(setup(true));
  arithmetic.elements().reduction(target.data(), left.data(), right.data(), 2);
  EXPECT_EQ(left, (Two{1, 2}));
  EXPECT_EQ(right, (Two{3, 4}));
}

TEST_F(ArithmeticTest, copies_by_the_mpi_only_where_gaps_must_not_be_touched) {
  NativeArithmetic whole(setup(true)), with_gaps(setup(false));
  EXPECT_EQ(whole.elements().copy.function, nullptr);
  const Copy copy = with_gaps.elements().copy;
  copy.function(target.data(), left.data(), 2, copy.context);
  EXPECT_EQ(target, left);
}

TEST_F(ArithmeticTest, hands_staged_elements_over_one_by_one) {
  static std::vector<int> counts;
  counts.clear();
  mpi.Reduce_local = [](const void* a, void* b, int count, MPI_Datatype type, MPI_Op operation) {
    counts.push_back(count);
    return fake::functions().Reduce_local(a, b, count, type, operation);
  };
  NativeArithmetic::Operands staged = setup(true);
  staged.layout = {.stride_bytes = 16, .staged = true};
  NativeArithmetic arithmetic(staged);
  std::array<int, 8> a = {1, 0, 0, 0, 2}, b = {3, 0, 0, 0, 4};
  arithmetic.elements().reduction(b.data(), a.data(), b.data(), 2);
  EXPECT_EQ(b, (std::array<int, 8>{13, 0, 0, 0, 24}));
  EXPECT_EQ(counts, (std::vector<int>{1, 1}));
}

TEST_F(ArithmeticTest, reaches_elements_that_lie_next_to_their_address) {
  NativeArithmetic::Operands biased = setup(true);
  biased.layout.bias_bytes = biased.wire.bias =
      -4;  // an element's bytes begin 4 bytes before the address that MPI wants
  NativeArithmetic arithmetic(biased);
  std::array<int, 3> a = {7, 1, 2}, b = {8, 3, 4};
  arithmetic.elements().reduction(b.data(), a.data(), b.data(), 2);
  EXPECT_EQ(b, (std::array<int, 3>{8, 13, 24}));
}

TEST_F(ArithmeticTest, says_its_first_error_once) {
  mpi.Reduce_local = [](const void*, void*, int, MPI_Datatype, MPI_Op) { return MPI_ERR_OP; };
  NativeArithmetic arithmetic(setup(true));
  arithmetic.elements().reduction(target.data(), left.data(), right.data(), 2);
  EXPECT_EQ(arithmetic.take_error(), MPI_ERR_OP);
  EXPECT_EQ(arithmetic.take_error(), MPI_SUCCESS);
}

TEST_F(ArithmeticTest, copies_between_layouts) {
  MPI_Datatype every_other = fake::make_vector(2, 1, 2, MPI_INT);
  mpi.Type_commit(&every_other);
  std::array<int, 3> apart = {7, 8, 9};
  const SelfCopy copy{&mpi, MPI_COMM_WORLD, 0, 7};
  EXPECT_EQ(copy(apart.data(), 1, every_other, left.data(), 2, MPI_INT), MPI_SUCCESS);
  EXPECT_EQ(apart, (std::array<int, 3>{1, 8, 2}));
}

TEST_F(ArithmeticTest, copies_nothing_if_the_mpi_cannot_count_it) {
  mpi.Type_contiguous = [](int, MPI_Datatype, MPI_Datatype*) { return MPI_ERR_NO_MEM; };
  const SelfCopy copy{&mpi, MPI_COMM_WORLD, 0, 7};
  constexpr MPI_Count many = MPI_Count{1} << 31;
  EXPECT_EQ(copy(target.data(), many, MPI_INT, left.data(), 1, MPI_INT), MPI_ERR_NO_MEM);
  EXPECT_EQ(copy(target.data(), 1, MPI_INT, left.data(), many, MPI_INT), MPI_ERR_NO_MEM);
}

}  // namespace
}  // namespace espalier
