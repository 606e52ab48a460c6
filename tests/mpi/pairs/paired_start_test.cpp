// SPDX-License-Identifier: Apache-2.0
// In which order paired messages start, alone and together, and that they meet in that order.
#include "mpi/pairs/paired_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "mpi/requests/requests.hpp"
#include "pairs/paired_job.hpp"

namespace espalier {
namespace {

PairedRun& run_of(const PairedMessage& message) { return *requests().persistent.find(message.request)->paired(); }

int start_all(std::vector<MPI_Request> handles) {
  return ESPALIER_ENTRY(MPI_Startall)(static_cast<int>(handles.size()), handles.data());
}

// Several messages of one rank, and their handles in an order.
class Messages {
 public:
  PairedMessage& add(PairSide side, Rank peer, int tag, int ints = paired_count, MPI_Comm comm = MPI_COMM_WORLD) {
    return all_.emplace_back(side, peer, tag, ints, comm);
  }
  PairedMessage& operator[](std::size_t k) { return all_[k]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  // Rotated by this many.
  [[nodiscard]] std::vector<MPI_Request> handles(std::size_t rotated = 0) const {
    std::vector<MPI_Request> found;
    for (std::size_t k = 0; k < all_.size(); ++k) found.push_back(all_[(k + rotated) % all_.size()].request);
    return found;
  }
  void fill(int value) {
    for (std::size_t k = 0; k < all_.size(); ++k) all_[k].fill(value + 100 * static_cast<int>(k));
  }
  void wait() {
    for (PairedMessage& one : all_) EXPECT_EQ(one.wait(), MPI_SUCCESS);
  }

 private:
  std::deque<PairedMessage> all_;
};

TEST(PairedStart, a_ring_of_any_size_passes_on_as_often_as_it_is_started) {
  for (const Rank size : {2, 3, 4, 5}) {
    run_paired(size, [](PairedRank& here) {
      PairedMessage to_next(PairSide::sends, here.next()), from_previous(PairSide::receives, here.previous());
      EXPECT_TRUE(to_next.is_ours() && from_previous.is_ours());
      for (int round = 0; round < 5; ++round) {
        from_previous.start();
        to_next.start(1000 * round + 10 * here.rank());
        to_next.expect_wait();
        from_previous.expect_wait(1000 * round + 10 * here.previous());
      }
    });
  }
}

TEST(PairedStart, either_end_may_be_made_started_and_completed_first) {
  for (int order = 0; order < 8; ++order) {
    run_paired(2, [order](PairedRank& here) {
      const auto is_second = [&](int bit) { return (order >> bit & 1) == here.rank(); };
      const auto in_turn = [&](int bit, const auto& work) {
        if (is_second(bit)) here.barrier();
        work();
        if (!is_second(bit)) here.barrier();
      };
      const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
      std::optional<PairedMessage> message;
      in_turn(0, [&] { message.emplace(side, here.next()); });
      for (int round = 0; round < 3; ++round) {
        in_turn(1, [&] { message->start(round); });
        here.barrier();
        if (is_second(2)) {
          int flag = 0;
          while (flag == 0) ESPALIER_ENTRY(MPI_Test)(&message->request, &flag, MPI_STATUS_IGNORE);
          message->expect(round);
        } else {
          message->expect_wait(round);
        }
      }
    });
  }
}

TEST(PairedStart, messages_of_one_tag_meet_in_the_order_of_their_starts) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int k = 0; k < 4; ++k) (void)all.add(side, here.next(), 7);
    for (std::size_t shift = 0; shift < 4; ++shift) {
      // The k-th start is of request k at the sender, and of another one at the receiver.
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t which = here.rank() == 0 ? k : (k + shift) % 4;
        all[which].start(static_cast<int>(100 * k));
      }
      all.wait();
      for (std::size_t k = 0; k < 4; ++k) all[(k + shift) % 4].expect(static_cast<int>(100 * k));
      here.barrier();
    }
  });
}

TEST(PairedStart, messages_of_other_tags_meet_whatever_the_order_of_their_starts) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int tag = 0; tag < 5; ++tag) (void)all.add(side, here.next(), tag);
    for (std::size_t round = 0; round < 5; ++round) {
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t which = here.rank() == 0 ? (k + round) % 5 : 4 - k;
        all[which].start(static_cast<int>(100 * which + round));
      }
      all.wait();
      for (std::size_t k = 0; k < 5; ++k) all[k].expect(static_cast<int>(100 * k + round));
    }
  });
}

