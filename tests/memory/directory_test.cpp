// SPDX-License-Identifier: Apache-2.0
#include "memory/directory.hpp"

#include <grp.h>
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
  [[nodiscard]] FoundMemories found() const { return find_memories({path_, site_}, "1.2.3", eight_ranks()); }
  [[nodiscard]] std::size_t contexts() const {
    const auto memories = found().memories;
    return memories.empty() ? 0 : memories[0].contexts.size();
  }

  [[nodiscard]] std::vector<std::string> keep(const std::vector<PlacementMemory>& learnt) const {
    return espalier::keep({path_}, eight_ranks(), learnt);
  }

  std::string path_, site_;
};

PlacementMemory with_context(const ContextMemory& context) {
  PlacementMemory memory = example();
  memory.contexts = {context};
  return memory;
}

TEST_F(Directory, is_made_and_keeps_what_was_learnt) {
  path_ += "/one/two";
  EXPECT_TRUE(found().memories.empty());
  EXPECT_EQ(keep({example()}), std::vector<std::string>{});
  EXPECT_EQ(contexts(), 2u);
  EXPECT_TRUE(found().complaints.empty());
  path_ = fs::path(path_).parent_path().parent_path();
}

TEST_F(Directory, adds_to_what_is_there) {
  EXPECT_TRUE(keep({with_context(broadcasts(0, 1))}).empty());
  EXPECT_TRUE(keep({with_context(broadcasts(1, 1))}).empty());
  EXPECT_TRUE(keep({with_context(broadcasts(0, 2))}).empty());
  EXPECT_EQ(contexts(), 2u);
}

TEST_F(Directory, keeps_the_history_of_jobs_also_next_to_a_pinned_memory) {
  PlacementMemory pinned = example();
  pinned.is_pinned = true;
  std::ofstream(file()) << text_of_memory(pinned);
  const std::string name = name_of_history(eight_ranks());
  const auto keep_line = [&](const std::string& text) {
    return espalier::keep({path_}, eight_ranks(), {example()}, {{name, text}});
  };
  EXPECT_TRUE(keep_line(R"({"at": 1})").empty());
  EXPECT_TRUE(keep_line(R"({"at": 2})").empty());
  std::ifstream in(path_ + "/" + name);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "{\"at\": 1}\n{\"at\": 2}\n");
  EXPECT_TRUE(found().complaints.empty());
  fs::remove(path_ + "/" + name);
  fs::create_symlink("/dev/null", path_ + "/" + name);
  EXPECT_EQ(keep_line(R"({"at": 3})").size(), 1u);
}

