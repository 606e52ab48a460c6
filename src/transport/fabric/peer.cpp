// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/peer.hpp"

#include <algorithm>
#include <new>

#include "transport/fabric/fabric.hpp"
#include "transport/fabric/fabric_port.hpp"
#include "transport/fabric/lanes/descriptors.hpp"
#include "transport/fabric/lanes/door.hpp"
#include "transport/fabric/wire/patience.hpp"

namespace espalier {

namespace {

constexpr LaneSet bit_of(int lane) { return static_cast<LaneSet>(1U << lane); }

// A schedule that names a NIC without insisting on it has a stream for every second one.
constexpr LaneSet even_lanes = 0x55, odd_lanes = 0xAA;

constexpr LaneSet lanes_of(Path path) {
  if (names_one_nic(path)) return nic_of(path) < max_lanes ? bit_of(nic_of(path)) : LaneSet{0};
  if (path == 0 || path == by_all_in_turn) return 0;
  return path == 1 ? even_lanes : odd_lanes;
}

}  // namespace

Peer::Peer(Fabric& fabric, Rank rank, const Card& card, Distance distance)
    : fabric_(fabric),
      rank_(rank),
      lane_count_(fabric.lanes_to(rank)),
      distance_{.links = std::clamp(distance.links, 1, max_links / std::max(lane_count_, 1)),
                .bytes_under_way = distance.bytes_under_way},
      doors_(card.doors),
      greetings_(fabric.secret(), fabric.options().me, rank, 0) {
  door_addresses_.fill(FI_ADDR_NOTAVAIL);
}

Peer::~Peer() = default;

void Peer::add(Inlet& inlet) {
  inlets_.push_back(&inlet);
  if (given_up_there_.has(inlet.port.run_name())) inlet.port.fail_with(*this);
  if (state_ == State::unknown) begin_epoch(epoch_ + 1, all_lanes());
}

void Peer::add(Outlet& outlet, const RunName& run) {
  outlets_.push_back(&outlet);
  if (given_up_there_.has(run)) outlet.port.fail_with(*this);
  if (state_ == State::unknown) begin_epoch(epoch_ + 1, all_lanes());
  std::erase_if(early_, [&](const Early& early) {
    const bool is_its = early.run == run && early.channel == outlet.channel;
    if (is_its) outlet.granted.push_back(early.granted);
    return is_its;
  });
}

void Peer::remove(Outlet& outlet) {
  std::erase(outlets_, &outlet);
  outlet.granted.clear();
  outlet.next_granted = 0;
  outlet.doubtful.clear();
}

// --- Epochs ---

void Peer::begin_epoch(std::uint32_t epoch, LaneSet lanes) {
  ++fabric_.epochs;
  close_links();
  epoch_ = epoch;
  lanes_ = lanes;
  broken_ = 0;
  records_.clear();
  records_sent_ = 0;
  early_.clear();
  their_regions_.fill({});
  told_regions_.fill(0);
  are_apart_ = false;
  open_links();
  greet(true);
}

// What comes in meanwhile came in time.
void Peer::close_links() {
  state_ = State::greeting;
  end_connections();
  for (const auto& link : links_) link->close();
  fabric_.drain();
  for (const auto& link : links_) {
    for (Write& write : link->writes()) {
      if (write.outlet == nullptr) continue;
      write.outlet->doubtful.push_back(write.piece);
      link->forget(write);
    }
  }
  for (Outlet* const outlet : outlets_) {
    outlet->granted.clear();
    outlet->next_granted = 0;
  }
  fabric_.keep_for_a_while(std::move(links_));
  links_.clear();
}

void Peer::end_connections() {
  constexpr int max_rounds = 16;
  const auto end = [](const auto& link) { return end_connections_to(link->name()); };
  for (int round = 0; round < max_rounds && std::ranges::count_if(links_, end) > 0; ++round) fabric_.drain();
}

void Peer::open_links() {
  for (int lane = 0; lane < lane_count_; ++lane) {
    if ((lanes_ & bit_of(lane)) != 0) open_links(*fabric_.lanes()[static_cast<std::size_t>(lane)]);
  }
}

void Peer::open_links(Lane& lane) try {
  for (int k = 0; k < distance_.links; ++k)
    links_.push_back(std::make_unique<Link>(lane, *this, distance_.bytes_under_way));
} catch (const NoFabric&) {
  // Those that could not be opened are not offered.
}

Greeting Peer::greeting(bool wants_answer) const {
  Greeting greeting;
  greeting.wants_answer = wants_answer ? 1 : 0;
  greeting.epoch = epoch_;
  greeting.lanes = lanes_;
  for (const auto& link : links_) {
    Greeting::Endpoint& endpoint = greeting.endpoints[greeting.endpoint_count++];
    endpoint.lane = static_cast<std::uint8_t>(link->lane().number());
    std::tie(endpoint.key, endpoint.base) = fabric_.anchor(link->lane().number());
    endpoint.name = link->name();
  }
  return greeting;
}

// At all doors: one of them may be all that is left.
void Peer::greet(bool wants_answer) {
  greeted_ = Clock::now();
  const Greeting greeting = this->greeting(wants_answer);
  for (int lane = 0; lane < lane_count_; ++lane) greet_at(lane, greeting);
}

void Peer::greet_at(int lane, const Greeting& greeting) {
  if ((greeting_under_way_ & bit_of(lane)) != 0) return;
  fi_addr_t& address = door_addresses_[static_cast<std::size_t>(lane)];
  if (address == FI_ADDR_NOTAVAIL) {
    address = fabric_.lanes()[static_cast<std::size_t>(lane)]->insert(doors_[static_cast<std::size_t>(lane)]);
    if (address == FI_ADDR_NOTAVAIL) throw std::bad_alloc();
  }
  if (fabric_.door(lane).send(greeting, greetings_, ++greetings_sent_, address, *this)) {
    greeting_under_way_ |= bit_of(lane);
  } else {
    greeting_unsent_ |= bit_of(lane);
    is_restless_ = true;
  }
}

// Has arrived, or not: then it is said again in time, as what it said may be old by now.
void Peer::finish_greeting(int lane, Greeting::Kind kind, int error) {
  greeting_under_way_ &= static_cast<LaneSet>(~bit_of(lane));
  const bool is_missing = state_ == State::up && (lanes_ & bit_of(lane)) == 0;
  if (error != 0 || !is_missing || kind != Greeting::Kind::ping) return;
  found_lanes_ |= bit_of(lane);
  is_restless_ = true;
}

// What libfabric says is only noted, since links must not be closed while it is being asked.
void Peer::hear(const Greeting& greeting) {
  if (greeting.kind != Greeting::Kind::hello) return;
  if (heard_ && heard_->epoch > greeting.epoch) return;
  heard_ = greeting;
  is_restless_ = true;
}

void Peer::answer(const Greeting& theirs) {
  if (theirs.epoch < epoch_) return greet(state_ != State::up);
  if (theirs.epoch > epoch_ || state_ == State::unknown) {
    const auto lanes = static_cast<LaneSet>(theirs.lanes & all_lanes());
    begin_epoch(std::max(theirs.epoch, epoch_ + (state_ == State::unknown ? 1 : 0)), lanes != 0 ? lanes : all_lanes());
  }
  if (state_ == State::greeting && theirs.epoch == epoch_) come_up(theirs);
  if (state_ == State::up && theirs.wants_answer != 0) greet(false);
}

void Peer::come_up(const Greeting& theirs) {
  are_apart_ = !connect(theirs);
  if (are_apart_) return;  // for a while
  state_ = State::up;
  quiet_.assign(links_.size(), {Clock::now(), {}});
  expects_since_ = Clock::now();
  const Rank me = fabric_.options().me;
  links_.front()->expect_records(
      {.out = Seal(fabric_.secret(), me, rank_, epoch_), .in = Seal(fabric_.secret(), rank_, me, epoch_)},
      fabric_.unguessable().next());
  for (const Inlet* const inlet : inlets_) grant_again(*inlet);
  tell(FabricRecord());  // caught up
  for (const RunName& run : given_up_here_.all()) {
    FabricRecord record;
    record.kind = FabricRecord::Kind::given_up;
    record.grant = {.run = run};
    tell(record);
  }
  for (Outlet* const outlet : outlets_) write(*outlet);
  is_restless_ = true;
}

// The k-th of a lane is joined with the k-th of that lane there; what has no partner goes. False if nothing is left.
bool Peer::connect(const Greeting& theirs) {
  std::vector<std::unique_ptr<Link>> joined;
  std::size_t next = 0;
  LaneSet lanes = 0;
  for (auto& link : links_) {
    const int lane = link->lane().number();
    while (next < theirs.endpoint_count && theirs.endpoints[next].lane < lane) ++next;
    if (next == theirs.endpoint_count || theirs.endpoints[next].lane != lane) continue;
    if (!link->connect(theirs.endpoints[next++])) continue;
    lanes |= bit_of(lane);
    joined.push_back(std::move(link));
  }
  links_ = std::move(joined);
  lanes_ = lanes;
  return !links_.empty();
}

// --- Receiving ---

void Peer::grant(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces, std::byte* data,
                 std::size_t bytes) {
  if (state_ != State::up) return;  // come_up() will
  FabricRecord record;
  record.kind = FabricRecord::Kind::grant;
  record.grant = {.run = inlet.port.run_name(),
                  .inlet = inlet.number,
                  .offset = 0,
                  .bytes = bytes,
                  .first_piece = first_piece,
                  .pieces = pieces,
                  .channel = inlet.channel,
                  .reserved = 0};
  if (bytes != 0) {
    const RegisteredMemory& region = inlet.port.open_to_writes(data, bytes);
    record.region = region.id;
    record.grant.offset = static_cast<std::uint64_t>(data - region.area.begin);
    tell_region(region);
  }
  tell(record);
}

// Once in an epoch, as long as the other side has a place for it.
void Peer::tell_region(const RegisteredMemory& region) {
  std::uint32_t& told = told_regions_[region.id % max_regions];
  if (told == region.id) return;
  told = region.id;
  FabricRecord record;
  record.kind = FabricRecord::Kind::region;
  record.region = region.id;
  bool has_base = false;
  for (const auto& lane : fabric_.lanes()) {
    const auto number = static_cast<std::size_t>(lane->number());
    record.where.keys[number] = fi_mr_key(region.of_lane[number].get());
    if (!std::exchange(has_base, true)) record.where.base = lane->remote_base(region.area.begin);
  }
  tell(record);
}

void Peer::say(const FabricWord& word) {
  if (state_ != State::up) return;
  FabricRecord record;
  record.kind = FabricRecord::Kind::word;
  record.word = word;
  tell(record);
}

void Peer::send_grants() noexcept {
  if (state_ == State::up && !send_records()) is_restless_ = true;
}

// What has not arrived of all that was granted.
void Peer::grant_again(const Inlet& inlet) {
  inlet.for_each_granted([&](const FabricPiece& piece) {
    if (!inlet.done.has(piece.number)) grant(inlet, piece.number, 1, piece.data, piece.bytes);
  });
}

// --- Records ---

void Peer::tell(const FabricRecord& record) {
  records_.push_back(record);
  is_restless_ = true;
}

// True if all are sent.
bool Peer::send_records() {
  while (records_sent_ < records_.size()) {
    const std::size_t count = links_.front()->send(std::span(records_).subspan(records_sent_));
    if (count == 0) return false;
    records_sent_ += count;
  }
  records_.clear();
  records_sent_ = 0;
  return true;
}

void Peer::take(RecordMessage& received, std::size_t bytes) {
  for (const FabricRecord& record : received.link->open(received, bytes)) take(record);
  if (received.link->has_lost_records()) is_restless_ = true;
}

void Peer::take(const FabricRecord& record) {
  switch (record.kind) {
    case FabricRecord::Kind::region: their_regions_[record.region % max_regions] = {record.region, record.where}; break;
    case FabricRecord::Kind::grant: take_grant(record); break;
    case FabricRecord::Kind::caught_up:
      for (Outlet* const outlet : outlets_) settle_doubts(*outlet);
      break;
    case FabricRecord::Kind::given_up: take_given_up(record.grant.run); break;
    case FabricRecord::Kind::word: fabric_.hear(rank_, record.word); break;
  }
}

void Peer::take_grant(const FabricRecord& record) {
  Granted granted{.first_piece = record.grant.first_piece,
                  .pieces = record.grant.pieces,
                  .inlet = record.grant.inlet,
                  .has_bytes = record.region != 0};
  if (granted.has_bytes) {
    const RemoteRegion& region = their_regions_[record.region % max_regions];
    if (region.id != record.region) return;  // cannot be: it was told before
    granted.address = region.where.base + record.grant.offset;
    granted.bytes = record.grant.bytes;
    granted.keys = region.where.keys;
  }
  for (Outlet* const outlet : outlets_) {
    if (outlet->channel != record.grant.channel || outlet->port.run_name() != record.grant.run) continue;
    outlet->granted.push_back(granted);
    return write(*outlet);
  }
  early_.push_back({record.grant.run, record.grant.channel, granted});
}

// Where that run has not begun, it fails as it does.
void Peer::take_given_up(const RunName& run) {
  if (given_up_there_.has(run)) return;
  given_up_there_.add(run);
  const auto fail = [&](StreamEnd* stream) {
    if (stream->port.run_name() == run) stream->port.fail_with(*this);
  };
  std::ranges::for_each(inlets_, fail);
  std::ranges::for_each(outlets_, fail);
}

// Whatever is not granted again has arrived.
void Peer::settle_doubts(Outlet& outlet) {
  const auto is_granted = [&](const FabricPiece& doubtful) {
    return std::ranges::any_of(
        outlet.granted, [&](const Granted& granted) { return doubtful.number - granted.first_piece < granted.pieces; });
  };
  std::erase_if(outlet.doubtful, [&](const FabricPiece& doubtful) {
    if (is_granted(doubtful)) return false;
    (void)outlet.done.add(doubtful.number);
    return true;
  });
  outlet.port.complete(outlet);
}

// --- Sending ---

// The one that would be through with a piece first, by turns; of those of the path, if there are any, or those whose
// lane nobody else uses now, unless the path names one NIC. To share lanes out evenly, streams keep to theirs as long
// as others are busy. Null: there is none, or it has no room yet; a slower one would hold up all pieces after this one.
Link* Peer::best_link(Path path, std::size_t bytes, const Link* other_than) {
  const LaneSet own = lanes_ & lanes_of(path);
  Link* best = nullptr;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& link = *links_[(next_link_ + k) % links_.size()];
    const bool is_others = own != 0 && (own & bit_of(link.lane().number())) == 0;
    if (&link == other_than || (is_others && (names_one_nic(path) || link.lane().is_busy()))) continue;
    if (best == nullptr) {
      best = &link;
      continue;
    }
    const Link::Time time = link.time_for(bytes), least = best->time_for(bytes);
    if (time < least || (time == least && !best->has_room(path))) best = &link;
  }
  ++next_link_;
  return best != nullptr && best->has_room(path) ? best : nullptr;
}

