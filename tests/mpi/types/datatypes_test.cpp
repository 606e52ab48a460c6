// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/datatypes.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "fake/fake_mpi.hpp"

namespace espalier {
namespace {

class DatatypesTest : public testing::Test {
 protected:
  DatatypesTest() {
    mpi.Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    mpi.Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    EXPECT_EQ(check.open(), MPI_SUCCESS);
  }
  ~DatatypesTest() override { check.close(); }

  [[nodiscard]] MPI_Datatype contiguous(int count, MPI_Datatype type) const {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi.Type_contiguous(count, type, &made);
    return made;
  }
  // Two ints, the second of which is sent first.
  [[nodiscard]] MPI_Datatype swapped() const {
    const int lengths[] = {1, 1};
    const MPI_Aint offsets[] = {4, 0};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi.Type_create_struct(2, lengths, offsets, types, &made);
    return made;
  }
  [[nodiscard]] MPI_Datatype resized(MPI_Datatype type, MPI_Aint extent) const {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi.Type_create_resized(type, 0, extent, &made);
    return made;
  }
  [[nodiscard]] TypeFacts facts_of(MPI_Datatype type) const {
    TypeFacts facts;
    EXPECT_TRUE(find_facts(mpi, type, facts));
    return facts;
  }
  [[nodiscard]] bool is_contiguous(MPI_Datatype type) const {
    return check.is_contiguous(MPI_COMM_WORLD, type, facts_of(type));
  }

  fake::Started started{1};
  Native mpi = fake::functions();
  ContiguityCheck check{mpi};
};

TEST_F(DatatypesTest, finds_the_facts_of_datatypes) {
  EXPECT_EQ(facts_of(MPI_INT), (TypeFacts{4, 0, 4, 0, 4}));
  EXPECT_EQ(facts_of(MPI_DOUBLE_INT), (TypeFacts{12, 0, 16, 0, 12}));
  EXPECT_EQ(facts_of(fake::make_vector(2, 1, 3, MPI_INT)), (TypeFacts{8, 0, 16, 0, 16}));
  EXPECT_EQ(facts_of(resized(contiguous(3, MPI_INT), 32)), (TypeFacts{12, 0, 32, 0, 12}));
}

TEST_F(DatatypesTest, knows_no_facts_of_what_is_no_datatype) {
  TypeFacts facts;
  EXPECT_FALSE(find_facts(mpi, MPI_DATATYPE_NULL, facts));
}

TEST_F(DatatypesTest, tells_committed_datatypes_from_others) {
  MPI_Datatype type = contiguous(2, MPI_INT);
  EXPECT_TRUE(is_committed(mpi, MPI_COMM_SELF, MPI_INT));
  EXPECT_FALSE(is_committed(mpi, MPI_COMM_SELF, type));
  mpi.Type_commit(&type);
  EXPECT_TRUE(is_committed(mpi, MPI_COMM_SELF, type));
  EXPECT_FALSE(is_committed(mpi, MPI_COMM_SELF, MPI_DATATYPE_NULL));
}

TEST_F(DatatypesTest, takes_predefined_datatypes_without_gaps_for_contiguous) {
  EXPECT_TRUE(is_contiguous(MPI_INT));
  EXPECT_FALSE(is_contiguous(MPI_DOUBLE_INT));
}

TEST_F(DatatypesTest, looks_through_repetitions) {
  EXPECT_TRUE(is_contiguous(contiguous(3, contiguous(2, MPI_INT))));
  EXPECT_FALSE(is_contiguous(contiguous(3, swapped())));
  EXPECT_FALSE(is_contiguous(resized(MPI_INT, 8)));
  EXPECT_EQ(fake::remains().datatypes, 5u);  // those of this test
}

TEST_F(DatatypesTest, sees_elements_that_are_sent_in_another_order) {
  EXPECT_TRUE(facts_of(swapped()).is_gapless());
  EXPECT_FALSE(is_contiguous(swapped()));
  EXPECT_TRUE(is_contiguous(resized(contiguous(300, MPI_INT), 1200)));
}

TEST_F(DatatypesTest, takes_huge_elements_that_it_cannot_look_through_for_unordered) {
  constexpr int count = 1 << 20;
  EXPECT_TRUE(is_contiguous(contiguous(count, MPI_INT)));
  EXPECT_FALSE(is_contiguous(resized(contiguous(count, MPI_INT), 4 * count)));
}

TEST_F(DatatypesTest, remembers_its_answer) {
  static int packed = 0;
  packed = 0;
  mpi.Pack = [](const void* buffer, int count, MPI_Datatype type, void* to, int size, int* position, MPI_Comm comm) {
    ++packed;
    return fake::functions().Pack(buffer, count, type, to, size, position, comm);
  };
  const MPI_Datatype type = swapped();
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(is_contiguous(type));
  EXPECT_EQ(packed, 1);
}

}  // namespace
}  // namespace espalier
