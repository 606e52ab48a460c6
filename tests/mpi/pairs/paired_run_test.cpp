// SPDX-License-Identifier: Apache-2.0
// Paired messages under way: how they are completed, freed and refused, and ends that are missing or fail. Links that
// die do so before the first start, at a start, and while a start is under way, at either end.
#include "mpi/pairs/paired_run.hpp"

#include <gtest/gtest.h>

#include <array>

#include "mpi/pairs/pair_words.hpp"
#include "mpi/requests/requests.hpp"
#include "pairs/paired_job.hpp"

namespace espalier {
namespace {

using namespace std::chrono_literals;

PairSide side_of(Rank rank) { return rank == 0 ? PairSide::sends : PairSide::receives; }

int number_in(const MPI_Status& status) {
  int number = -1;
  fake::functions().Get_count(&status, MPI_BYTE, &number);
  return number;
}

// As a receive of the MPI's would have it. Of a send nothing is said.
void expect_status(PairedRank& here, const MPI_Status& status) {
  if (here.rank() == 0) return;
  EXPECT_EQ(status.MPI_SOURCE, 0);
  EXPECT_EQ(status.MPI_TAG, paired_tag);
  EXPECT_EQ(number_in(status), static_cast<int>(paired_count * sizeof(int)));
}

// A function that completes the only request: false if it is not over yet.
struct Completion {
  const char* name;
  bool (*complete)(MPI_Request*, MPI_Status*);
};
constexpr Completion completions[] = {
    {"Wait", [](MPI_Request* one, MPI_Status* status) { return ESPALIER_ENTRY(MPI_Wait)(one, status) == MPI_SUCCESS; }},
    {"Waitall",
     [](MPI_Request* one, MPI_Status* status) { return ESPALIER_ENTRY(MPI_Waitall)(1, one, status) == MPI_SUCCESS; }},
    {"Test",
     [](MPI_Request* one, MPI_Status* status) {
       int flag = 0;
       return ESPALIER_ENTRY(MPI_Test)(one, &flag, status) == MPI_SUCCESS && flag != 0;
     }},
    {"Testall",
     [](MPI_Request* one, MPI_Status* status) {
       int flag = 0;
       return ESPALIER_ENTRY(MPI_Testall)(1, one, &flag, status) == MPI_SUCCESS && flag != 0;
     }},
    {"Waitany",
     [](MPI_Request* one, MPI_Status* status) {
       int index = -1;
       return ESPALIER_ENTRY(MPI_Waitany)(1, one, &index, status) == MPI_SUCCESS && index == 0;
     }},
    {"Testany",
     [](MPI_Request* one, MPI_Status* status) {
       int index = -1, flag = 0;
       return ESPALIER_ENTRY(MPI_Testany)(1, one, &index, &flag, status) == MPI_SUCCESS && flag != 0;
     }},
    {"Waitsome",
     [](MPI_Request* one, MPI_Status* status) {
       int done = 0, index = -1;
       return ESPALIER_ENTRY(MPI_Waitsome)(1, one, &done, &index, status) == MPI_SUCCESS && done == 1;
     }},
    {"Testsome",
     [](MPI_Request* one, MPI_Status* status) {
       int done = 0, index = -1;
       return ESPALIER_ENTRY(MPI_Testsome)(1, one, &done, &index, status) == MPI_SUCCESS && done == 1;
     }},
    {"get_status_and_Wait",
     [](MPI_Request* one, MPI_Status* status) {
       int flag = 0;
       MPI_Status seen;
       if (ESPALIER_ENTRY(MPI_Request_get_status)(*one, &flag, &seen) != MPI_SUCCESS || flag == 0) return false;
       return ESPALIER_ENTRY(MPI_Wait)(one, status) == MPI_SUCCESS;
     }},
};

class PairedCompletionTest : public testing::TestWithParam<Completion> {};

TEST_P(PairedCompletionTest, completes_it_with_the_status_of_its_message) {
  run_paired(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    for (int round = 0; round < 4; ++round) {
      one.start(round);
      MPI_Status status{.MPI_SOURCE = -77, .MPI_TAG = -77};
      while (!GetParam().complete(&one.request, &status)) continue;
      one.expect(round);
      EXPECT_NE(one.request, MPI_REQUEST_NULL);
      expect_status(here, status);
      here.barrier();
    }
  });
}

TEST_P(PairedCompletionTest, may_ignore_the_status) {
  run_paired(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    one.start(1);
    while (!GetParam().complete(&one.request, MPI_STATUS_IGNORE)) continue;
    one.expect(1);
  });
}