// One that is not connected yet has the least to do.
bool Peer::write_by_any(Outlet& outlet, const Granted& granted, const FabricPiece& piece) {
  Link* const first = best_link(outlet.path, piece.bytes, nullptr);
  if (first == nullptr) return false;
  if (first->write(outlet, granted, piece)) return true;
  Link* const second = best_link(outlet.path, piece.bytes, first);
  return second != nullptr && second->write(outlet, granted, piece);
}

// True also where it is not to wait: for a NIC that has failed, or if nobody may look in time.
bool Peer::is_nearly_free(const Outlet& outlet) const {
  const Path path = outlet.path;
  if (!names_one_nic(path) || (lanes_ & lanes_of(path)) == 0 || !outlet.port.is_attended()) return true;
  return fabric_.lanes()[static_cast<std::size_t>(nic_of(path))]->is_nearly_free();
}

void Peer::write(Outlet& outlet) {
  while (state_ == State::up && write_next(outlet)) continue;
}

// What goes by one NIC begins when that is nearly through with what came before: otherwise messages to several
// processes share it by chance, and each of these gets another one's place. Of what has to wait for others, nobody says
// when they are late: so it asks again.
bool Peer::has_turn(const Outlet& outlet) {
  if (fabric_.turns().has(outlet) && (!outlet.is_at_begin() || is_nearly_free(outlet))) [[likely]]
    return true;
  is_restless_ = true;
  return false;
}

