// SPDX-License-Identifier: Apache-2.0
// Which epoch two processes are in, and how they come to agree on it: what happens goes in, what is to be done comes
// out. Knows neither a network nor a clock.
//
//            want               a handshake of this epoch, with a lane in common
//   unknown -----> handshake -----------------------------------------------------> up
//      ^            ^    |                                                         |
//      | abort    |    +-- none in common: apart, until all lanes are tried again |
//      +------------+-------- fence, lose, find, a handshake of a later epoch <-----+
//
// Epochs of the two only grow. Who is behind takes the other one's number; who is ahead says it again.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "transport/fabric/protocol/lane_set.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

class Session {
 public:
  enum class SessionPhase : std::uint8_t { unknown, handshake, up };
  // What is to be done now:
  //   open         an epoch has begun: close what belonged to the one before, open links over lanes(), and shake hands
  //   join         join these links with those that the handshake offers; joined() follows
  //   shake_hands  at all listeners, with what is_up() says of whether an answer is wanted
  enum class Action : std::uint8_t { none, open, join, shake_hands };

  explicit Session(LaneSet all_lanes) : all_(all_lanes) {}

  [[nodiscard]] SessionPhase phase() const { return phase_; }
  [[nodiscard]] bool is_up() const { return phase_ == SessionPhase::up; }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  [[nodiscard]] LaneSet lanes() const { return lanes_; }  // wanted in this epoch; once up, those there are
  [[nodiscard]] LaneSet missing_lanes() const { return without(all_, lanes_); }
  // The two have no lane in common in this epoch.
  [[nodiscard]] bool is_apart() const { return is_apart_; }

  // Somebody wants to send or to receive.
  [[nodiscard]] Action want();
  // Nothing of before may arrive any more.
  [[nodiscard]] Action fence() { return begin(epoch_ + 1, lanes_); }
  // Those do not get through. If none would be left, all are tried again.
  [[nodiscard]] Action lose(LaneSet dead);
  [[nodiscard]] Action try_all() { return begin(epoch_ + 1, all_); }
  // The other process is not to be reached.
  void abort() { phase_ = SessionPhase::unknown; }

  // A handshake from there. It is answered later, since links must not be closed while libfabric is being asked.
  // False: it is of an epoch that is over, or none.
  [[nodiscard]] bool receive_handshake(const Handshake& handshake);
  [[nodiscard]] std::optional<Handshake> take_handshake() { return std::exchange(received_, std::nullopt); }
  // Then, in this order, as far as each leads on to the next one: open, after which it is met; join, after which these
  // are joined; and shake hands.
  [[nodiscard]] Action answer(const Handshake& theirs);
  [[nodiscard]] Action meet(const Handshake& theirs) const;
  [[nodiscard]] Action joined(LaneSet lanes, const Handshake& theirs);

  // Handshakes to there, one at a time over each lane.
  [[nodiscard]] bool may_shake_hands(int lane) const { return !has_lane(under_way_, lane); }
  void note_handshake_sent(int lane, bool was_taken) { (was_taken ? under_way_ : unsent_) |= bit_of(lane); }
  [[nodiscard]] LaneSet take_unsent() { return std::exchange(unsent_, LaneSet{0}); }
  // It has arrived, or not: then it is said again in time, as what it said may be old by now. True: it has found a lane
  // that was missing.
  [[nodiscard]] bool finish_handshake(int lane, Handshake::Kind kind, bool has_arrived);
  // With the lanes that were found since.
  [[nodiscard]] Action take_found();

 private:
  [[nodiscard]] Action begin(std::uint32_t epoch, LaneSet lanes);

  const LaneSet all_;
  SessionPhase phase_ = SessionPhase::unknown;
  std::uint32_t epoch_ = 0;
  LaneSet lanes_ = 0;
  LaneSet found_ = 0;                   // of those that are missing
  LaneSet under_way_ = 0, unsent_ = 0;  // handshakes
  bool is_apart_ = false;
  std::optional<Handshake> received_;
};

}  // namespace espalier
