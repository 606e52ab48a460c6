// SPDX-License-Identifier: Apache-2.0
// Every phase of a session against everything that can happen to it:
//   phases   fresh, aborted, handshake, apart (handshake, without a lane in common), up, up but for a lane
//   events   want, fence, a lane or all lanes lost, all tried again, aborted, a missing lane found or none, handshakes
//            of an earlier, the same and a later epoch, which want an answer or not, share all lanes, one or none
// Then two sessions that shake hands over a network that loses, delays, doubles and reorders handshakes.
#include "transport/fabric/protocol/session.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace espalier::session_test {
namespace {

using Action = Session::Action;
using SessionPhase = Session::SessionPhase;

constexpr LaneSet all = 0b11, first = 0b01, second = 0b10, foreign = 0b100;
constexpr std::uint32_t epoch = 5;

Handshake hello(std::uint32_t of_epoch, LaneSet lanes, bool wants_answer) {
  Handshake handshake;
  handshake.epoch = of_epoch;
  handshake.lanes = lanes;
  handshake.wants_answer = wants_answer ? 1 : 0;
  return handshake;
}

std::string name_of(Action action) {
  switch (action) {
    case Action::none: return "";
    case Action::open: return "open ";
    case Action::join: return "join ";
    case Action::shake_hands: return "shake_hands ";
  }
  return "?";
}

// Does what it says as a peer does, but for the links: joins those over the lanes that both want.
std::string answer(Session& session, const Handshake& theirs) {
  Action action = session.answer(theirs);
  std::string done = name_of(action);
  if (action == Action::open) done += name_of(action = session.meet(theirs));
  if (action == Action::join) done += name_of(session.joined(session.lanes() & theirs.lanes, theirs));
  return done;
}

enum class Start : std::uint8_t { fresh, aborted, handshake, apart, up, up_without_second };

Session session_in(Start start) {
  Session session(all);
  if (start == Start::fresh) return session;
  while (session.epoch() < epoch) (void)session.try_all();
  if (start == Start::aborted) session.abort();
  if (start == Start::apart) (void)session.joined(0, hello(epoch, second, false));
  if (start == Start::up) (void)session.joined(all, hello(epoch, all, false));
  if (start == Start::up_without_second) (void)session.joined(first, hello(epoch, first, false));
  return session;
}

std::string show_one(const Session& session) {
  const char* const phase = session.phase() == SessionPhase::unknown ? "unknown" : session.is_up() ? "up" : "handshake";
  return std::string(phase) + (session.is_apart() ? " apart" : "") + " " + std::to_string(session.epoch()) + "/" +
         std::to_string(session.lanes());
}

using Event = std::string (*)(Session&);

// The outcomes stand in the order of Start.
struct Row {
  const char* event;
  Event happens;
  std::array<const char*, 6> outcomes;  // actions, then phase, epoch and lanes
};

const Row table[] = {
    {"a stream begins",
     [](Session& s) { return name_of(s.want()); },
     {"open handshake 1/3", "open handshake 6/3", "handshake 5/3", "handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"what is under way is fenced off",
     [](Session& s) { return name_of(s.fence()); },
     {"open handshake 1/0", "open handshake 6/3", "open handshake 6/3", "open handshake 6/0", "open handshake 6/3",
      "open handshake 6/1"}},
    {"the first lane is lost",
     [](Session& s) { return name_of(s.lose(first)); },
     {"open handshake 1/3", "open handshake 6/2", "open handshake 6/2", "open handshake 6/3", "open handshake 6/2",
      "open handshake 6/3"}},
    {"all lanes are lost",
     [](Session& s) { return name_of(s.lose(all)); },
     {"open handshake 1/3", "open handshake 6/3", "open handshake 6/3", "open handshake 6/3", "open handshake 6/3",
      "open handshake 6/3"}},
    {"all lanes are tried again",
     [](Session& s) { return name_of(s.try_all()); },
     {"open handshake 1/3", "open handshake 6/3", "open handshake 6/3", "open handshake 6/3", "open handshake 6/3",
      "open handshake 6/3"}},
    {"it is aborted",
     [](Session& s) { return s.abort(), std::string(); },
     {"unknown 0/0", "unknown 5/3", "unknown 5/3", "unknown apart 5/0", "unknown 5/3", "unknown 5/1"}},
    {"no lane was found",
     [](Session& s) { return name_of(s.take_found()); },
     {"unknown 0/0", "unknown 5/3", "handshake 5/3", "handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"a ping of the second lane has arrived",
     [](Session& s) { return (void)s.finish_handshake(1, Handshake::Kind::ping, true), name_of(s.take_found()); },
     {"unknown 0/0", "unknown 5/3", "handshake 5/3", "handshake apart 5/0", "up 5/3", "open handshake 6/3"}},
    {"a hello over the second lane has arrived",
     [](Session& s) { return (void)s.finish_handshake(1, Handshake::Kind::hello, true), name_of(s.take_found()); },
     {"unknown 0/0", "unknown 5/3", "handshake 5/3", "handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"a ping of the second lane is lost",
     [](Session& s) { return (void)s.finish_handshake(1, Handshake::Kind::ping, false), name_of(s.take_found()); },
     {"unknown 0/0", "unknown 5/3", "handshake 5/3", "handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"a handshake of an earlier epoch",
     [](Session& s) { return answer(s, hello(epoch - 1, all, true)); },
     {"open join shake_hands up 4/3", "shake_hands unknown 5/3", "shake_hands handshake 5/3",
      "shake_hands handshake apart 5/0", "shake_hands up 5/3", "shake_hands up 5/1"}},
    {"a handshake of this epoch that wants an answer",
     [](Session& s) { return answer(s, hello(epoch, all, true)); },
     {"open join shake_hands up 5/3", "open handshake 6/3", "join shake_hands up 5/3", "join handshake apart 5/0",
      "shake_hands up 5/3", "shake_hands up 5/1"}},
    {"a handshake of this epoch that is an answer",
     [](Session& s) { return answer(s, hello(epoch, all, false)); },
     {"open join up 5/3", "open handshake 6/3", "join up 5/3", "join handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"a handshake of this epoch with the first lane",
     [](Session& s) { return answer(s, hello(epoch, first, false)); },
     {"open join up 5/1", "open handshake 6/1", "join up 5/1", "join handshake apart 5/0", "up 5/3", "up 5/1"}},
    {"a handshake of this epoch without lanes of ours",
     [](Session& s) { return answer(s, hello(epoch, foreign, false)); },
     {"open join handshake apart 5/0", "open handshake 6/3", "join handshake apart 5/0", "join handshake apart 5/0",
      "up 5/3", "up 5/1"}},
    {"a handshake of a later epoch that wants an answer",
     [](Session& s) { return answer(s, hello(epoch + 3, all, true)); },
     {"open join shake_hands up 8/3", "open join shake_hands up 8/3", "open join shake_hands up 8/3",
      "open join shake_hands up 8/3", "open join shake_hands up 8/3", "open join shake_hands up 8/3"}},
    {"a handshake of a later epoch that is an answer",
     [](Session& s) { return answer(s, hello(epoch + 3, all, false)); },
     {"open join up 8/3", "open join up 8/3", "open join up 8/3", "open join up 8/3", "open join up 8/3",
      "open join up 8/3"}},
    {"a handshake of a later epoch with the second lane",
     [](Session& s) { return answer(s, hello(epoch + 3, second, true)); },
     {"open join shake_hands up 8/2", "open join shake_hands up 8/2", "open join shake_hands up 8/2",
      "open join shake_hands up 8/2", "open join shake_hands up 8/2", "open join shake_hands up 8/2"}},
    {"a handshake of a later epoch without lanes of ours",
     [](Session& s) { return answer(s, hello(epoch + 3, foreign, true)); },
     {"open join handshake apart 8/0", "open join handshake apart 8/0", "open join handshake apart 8/0",
      "open join handshake apart 8/0", "open join handshake apart 8/0", "open join handshake apart 8/0"}},
};

TEST(Session, does_in_each_phase_what_each_event_asks_for) {
  for (const Row& row : table) {
    for (std::size_t k = 0; k < row.outcomes.size(); ++k) {
      Session session = session_in(static_cast<Start>(k));
      const std::string before = show_one(session), done = row.happens(session);
      EXPECT_EQ(done + show_one(session), row.outcomes[k]) << row.event << ", " << before;
    }
  }
}

TEST(Session, keeps_the_latest_handshake_only_and_no_ping) {
  Session session(all);
  Handshake ping = hello(9, all, false);
  ping.kind = Handshake::Kind::ping;
  EXPECT_FALSE(session.receive_handshake(ping));
  EXPECT_FALSE(session.take_handshake());
  EXPECT_TRUE(session.receive_handshake(hello(3, all, true)));
  EXPECT_FALSE(session.receive_handshake(hello(2, all, true)));
  EXPECT_TRUE(session.receive_handshake(hello(3, first, true)));
  EXPECT_EQ(session.take_handshake()->lanes, first);
  EXPECT_FALSE(session.take_handshake());
}

TEST(Session, shakes_hands_over_each_lane_once_at_a_time) {
  Session session(all);
  EXPECT_TRUE(session.may_shake_hands(0));
  session.note_handshake_sent(0, true);
  session.note_handshake_sent(1, false);
  EXPECT_FALSE(session.may_shake_hands(0));
  EXPECT_TRUE(session.may_shake_hands(1));
  EXPECT_EQ(session.take_unsent(), second);
  EXPECT_EQ(session.take_unsent(), 0);
  EXPECT_FALSE(session.finish_handshake(0, Handshake::Kind::hello, false));
  EXPECT_TRUE(session.may_shake_hands(0));
}

// --- Two of them ---

class Pair {
 public:
  explicit Pair(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] bool chance(int of) { return random_() % static_cast<unsigned>(of) == 0; }
  // Something happens to one of them.
  void disturb(bool begin_again) {
    const std::size_t side = random_() % 2;
    Session& one = *sessions_[side];
    switch (random_() % (begin_again ? 5 : 4)) {
      case 0: act(side, one.want()); break;
      case 1: act(side, one.fence()); break;
      case 2: act(side, one.lose(chance(2) ? first : second)); break;
      case 3: one.abort(); break;
      default: sessions_[side].emplace(all); break;  // it starts again
    }
  }
  // Some handshake that is under way, not the oldest one first, is lost, doubled or received.
  void deliver(bool is_lossy) {
    for (std::size_t side = 0; side < 2; ++side) {
      std::vector<Handshake>& coming = coming_[side];
      if (coming.empty()) continue;
      const std::size_t k = random_() % coming.size();
      const Handshake handshake = coming[k];
      const bool stays = is_lossy && chance(3);
      if (!stays) coming.erase(coming.begin() + static_cast<std::ptrdiff_t>(k));
      if (is_lossy && chance(4)) continue;
      (void)sessions_[side]->receive_handshake(handshake);
      if (const auto received = sessions_[side]->take_handshake()) respond(side, *received);
    }
  }
  // As a watch does in time.
  void repeat_handshake() {
    for (std::size_t side = 0; side < 2; ++side) {
      Session& one = *sessions_[side];
      act(side, one.want());
      if (one.is_up()) continue;
      one.is_apart() ? act(side, one.try_all()) : shake_hands(side);
    }
  }
  [[nodiscard]] bool agree_on_epoch() const {
    const Session &a = *sessions_[0], &b = *sessions_[1];
    return a.is_up() && b.is_up() && a.epoch() == b.epoch();
  }
  [[nodiscard]] bool agree() const { return agree_on_epoch() && sessions_[0]->lanes() == sessions_[1]->lanes(); }
  [[nodiscard]] std::string show() const { return show_one(*sessions_[0]) + ", " + show_one(*sessions_[1]); }
  [[nodiscard]] bool is_quiet() const { return coming_[0].empty() && coming_[1].empty(); }

 private:
  void act(std::size_t side, Action action) {
    if (action == Action::open || action == Action::shake_hands) shake_hands(side);
  }
  void shake_hands(std::size_t side) {
    const Session& session = *sessions_[side];
    coming_[1 - side].push_back(hello(session.epoch(), session.lanes(), !session.is_up()));
  }
  void respond(std::size_t side, const Handshake& theirs) {
    Session& session = *sessions_[side];
    Action action = session.answer(theirs);
    act(side, action);
    if (action == Action::open) act(side, action = session.meet(theirs));
    if (action == Action::join) act(side, session.joined(session.lanes() & theirs.lanes, theirs));
  }

  std::mt19937_64 random_;
  std::array<std::optional<Session>, 2> sessions_{Session(all), Session(all)};
  std::array<std::vector<Handshake>, 2> coming_;
};

// A lane that one of them has lost is missing at both; but who begins again may come to an epoch that had been, whose
// links the other one takes for those of that: they break.
TEST(Session, agrees_with_the_other_one_however_handshakes_are_lost_doubled_and_reordered) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const bool begin_again = seed % 2 == 0;
    Pair pair(seed);
    for (int step = 0; step < 60; ++step) {
      if (pair.chance(6)) pair.disturb(begin_again);
      if (pair.chance(5)) pair.repeat_handshake();
      pair.deliver(true);
    }
    const auto agree = [&] { return begin_again ? pair.agree_on_epoch() : pair.agree(); };
    for (int round = 0; round < 100 && !(agree() && pair.is_quiet()); ++round) {
      pair.repeat_handshake();
      for (int step = 0; step < 200 && !pair.is_quiet(); ++step) pair.deliver(false);
    }
    ASSERT_TRUE(agree()) << "seed " << seed << ": " << pair.show();
  }
}

}  // namespace
}  // namespace espalier::session_test