TEST(PairedStart, requests_made_again_at_one_end_go_on_with_its_count_of_starts) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    std::optional<PairedMessage> message;
    for (int round = 0; round < 6; ++round) {
      if (round == 0 || (round % 2 == here.rank())) message.emplace(side, here.next());
      message->start(round);
      message->expect_wait(round);
    }
  });
}

TEST(PairedStart, receives_of_a_set_start_before_its_sends) {
  run_paired(2, [](PairedRank& here) {
    Messages all;
    for (int tag = 0; tag < 3; ++tag) {
      (void)all.add(PairSide::sends, here.next(), tag);
      (void)all.add(PairSide::receives, here.next(), tag);
    }
    (void)take_starts(here.rank());
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    const std::vector<PairedStart> started = take_starts(here.rank());
    ASSERT_EQ(started.size(), 6u);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(started[k].side, k < 3 ? PairSide::receives : PairSide::sends);
    }
    all.wait();
  });
}

TEST(PairedStart, sends_of_a_set_start_by_their_turns_whatever_the_order_of_handles) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int tag = 0; tag < 5; ++tag) (void)all.add(side, here.next(), tag, 10 * (tag + 1));
    std::vector<PairedStart> first;
    for (std::size_t round = 0; round < 5; ++round) {
      all.fill(static_cast<int>(round));
      (void)take_starts(here.rank());
      EXPECT_EQ(start_all(all.handles(round)), MPI_SUCCESS);
      const std::vector<PairedStart> started = take_starts(here.rank());
      if (round == 0) first = started;
      if (here.rank() == 0) {
        EXPECT_EQ(started, first);
      }
      all.wait();
      for (std::size_t k = 0; k < 5; ++k) all[k].expect(static_cast<int>(round + 100 * k));
    }
    if (here.rank() == 0) {
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(run_of(all[static_cast<std::size_t>(first[k].tag)]).turn(), static_cast<int>(k));
      }
    }
  });
}

TEST(PairedStart, a_set_is_distributed_once_and_what_joins_it_later_apart) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    (void)all.add(side, here.next(), 0);
    EXPECT_FALSE(run_of(all[0]).is_settled());
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    EXPECT_TRUE(run_of(all[0]).is_settled());
    all.wait();
    const int turn = run_of(all[0]).turn();
    (void)all.add(side, here.next(), 1);
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    EXPECT_EQ(run_of(all[0]).turn(), turn);
    EXPECT_TRUE(run_of(all[1]).is_settled());
    all.wait();
  });
}

TEST(PairedStart, a_send_that_starts_alone_is_settled_and_joins_a_set_without_a_turn) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    (void)all.add(side, here.next(), 0);
    (void)all.add(side, here.next(), 1);
    all[0].start();
    all[0].expect_wait();
    EXPECT_TRUE(run_of(all[0]).is_settled());
    EXPECT_EQ(run_of(all[0]).turn(), -1);
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    all.wait();
    EXPECT_EQ(run_of(all[0]).turn(), -1);
    EXPECT_EQ(run_of(all[1]).turn() >= 0, side == PairSide::sends);
  });
}

TEST(PairedStart, a_set_starts_all_the_same_where_there_is_no_memory_to_distribute_it) {
  run_paired(2, [](PairedRank& here) {
    here.fabric().has_no_memory = true;
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int tag = 0; tag < 3; ++tag) (void)all.add(side, here.next(), tag);
    all.fill(1);
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    all.wait();
    for (std::size_t k = 0; k < 3; ++k) all[k].expect(static_cast<int>(1 + 100 * k));
  });
}

TEST(PairedStart, sets_larger_than_what_is_put_in_order_at_once_start_whole) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int tag = 0; tag < 300; ++tag) (void)all.add(side, here.next(), tag, 1);
    for (int round = 0; round < 2; ++round) {
      all.fill(round);
      EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
      all.wait();
      for (std::size_t k = 0; k < all.size(); ++k) all[k].expect(static_cast<int>(round + 100 * k));
    }
  });
}

