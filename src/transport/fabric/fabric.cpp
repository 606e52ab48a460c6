// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/fabric.hpp"

#include <poll.h>
#include <sched.h>

#include <algorithm>

#include "transport/fabric/fabric_gateway.hpp"
#include "transport/fabric/lanes/lane.hpp"
#include "transport/fabric/lanes/listener.hpp"
#include "transport/fabric/protocol/peer.hpp"
#include "transport/fabric/wire/patience.hpp"

namespace espalier {

namespace {

// 0: not known.
double bytes_per_second_of(const FabricNic& nic, const Fabric::Options& options) {
  double rates = 0;
  for (const FabricNic& one : options.nics) rates += one.rate;
  return options.nic_bytes_per_second * nic.rate * static_cast<double>(options.nics.size()) / rates;
}

}  // namespace

void FabricLock::lock() {
  while (!try_lock()) sched_yield();
}

Fabric::Fabric(Options options)
    : options_(std::move(options)),
      library_(std::make_unique<const Libfabric>()),
      registrations_(lanes_, unguessable_) {
  const std::size_t count = std::min<std::size_t>(options_.nics.size(), max_lanes);
  if (count == 0) throw NoFabric("libfabric: no usable network interface");
  for (std::size_t k = 0; k < count; ++k) {
    const FabricNic& nic = options_.nics[k];
    lanes_.push_back(std::make_unique<Lane>(*library_, nic, static_cast<int>(k), bytes_per_second_of(nic, options_)));
  }
  anchor_ = registrations_.open_to_writes({anchor_memory_.data(), anchor_memory_.size()});
  for (const auto& lane : lanes_) listeners_.push_back(std::make_unique<Listener>(*lane, options_.me));
}

Fabric::~Fabric() = default;

AddressRecord Fabric::address_record() const {
  AddressRecord address_record{.secret = secret_, .lanes = static_cast<std::uint32_t>(lanes_.size())};
  for (std::size_t k = 0; k < listeners_.size(); ++k) address_record.listeners[k] = listeners_[k]->name();
  return address_record;
}

void Fabric::meet(std::span<const AddressRecord> address_records) {
  address_records_.assign(address_records.begin(), address_records.end());
  secret_ = address_records.front().secret;
  peers_.resize(address_records.size());
}

Peer& Fabric::peer(Rank rank) {
  auto& peer = peers_[static_cast<std::size_t>(rank)];
  if (!peer) {
    const auto place = static_cast<std::size_t>(rank);
    const Peer::PeerOptions options = {.me = options_.me,
                                       .rank = rank,
                                       .lanes = lanes_to(rank),
                                       .distance = distances_.empty() ? Distance{} : distances_[place],
                                       .secret = secret_,
                                       .lane_timeout = options_.lane_timeout};
    peer =
        std::make_unique<Peer>(options, std::make_unique<FabricGateway>(*this, rank, address_records_[place]), turns_);
    known_.push_back(peer.get());
  }
  return *peer;
}

void Fabric::send_word(Rank to, const FabricWord& word) { peer(to).send_word(word); }

std::pair<std::uint64_t, std::uint64_t> Fabric::anchor(int lane) const {
  const auto place = static_cast<std::size_t>(lane);
  return {fi_mr_key(anchor_.of_lane[place].get()), lanes_[place]->remote_base(anchor_memory_.data())};
}

void Fabric::keep_for_a_while(std::vector<std::unique_ptr<Link>> links) {
  const auto now = Clock::now();
  while (!closed_.empty() && now - closed_.front().at > time_after_closing) closed_.pop_front();
  if (!links.empty()) closed_.push_back({now, std::move(links)});
}

// --- Progress ---

bool Fabric::poll_lanes() {
  bool any = false;
  for (const auto& lane : lanes_) {
    any = lane->poll([this](std::uint64_t bits) { take_arrival(bits); },
                     [this](Work& work, std::size_t bytes, int error) { take_end(work, bytes, error); }) ||
          any;
  }
  return any;
}

// What can leave does so before it is asked what has arrived.
bool Fabric::progress() {
  go_on();
  const bool any = poll_lanes();
  if (any) go_on();
  return any;
}

// Others may be met meanwhile.
void Fabric::go_on() {
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_[k]->has_pending_work()) known_[k]->go_on();
  }
}

void Fabric::take_arrival(std::uint64_t bits) {
  const Immediate immediate = Immediate::unpack(bits);
  Inlet* const inlet = inlets_.find(immediate.inlet);
  if (inlet == nullptr) return;
  inlet->peer.note_piece_received();
  inlet->note_done(inlet->done.number_of(immediate.piece));
}

void Fabric::take_end(Work& work, std::size_t bytes, int error) {
  switch (work.kind) {
    case Work::Kind::write: {
      auto& write = static_cast<Write&>(work);
      return write.link->peer().finish(write, error);
    }
    case Work::Kind::record_sent: {
      auto& sent = static_cast<RecordMessage&>(work);
      return sent.link->peer().finish(sent, error);
    }
    case Work::Kind::records_received: {
      auto& received = static_cast<RecordMessage&>(work);
      if (!received.link->is_open()) return;  // said in an epoch that is over
      if (error == 0) received.link->peer().take(received, bytes);
      return received.link->receive(received);
    }
    case Work::Kind::handshake_sent: {
      auto& message = static_cast<HandshakeMessage&>(work);
      if (message.to != nullptr)
        message.to->finish_handshake(message.listener->lane().number(), message.kind_of_handshake, error);
      return message.listener->finish(message);
    }
    case Work::Kind::handshake_received: return take_handshake(static_cast<HandshakeMessage&>(work), bytes, error);
  }
}

void Fabric::take_handshake(HandshakeMessage& message, std::size_t bytes, int error) {
  if (error == 0 && opens(message.sealed, bytes)) peer(message.sealed.from).receive_handshake(message.sealed.handshake);
  message.listener->receive(message);
}

// Only then is there anything for the process that it says it is from.
bool Fabric::opens(SealedHandshake& sealed, std::size_t bytes) const {
  constexpr std::size_t head_bytes = offsetof(SealedHandshake, handshake);
  const bool is_from_another =
      sealed.from >= 0 && sealed.from < static_cast<Rank>(peers_.size()) && sealed.from != options_.me;
  if (!is_from_another || bytes < head_bytes + Handshake().bytes() || bytes > sizeof sealed) return false;
  const std::size_t text_bytes = bytes - head_bytes;
  if (text_bytes % sizeof(std::uint64_t) != 0) return false;
  if (!Seal(secret_, sealed.from, options_.me, 0).open(sealed.head, sealed.text(text_bytes))) return false;
  return sealed.handshake.endpoint_count <= max_links && sealed.handshake.bytes() == text_bytes;
}

void Fabric::watch() {
  const auto now = Clock::now();
  const auto since = now - watched_;
  if (since < time_between_watches) return;
  watched_ = now;
  for (std::size_t k = 0; k < known_.size(); ++k) known_[k]->watch(now, since > time_away);
}

void Fabric::sleep(std::chrono::milliseconds at_most) {
  std::array<pollfd, max_lanes> descriptors;
  std::size_t count = 0;
  {
    const std::lock_guard guard(lock_);
    for (const auto& lane : lanes_) {
      if (!lane->may_sleep()) return;
      descriptors[count++] = {lane->descriptor(), POLLIN, 0};
    }
  }
  (void)poll(descriptors.data(), static_cast<nfds_t>(count), static_cast<int>(at_most.count()));
}

}  // namespace espalier