INSTANTIATE_TEST_SUITE_P(All, PairedCompletionTest, testing::ValuesIn(completions),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(PairedRun, waitany_finds_all_that_are_started_and_no_others) {
  run_paired(2, [](PairedRank& here) {
    std::array<PairedMessage, 3> all = {PairedMessage(side_of(here.rank()), here.next(), 0),
                                        PairedMessage(side_of(here.rank()), here.next(), 1),
                                        PairedMessage(side_of(here.rank()), here.next(), 2)};
    for (int round = 0; round < 3; ++round) {
      std::array<MPI_Request, 3> handles = {all[0].request, all[1].request, all[2].request};
      for (const std::size_t k : {0u, 2u}) all[k].start(round);
      int found = 0;
      for (int index = 0; index != MPI_UNDEFINED; ++found) {
        EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitany)(3, handles.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_NE(index, 1);
      }
      EXPECT_EQ(found, 3);
      for (const std::size_t k : {0u, 2u}) all[k].expect(round);
    }
  });
}

TEST(PairedRun, testsome_finds_each_once_whatever_the_order_of_their_ends) {
  run_paired(2, [](PairedRank& here) {
    std::array<PairedMessage, 3> all = {PairedMessage(side_of(here.rank()), here.next(), 0),
                                        PairedMessage(side_of(here.rank()), here.next(), 1),
                                        PairedMessage(side_of(here.rank()), here.next(), 2)};
    std::array<MPI_Request, 3> handles = {all[0].request, all[1].request, all[2].request};
    if (here.rank() == 1) {
      for (PairedMessage& one : all) one.start();
    }
    std::array<int, 3> found{};
    for (int round = 0; round < 3; ++round) {
      here.barrier();
      if (here.rank() == 0) all[static_cast<std::size_t>(2 - round)].start(round);
      for (int done = 0; done == 0;) {
        std::array<int, 3> indices{};
        EXPECT_EQ(ESPALIER_ENTRY(MPI_Testsome)(3, handles.data(), &done, indices.data(), MPI_STATUSES_IGNORE),
                  MPI_SUCCESS);
        for (int k = 0; k < done; ++k) ++found[static_cast<std::size_t>(indices[static_cast<std::size_t>(k)])];
      }
      all[static_cast<std::size_t>(2 - round)].expect(round);
    }
    EXPECT_EQ(found, (std::array<int, 3>{1, 1, 1}));
  });
}

TEST(PairedRun, one_that_was_not_started_is_complete_at_once) {
  run_paired(2, [](PairedRank& here) {
    const PairedMessage one(side_of(here.rank()), here.next());
    MPI_Status status{};
    EXPECT_EQ(one.wait(&status), MPI_SUCCESS);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_EQ(number_in(status), 0);
  });
}

TEST(PairedRun, one_that_is_active_cannot_be_started_again) {
  run_paired(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    one.start(4);
    EXPECT_EQ(class_of(ESPALIER_ENTRY(MPI_Start)(&one.request)), MPI_ERR_REQUEST);
    one.expect_wait(4);
    one.start(5);
    one.expect_wait(5);
    (void)fake::take_raised();
  });
}

TEST(PairedRun, cannot_be_cancelled_and_comes_to_its_end) {
  run_paired(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    one.start(1);
    EXPECT_EQ(class_of(ESPALIER_ENTRY(MPI_Cancel)(&one.request)), MPI_ERR_REQUEST);
    one.expect_wait(1);
    (void)fake::take_raised();
  });
}

TEST(PairedRun, a_message_whose_request_is_freed_under_way_arrives_all_the_same) {
  for (const Rank freeing : {0, 1}) {
    run_paired(2, [freeing](PairedRank& here) {
      PairedMessage one(side_of(here.rank()), here.next());
      PairedMessage last(side_of(here.rank()), here.next(), paired_tag + 1);
      if (here.rank() != freeing) here.barrier();
      one.start(1);
      if (here.rank() == freeing) {
        one.free();
        here.barrier();
      } else {
        one.expect_wait(1);
      }
      last.start(2);
      last.expect_wait(2);
      here.barrier();
      one.expect(1);
    });
  }
}