TEST(PairedStart, native_and_paired_requests_start_together) {
  run_paired(3, [](PairedRank& here) {
    Messages all;
    (void)all.add(PairSide::sends, MPI_PROC_NULL, 0);
    (void)all.add(PairSide::sends, here.next(), 1);
    (void)all.add(PairSide::sends, here.rank(), 2);
    (void)all.add(PairSide::sends, here.next(), 3, 0);
    (void)all.add(PairSide::receives, here.rank(), 2);
    (void)all.add(PairSide::receives, here.previous(), 1);
    (void)all.add(PairSide::receives, MPI_ANY_SOURCE, 3, 0);
    EXPECT_FALSE(all[0].is_ours() || all[2].is_ours() || all[3].is_ours() || all[4].is_ours() || all[6].is_ours());
    for (int round = 0; round < 3; ++round) {
      all.fill(round);
      EXPECT_EQ(start_all(all.handles(static_cast<std::size_t>(round))), MPI_SUCCESS);
      all.wait();
      all[4].expect(round + 200);
      all[5].expect(round + 100);
    }
  });
}

TEST(PairedStart, a_set_with_an_active_request_is_refused_as_a_whole) {
  run_paired(2, [](PairedRank& here) {
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    Messages all;
    for (int tag = 0; tag < 3; ++tag) (void)all.add(side, here.next(), tag);
    all[1].start(5);
    (void)take_starts(here.rank());
    EXPECT_EQ(class_of(start_all(all.handles())), MPI_ERR_REQUEST);
    EXPECT_TRUE(take_starts(here.rank()).empty());
    all[1].expect_wait(5);
    all.fill(2);
    EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
    all.wait();
    for (std::size_t k = 0; k < 3; ++k) all[k].expect(static_cast<int>(2 + 100 * k));
    (void)fake::take_raised();
  });
}

TEST(PairedStart, a_set_with_a_null_handle_is_the_native_mpis_to_refuse) {
  run_paired(2, [](PairedRank& here) {
    const PairedMessage one(here.rank() == 0 ? PairSide::sends : PairSide::receives, here.next());
    EXPECT_EQ(class_of(start_all({MPI_REQUEST_NULL, one.request})), MPI_ERR_REQUEST);
    EXPECT_FALSE(run_of(one).is_active());
    (void)fake::take_raised();
  });
}

TEST(PairedStart, a_set_whose_native_request_is_refused_keeps_the_turns_it_has_taken) {
  static bool refuses = false;
  Native mpi = fake::functions();
  mpi.Start = [](MPI_Request* request) {
    if (refuses && requests().persistent.find(*request) == nullptr) return MPI_ERR_OTHER;
    return fake::functions().Start(request);
  };
  run_paired(
      2,
      [](PairedRank& here) {
        const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
        Messages all;
        (void)all.add(side, MPI_PROC_NULL, 0);
        (void)all.add(side, here.next(), 1);
        // Only the sender's start is refused after its send took a turn; the receiver's number is the same.
        refuses = true;
        if (here.rank() == 0) {
          EXPECT_EQ(start_all(all.handles()), MPI_ERR_OTHER);
        }
        refuses = false;
        here.barrier();
        all.fill(3);
        EXPECT_EQ(start_all(all.handles()), MPI_SUCCESS);
        all.wait();
        all[1].expect(103);
      },
      mpi);
}

TEST(PairedStart, communicators_have_streams_of_their_own) {
  run_paired(2, [](PairedRank& here) {
    MPI_Comm copy = here.copy_with_pairs();
    const PairSide side = here.rank() == 0 ? PairSide::sends : PairSide::receives;
    {
      PairedMessage one(side, here.next(), 7, paired_count), other(side, here.next(), 7, paired_count, copy);
      EXPECT_TRUE(one.is_ours() && other.is_ours());
      for (int round = 0; round < 3; ++round) {
        PairedMessage& first = here.rank() == 0 ? one : other;
        PairedMessage& second = here.rank() == 0 ? other : one;
        first.start(&first == &one ? round : 100 + round);
        second.start(&second == &one ? round : 100 + round);
        one.expect_wait(round);
        other.expect_wait(100 + round);
      }
    }
    ESPALIER_ENTRY(MPI_Comm_free)(&copy);
  });
}

TEST(PairedStart, requests_outlive_their_communicator) {
  run_paired(2, [](PairedRank& here) {
    MPI_Comm copy = here.copy_with_pairs();
    PairedMessage one(here.rank() == 0 ? PairSide::sends : PairSide::receives, here.next(), 7, paired_count, copy);
    one.start(1);
    ESPALIER_ENTRY(MPI_Comm_free)(&copy);
    one.expect_wait(1);
    one.start(2);
    one.expect_wait(2);
  });
}

}  // namespace
}  // namespace espalier
