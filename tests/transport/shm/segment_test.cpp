// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/segment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace espalier {
namespace {

constexpr std::size_t bytes = 1 << 20;

class Segments : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static std::optional<Segment> made(std::size_t size = bytes) {
    return GetParam() ? Segment::make_named(size) : Segment::make(size);
  }
};

// Work in a child; whether it said that all is well.
template <class Work>
bool is_well_in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(Segments, are_zero_and_the_same_memory_for_all_who_open_them) {
  const auto segment = made();
  ASSERT_TRUE(segment);
  for (std::size_t k = 0; k < bytes; k += 512) ASSERT_EQ(segment->data()[k], std::byte{});
  EXPECT_TRUE(is_well_in_child([&] {
    const auto found = Segment::open(segment->address());
    if (!found) return false;
    std::memcpy(found->data() + bytes - 5, "hello", 5);
    return true;
  }));
  EXPECT_EQ(std::memcmp(segment->data() + bytes - 5, "hello", 5), 0);
}

TEST_P(Segments, can_be_opened_by_nobody_once_they_are_closed_to_others) {
  auto segment = made();
  ASSERT_TRUE(segment);
  const SegmentAddress address = segment->address();
  EXPECT_TRUE(Segment::open(address));
  segment->close_to_others();
  EXPECT_FALSE(Segment::open(address));
  segment->data()[0] = std::byte{1};
}

TEST_P(Segments, are_not_opened_as_something_else) {
  const auto segment = made();
  ASSERT_TRUE(segment);
  SegmentAddress address = segment->address();
  ++address.key[1];
  EXPECT_FALSE(Segment::open(address));
  address = segment->address();
  address.bytes /= 2;
  EXPECT_FALSE(Segment::open(address));
}

TEST_P(Segments, are_not_inherited_by_children) {
  const auto segment = made();
  ASSERT_TRUE(segment);
  unsigned char is_there = 0;
  ASSERT_EQ(mincore(segment->data(), 1, &is_there), 0);
  EXPECT_TRUE(is_well_in_child([&] { return mincore(segment->data(), 1, &is_there) != 0; }));
}

TEST_P(Segments, are_refused_where_files_must_be_shorter) {
  EXPECT_TRUE(is_well_in_child([] {
    const rlimit limit{.rlim_cur = 4096, .rlim_max = 4096};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && !made();
  }));
}

TEST_P(Segments, are_refused_where_no_descriptor_is_left) {
  EXPECT_TRUE(is_well_in_child([] {
    const rlimit limit{.rlim_cur = 3, .rlim_max = 3};
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 && !made();
  }));
}

TEST_P(Segments, are_gone_when_their_maker_is_killed_but_for_a_name_that_was_not_taken_away) {
  EXPECT_FALSE(is_well_in_child([] {
    auto segment = made();
    if (segment) segment->close_to_others();
    kill(getpid(), SIGKILL);
    return true;
  }));
}

INSTANTIATE_TEST_SUITE_P(Shm, Segments, testing::Bool(),
                         [](const auto& one) { return one.param ? "with_a_name" : "without_a_name"; });

TEST(Segment, is_refused_where_there_is_no_room_for_all_of_it) {
  EXPECT_FALSE(Segment::make_named(std::size_t{1} << 50));
}

TEST(Segment, of_others_is_not_opened) {
  const auto segment = Segment::make_named(bytes);
  ASSERT_TRUE(segment);
  EXPECT_TRUE(Segment::open(segment->address()));
  ASSERT_EQ(chmod(("/dev/shm" + std::string(segment->address().name.data())).c_str(), 0666), 0);
  EXPECT_FALSE(Segment::open(segment->address()));
}

// Another user cannot open it through /proc, nor by its name.
TEST(Segment, cannot_be_opened_by_another_user) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto without_name = Segment::make(bytes), with_name = Segment::make_named(bytes);
  ASSERT_TRUE(without_name && with_name);
  EXPECT_TRUE(is_well_in_child([&] {
    const SegmentAddress address = without_name->address();
    const std::string path = "/proc/" + std::to_string(address.pid) + "/fd/" + std::to_string(address.descriptor);
    if (setgid(65534) != 0 || setuid(65534) != 0) return false;
    return ::open(path.c_str(), O_RDWR) < 0 && shm_open(with_name->address().name.data(), O_RDWR, 0) < 0;
  }));
}

}  // namespace
}  // namespace espalier