TEST(PairedRun, blocks_with_gaps_are_packed_and_their_datatype_may_be_freed_at_once) {
  run_paired(2, [](PairedRank& here) {
    std::array<int, 3> numbers{};
    MPI_Datatype apart = fake::make_vector(2, 1, 2, MPI_INT);
    here.mpi().Type_commit(&apart);
    MPI_Request one = MPI_REQUEST_NULL;
    here.rank() == 0 ? ESPALIER_ENTRY(MPI_Send_init)(numbers.data(), 1, apart, 1, paired_tag, MPI_COMM_WORLD, &one)
                     : ESPALIER_ENTRY(MPI_Recv_init)(numbers.data(), 1, apart, 0, paired_tag, MPI_COMM_WORLD, &one);
    EXPECT_NE(requests().persistent.find(one), nullptr);
    here.mpi().Type_free(&apart);
    for (int round = 1; round < 4; ++round) {
      numbers = here.rank() == 0 ? std::array{round, -5, 2 * round} : std::array{0, 0, 0};
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&one), MPI_SUCCESS);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&one, MPI_STATUS_IGNORE), MPI_SUCCESS);
      if (here.rank() == 1) {
        EXPECT_EQ(numbers, (std::array{round, 0, 2 * round}));
      }
    }
    ESPALIER_ENTRY(MPI_Request_free)(&one);
  });
}

TEST(PairedRun, no_words_are_exchanged_where_both_ends_are_there) {
  run_paired(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    for (int round = 0; round < 20; ++round) {
      one.start(round);
      one.expect_wait(round);
    }
    EXPECT_TRUE(here.fabric().sent.empty());
  });
}

