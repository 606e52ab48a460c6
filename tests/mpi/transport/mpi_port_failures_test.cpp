// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "transport/mpi/leftovers.hpp"
#include "transport/two_ends.hpp"

namespace espalier {
namespace {

class MpiPortFailuresTest : public TwoEnds {
 protected:
  // Until the other rank is sure, which takes a second: no deadlock meanwhile.
  static void send_in_call_and_wait(End& end, std::uint64_t call, const bool& is_reported) {
    send_in_call(end, call, {1});
    while (!is_reported) {
      fake::note_progress();
      fake::pass_on();
    }
  }
  // A message that is too long comes; `check` looks at the end that it came to.
  template <class Check>
  void receive_damaged(bool polls, Check check) {
    run_two(
        [](End& end) {
          send_in_call(end, 0, {1, 2, 3});
        },
        [&](End& end) {
          Numbers got(2);
          end.port.begin(0);
          end.port.recv(0, end.message(got));
          if (polls) {
            while (end.port.poll().empty()) end.port.idle();
          } else {
            end.port.wait(0);
          }
          EXPECT_EQ(got, (Numbers{1, 2}));
          check(end.port);
          EXPECT_EQ(end.port.take_error(), fake::code_of(MPI_ERR_TRUNCATE));
        });
  }
};

TEST_F(MpiPortFailuresTest, fails_if_a_message_cannot_be_started) {
  End end(peers_of(0));
  Numbers numbers{1};
  end.port.begin(0);
  Message message = end.message(numbers);
  message.peer = 7;
  end.port.send(0, message);
  EXPECT_TRUE(end.port.failed());
  end.port.wait(0);
  EXPECT_EQ(end.port.take_error(), fake::code_of(MPI_ERR_RANK));
  EXPECT_EQ(end.port.take_error(), MPI_SUCCESS);
}

// As a rank does that made a call more, or less, than this one.
TEST_F(MpiPortFailuresTest, fails_if_the_rank_it_waits_for_is_past_the_call) {
  for (const bool polls : {false, true}) {
    bool is_reported = false;
    run_two([&](End& end) { send_in_call_and_wait(end, 3, is_reported); },
            [&](End& end) {
              end.endpoint.peers.seconds_out_of_step = .2;
              Numbers got(1);
              end.port.begin(2);
              end.port.recv(0, end.message(got));
              if (polls) {
                while (!end.port.failed() && end.port.poll().empty()) end.port.idle();
              } else {
                end.port.wait(0);
              }
              is_reported = true;
              EXPECT_TRUE(end.port.failed());
              EXPECT_EQ(end.port.ended_by(), CallState::out_of_step);
              EXPECT_EQ(end.endpoint.watch.passed_by().rank, 0);
              EXPECT_EQ(end.endpoint.watch.passed_by().step, (CallPosition{.call = 3}));
              EXPECT_EQ(end.port.take_error(), MPI_ERR_INTERN);
              end.port.abandon();
              Numbers of_later_call(1);
              end.port.begin(3);
              end.port.recv(0, end.message(of_later_call));
              end.port.wait(0);
              end.port.end();
            });
  }
}

TEST_F(MpiPortFailuresTest, tells_what_is_shared_before_a_call_from_the_call) {
  bool is_reported = false;
  run_two([&](End& end) { send_in_call_and_wait(end, 2, is_reported); },
          [&](End& end) {
            end.endpoint.peers.seconds_out_of_step = .2;
            Numbers got(1);
            end.port.begin_shared(true);
            end.port.begin(2);
            end.port.recv(0, end.message(got));
            end.port.wait(0);
            is_reported = true;
            EXPECT_EQ(end.port.ended_by(), CallState::out_of_step);
            end.port.abandon();
            end.port.begin_shared(false);
            end.port.begin(2);
            end.port.recv(0, end.message(got));
            end.port.wait(0);
            EXPECT_EQ(got, Numbers{1});
            end.port.end();
          });
}

TEST_F(MpiPortFailuresTest, fails_if_a_large_type_cannot_be_made) {
  mpi.Type_contiguous = [](int, MPI_Datatype, MPI_Datatype*) { return MPI_ERR_NO_MEM; };
  End end(peers_of(0));
  end.port.begin(0);
  end.port.recv(0, {.peer = 1, .bytes = std::size_t{12} << 30});
  EXPECT_TRUE(end.port.failed());
  EXPECT_EQ(end.port.take_error(), MPI_ERR_NO_MEM);
}

TEST_F(MpiPortFailuresTest, notes_damaged_messages_and_goes_on) {
  for (const bool polls : {false, true}) {
    receive_damaged(polls, [](MpiPort& port) { EXPECT_FALSE(port.failed()); });
  }
}

// What never came from a dead process must not be passed on as if it had.
TEST_F(MpiPortFailuresTest, fails_by_a_message_that_ends_in_an_error_where_processes_may_die) {
  fault_tolerant = true;
  for (const bool polls : {false, true}) {
    receive_damaged(polls, [](MpiPort& port) {
      EXPECT_TRUE(port.failed());
      port.abandon();
    });
  }
}

TEST_F(MpiPortFailuresTest, fails_if_the_mpi_cannot_say_what_has_completed) {
  mpi.Testsome = [](int, MPI_Request*, int* count, int*, MPI_Status*) {
    *count = MPI_UNDEFINED;
    return fake::code_of(MPI_ERR_REQUEST);
  };
  mpi.Test = [](MPI_Request*, int*, MPI_Status*) { return fake::code_of(MPI_ERR_OTHER); };
  End end(peers_of(0));
  Numbers numbers(1);
  end.port.begin(0);
  end.port.recv(0, end.message(numbers));
  EXPECT_TRUE(end.port.poll().empty());
  EXPECT_TRUE(end.port.failed());
  EXPECT_EQ(end.port.take_error(), fake::code_of(MPI_ERR_REQUEST));
  end.port.abandon();
}

TEST_F(MpiPortFailuresTest, takes_back_what_is_under_way) {
  run_two(
      [](End& end) {
        Numbers got(1);
        end.port.begin(0);
        end.port.recv(0, end.message(got));
        end.port.abandon();
        end.port.begin(1);  // gone; this one's tags are its own
        end.port.recv(0, end.message(got));
        end.port.wait(0);
        EXPECT_EQ(got, Numbers{11});
      },
      [](End& end) {
        for (int k = 0; k < 3; ++k) fake::pass_on();
        send_in_call(end, 0, {10});
        send_in_call(end, 1, {11});
      });
  EXPECT_EQ(fake::remains(), (fake::Remains{.messages = 1}));
  fake::run_ranks(ranks, [&](Rank me) { discard_leftovers(mpi, MPI_COMM_WORLD, 1 - me, MPI_ANY_TAG); });
  EXPECT_EQ(fake::remains(), fake::Remains{});
}

// Its sender may have given the memory back, and cannot take the message back.
TEST_F(MpiPortFailuresTest, leaves_long_messages_where_they_are) {
  run_two([](End&) {}, [](End& end) { send_in_call(end, 0, Numbers(5000)); });
  ASSERT_EQ(fake::remains(), (fake::Remains{.messages = 1}));
  fake::run_ranks(ranks, [&](Rank me) { discard_leftovers(mpi, MPI_COMM_WORLD, 1 - me, MPI_ANY_TAG); });
  EXPECT_EQ(fake::remains(), (fake::Remains{.messages = 1}));
}

TEST_F(MpiPortFailuresTest, aborts_sends_that_nobody_receives) {
  acknowledged = true;
  End end(peers_of(0));
  Numbers many(1000);
  end.port.begin(0);
  end.port.send(0, end.message(many));
  end.port.abandon();
  EXPECT_EQ(fake::remains().requests, 0u);
}

TEST_F(MpiPortFailuresTest, takes_back_a_call_that_was_left_by_a_jump) {
  End end(peers_of(0));
  Numbers got(1);
  end.port.begin(0);
  end.port.recv(0, end.message(got));
  EXPECT_TRUE(end.endpoint.watch.is_clean());
  end.port.begin(1);
  EXPECT_FALSE(end.endpoint.watch.is_clean());
  EXPECT_EQ(fake::remains().requests, 0u);
}

TEST_F(MpiPortFailuresTest, ends_a_call_that_failed_elsewhere) {
  run_two([](End& end) { end.endpoint.watch.announce(6, MPI_ERR_NO_MEM); },
          [](End& end) {
            Numbers got(1);
            end.port.begin(6);
            end.port.recv(0, end.message(got));
            end.port.wait(0);
            EXPECT_TRUE(end.port.failed());
            EXPECT_EQ(end.port.ended_by(), CallState::failed_elsewhere);
            EXPECT_EQ(end.port.take_error(), MPI_ERR_NO_MEM);
            end.port.abandon();
          });
}

TEST_F(MpiPortFailuresTest, ends_a_call_on_a_communicator_that_was_revoked) {
  fault_tolerant = true;
  mpi.Comm_is_revoked = [](MPI_Comm, int* revoked) { return *revoked = 1, MPI_SUCCESS; };
  End end(peers_of(0));
  Numbers got(1);
  end.port.begin(0);
  end.port.recv(0, end.message(got));
  while (!end.port.failed()) {
    (void)end.port.poll();
    end.port.idle();
  }
  EXPECT_EQ(end.port.ended_by(), CallState::broken);
  end.port.abandon();
}

}  // namespace
}  // namespace espalier