// In the file of the placement at hand.
TEST_F(Directory, keeps_a_file_as_private_as_it_was_made) {
  EXPECT_TRUE(keep({with_context(broadcasts(0, 1))}).empty());
  fs::permissions(file(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(keep({with_context(broadcasts(1, 1))}).empty());
  EXPECT_EQ(fs::status(file()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Directory, what_cannot_be_used_is_said_once_and_left_out) {
  PlacementMemory older = example(), another = example();
  older.library = "1.0.0";
  another.placement.mpi = "MPICH 5";
  const std::string its = fingerprint_text(another.placement.fingerprint()) + ".toml";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"format = 9", ":1: format = 9; allowed: 1"},
      {text_of_memory(older), ": it is of version 1.0.0 of Espalier"},
      {text_of_memory(another), ": it is of another placement, whose file is " + its},
      {std::string(9 << 20, '#'), ": too large; allowed: 8 MiB"},
  };
  for (const auto& [text, what] : cases) {
    std::ofstream(file()) << text;
    EXPECT_EQ(found().complaints, std::vector<std::string>{file() + what});
    EXPECT_TRUE(found().memories.empty());
  }
  fs::remove(file());
  fs::create_directory(file());
  EXPECT_EQ(found().complaints, std::vector<std::string>{file() + ": Is a directory"});
  fs::remove(file());
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  EXPECT_EQ(found().complaints, std::vector<std::string>{file() + ": a FIFO or a device; allowed: a regular file"});
}

// However many there are, which nobody opens: all but one of these would be a complaint.
TEST_F(Directory, only_what_concerns_the_job_is_opened) {
  for (int i = 0; i < 6000; ++i) write(fingerprint_text(static_cast<std::uint64_t>(i)) + ".toml", "rubbish");
  PlacementMemory pinned = with_context(broadcasts(0, 1));
  pinned.is_pinned = true;
  std::ofstream(file()) << text_of_memory(pinned);
  const FoundMemories found = this->found();
  ASSERT_EQ(found.memories.size(), 1u);
  EXPECT_TRUE(found.memories[0].is_pinned);
  EXPECT_TRUE(found.complaints.empty());
}

TEST_F(Directory, other_communicators_of_former_jobs_are_found_by_the_list) {
  PlacementMemory half = example(), quarter = example();
  half.placement.ranks = 4;
  quarter.placement.ranks = 2;
  EXPECT_TRUE(keep({example(), half}).empty());
  EXPECT_TRUE(keep({quarter}).empty());
  EXPECT_TRUE(keep({half}).empty());
  EXPECT_EQ(found().memories.size(), 3u);
  EXPECT_TRUE(espalier::keep({path_}, half.placement, {quarter}).empty());
  EXPECT_EQ(find_memories({path_}, "1.2.3", half.placement).memories.size(), 2u);
}

TEST_F(Directory, what_a_list_says_that_is_no_fingerprint_is_passed_over) {
  write(fingerprint_text(eight_ranks().fingerprint()) + ".list", "../../etc/passwd\nrubbish\n\n0123456789abcdef");
  EXPECT_TRUE(keep({example()}).empty());
  EXPECT_EQ(found().memories.size(), 1u);
  EXPECT_TRUE(found().complaints.empty());
}

TEST_F(Directory, the_users_memory_goes_before_the_sites_unless_that_is_pinned) {
  site_ = path_ + "/site";
  PlacementMemory of_site = example(), of_user = with_context(broadcasts(0, 1));
  EXPECT_TRUE(espalier::keep({site_}, eight_ranks(), {of_site}).empty());
  EXPECT_EQ(found().memories.size(), 1u);
  EXPECT_TRUE(keep({of_user}).empty());
  ASSERT_EQ(found().memories.size(), 2u);
  EXPECT_EQ(found().memories[0].contexts.size(), 1u);
  of_site.is_pinned = true;
  std::ofstream(site_ + "/" + fingerprint_text(eight_ranks().fingerprint()) + ".toml") << text_of_memory(of_site);
  ASSERT_EQ(found().memories.size(), 2u);
  EXPECT_TRUE(found().memories[0].is_pinned);
}

TEST_F(Directory, what_others_may_write_is_refused_and_stays_as_it_is) {
  EXPECT_TRUE(keep({example()}).empty());
  for (const mode_t mode : {0666, 0664, 0646}) {
    ASSERT_EQ(chmod(file().c_str(), mode), 0);
    ASSERT_EQ(found().complaints.size(), 1u);
    EXPECT_NE(found().complaints[0].find(file() + ": of user " + std::to_string(geteuid()) + ", mode 06"),
              std::string::npos);
    EXPECT_TRUE(found().memories.empty());
    EXPECT_TRUE(keep({with_context(broadcasts(7, 1))}).empty());
  }
  ASSERT_EQ(chmod(file().c_str(), 0644), 0);
  EXPECT_EQ(contexts(), 2u);
  ASSERT_EQ(chmod(path_.c_str(), 01777), 0);  // sticky, but anybody may make files
  EXPECT_EQ(found().complaints.size(), 1u);
  EXPECT_TRUE(keep({with_context(broadcasts(7, 1))}).empty());
  ASSERT_EQ(chmod(path_.c_str(), 0775), 0);
  EXPECT_EQ(found().complaints.size(), 1u);
  EXPECT_TRUE(find_memories({path_, "", Trust::group}, "1.2.3", eight_ranks()).complaints.empty());
  ASSERT_EQ(chmod(path_.c_str(), 0700), 0);
  EXPECT_EQ(contexts(), 2u);
}

TEST_F(Directory, a_path_on_which_others_may_write_is_refused) {
  const std::string open = path_ + "/open", own = open + "/memory";
  fs::create_directories(own);
  path_ = own;
  EXPECT_TRUE(keep({example()}).empty());
  ASSERT_EQ(chmod(open.c_str(), 0777), 0);
  ASSERT_EQ(found().complaints.size(), 1u);
  EXPECT_NE(found().complaints[0].find(open + ": of user"), std::string::npos);
  ASSERT_EQ(chmod(open.c_str(), 01777), 0);
  EXPECT_EQ(contexts(), 2u);
  fs::create_directory_symlink(own, open + "/link");
  path_ = open + "/link";
  EXPECT_EQ(contexts(), 2u);
  path_ = fs::path(open).parent_path();
}

TEST_F(Directory, planted_links_are_not_followed) {
  const std::string victim = path_ + "/victim";
  std::ofstream(victim) << "mine";
  fs::create_directory(path_ + "/memory");
  const std::string directory = path_ + "/memory";
  fs::create_symlink(victim, directory + "/.lock");
  const auto complaints = espalier::keep({directory}, eight_ranks(), {example()});
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find(".lock: a link; allowed: a regular file"), std::string::npos);
  fs::remove(directory + "/.lock");
  fs::create_symlink(victim, directory + "/" + fingerprint_text(eight_ranks().fingerprint()) + ".toml");
  EXPECT_EQ(espalier::keep({directory}, eight_ranks(), {example()}).size(), 1u);
  EXPECT_EQ(find_memories({directory}, "1.2.3", eight_ranks()).complaints.size(), 1u);
  EXPECT_EQ(fs::file_size(victim), 4u);
}

// Of this process, as these users; it needs root.
class AsOthers : public Directory {
 protected:
  static constexpr uid_t user = 65533, stranger = 65532;
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can be other users";
    Directory::SetUp();
    ASSERT_EQ(chmod(path_.c_str(), 01777), 0);
  }
  // Whether `work` is true there.
  template <class Work>
  static bool as(uid_t one, Work work) {
    const pid_t child = fork();
    if (child == 0) _exit(setgroups(0, nullptr) == 0 && setgid(one) == 0 && setuid(one) == 0 && work() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  }
  bool keep_in(const std::string& directory) const {
    return espalier::keep({directory}, eight_ranks(), {example()}).empty() && fs::exists(directory + "/.lock");
  }
  static FoundMemories found_in(const std::string& directory, Trust trust = Trust::user) {
    return find_memories({directory, "", trust}, "1.2.3", eight_ranks());
  }
};

TEST_F(AsOthers, what_a_stranger_made_is_refused) {
  const std::string of_stranger = path_ + "/theirs";
  ASSERT_TRUE(as(stranger, [&] { return keep_in(of_stranger) && found_in(of_stranger).memories.size() == 1; }));
  EXPECT_TRUE(
      as(user, [&] { return found_in(of_stranger).memories.empty() && found_in(of_stranger).complaints.size() == 1; }));
  EXPECT_TRUE(found_in(of_stranger).memories.empty());  // root believes nobody else
  const std::string of_user = path_ + "/ours";
  ASSERT_TRUE(as(user, [&] { return keep_in(of_user); }));
  const std::string file = of_user + "/" + fingerprint_text(eight_ranks().fingerprint()) + ".toml";
  ASSERT_EQ(chown(file.c_str(), stranger, stranger), 0);
  EXPECT_TRUE(as(user, [&] { return found_in(of_user).memories.empty() && found_in(of_user).complaints.size() == 1; }));
}

TEST_F(AsOthers, a_strangers_link_in_a_directory_of_all_is_not_followed) {
  const std::string of_user = path_ + "/ours", link = path_ + "/link";
  ASSERT_TRUE(as(user, [&] { return keep_in(of_user); }));
  ASSERT_TRUE(as(stranger, [&] { return symlink(of_user.c_str(), link.c_str()) == 0; }));
  EXPECT_TRUE(as(user, [&] { return found_in(link).memories.empty() && found_in(link).complaints.size() == 1; }));
  ASSERT_TRUE(as(user, [&] { return symlink(of_user.c_str(), (path_ + "/own").c_str()) == 0; }));
  EXPECT_TRUE(as(user, [&] { return found_in(path_ + "/own").memories.size() == 1; }));
}

TEST_F(AsOthers, roots_site_directory_is_believed_and_a_groups_if_that_is_said) {
  const std::string of_root = path_ + "/site", shared = path_ + "/shared";
  ASSERT_TRUE(keep_in(of_root));
  EXPECT_TRUE(as(user, [&] { return found_in(of_root).memories.size() == 1; }));
  constexpr gid_t team = 65530;
  const auto in_team = [&](uid_t one, auto work) {
    const pid_t child = fork();
    if (child == 0) _exit(setgroups(1, &team) == 0 && setgid(one) == 0 && setuid(one) == 0 && work() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  };
  fs::create_directory(shared);
  ASSERT_EQ(chown(shared.c_str(), stranger, team), 0);
  ASSERT_EQ(chmod(shared.c_str(), 02775), 0);
  const auto keep_shared = [&] {
    return espalier::keep({shared, "", Trust::group}, eight_ranks(), {example()}).empty() &&
           found_in(shared, Trust::group).memories.size() == 1;
  };
  EXPECT_TRUE(in_team(stranger, keep_shared));
  EXPECT_TRUE(in_team(user, keep_shared));
  EXPECT_TRUE(in_team(user, [&] { return found_in(shared).memories.empty(); }));
  EXPECT_TRUE(as(user, [&] { return found_in(shared, Trust::group).memories.empty(); }));
}

TEST_F(Directory, a_pinned_file_stays_as_it_is) {
  PlacementMemory pinned = with_context(broadcasts(0, 1));
  pinned.is_pinned = true;
  EXPECT_TRUE(keep({pinned}).empty());
  EXPECT_TRUE(keep({with_context(broadcasts(1, 1))}).empty());
  EXPECT_EQ(contexts(), 1u);
}

// Somebody may have written it by hand, and pinned it.
TEST_F(Directory, a_file_that_cannot_be_read_stays_as_it_is) {
  for (const std::string text : {"format = 2\n", "pinned = yes\n"}) {
    std::ofstream(file()) << text;
    EXPECT_EQ(keep({example()}).size(), 1u);
    EXPECT_EQ(fs::file_size(file()), text.size());
  }
}

TEST_F(Directory, what_dead_jobs_left_behind_goes) {
  write(".new-0123456789abcdef.77", "half");
  write(".new-0123456789abcdef.78", "half");
  fs::last_write_time(path_ + "/.new-0123456789abcdef.77", fs::file_time_type::clock::now() - std::chrono::hours(48));
  EXPECT_TRUE(keep({example()}).empty());
  EXPECT_FALSE(fs::exists(path_ + "/.new-0123456789abcdef.77"));
  EXPECT_TRUE(fs::exists(path_ + "/.new-0123456789abcdef.78"));
}

TEST_F(Directory, that_cannot_be_written_to_is_a_complaint) {
  EXPECT_TRUE(keep({example()}).empty());
  EXPECT_EQ(espalier::keep({file()}, eight_ranks(), {example()}).size(), 1u);  // a file
  EXPECT_EQ(espalier::keep({"/proc/no/such/place"}, eight_ranks(), {example()}).size(), 1u);
  EXPECT_EQ(contexts(), 2u);
}

// As many jobs on a shared file system may.
TEST_F(Directory, writers_at_the_same_time_lose_nothing) {
  constexpr int writers = 4, rounds = 20;
  for (int writer = 0; writer < writers; ++writer) {
    if (fork() != 0) continue;
    bool right = true;
    for (int round = 0; round < rounds; ++round) {
      right = keep({with_context(broadcasts(writer * rounds + round, 1))}).empty() && right;
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

TEST_F(Directory, a_process_that_dies_while_it_writes_leaves_a_whole_file) {
  EXPECT_TRUE(keep({example()}).empty());
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t writer = fork();
    if (writer == 0) {
      for (int i = 0;; ++i) static_cast<void>(keep({with_context(broadcasts(i % 500, 1))}));
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
  EXPECT_EQ(memory_places("auto", "", Trust::user).own, "/var/cache/me/espalier");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(memory_places("auto", "", Trust::user).own, "/home/me/.cache/espalier");
  unsetenv("HOME");
  EXPECT_EQ(memory_places("auto", "", Trust::user).own, "");
  EXPECT_EQ(memory_places("some/where", "", Trust::user).own, fs::current_path().string() + "/some/where");
  EXPECT_EQ(memory_places("", "/site", Trust::user).site, "");
}

}  // namespace
}  // namespace espalier
