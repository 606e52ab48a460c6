// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/notes.hpp"

#include <gtest/gtest.h>

#include "fake/fake_mpi.hpp"
#include "transport/mpi/mpi_endpoint.hpp"
#include "transport/peers_of.hpp"

namespace espalier {
namespace {

// Rank 0 is the root.
class NotesTest : public testing::Test {
 protected:
  void run(const std::function<void(Notes&)>& root, const std::function<void(Notes&, Rank)>& other) {
    fake::run_ranks(ranks, [&](Rank me) {
      MpiEndpoint endpoint(peers_of(mpi, me, ranks));
      me == 0 ? root(endpoint.notes) : other(endpoint.notes, me);
    });
  }
  static void send(Notes& notes, Rank me, std::uint64_t ordinal) {
    notes.send(0, {.from = static_cast<std::uint64_t>(me), .ordinal = ordinal, .numbers = {.5}});
  }
  static std::vector<std::uint64_t> taken_by(Notes& notes) {
    std::vector<std::uint64_t> ordinals;
    notes.take([&](const Note& note) {
      EXPECT_EQ(note.numbers[0], .5);
      ordinals.push_back(note.ordinal);
    });
    return ordinals;
  }
  static std::vector<std::uint64_t> drained_by(Notes& notes) {
    std::vector<std::uint64_t> ordinals;
    notes.drain([&](const Note& note) { ordinals.push_back(note.ordinal); });
    return ordinals;
  }

  static constexpr Rank ranks = 5;
  fake::Started started{ranks};
  Native mpi = fake::functions();
};

TEST_F(NotesTest, takes_all_that_have_arrived) {
  run(
      [](Notes& notes) {
        EXPECT_TRUE(notes.is_quiet());
        for (int call = 0; call < 3; ++call) notes.expect();
        std::size_t count = 0;
        while (!notes.is_quiet()) count += taken_by(notes).size();
        EXPECT_EQ(count, 3U * (ranks - 1));
        EXPECT_TRUE(taken_by(notes).empty());
      },
      [](Notes& notes, Rank me) {
        for (std::uint64_t call = 0; call < 3; ++call) send(notes, me, call);
        (void)drained_by(notes);
      });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(NotesTest, waits_for_nobody_who_does_not_write) {
  run(
      [](Notes& notes) {
        notes.expect();
        EXPECT_TRUE(taken_by(notes).empty());
        notes.forget_expected();
        EXPECT_TRUE(notes.is_quiet());
      },
      [](Notes&, Rank) {});
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

TEST_F(NotesTest, what_was_not_read_before_the_end_is_drained) {
  run(
      [](Notes& notes) {
        notes.expect();
        std::size_t count = taken_by(notes).size();
        count += drained_by(notes).size();
        EXPECT_EQ(count, ranks - 1U);
        EXPECT_TRUE(notes.is_quiet());
      },
      [](Notes& notes, Rank me) {
        send(notes, me, 0);
        (void)drained_by(notes);
      });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

}  // namespace
}  // namespace espalier
