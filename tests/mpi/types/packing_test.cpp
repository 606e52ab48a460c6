// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/packing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "fake/fake_mpi.hpp"
#include "mpi/types/datatypes.hpp"

namespace espalier {
namespace {

class PackingTest : public testing::Test {
 protected:
  [[nodiscard]] TypeFacts facts_of(MPI_Datatype type) const {
    TypeFacts facts;
    EXPECT_TRUE(find_facts(mpi, type, facts));
    return facts;
  }
  [[nodiscard]] std::vector<int> packed(const UserData& data) const {
    const TypeFacts facts = facts_of(data.type);
    std::vector<int> numbers(static_cast<std::size_t>(data.count * facts.size) / sizeof(int));
    EXPECT_EQ(pack(self_copy, data, facts, reinterpret_cast<std::byte*>(numbers.data())), MPI_SUCCESS);
    return numbers;
  }
  void unpack_into(const UserData& data, std::vector<int> numbers) const {
    const TypeFacts facts = facts_of(data.type);
    EXPECT_EQ(unpack(self_copy, data, facts, reinterpret_cast<std::byte*>(numbers.data())), MPI_SUCCESS);
  }
  // Where a datatype has absolute addresses.
  [[nodiscard]] MPI_Datatype at_addresses(int* first, int* second) const {
    const int lengths[] = {1, 1};
    const MPI_Aint offsets[] = {reinterpret_cast<MPI_Aint>(first), reinterpret_cast<MPI_Aint>(second)};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    mpi.Type_create_struct(2, lengths, offsets, types, &made);
    mpi.Type_commit(&made);
    return made;
  }

  fake::Started started{1};
  Native mpi = fake::functions();
  SelfCopy self_copy{&mpi, MPI_COMM_WORLD, 0, 7};
  MPI_Datatype every_other = fake::make_vector(2, 1, 2, MPI_INT);  // of three
};

TEST_F(PackingTest, takes_what_belongs_to_the_datatype) {
  std::array<int, 6> numbers = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(packed({numbers.data(), 2, every_other}), (std::vector<int>{1, 3, 4, 6}));
}

TEST_F(PackingTest, puts_it_back_and_touches_no_gaps) {
  std::array<int, 6> numbers = {1, 2, 3, 4, 5, 6};
  unpack_into({numbers.data(), 2, every_other}, {10, 30, 40, 60});
  EXPECT_EQ(numbers, (std::array<int, 6>{10, 2, 30, 40, 5, 60}));
}

// Some MPIs take no null buffer, and cut a message to oneself inside of an element.
TEST_F(PackingTest, gives_data_at_absolute_addresses_a_buffer) {
  mpi.Sendrecv = nullptr;
  mpi.Pack = [](const void* from, int count, MPI_Datatype type, void* to, int size, int* position, MPI_Comm comm) {
    return from == nullptr ? MPI_ERR_BUFFER : fake::functions().Pack(from, count, type, to, size, position, comm);
  };
  mpi.Unpack = [](const void* from, int size, int* position, void* to, int count, MPI_Datatype type, MPI_Comm comm) {
    return to == nullptr ? MPI_ERR_BUFFER : fake::functions().Unpack(from, size, position, to, count, type, comm);
  };
  int first = 1, second = 2;
  const MPI_Datatype type = at_addresses(&first, &second);
  EXPECT_EQ(packed({MPI_BOTTOM, 1, type}), (std::vector<int>{1, 2}));
  unpack_into({MPI_BOTTOM, 1, type}, {3, 4});
  EXPECT_EQ(first, 3);
  EXPECT_EQ(second, 4);
}

// As many as fit an int's bytes; nothing is really packed.
TEST_F(PackingTest, goes_in_parts_that_the_pack_functions_can_hold) {
  static std::vector<int> counts;
  counts.clear();
  mpi.Pack = [](const void*, int count, MPI_Datatype, void*, int, int*, MPI_Comm) {
    counts.push_back(count);
    return MPI_SUCCESS;
  };
  std::byte nothing{};
  EXPECT_EQ(pack(self_copy, {&nothing, (MPI_Count{1} << 28) + 5, MPI_DOUBLE}, facts_of(MPI_DOUBLE), &nothing),
            MPI_SUCCESS);
  EXPECT_EQ(counts, (std::vector<int>{1 << 27, 1 << 27, 5}));
}

TEST_F(PackingTest, says_what_the_mpi_said) {
  mpi.Pack = [](const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm) { return MPI_ERR_NO_MEM; };
  mpi.Unpack = [](const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm) { return MPI_ERR_TRUNCATE; };
  int number = 0;
  std::byte bytes[sizeof number] = {};
  EXPECT_EQ(pack(self_copy, {&number, 1, MPI_INT}, facts_of(MPI_INT), bytes), MPI_ERR_NO_MEM);
  EXPECT_EQ(unpack(self_copy, {&number, 1, MPI_INT}, facts_of(MPI_INT), bytes), MPI_ERR_TRUNCATE);
}

}  // namespace
}  // namespace espalier
