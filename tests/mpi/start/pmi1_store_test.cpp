// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <set>
#include <thread>

#include "mpi/start/launcher_store.hpp"
#include "start/launched.hpp"

namespace espalier {
namespace {

Native mpi_called(const char* version) {
  static const char* the_version = nullptr;
  the_version = version;
  Native mpi = fake::functions();
  mpi.Get_library_version = [](char* text, int* length) {
    *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "%s", the_version);
    return MPI_SUCCESS;
  };
  return mpi;
}

// The launcher, at the other end of a socket. It ends when this rank's end is closed.
class Hydra {
 public:
  Hydra() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
    environment_.emplace(std::initializer_list<Variables::Variable>{
        {"PMI_FD", std::to_string(ends_[0])}, {"PMI_RANK", "3"}, {"MPI_LOCALRANKID", "0"}});
    service_ = std::thread([this] { serve(); });
  }
  ~Hydra() { close_end(); }
  Hydra(const Hydra&) = delete;
  Hydra& operator=(const Hydra&) = delete;

  void close_end() {
    if (!service_.joinable()) return;
    shutdown(ends_[0], SHUT_RDWR);
    service_.join();
    for (const int end : ends_) ::close(end);
  }
  std::set<std::string> keys;

 private:
  void serve() {
    std::string line;
    for (char next = 0; read(ends_[1], &next, 1) == 1;) {
      if (next != '\n') {
        line += next;
        continue;
      }
      const std::string answer = answer_to(std::exchange(line, {})) + "\n";
      EXPECT_EQ(write(ends_[1], answer.data(), answer.size()), static_cast<ssize_t>(answer.size()));
    }
  }
  std::string answer_to(const std::string& request) {
    if (request == "cmd=init pmi_version=1 pmi_subversion=1") return "cmd=response_to_init rc=0";
    if (request == "cmd=get_my_kvsname") return "cmd=my_kvsname kvsname=kvs_7";
    char key[100] = "", value[100] = "";
    if (std::sscanf(request.c_str(), "cmd=put kvsname=kvs_7 key=%99s value=%99s", key, value) == 2) {
      keys.insert(key);
      return "cmd=put_result rc=0";
    }
    const bool is_question = std::sscanf(request.c_str(), "cmd=get kvsname=kvs_7 key=%99s", key) == 1;
    EXPECT_TRUE(is_question) << request;
    return keys.contains(key) ? "cmd=get_result rc=0 value=1" : "cmd=get_result rc=-1";
  }

  int ends_[2] = {-1, -1};
  std::optional<Variables> environment_;
  std::thread service_;
};

TEST(Pmi1Store, holds_the_words_of_ranks) {
  Hydra hydra;
  leave_word_by_pmi1(mpi_called("MPICH Version: 4.3"));
  const LauncherStore has = pmi1_store();
  ASSERT_NE(has, nullptr);
  EXPECT_TRUE(has(3, Search::nearby));
  EXPECT_FALSE(has(4, Search::everywhere));
  hydra.close_end();
  EXPECT_FALSE(has(3, Search::nearby));
  EXPECT_EQ(pmi1_store(), nullptr);
}

TEST(Pmi1Store, is_only_for_mpich_under_its_own_launcher) {
  {
    const Hydra hydra;
    leave_word_by_pmi1(mpi_called("Open MPI v5.0"));
    EXPECT_TRUE(hydra.keys.empty());
  }
  for (const char* number : {"", "x", "-1"}) {
    const Variables wrong{{"PMI_FD", number}, {"PMI_RANK", "3"}, {"MPI_LOCALRANKID", "0"}};
    leave_word_by_pmi1(mpi_called("MPICH Version: 4.3"));
  }
  leave_word_by_pmi1(mpi_called("MPICH Version: 4.3"));  // not launched at all
  EXPECT_EQ(pmi1_store(), nullptr);
}

TEST(Pmi1Store, is_none_if_the_launcher_does_not_answer) {
  Hydra hydra;
  const std::string number = std::getenv("PMI_FD");
  hydra.close_end();
  const Variables closed{{"PMI_FD", number}, {"PMI_RANK", "3"}, {"MPI_LOCALRANKID", "0"}};
  leave_word_by_pmi1(mpi_called("MPICH Version: 4.3"));
  EXPECT_EQ(pmi1_store(), nullptr);
}

}  // namespace
}  // namespace espalier