// False if there is nothing that may be written, or no room; then it says that it wants to go on.
bool Peer::write_next(Outlet& outlet) {
  while (outlet.next_granted < outlet.granted.size() && outlet.granted[outlet.next_granted].pieces == 0) {
    ++outlet.next_granted;
  }
  if (outlet.next_granted == outlet.granted.size()) {
    outlet.granted.clear();
    outlet.next_granted = 0;
    return false;
  }
  Granted& granted = outlet.granted[outlet.next_granted];
  const std::uint64_t piece = granted.first_piece;
  const bool is_doubtful = piece < outlet.next_piece;
  const auto doubtful = std::ranges::find(outlet.doubtful, piece, &FabricPiece::number);
  if (is_doubtful ? doubtful == outlet.doubtful.end()
                  : !outlet.has_next() || !has_turn(outlet) || piece >= outlet.done.count() + Prefix::max_ahead) {
    return false;
  }
  const FabricPiece next = is_doubtful ? *doubtful : outlet.next();
  const bool fills_grant = granted.pieces > 1 || next.bytes == granted.bytes;
  if (next.bytes > granted.bytes || !fills_grant) {
    outlet.port.fail_for_length(*this);
    return false;
  }
  if (!write_by_any(outlet, granted, next)) {
    is_restless_ = true;
    return false;
  }
  ++granted.first_piece;
  --granted.pieces;
  granted.address += next.bytes;
  granted.bytes -= next.bytes;
  if (is_doubtful) {
    outlet.doubtful.erase(doubtful);
  } else {
    outlet.pass();
    if (!outlet.has_next()) fabric_.turns().remove(outlet);
  }
  return true;
}

