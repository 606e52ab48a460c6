// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "transport/two_ends.hpp"

namespace espalier {
namespace {

using MpiPortTest = TwoEnds;

TEST_F(MpiPortTest, sends_and_waits) {
  run_two(
      [](End& end) {
        send_in_call(end, 3, {1, 2, 3});
      },
      [](End& end) {
        Numbers got(3);
        end.port.begin(3);
        end.port.recv(0, end.message(got));
        end.port.wait(0);
        end.port.end();
        EXPECT_EQ(got, (Numbers{1, 2, 3}));
        EXPECT_FALSE(end.port.failed());
        EXPECT_EQ(end.port.take_error(), MPI_SUCCESS);
      });
}

TEST_F(MpiPortTest, tests_without_waiting) {
  run_two(
      [](End& end) {
        for (int k = 0; k < 3; ++k) fake::pass_on();
        send_in_call(end, 0, {5});
      },
      [](End& end) {
        Numbers got(1);
        end.port.begin(0);
        end.port.recv(2, end.message(got));
        EXPECT_FALSE(end.port.test(2));
        while (!end.port.test(2)) end.port.idle();
        EXPECT_EQ(got, Numbers{5});
        end.port.end();
      });
}

TEST_F(MpiPortTest, tells_channels_and_calls_apart) {
  run_two(
      [](End& end) {
        send_in_call(end, 1, {10});
        Numbers a{20}, b{21};
        end.port.begin(2);
        end.port.send(0, end.message(a, 0));
        end.port.send(1, end.message(b, 1));
        end.port.wait(0);
        end.port.wait(1);
        end.port.end();
      },
      [](End& end) {
        Numbers a(1), b(1);
        end.port.begin(2);
        end.port.recv(0, end.message(b, 1));
        end.port.wait(0);
        end.port.recv(0, end.message(a, 0));
        end.port.wait(0);
        EXPECT_EQ(a, Numbers{20});
        EXPECT_EQ(b, Numbers{21});
      });
}

TEST_F(MpiPortTest, says_what_has_completed_once) {
  run_two(
      [](End& end) {
        end.port.begin(0);
        std::array<Numbers, 3> numbers = {Numbers{0}, Numbers{1}, Numbers{2}};
        for (const Token token : {2u, 0u, 1u}) {
          end.port.send(token, end.message(numbers[token], static_cast<Channel>(token)));
          fake::pass_on();
        }
        std::size_t left = 3;
        while (left > 0) left -= end.port.poll().size();
      },
      [](End& end) {
        end.port.begin(0);
        std::array<Numbers, 3> got = {Numbers(1), Numbers(1), Numbers(1)};
        for (Token token = 0; token < 3; ++token) {
          end.port.recv(token, end.message(got[token], static_cast<Channel>(token)));
        }
        std::vector<Token> completed;
        while (completed.size() < 3) {
          const auto some = end.port.poll();
          completed.insert(completed.end(), some.begin(), some.end());
          if (some.empty()) end.port.idle();
        }
        EXPECT_EQ(completed, (std::vector<Token>{2, 0, 1}));
        EXPECT_EQ(got, (std::array<Numbers, 3>{Numbers{0}, Numbers{1}, Numbers{2}}));
        EXPECT_TRUE(end.port.poll().empty());
      });
}

TEST_F(MpiPortTest, has_long_messages_acknowledged_if_asked) {
  acknowledged = true;
  run_two(
      [](End& end) {
        Numbers few(2), many(1000);
        end.port.begin(0);
        end.port.send(0, end.message(few));
        end.port.send(1, end.message(many, 1));
        EXPECT_TRUE(end.port.test(0));
        EXPECT_FALSE(end.port.test(1));
        end.port.wait(1);
      },
      [](End& end) {
        for (int k = 0; k < 5; ++k) fake::pass_on();
        Numbers few(2), many(1000);
        end.port.begin(0);
        end.port.recv(0, end.message(few));
        end.port.recv(1, end.message(many, 1));
        end.port.wait(0);
        end.port.wait(1);
      });
}

TEST_F(MpiPortTest, sends_more_than_an_int_counts_as_one_element) {
  static int sent_count = 0;
  static MPI_Count sent_bytes = 0;
  mpi.Isend = [](const void*, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Request*) {
    sent_count = count;
    return fake::functions().Type_size_x(type, &sent_bytes);
  };
  End end(peers_of(0));
  end.port.begin(0);
  constexpr std::size_t bytes = std::size_t{12} << 30;
  end.port.send(0, {.peer = 1, .bytes = bytes});
  EXPECT_EQ(sent_count, 1);
  EXPECT_EQ(sent_bytes, static_cast<MPI_Count>(bytes));
  EXPECT_FALSE(end.port.failed());
  EXPECT_EQ(fake::remains().datatypes, 0u);
}

}  // namespace
}  // namespace espalier
