// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/large_type.hpp"

#include <gtest/gtest.h>

#include "fake/fake_mpi.hpp"

namespace espalier::large_type_test {
namespace {

constexpr MPI_Count many = MPI_Count{3} << 30;

class LargeTypeTest : public testing::Test {
 protected:
  [[nodiscard]] MPI_Count size_of(MPI_Datatype type) const {
    MPI_Count size = 0;
    mpi.Type_size_x(type, &size);
    return size;
  }
  [[nodiscard]] MPI_Aint extent_of(MPI_Datatype type) const {
    MPI_Aint lower_bound = 0, extent = 0;
    mpi.Type_get_extent(type, &lower_bound, &extent);
    return extent;
  }

  fake::Started started{1};
  Native mpi = fake::functions();
};

TEST_F(LargeTypeTest, stands_for_many_elements) {
  for (const MPI_Count extra : {0, 1, 12345}) {
    const LargeType large(mpi, many + extra, MPI_DOUBLE);
    ASSERT_EQ(large.status(), MPI_SUCCESS);
    EXPECT_EQ(size_of(large.get()), 8 * (many + extra));
    EXPECT_EQ(extent_of(large.get()), 8 * (many + extra));
  }
}

TEST_F(LargeTypeTest, leaves_nothing_behind) {
  { const LargeType large(mpi, many, MPI_BYTE); }
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(LargeTypeTest, leaves_nothing_behind_where_the_mpi_fails) {
  static int contiguous_types = 0;
  contiguous_types = 0;
  mpi.Type_contiguous = [](int count, MPI_Datatype type, MPI_Datatype* made) {
    return ++contiguous_types == 3 ? MPI_ERR_NO_MEM : fake::functions().Type_contiguous(count, type, made);
  };
  {
    const LargeType large(mpi, many, MPI_BYTE);
    EXPECT_EQ(large.status(), MPI_ERR_NO_MEM);
    EXPECT_EQ(large.get(), MPI_DATATYPE_NULL);
  }
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(LargeTypeTest, is_made_only_for_counts_that_need_it) {
  const Countable small(mpi, INT_MAX, MPI_BYTE);
  EXPECT_EQ(small.count(), INT_MAX);
  EXPECT_EQ(small.type(), MPI_BYTE);
  EXPECT_EQ(small.status(), MPI_SUCCESS);
  const Countable large(mpi, MPI_Count{INT_MAX} + 1, MPI_BYTE);
  EXPECT_EQ(large.count(), 1);
  EXPECT_EQ(size_of(large.type()), MPI_Count{INT_MAX} + 1);
  EXPECT_EQ(large.status(), MPI_SUCCESS);
}

}  // namespace
}  // namespace espalier::large_type_test
