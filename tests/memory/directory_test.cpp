// SPDX-License-Identifier: Apache-2.0
#include "memory/directory.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "memory/examples.hpp"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class Directory : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/espalier-memory-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    path_ = name;
  }
  void TearDown() override { fs::remove_all(path_); }

  [[nodiscard]] std::string file() const {
    return path_ + "/" + fingerprint_text(eight_ranks().fingerprint()) + ".toml";
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ + "/" + name) << text; }
  [[nodiscard]] FoundMemories found() const { return find_memories(path_, "1.2.3", eight_ranks()); }
  [[nodiscard]] std::size_t contexts() const {
    const auto memories = found().memories;
    return memories.empty() ? 0 : memories[0].contexts.size();
  }

  std::string path_;
};

PlacementMemory with_context(const ContextMemory& context) {
  PlacementMemory memory = example();
  memory.contexts = {context};
  return memory;
}

TEST_F(Directory, is_made_and_keeps_what_was_learnt) {
  path_ += "/one/two";
  EXPECT_TRUE(found().memories.empty());
  EXPECT_EQ(keep(path_, {example()}), std::vector<std::string>{});
  EXPECT_EQ(contexts(), 2u);
  EXPECT_TRUE(found().complaints.empty());
  path_ = fs::path(path_).parent_path().parent_path();
}

TEST_F(Directory, adds_to_what_is_there) {
  EXPECT_TRUE(keep(path_, {with_context(broadcasts(0, 1))}).empty());
  EXPECT_TRUE(keep(path_, {with_context(broadcasts(1, 1))}).empty());
  EXPECT_TRUE(keep(path_, {with_context(broadcasts(0, 2))}).empty());
  EXPECT_EQ(contexts(), 2u);
}

TEST_F(Directory, what_cannot_be_used_is_said_once_and_left_out) {
  EXPECT_TRUE(keep(path_, {example()}).empty());
  write("damaged.toml", "format = 1\nlibrary = ");
  write("later.toml", "format = 9");
  write("notes.txt", "not ours");
  fs::create_directory(path_ + "/directory.toml");
  ASSERT_EQ(mkfifo((path_ + "/fifo.toml").c_str(), 0600), 0);
  PlacementMemory older = example();
  older.library = "1.0.0";
  older.placement.ranks = 4;
  write("older.toml", text_of_memory(older));
  const FoundMemories found = this->found();
  EXPECT_EQ(found.memories.size(), 1u);
  ASSERT_EQ(found.complaints.size(), 5u);
  EXPECT_EQ(found.complaints[1], path_ + "/directory.toml: Is a directory");
  EXPECT_EQ(found.complaints[3], path_ + "/later.toml:1: format = 9; allowed: 1");
  EXPECT_EQ(found.complaints[4], path_ + "/older.toml: it is of version 1.0.0 of Espalier");
}

TEST_F(Directory, other_machines_files_are_no_complaint) {
  PlacementMemory other = example();
  other.placement.mpi = "MPICH 5";
  write("other.toml", text_of_memory(other));
  other = example();
  other.placement.ranks = 64;
  write("larger.toml", text_of_memory(other));
  EXPECT_TRUE(found().memories.empty());
  EXPECT_TRUE(found().complaints.empty());
}

TEST_F(Directory, a_pinned_file_stays_as_it_is) {
  PlacementMemory pinned = with_context(broadcasts(0, 1));
  pinned.is_pinned = true;
  EXPECT_TRUE(keep(path_, {pinned}).empty());
  EXPECT_TRUE(keep(path_, {with_context(broadcasts(1, 1))}).empty());
  EXPECT_EQ(contexts(), 1u);
}

// Somebody may have written it by hand, and pinned it.
TEST_F(Directory, a_file_that_cannot_be_read_stays_as_it_is) {
  for (const std::string text : {"format = 2\n", "pinned = yes\n"}) {
    std::ofstream(file()) << text;
    EXPECT_EQ(keep(path_, {example()}).size(), 1u);
    EXPECT_EQ(fs::file_size(file()), text.size());
  }
}

TEST_F(Directory, links_to_nowhere_are_a_complaint) {
  fs::create_symlink("/nowhere", path_ + "/a.toml");
  fs::create_symlink("b.toml", path_ + "/b.toml");
  EXPECT_EQ(found().complaints.size(), 2u);
}

TEST_F(Directory, what_dead_jobs_left_behind_goes) {
  write(".new-0123456789abcdef.77", "half");
  write(".new-0123456789abcdef.78", "half");
  fs::last_write_time(path_ + "/.new-0123456789abcdef.77", fs::file_time_type::clock::now() - std::chrono::hours(48));
  EXPECT_TRUE(keep(path_, {example()}).empty());
  EXPECT_FALSE(fs::exists(path_ + "/.new-0123456789abcdef.77"));
  EXPECT_TRUE(fs::exists(path_ + "/.new-0123456789abcdef.78"));
}

TEST_F(Directory, that_cannot_be_written_to_is_a_complaint) {
  EXPECT_TRUE(keep(path_, {example()}).empty());
  EXPECT_EQ(keep(file(), {example()}).size(), 1u);  // a file
  EXPECT_EQ(keep("/proc/no/such/place", {example()}).size(), 1u);
  EXPECT_EQ(contexts(), 2u);
}

// As many jobs on a shared file system may.
TEST_F(Directory, writers_at_the_same_time_lose_nothing) {
  constexpr int writers = 4, rounds = 20;
  for (int writer = 0; writer < writers; ++writer) {
    if (fork() != 0) continue;
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
      right = keep(path_, {with_context(broadcasts(writer * rounds + round, 1))}).empty() && right;
    }
    _exit(right ? 0 : 1);
  }
  for (int writer = 0; writer < writers; ++writer) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(contexts(), static_cast<std::size_t>(writers * rounds));
}

TEST_F(Directory, whoever_dies_while_it_writes_leaves_a_whole_file) {
  EXPECT_TRUE(keep(path_, {example()}).empty());
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t writer = fork();
    if (writer == 0) {
      for (int i = 0;; ++i) static_cast<void>(keep(path_, {with_context(broadcasts(i % 500, 1))}));
    }
    usleep(static_cast<useconds_t>(1000 + 700 * turn));
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    EXPECT_TRUE(found().complaints.empty());
    EXPECT_GE(contexts(), 2u);
  }
}

TEST(MemoryDirectory, is_where_caches_are) {
  setenv("HOME", "/home/me", 1);
  setenv("XDG_CACHE_HOME", "/var/cache/me", 1);
  EXPECT_EQ(memory_directory("auto"), "/var/cache/me/espalier");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(memory_directory("auto"), "/home/me/.cache/espalier");
  unsetenv("HOME");
  EXPECT_EQ(memory_directory("auto"), "");
  EXPECT_EQ(memory_directory("some/where"), fs::current_path().string() + "/some/where");
  EXPECT_EQ(memory_directory(""), "");
}

}  // namespace
}  // namespace espalier