// What went wrong stays under way until the epoch ends: then the other side says whether it has arrived.
void Peer::finish(Write& write, int error) {
  if (write.outlet == nullptr) return;  // of an epoch that is over
  Link& link = *write.link;
  Outlet& outlet = *write.outlet;
  if (error != 0) return note_broken(link);
  link.finish(write);
  dark_since_.reset();
  note_arrival(outlet, write.piece.number);
  is_restless_ = true;  // there is room now, for whoever's turn it is
}

void Peer::note_arrival(Outlet& outlet, std::uint64_t piece) {
  if (outlet.done.add(piece)) outlet.port.complete(outlet);
}

void Peer::finish(RecordMessage& sent, int error) {
  if (!sent.link->is_open()) return;
  if (error != 0) return note_broken(*sent.link);
  sent.link->finish(sent);
  dark_since_.reset();
}

void Peer::note_broken(const Link& link) {
  if (broken_ == 0) broken_since_ = Clock::now();
  broken_ |= bit_of(link.lane().number());
}

void Peer::keep_out() noexcept try { begin_epoch(epoch_ + 1, lanes_); } catch (const std::exception&) {
  give_up(lack_of_memory);
}

void Peer::go_on() noexcept try { try_to_go_on(); } catch (const std::exception&) {
  give_up(lack_of_memory);
}

