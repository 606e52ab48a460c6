// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/persistent_handles.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

class PersistentHandlesTest : public testing::Test {
 protected:
  // Something in the place of a run: nobody looks into it here.
  [[nodiscard]] PersistentRun* run(int number) { return reinterpret_cast<PersistentRun*>(&runs.at(number)); }
  void insert(int number) { handles.insert(handle(number), {owner, run(number)}); }
  // As those of MPICH: in a row.
  [[nodiscard]] static MPI_Request handle(int number) { return static_cast<MPI_Request>(0x98000000) + number; }

  static constexpr int many = 3000;  // this many have no room in the table
  std::vector<int> runs = std::vector<int>(many);
  std::shared_ptr<int> owner = std::make_shared<int>();
  PersistentHandles handles;
};

TEST_F(PersistentHandlesTest, find_what_was_inserted) {
  EXPECT_TRUE(handles.empty());
  EXPECT_EQ(handles.find(handle(1)), nullptr);
  insert(1);
  EXPECT_FALSE(handles.empty());
  EXPECT_EQ(handles.find(handle(1)), run(1));
  EXPECT_EQ(handles.find(handle(2)), nullptr);
  EXPECT_EQ(handles.find(MPI_REQUEST_NULL), nullptr);
}

TEST_F(PersistentHandlesTest, give_back_what_is_removed) {
  insert(1);
  EXPECT_EQ(handles.remove(handle(2)), nullptr);
  EXPECT_EQ(handles.remove(handle(1)).get(), run(1));
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(handles.remove(handle(1)), nullptr);
  EXPECT_TRUE(handles.empty());
  EXPECT_EQ(handles.find(handle(1)), nullptr);
}

TEST_F(PersistentHandlesTest, find_also_what_has_no_room_in_the_table) {
  for (int k = 0; k < many; ++k) insert(k);
  for (int k = 0; k < many; ++k) ASSERT_EQ(handles.find(handle(k)), run(k));
  EXPECT_EQ(handles.find(handle(many)), nullptr);
  for (int k = 0; k < many; k += 2) ASSERT_EQ(handles.remove(handle(k)).get(), run(k));
  for (int k = 0; k < many; ++k) ASSERT_EQ(handles.find(handle(k)), k % 2 == 0 ? nullptr : run(k));
  for (int k = 0; k < many; k += 2) insert(k);
  for (int k = 0; k < many; ++k) ASSERT_EQ(handles.find(handle(k)), run(k));
}

TEST_F(PersistentHandlesTest, give_each_a_tag_of_its_own) {
  std::set<int> tags;
  for (int k = 0; k < 100; ++k) tags.insert(handles.take_tag());
  EXPECT_EQ(tags.size(), 100u);
  for (const int tag : tags) handles.give_back_tag(tag);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(tags.erase(handles.take_tag()), 1u);
}

}  // namespace
}  // namespace espalier
