// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/session.hpp"

#include <algorithm>

namespace espalier {

Session::Action Session::begin(std::uint32_t epoch, LaneSet lanes) {
  phase_ = SessionPhase::handshake;
  epoch_ = epoch;
  lanes_ = lanes;
  is_apart_ = false;
  return Action::open;
}

Session::Action Session::want() { return phase_ == SessionPhase::unknown ? try_all() : Action::none; }

Session::Action Session::lose(LaneSet dead) {
  const LaneSet left = without(lanes_, dead);
  return begin(epoch_ + 1, left != 0 ? left : all_);
}

bool Session::receive_handshake(const Handshake& handshake) {
  if (handshake.kind != Handshake::Kind::hello) return false;
  if (received_ && received_->epoch > handshake.epoch) return false;
  received_ = handshake;
  return true;
}

Session::Action Session::answer(const Handshake& theirs) {
  if (theirs.epoch < epoch_) return Action::shake_hands;
  const bool is_unknown = phase_ == SessionPhase::unknown;
  if (theirs.epoch == epoch_ && !is_unknown) return meet(theirs);
  const auto lanes = static_cast<LaneSet>(theirs.lanes & all_);
  return begin(std::max(theirs.epoch, epoch_ + (is_unknown ? 1 : 0)), lanes != 0 ? lanes : all_);
}

Session::Action Session::meet(const Handshake& theirs) const {
  if (phase_ == SessionPhase::handshake && theirs.epoch == epoch_) return Action::join;
  return is_up() && theirs.wants_answer != 0 ? Action::shake_hands : Action::none;
}

Session::Action Session::joined(LaneSet lanes, const Handshake& theirs) {
  lanes_ = lanes;
  is_apart_ = lanes == 0;
  if (is_apart_) return Action::none;  // for a while
  phase_ = SessionPhase::up;
  return meet(theirs);
}

bool Session::finish_handshake(int lane, Handshake::Kind kind, bool has_arrived) {
  under_way_ = without(under_way_, bit_of(lane));
  const bool is_missing = is_up() && !has_lane(lanes_, lane);
  if (!has_arrived || !is_missing || kind != Handshake::Kind::ping) return false;
  found_ |= bit_of(lane);
  return true;
}

Session::Action Session::take_found() {
  const LaneSet found = std::exchange(found_, LaneSet{0});
  return found != 0 && is_up() ? begin(epoch_ + 1, lanes_ | found) : Action::none;
}

}  // namespace espalier