void Peer::try_to_go_on() {
  is_restless_ = false;
  if (heard_) {
    const Greeting greeting = *heard_;
    heard_.reset();
    answer(greeting);
  }
  if (state_ == State::up && links_.front()->has_lost_records()) begin_epoch(epoch_ + 1, lanes_);
  if (const LaneSet found = std::exchange(found_lanes_, 0); found != 0 && state_ == State::up) {
    begin_epoch(epoch_ + 1, lanes_ | found);
  }
  if (const LaneSet unsent = std::exchange(greeting_unsent_, 0); unsent != 0 && state_ != State::unknown) {
    for (int lane = 0; lane < lane_count_; ++lane) {
      if ((unsent & bit_of(lane)) != 0) greet_at(lane, greeting(state_ != State::up));
    }
  }
  if (state_ != State::up) return;
  if (!send_records()) is_restless_ = true;
  ++next_outlet_;
  for (std::size_t k = 0; k < outlets_.size(); ++k) write(*outlets_[(next_outlet_ + k) % outlets_.size()]);
}

// --- Watching ---

void Peer::watch(Clock::time_point now, bool away) noexcept try {
  const bool was_idle = std::exchange(is_idle_, inlets_.empty() && outlets_.empty());
  if (is_idle_) return;
  state_ == State::up ? watch_links(now, away || was_idle) : watch_greeting(now);
} catch (const std::exception&) {
  give_up(lack_of_memory);
}

void Peer::watch_links(Clock::time_point now, bool away) {
  if (std::exchange(has_received_, false) || inlets_.empty() || away) expects_since_ = now;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const bool has_moved = links_[k]->has_moved();
    if (has_moved) quiet_[k].moved = now;
    if (has_moved || !links_[k]->is_waiting() || away) quiet_[k].since = now;
  }
  for (const auto& link : links_) {
    if (link->is_broken()) note_broken(*link);
  }
  const bool is_explained = broken_ != 0 && now - broken_since_ < time_to_explain;
  const LaneSet dead = is_explained ? 0 : static_cast<LaneSet>(silent_lanes(now) | broken_);
  if (dead == 0) return look_for_missing_lanes(now);
  // Connections that cannot be made for want of descriptors fail again in each epoch.
  if (are_descriptors_used_up()) note_darkness(now);
  is_dark_for_too_long(now) ? give_up_in_darkness() : go_without(dead);
}