// An end that waits alone. What is said on standard error is caught.
class MissingPeerTest : public testing::TestWithParam<Rank> {
 protected:
  static bool is_waiting(PairedRank& here) { return here.rank() == GetParam(); }
  // Returns what was said meanwhile.
  static std::string wait_alone(PairedRank& here, const PairedMessage& message, int expected) {
    here.fabric().passes = 1s;
    testing::internal::CaptureStderr();
    EXPECT_EQ(class_of(message.wait()), expected);
    here.fabric().passes = 0s;
    (void)fake::take_raised();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_P(MissingPeerTest, an_end_that_meets_nobody_ends_with_an_error) {
  run_broken(2, [](PairedRank& here) {
    if (is_waiting(here)) {
      PairedMessage one(side_of(here.rank()), here.next());
      one.start();
      const std::string said = wait_alone(here, one, MPI_ERR_OTHER);
      EXPECT_NE(said.find("ESPALIER_LANE_TIMEOUT is over"), std::string::npos);
      EXPECT_GT(here.fabric().sent.size(), 10u);
    }
    here.barrier();
  });
}

TEST_P(MissingPeerTest, an_end_that_failed_fails_at_all_later_starts) {
  run_broken(2, [](PairedRank& here) {
    if (is_waiting(here)) {
      PairedMessage one(side_of(here.rank()), here.next());
      one.start();
      EXPECT_NE(wait_alone(here, one, MPI_ERR_OTHER), "");
      one.start();
      EXPECT_EQ(class_of(one.wait()), MPI_ERR_OTHER);
      (void)fake::take_raised();
    }
    here.barrier();
  });
}

TEST_P(MissingPeerTest, an_end_whose_peer_frees_its_request_instead_of_starting_it_ends_with_an_error) {
  run_broken(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    one.start(1);
    one.expect_wait(1);
    if (!is_waiting(here)) one.free();
    here.barrier();
    if (is_waiting(here)) {
      one.start(2);
      EXPECT_NE(wait_alone(here, one, MPI_ERR_OTHER), "");
    }
    here.barrier();
  });
}

TEST_P(MissingPeerTest, an_end_that_meets_another_length_is_told_which) {
  run_broken(2, [](PairedRank& here) {
    // The other one is started, and has nothing to do with the MPI's transport, which would let it meet.
    if (!is_waiting(here)) {
      (void)here.job().communicator().pairs()->stream(side_of(here.rank()), here.next(), paired_tag).start(1000);
    }
    here.barrier();
    if (is_waiting(here)) {
      PairedMessage one(side_of(here.rank()), here.next());
      one.start();
      EXPECT_NE(wait_alone(here, one, MPI_ERR_OTHER).find("meets one of 1000 bytes"), std::string::npos);
    }
    here.barrier();
  });
}

TEST_P(MissingPeerTest, an_end_that_is_tested_instead_of_waited_for_learns_of_it_too) {
  run_broken(2, [](PairedRank& here) {
    if (is_waiting(here)) {
      here.fabric().passes = 10s;
      PairedMessage one(side_of(here.rank()), here.next());
      one.start();
      testing::internal::CaptureStderr();
      int status = MPI_SUCCESS;
      for (int flag = 0; flag == 0 && status == MPI_SUCCESS;) {
        status = ESPALIER_ENTRY(MPI_Test)(&one.request, &flag, MPI_STATUS_IGNORE);
      }
      EXPECT_EQ(class_of(status), MPI_ERR_OTHER);
      EXPECT_NE(testing::internal::GetCapturedStderr(), "");
      (void)fake::take_raised();
    }
    here.barrier();
  });
}

TEST_P(MissingPeerTest, a_late_end_is_met) {
  run_paired(2, [](PairedRank& here) {
    here.fabric().passes = is_waiting(here) ? 1100ms : 0ms;
    std::optional<PairedMessage> one;
    const auto make = [&] { one.emplace(side_of(here.rank()), here.next()); };
    if (is_waiting(here)) {
      make();
      one->start(3);
      one->expect_wait(3);
      EXPECT_FALSE(here.fabric().sent.empty());
    } else {
      for (int k = 0; k < 1000; ++k) fake::pass_on();
      make();
      one->start(3);
      one->expect_wait(3);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(BothEnds, MissingPeerTest, testing::Values(0, 1),
                         [](const auto& tested) { return tested.param == 0 ? "sender_waits" : "receiver_waits"; });

// A link that dies at one end.
class DeadLinkTest : public testing::TestWithParam<Rank> {
 protected:
  ~DeadLinkTest() override { mend_links(); }
  static bool is_dead(PairedRank& here) { return here.rank() == GetParam(); }
};

TEST_P(DeadLinkTest, one_that_dies_before_the_first_start_fails_the_start_when_it_is_completed) {
  run_broken(2, [](PairedRank& here) {
    break_link(GetParam(), side_of(GetParam()));
    PairedMessage one(side_of(here.rank()), here.next());
    if (is_dead(here)) {
      one.start();
      EXPECT_EQ(class_of(one.wait()), MPI_ERR_OTHER);
      (void)fake::take_raised();
    }
    here.barrier();
  });
}

TEST_P(DeadLinkTest, one_that_dies_between_starts_fails_all_later_ones_even_if_it_is_mended) {
  run_broken(2, [](PairedRank& here) {
    PairedMessage one(side_of(here.rank()), here.next());
    one.start(1);
    one.expect_wait(1);
    here.barrier();
    break_link(GetParam(), side_of(GetParam()));
    for (int round = 0; round < 2 && is_dead(here); ++round) {
      one.start(2);
      EXPECT_EQ(class_of(one.wait()), MPI_ERR_OTHER);
      mend_links();
    }
    (void)fake::take_raised();
    here.barrier();
  });
}

TEST_P(DeadLinkTest, one_that_dies_at_a_start_of_a_set_leaves_the_others_to_their_messages) {
  run_broken(3, [](PairedRank& here) {
    // Rank 0 exchanges two messages with rank 1, which fail, and rank 2 one, which does not.
    if (here.rank() == 1) {
      PairedMessage whole(PairSide::receives, 2, paired_tag);
      whole.start();
      whole.expect_wait(9);
    } else if (here.rank() == 2) {
      PairedMessage whole(PairSide::sends, 1, paired_tag);
      whole.start(9);
      whole.expect_wait();
    } else {
      const PairSide side = side_of(GetParam());
      break_link(0, side);
      PairedMessage one(side, 1, paired_tag), other(side, 1, paired_tag + 1);
      std::array handles = {one.request, other.request};
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Startall)(2, handles.data()), MPI_SUCCESS);
      std::array<MPI_Status, 2> statuses{};
      EXPECT_EQ(class_of(ESPALIER_ENTRY(MPI_Waitall)(2, handles.data(), statuses.data())), MPI_ERR_IN_STATUS);
      for (const MPI_Status& status : statuses) EXPECT_EQ(class_of(status.MPI_ERROR), MPI_ERR_OTHER);
      (void)fake::take_raised();
    }
    here.barrier();
  });
}

TEST_P(DeadLinkTest, a_failed_stream_does_not_spoil_those_of_other_tags) {
  run_broken(2, [](PairedRank& here) {
    PairedMessage bad(side_of(here.rank()), here.next(), paired_tag),
        good(side_of(here.rank()), here.next(), paired_tag + 1);
    here.barrier();
    if (is_dead(here)) {
      break_link(GetParam(), side_of(GetParam()));
      bad.start();
      EXPECT_EQ(class_of(bad.wait()), MPI_ERR_OTHER);
      mend_links();
      (void)fake::take_raised();
    }
    here.barrier();
    good.start(4);
    good.expect_wait(4);
  });
}

INSTANTIATE_TEST_SUITE_P(BothEnds, DeadLinkTest, testing::Values(0, 1),
                         [](const auto& tested) { return tested.param == 0 ? "of_the_sender" : "of_the_receiver"; });

}  // namespace
}  // namespace espalier
