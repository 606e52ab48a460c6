// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/handles.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(KnownTypes, have_the_elements_that_our_kernels_know) {
  EXPECT_EQ(find_known_type(MPI_INT)->element, ElementType::int32);
  EXPECT_EQ(find_known_type(MPI_UNSIGNED_LONG)->element, ElementType::uint64);
  EXPECT_EQ(find_known_type(MPI_SHORT)->element, ElementType::int16);
  EXPECT_EQ(find_known_type(MPI_C_DOUBLE_COMPLEX)->element, ElementType::complex128);
  EXPECT_EQ(find_known_type(MPI_BYTE)->element, ElementType::byte);
}

TEST(KnownTypes, may_have_none) {
  EXPECT_EQ(find_known_type(MPI_LOGICAL)->element, std::nullopt);
  EXPECT_EQ(find_known_type(MPI_DOUBLE_INT)->group, TypeGroup::floating_pair);
  EXPECT_EQ(find_known_type(MPI_CHAR)->group, TypeGroup::other);
}

TEST(KnownTypes, are_only_predefined_ones) {
  EXPECT_EQ(find_known_type(static_cast<MPI_Datatype>(0xcc000000)), nullptr);
  EXPECT_EQ(find_known_type(MPI_DATATYPE_NULL), nullptr);
}

TEST(KnownOps, are_only_predefined_ones) {
  EXPECT_EQ(find_known_op(MPI_SUM), KnownOp::sum);
  EXPECT_EQ(find_known_op(MPI_REPLACE), KnownOp::other);
  EXPECT_EQ(find_known_op(static_cast<MPI_Op>(0xd8000000)), std::nullopt);
}

TEST(KnownOps, have_kernels_but_for_pairs) {
  EXPECT_EQ(operator_of(KnownOp::max), Operator::max);
  EXPECT_EQ(operator_of(KnownOp::bxor), Operator::bxor);
  EXPECT_EQ(operator_of(KnownOp::maxloc), std::nullopt);
}

// As table 6.6 and the text around it have it, chapter 6.9.2 of MPI 4.1.
TEST(KnownOps, are_defined_for_some_groups_of_datatypes) {
  using enum TypeGroup;
  for (const TypeGroup integer : {c_integer, fortran_integer, multi_language}) {
    EXPECT_TRUE(is_defined(KnownOp::max, integer) && is_defined(KnownOp::prod, integer));
    EXPECT_TRUE(is_defined(KnownOp::bor, integer));
  }
  EXPECT_TRUE(is_defined(KnownOp::land, logical));
  EXPECT_FALSE(is_defined(KnownOp::land, fortran_integer));
  EXPECT_FALSE(is_defined(KnownOp::max, complex));
  EXPECT_TRUE(is_defined(KnownOp::sum, complex));
  EXPECT_TRUE(is_defined(KnownOp::bxor, TypeGroup::byte));
  EXPECT_FALSE(is_defined(KnownOp::sum, TypeGroup::byte));
  EXPECT_TRUE(is_defined(KnownOp::minloc, floating_pair));
  EXPECT_FALSE(is_defined(KnownOp::minloc, floating));
  EXPECT_FALSE(is_defined(KnownOp::other, c_integer));
  EXPECT_FALSE(is_defined(KnownOp::sum, other));
}

TEST(KnownOps, are_exact_where_the_order_does_not_show) {
  EXPECT_TRUE(is_exact(KnownOp::sum, TypeGroup::c_integer));
  EXPECT_TRUE(is_exact(KnownOp::maxloc, TypeGroup::integer_pair));
  EXPECT_FALSE(is_exact(KnownOp::max, TypeGroup::floating));
  EXPECT_FALSE(is_exact(KnownOp::sum, TypeGroup::complex));
  EXPECT_FALSE(is_exact(KnownOp::land, TypeGroup::floating));
}

}  // namespace
}  // namespace espalier
