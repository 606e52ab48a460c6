// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/sender.hpp"

#include <algorithm>

#include "transport/fabric/protocol/lane_set.hpp"

namespace espalier {

void Sender::remove(Outlet& outlet) {
  std::erase(outlets_, &outlet);
  outlet.forget_grants();
  outlet.unacknowledged.clear();
}

void Sender::end_epoch() {
  for (const auto& link : links_.all()) {
    for (Write& write : link->writes()) {
      if (write.outlet == nullptr) continue;
      write.outlet->unacknowledged.push_back(write.piece);
      link->forget(write);
    }
  }
  for (Outlet* const outlet : outlets_) outlet->forget_grants();
}

void Sender::forget_records() {
  records_.clear();
  records_sent_ = 0;
}

// --- Records ---

void Sender::send_record(const FabricRecord& record) {
  records_.push_back(record);
  has_pending_work_ = true;
}

void Sender::send_records() {
  while (records_sent_ < records_.size()) {
    const std::size_t count = links_.first().send(std::span(records_).subspan(records_sent_));
    if (count == 0) {
      has_pending_work_ = true;
      return;
    }
    records_sent_ += count;
  }
  forget_records();
}

// --- Pieces ---

void Sender::write(Outlet& outlet) {
  while (write_next(outlet)) continue;
}

void Sender::write_all() {
  ++next_outlet_;
  for (std::size_t k = 0; k < outlets_.size(); ++k) write(*outlets_[(next_outlet_ + k) % outlets_.size()]);
}

Outlet* Sender::find(const FabricRecord::Grant& grant) const {
  const auto found = std::ranges::find_if(outlets_, [&](const Outlet* outlet) {
    return outlet->channel == grant.channel && outlet->run.run_name() == grant.run;
  });
  return found != outlets_.end() ? *found : nullptr;
}

// False if there is nothing that may be written, or no room; then it says that it wants to go on.
bool Sender::write_next(Outlet& outlet) {
  while (outlet.is_granted() && outlet.granted[outlet.next_granted].pieces == 0) ++outlet.next_granted;
  if (!outlet.is_granted()) {
    outlet.forget_grants();
    return false;
  }
  Granted& granted = outlet.granted[outlet.next_granted];
  const std::uint64_t piece = granted.first_piece;
  const bool is_unacknowledged = piece < outlet.next_piece;
  const auto unacknowledged = std::ranges::find(outlet.unacknowledged, piece, &FabricPiece::number);
  if (is_unacknowledged ? unacknowledged == outlet.unacknowledged.end()
                        : !outlet.has_next() || !has_turn(outlet) || piece >= outlet.done.count() + Prefix::max_ahead) {
    return false;
  }
  const FabricPiece next = is_unacknowledged ? *unacknowledged : outlet.next();
  const bool fills_grant = granted.pieces > 1 || next.bytes == granted.bytes;
  if (next.bytes > granted.bytes || !fills_grant) {
    outlet.run.fail(other_length, to_);
    return false;
  }
  if (!write_by_any(outlet, granted, next)) {
    has_pending_work_ = true;
    return false;
  }
  ++granted.first_piece;
  --granted.pieces;
  granted.address += next.bytes;
  granted.bytes -= next.bytes;
  if (is_unacknowledged) {
    outlet.unacknowledged.erase(unacknowledged);
  } else {
    outlet.pass();
    if (!outlet.has_next()) turns_.remove(outlet);
  }
  return true;
}

// What goes by one NIC begins when that is nearly through with what came before: otherwise messages to several
// processes share it by chance, and each of these gets another one's place. Of what has to wait for others, nobody says
// when they are late: so it asks again.
bool Sender::has_turn(const Outlet& outlet) {
  if (turns_.has(outlet) && (!outlet.is_at_begin() || is_nearly_free(outlet))) [[likely]]
    return true;
  has_pending_work_ = true;
  return false;
}

// True also where it is not to wait: for a NIC that has failed, or if nobody may look in time.
bool Sender::is_nearly_free(const Outlet& outlet) const {
  const Path path = outlet.path;
  if (!names_one_nic(path) || (lanes_ & lanes_of(path)) == 0 || !outlet.run.is_attended()) return true;
  const LaneLoad* const lane = links_.lane(nic_of(path));
  return lane == nullptr || lane->is_nearly_free();
}

// One that is not connected yet has the least to do.
bool Sender::write_by_any(Outlet& outlet, const Granted& granted, const FabricPiece& piece) {
  Link* const first = best_link(outlet.path, piece.bytes, nullptr);
  if (first == nullptr) return false;
  if (first->write(outlet, granted, piece)) return true;
  Link* const second = best_link(outlet.path, piece.bytes, first);
  return second != nullptr && second->write(outlet, granted, piece);
}

// The one that would be through with a piece first, by turns; of those of the path, if there are any, or those whose
// lane nobody else uses now, unless the path names one NIC. To share lanes out evenly, streams keep to theirs as long
// as others are busy. Null: there is none, or it has no room yet; a slower one would hold up all pieces after this one.
Link* Sender::best_link(Path path, std::size_t bytes, const Link* other_than) {
  const LaneSet own = lanes_ & lanes_of(path);
  Link* best = nullptr;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& link = links_[(next_link_ + k) % links_.size()];
    const bool is_others = own != 0 && !has_lane(own, link.lane().number());
    if (&link == other_than || (is_others && (names_one_nic(path) || link.lane().is_busy()))) continue;
    if (best == nullptr) {
      best = &link;
      continue;
    }
    const Link::LinkTime time = link.time_for(bytes), least = best->time_for(bytes);
    if (time < least || (time == least && !best->has_room(path))) best = &link;
  }
  ++next_link_;
  return best != nullptr && best->has_room(path) ? best : nullptr;
}

// --- What is over ---

void Sender::finish(Write& write) {
  Outlet& outlet = *write.outlet;
  write.link->finish(write);
  outlet.note_done(write.piece.number);
  has_pending_work_ = true;  // there is room now, for the one whose turn it is
}

void Sender::settle_doubts() {
  for (Outlet* const outlet : outlets_) settle_doubts(*outlet);
}

void Sender::settle_doubts(Outlet& outlet) {
  const auto is_granted = [&](const FabricPiece& unacknowledged) {
    return std::ranges::any_of(outlet.granted, [&](const Granted& granted) {
      return unacknowledged.number - granted.first_piece < granted.pieces;
    });
  };
  std::erase_if(outlet.unacknowledged, [&](const FabricPiece& unacknowledged) {
    if (is_granted(unacknowledged)) return false;
    (void)outlet.done.add(unacknowledged.number);
    return true;
  });
  outlet.complete();
}

}  // namespace espalier