// Those that do not get through, as far as can be told. The kernel connects at once, also to who is busy. Who has
// nothing under way, but expects something, looks less often: the other one may just be late.
LaneSet Peer::silent_lanes(Clock::time_point now) {
  const bool sends = std::ranges::any_of(links_, [](const auto& link) { return link->is_waiting(); });
  if (now - looked_ < (sends ? time_between_looks : time_between_vain_looks)) return 0;
  looked_ = now;
  const Clock::time_point latest = std::ranges::max(quiet_, {}, &Quiet::moved).moved;
  LaneSet silent = 0;
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const Link& link = *links_[k];
    const auto quiet = now - (link.is_waiting() ? quiet_[k].since : expects_since_);
    if (quiet < quiet_time) continue;
    const bool is_behind = link.is_waiting() && latest - quiet_[k].since > time_behind_others;
    const Pulse pulse = pulse_between(link.name(), link.remote_name());
    const bool is_unconnected = link.was_refused() && pulse != Pulse::alive && quiet > time_behind_others;
    if (is_behind || is_unconnected || !has_carrier(link.lane().nic()) || pulse == Pulse::dead) {
      silent |= bit_of(link.lane().number());
    }
  }
  return silent;
}

// If none would be left, all are tried again.
void Peer::go_without(LaneSet dead) {
  const auto left = static_cast<LaneSet>(lanes_ & ~dead);
  begin_epoch(epoch_ + 1, left != 0 ? left : all_lanes());
}

// One of the two does.
void Peer::look_for_missing_lanes(Clock::time_point now) {
  if (lanes_ == all_lanes() || fabric_.options().me > rank_ || now - pinged_ < time_between_pings) return;
  pinged_ = now;
  Greeting ping = greeting(false);
  ping.kind = Greeting::Kind::ping;
  ping.endpoint_count = 0;
  for (int lane = 0; lane < lane_count_; ++lane) {
    const bool is_missing = (lanes_ & bit_of(lane)) == 0;
    if (is_missing && has_carrier(fabric_.lanes()[static_cast<std::size_t>(lane)]->nic())) greet_at(lane, ping);
  }
}

// The best one. Where no connection is made, nothing can be said.
Pulse Peer::pulse_of_doors() const {
  bool all_are_dead = true;
  for (int lane = 0; lane < lane_count_; ++lane) {
    const Pulse pulse = has_carrier(fabric_.lanes()[static_cast<std::size_t>(lane)]->nic())
                            ? pulse_between(fabric_.door(lane).name(), doors_[static_cast<std::size_t>(lane)])
                            : Pulse::dead;
    if (pulse == Pulse::alive) return pulse;
    all_are_dead = all_are_dead && pulse == Pulse::dead;
  }
  return all_are_dead ? Pulse::dead : Pulse::none;
}

// Who is merely busy is reached at its doors; but that is of no use to who has no links to offer, or is offered none.
void Peer::note_greeting_is_vain(Clock::time_point now) {
  const Pulse pulse = pulse_of_doors();
  const bool is_short = are_descriptors_used_up();
  if (are_apart_ || links_.empty() || pulse == Pulse::dead || (pulse == Pulse::none && is_short)) {
    note_darkness(now);
  } else if (pulse == Pulse::alive && !is_short) {
    dark_since_.reset();
  }
}

void Peer::note_darkness(Clock::time_point now) {
  if (!dark_since_) dark_since_ = now;
}

// Asked before links are closed, which leaves some free.
void Peer::give_up_in_darkness() noexcept { give_up(are_descriptors_used_up() ? lack_of_descriptors : lack_of_lanes); }

bool Peer::is_dark_for_too_long(Clock::time_point now) const {
  return dark_since_ && now - *dark_since_ >= fabric_.options().lane_timeout;
}

void Peer::watch_greeting(Clock::time_point now) {
  if (now - greeted_ < time_between_greetings) return;
  note_greeting_is_vain(now);
  if (is_dark_for_too_long(now)) return give_up_in_darkness();
  are_apart_ ? begin_epoch(epoch_ + 1, all_lanes()) : greet(true);
}

// All runs with it end with an error; the next one tries anew.
void Peer::give_up(FabricError lack) noexcept {
  try {
    close_links();
  } catch (const std::exception&) {
    // For want of memory to note what was under way: it fails anyway.
  }
  state_ = State::unknown;
  dark_since_.reset();
  for (Inlet* const inlet : inlets_) inlet->port.fail_for(lack, *this);
  for (Outlet* const outlet : outlets_) outlet->port.fail_for(lack, *this);
}

}  // namespace espalier
