// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/session.hpp"

#include <algorithm>

namespace espalier {

Session::Action Session::begin(std::uint32_t epoch, LaneSet lanes) {
  phase_ = SessionPhase::greeting;
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

bool Session::hear(const Greeting& greeting) {
  if (greeting.kind != Greeting::Kind::hello) return false;
  if (heard_ && heard_->epoch > greeting.epoch) return false;
  heard_ = greeting;
  return true;
}

Session::Action Session::answer(const Greeting& theirs) {
  if (theirs.epoch < epoch_) return Action::greet;
  const bool is_unknown = phase_ == SessionPhase::unknown;
  if (theirs.epoch == epoch_ && !is_unknown) return meet(theirs);
  const auto lanes = static_cast<LaneSet>(theirs.lanes & all_);
  return begin(std::max(theirs.epoch, epoch_ + (is_unknown ? 1 : 0)), lanes != 0 ? lanes : all_);
}

Session::Action Session::meet(const Greeting& theirs) const {
  if (phase_ == SessionPhase::greeting && theirs.epoch == epoch_) return Action::join;
  return is_up() && theirs.wants_answer != 0 ? Action::greet : Action::none;
}

Session::Action Session::joined(LaneSet lanes, const Greeting& theirs) {
  lanes_ = lanes;
  is_apart_ = lanes == 0;
  if (is_apart_) return Action::none;  // for a while
  phase_ = SessionPhase::up;
  return meet(theirs);
}

bool Session::finish_greeting(int lane, Greeting::Kind kind, bool has_arrived) {
  under_way_ = without(under_way_, bit_of(lane));
  const bool is_missing = is_up() && !has_lane(lanes_, lane);
  if (!has_arrived || !is_missing || kind != Greeting::Kind::ping) return false;
  found_ |= bit_of(lane);
  return true;
}

Session::Action Session::take_found() {
  const LaneSet found = std::exchange(found_, LaneSet{0});
  return found != 0 && is_up() ? begin(epoch_ + 1, lanes_ | found) : Action::none;
}

}  // namespace espalier
