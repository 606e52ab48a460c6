// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/roll_call.hpp"

#include <gtest/gtest.h>

#include <set>

#include "preload/pmix.hpp"
#include "start/launched.hpp"

namespace espalier::roll_call_test {
namespace {

std::set<std::uint32_t> ranks_in_store;

}  // namespace

// As PMIx has it, for anyone who looks it up by name.
extern "C" [[gnu::visibility("default")]] pmix::Status PMIx_Get(const pmix::Process* process, const char* key,
                                                                const pmix::Info*, std::size_t,
                                                                pmix::KeyValue** value) {
  const bool found = std::string_view(key) == pmix::presence_key && ranks_in_store.contains(process->rank);
  *value = found ? static_cast<pmix::KeyValue*>(std::calloc(1, sizeof(pmix::KeyValue))) : nullptr;
  return found ? pmix::success : -1;
}

namespace {

constexpr Rank size = 7;

class RollCallTest : public testing::Test {
 protected:
  // By those ranks that run under Espalier; the others do nothing. All get that answer.
  static std::string said_by(const std::set<Rank>& present, Attendance expected) {
    return said_during([&] {
      fake::start(size);
      fake::run_ranks(size, [&](Rank me) {
        if (!present.contains(me)) return;
        EXPECT_EQ(call_roll(fake::functions(), nullptr, me, size), expected);
      });
      EXPECT_EQ(fake::remains(), fake::Remains{});
    });
  }
  static std::string said_with_store(const std::set<Rank>& present, Attendance expected) {
    const Variables pmix{{"PMIX_NAMESPACE", "job"}};
    ranks_in_store = {present.begin(), present.end()};
    return said_by(present, expected);
  }
  const std::set<Rank> all = {0, 1, 2, 3, 4, 5, 6};
};

TEST_F(RollCallTest, finds_all_by_the_launchers_store) { EXPECT_EQ(said_with_store(all, Attendance::all), ""); }

TEST_F(RollCallTest, finds_who_is_missing_and_says_it_once) {
  for (const Rank missing : all) {
    std::set<Rank> present = all;
    present.erase(missing);
    const std::string said = said_with_store(present, Attendance::some);
    EXPECT_EQ(times(said, "espalier: "), 1) << said;
    EXPECT_EQ(times(said, "rank " + std::to_string(missing) + " is not running under Espalier"), 1) << said;
  }
}

TEST_F(RollCallTest, finds_that_most_are_missing) {
  EXPECT_EQ(times(said_with_store({0, 5}, Attendance::some), "is not running under Espalier"), 1);
}

TEST_F(RollCallTest, is_too_late_if_rank_zero_could_not_leave_its_word) {
  const Variables pmix{{"PMIX_NAMESPACE", "job"}};
  ranks_in_store = {};
  EXPECT_EQ(times(said_by(all, Attendance::some), "rank 0 could not announce itself"), 1);
}

TEST_F(RollCallTest, waits_for_all_without_a_store) { EXPECT_EQ(said_by(all, Attendance::all), ""); }

TEST_F(RollCallTest, is_not_needed_for_one_rank) {
  Native no_functions;
  EXPECT_EQ(call_roll(no_functions, nullptr, 0, 1), Attendance::all);
}

}  // namespace
}  // namespace espalier::roll_call_test
