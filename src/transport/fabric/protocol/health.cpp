// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/health.hpp"

#include <algorithm>

#include "transport/fabric/protocol/lane_set.hpp"
#include "transport/fabric/wire/patience.hpp"

namespace espalier {

void Health::establish(std::size_t links, TimePoint now) {
  quiet_.assign(links, {now, {}});
  expects_since_ = now;
}

void Health::note_broken(int lane, TimePoint now) {
  if (broken_ == 0) broken_since_ = now;
  broken_ |= bit_of(lane);
}

void Health::note_darkness(TimePoint now) {
  if (!dark_since_) dark_since_ = now;
}

LaneSet Health::dead_lanes(const LinkSet& links, TimePoint now, const Watching& view) {
  note_movements(links, now, view);
  for (const auto& link : links.all()) {
    if (link->is_broken()) note_broken(link->lane().number(), now);
  }
  const bool is_explained = broken_ != 0 && now - broken_since_ < time_to_explain;
  return is_explained ? LaneSet{0} : static_cast<LaneSet>(silent_lanes(links, now) | broken_);
}

void Health::note_movements(const LinkSet& links, TimePoint now, const Watching& view) {
  if (std::exchange(has_received_, false) || !view.expects || view.away) expects_since_ = now;
  for (std::size_t k = 0; k < links.size(); ++k) {
    Link& link = *links.all()[k];
    const bool has_moved = link.has_moved();
    if (has_moved) quiet_[k].moved = now;
    if (has_moved || !link.is_waiting() || view.away) quiet_[k].since = now;
  }
}

// The kernel connects at once, also to a process that is busy. A process that has nothing under way, but expects
// something, looks less often: the other one may just be late.
LaneSet Health::silent_lanes(const LinkSet& links, TimePoint now) {
  const bool sends = std::ranges::any_of(links.all(), [](const auto& link) { return link->is_waiting(); });
  if (now - looked_ < (sends ? time_between_looks : time_between_empty_looks)) return 0;
  looked_ = now;
  const TimePoint latest = std::ranges::max(quiet_, {}, &Quiet::moved).moved;
  LaneSet silent = 0;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& link = *links.all()[k];
    if (is_silent(link, quiet_[k], latest, now)) silent |= bit_of(link.lane().number());
  }
  return silent;
}

bool Health::is_silent(const Link& link, const Quiet& quiet, TimePoint latest, TimePoint now) const {
  const auto time = now - (link.is_waiting() ? quiet.since : expects_since_);
  if (time < quiet_time) return false;
  const bool is_behind = link.is_waiting() && latest - quiet.since > time_behind_others;
  const Pulse pulse = link.pulse();
  const bool is_unconnected = link.was_refused() && pulse != Pulse::alive && time > time_behind_others;
  return is_behind || is_unconnected || !link.has_carrier() || pulse == Pulse::dead;
}

bool Health::wants_ping(TimePoint now) {
  if (now - pinged_ < time_between_pings) return false;
  pinged_ = now;
  return true;
}

bool Health::is_unanswered(TimePoint now) const { return now - shook_hands_at_ >= time_between_handshakes; }

// A process that is merely busy is reached at its listeners; but that is of no use to one that has no links to offer,
// or is offered none. Where no connection is made, nothing can be said.
void Health::note_unanswered(const Listeners& listeners, TimePoint now) {
  const bool is_short = listeners.are_descriptors_used_up;
  if (!listeners.are_of_use || listeners.pulse == Pulse::dead || (listeners.pulse == Pulse::none && is_short)) {
    note_darkness(now);
  } else if (listeners.pulse == Pulse::alive && !is_short) {
    dark_since_.reset();
  }
}

}  // namespace espalier
