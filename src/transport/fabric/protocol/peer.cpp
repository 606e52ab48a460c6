// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/peer.hpp"

#include <algorithm>

namespace espalier {

namespace {

Distance within_limits(const Distance& distance, int lanes) {
  return {.links = std::clamp(distance.links, 1, max_links / std::max(lanes, 1)),
          .bytes_under_way = distance.bytes_under_way};
}

Peer::PeerOptions within_limits(Peer::PeerOptions options) {
  options.distance = within_limits(options.distance, options.lanes);
  return options;
}

}  // namespace

Peer::Peer(const PeerOptions& options, std::unique_ptr<Gateway> gateway, Turns& turns)
    : options_(within_limits(options)),
      gateway_(std::move(gateway)),
      session_(first_lanes(options.lanes)),
      sender_(links_, turns, options.rank),
      health_(options.lane_timeout) {}

void Peer::add(Inlet& inlet) {
  inlets_.push_back(&inlet);
  if (aborted_there_.has(inlet.run.run_name())) inlet.run.fail(aborted_elsewhere, rank());
  follow(session_.want());
}

void Peer::add(Outlet& outlet) {
  sender_.add(outlet);
  if (aborted_there_.has(outlet.run.run_name())) outlet.run.fail(aborted_elsewhere, rank());
  follow(session_.want());
  grants_.move_kept_to(outlet);
}

// --- Epochs ---

void Peer::follow(Session::Action action) {
  if (action == Session::Action::open) open_epoch();
}

void Peer::open_epoch() {
  gateway_->note_epoch();
  close_links();
  health_.begin_epoch();
  sender_.forget_records();
  grants_.forget();
  links_.open(*gateway_, *this, session_.lanes(), options_.distance);
  shake_hands();
}

void Peer::close_links() {
  links_.close(*gateway_);
  sender_.end_epoch();
  gateway_->keep_for_a_while(links_.take());
}

Handshake Peer::handshake() const {
  Handshake handshake;
  handshake.wants_answer = is_up() ? 0 : 1;
  handshake.epoch = session_.epoch();
  handshake.lanes = session_.lanes();
  links_.offer(*gateway_, handshake);
  return handshake;
}

// At all listeners: one of them may be all that is left.
void Peer::shake_hands() {
  health_.note_handshake(gateway_->now());
  const Handshake handshake = this->handshake();
  for (int lane = 0; lane < options_.lanes; ++lane) shake_hands_at(lane, handshake);
}

void Peer::shake_hands_at(int lane, const Handshake& handshake) {
  if (!session_.may_shake_hands(lane)) return;
  const bool was_taken = gateway_->shake_hands(lane, handshake, *this);
  session_.note_handshake_sent(lane, was_taken);
  if (!was_taken) has_pending_work_ = true;
}

void Peer::repeat_handshake() {
  const LaneSet unsent = session_.take_unsent();
  if (unsent == 0 || session_.phase() == Session::SessionPhase::unknown) return;
  const Handshake handshake = this->handshake();
  for (int lane = 0; lane < options_.lanes; ++lane) {
    if (has_lane(unsent, lane)) shake_hands_at(lane, handshake);
  }
}

void Peer::finish_handshake(int lane, Handshake::Kind kind, int error) {
  if (session_.finish_handshake(lane, kind, error == 0)) has_pending_work_ = true;
}

void Peer::receive_handshake(const Handshake& handshake) {
  if (session_.receive_handshake(handshake)) has_pending_work_ = true;
}

void Peer::answer(const Handshake& theirs) {
  using Action = Session::Action;
  Action action = session_.answer(theirs);
  if (action == Action::open) {
    open_epoch();
    action = session_.meet(theirs);
  }
  if (action == Action::join) action = join(theirs);
  if (action == Action::shake_hands) shake_hands();
}

Session::Action Peer::join(const Handshake& theirs) {
  const Session::Action action = session_.joined(links_.join(theirs), theirs);
  if (is_up()) establish();
  return action;
}

void Peer::establish() {
  health_.establish(links_.size(), gateway_->now());
  sender_.begin_epoch(session_.lanes());
  const auto [me, rank] = std::pair(options_.me, options_.rank);
  links_.first().expect_records({.out = Seal(options_.secret, me, rank, session_.epoch()),
                                 .in = Seal(options_.secret, rank, me, session_.epoch())});
  for (const Inlet* const inlet : inlets_) grant_again(*inlet);
  sender_.send_record(FabricRecord());  // caught up
  for (const RunName& run : aborted_here_.all()) {
    FabricRecord record;
    record.kind = FabricRecord::Kind::aborted;
    record.grant = {.run = run};
    sender_.send_record(record);
  }
  for (Outlet* const outlet : sender_.outlets()) sender_.write(*outlet);
  has_pending_work_ = true;
}

// --- Receiving ---

void Peer::grant(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces, std::byte* data,
                 std::size_t bytes) {
  if (!is_up()) return;
  const WritableRegion* const region = bytes != 0 ? &inlet.run.open_to_writes(data, bytes) : nullptr;
  if (region != nullptr && grants_.is_new(*region)) sender_.send_record(Grants::record_of(*region));
  sender_.send_record(Grants::record_of(inlet, first_piece, pieces, data, bytes, region));
}

// What has not arrived of all that was granted.
void Peer::grant_again(const Inlet& inlet) {
  inlet.for_each_granted([&](const FabricPiece& piece) {
    if (!inlet.done.has(piece.number)) grant(inlet, piece.number, 1, piece.data, piece.bytes);
  });
}

void Peer::send_word(const FabricWord& word) {
  if (!is_up()) return;
  FabricRecord record;
  record.kind = FabricRecord::Kind::word;
  record.word = word;
  sender_.send_record(record);
}

void Peer::send_grants() noexcept {
  if (is_up()) sender_.send_records();
}

void Peer::take(RecordMessage& received, std::size_t bytes) {
  for (const FabricRecord& record : received.link->open(received, bytes)) take(record);
  if (received.link->has_lost_records()) has_pending_work_ = true;
}

void Peer::take(const FabricRecord& record) {
  switch (record.kind) {
    case FabricRecord::Kind::region: grants_.note_region(record); break;
    case FabricRecord::Kind::grant: take_grant(record); break;
    case FabricRecord::Kind::caught_up: sender_.settle_doubts(); break;
    case FabricRecord::Kind::aborted: take_abort(record.grant.run); break;
    case FabricRecord::Kind::word: gateway_->receive_word(record.word); break;
  }
}

void Peer::take_grant(const FabricRecord& record) {
  const std::optional<Granted> granted = grants_.read(record);
  if (!granted) return;
  Outlet* const outlet = sender_.find(record.grant);
  if (outlet == nullptr) return grants_.keep(record, *granted);
  outlet->granted.push_back(*granted);
  write(*outlet);
}

// Where that run has not begun, it fails as it does.
void Peer::take_abort(const RunName& run) {
  if (aborted_there_.has(run)) return;
  aborted_there_.add(run);
  const auto fail = [&](StreamEnd* stream) {
    if (stream->run.run_name() == run) stream->run.fail(aborted_elsewhere, rank());
  };
  std::ranges::for_each(inlets_, fail);
  std::ranges::for_each(sender_.outlets(), fail);
}

// --- What is over ---

// What went wrong stays under way until the epoch ends: then the other side says whether it has arrived.
void Peer::finish(Write& write, int error) {
  if (write.outlet == nullptr) return;  // of an epoch that is over
  if (error != 0) return note_broken(*write.link);
  health_.note_arrival();
  sender_.finish(write);
}

void Peer::finish(RecordMessage& sent, int error) {
  if (!sent.link->is_open()) return;
  if (error != 0) return note_broken(*sent.link);
  sent.link->finish(sent);
  health_.note_arrival();
}

void Peer::note_broken(const Link& link) { health_.note_broken(link.lane().number(), gateway_->now()); }

void Peer::fence() noexcept try { follow(session_.fence()); } catch (const std::exception&) {
  abort(lack_of_memory);
}

void Peer::go_on() noexcept try { try_to_go_on(); } catch (const std::exception&) {
  abort(lack_of_memory);
}

void Peer::try_to_go_on() {
  has_pending_work_ = false;
  sender_.begin_round();
  if (const std::optional<Handshake> theirs = session_.take_handshake()) answer(*theirs);
  if (is_up() && links_.first().has_lost_records()) follow(session_.fence());
  follow(session_.take_found());
  repeat_handshake();
  if (!is_up()) return;
  sender_.send_records();
  sender_.write_all();
}

// --- Watching ---

void Peer::watch(Clock::time_point now, bool away) noexcept try {
  const bool was_idle = std::exchange(is_idle_, inlets_.empty() && sender_.outlets().empty());
  if (is_idle_) return;
  is_up() ? watch_links(now, away || was_idle) : watch_handshake(now);
} catch (const std::exception&) {
  abort(lack_of_memory);
}

void Peer::watch_links(Clock::time_point now, bool away) {
  const LaneSet dead = health_.dead_lanes(links_, now, {.away = away, .expects = !inlets_.empty()});
  if (dead == 0) return look_for_missing_lanes(now);
  // Connections that cannot be made for lack of descriptors fail again in each epoch.
  if (gateway_->are_descriptors_used_up()) health_.note_darkness(now);
  health_.is_dark_for_too_long(now) ? abort_in_darkness() : follow(session_.lose(dead));
}

// One of the two does.
void Peer::look_for_missing_lanes(Clock::time_point now) {
  if (session_.missing_lanes() == 0 || options_.me > rank() || !health_.wants_ping(now)) return;
  Handshake ping = handshake();
  ping.kind = Handshake::Kind::ping;
  ping.endpoint_count = 0;
  for (int lane = 0; lane < options_.lanes; ++lane) {
    if (has_lane(session_.missing_lanes(), lane) && gateway_->has_carrier(lane)) shake_hands_at(lane, ping);
  }
}

// The best one.
Pulse Peer::pulse_of_listeners() const {
  bool all_are_dead = true;
  for (int lane = 0; lane < options_.lanes; ++lane) {
    const Pulse pulse = gateway_->has_carrier(lane) ? gateway_->pulse_of_listener(lane) : Pulse::dead;
    if (pulse == Pulse::alive) return pulse;
    all_are_dead = all_are_dead && pulse == Pulse::dead;
  }
  return all_are_dead ? Pulse::dead : Pulse::none;
}

void Peer::watch_handshake(Clock::time_point now) {
  if (!health_.is_unanswered(now)) return;
  health_.note_unanswered({.pulse = pulse_of_listeners(),
                           .are_descriptors_used_up = gateway_->are_descriptors_used_up(),
                           .are_of_use = !session_.is_apart() && !links_.empty()},
                          now);
  if (health_.is_dark_for_too_long(now)) return abort_in_darkness();
  session_.is_apart() ? follow(session_.try_all()) : shake_hands();
}

// Asked before links are closed, which leaves some free.
void Peer::abort_in_darkness() noexcept {
  abort(gateway_->are_descriptors_used_up() ? lack_of_descriptors : lack_of_lanes);
}

// All runs with it end with an error; the next one tries again.
void Peer::abort(FabricError lack) noexcept {
  session_.abort();
  try {
    close_links();
  } catch (const std::exception&) {
    // On allocation failure to note what was under way: it fails anyway.
  }
  health_.abort();
  for (Inlet* const inlet : inlets_) inlet->run.fail(lack, rank());
  for (Outlet* const outlet : sender_.outlets()) outlet->run.fail(lack, rank());
}

}  // namespace espalier
