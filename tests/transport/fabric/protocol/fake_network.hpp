// SPDX-License-Identifier: Apache-2.0
// Two processes and a network between them, in this process and in a time of its own: what the fabric and libfabric do
// for peers, with faults that a test draws by a seed. Writes move bytes, so a test sees whether any went wrong.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include "fake_link.hpp"

namespace espalier::fake {

using namespace std::chrono_literals;

// Of a hundred.
struct Faults {
  unsigned handshakes_lost = 0, handshakes_doubled = 0, handshakes_unsent = 0;
  unsigned records_lost = 0, records_doubled = 0;
  unsigned writes_failed = 0;  // of which half have arrived
  unsigned refused = 0;        // before a connection is there
  std::chrono::microseconds most_delay{50};
};

class FakeNetwork;
class NetworkLink;

// One of the two.
class FakeProcess {
 public:
  FakeProcess(FakeNetwork& network, Rank me, int lanes);

  // Again, without a memory of what was.
  void restart();
  [[nodiscard]] Peer& peer() { return *peer_; }
  // What the fabric does: takes in what is over, goes on, and watches from time to time.
  void poll();
  void progress();

  FakeNetwork& network;
  const Rank me;
  std::vector<std::unique_ptr<LaneLoad>> loads;
  std::deque<std::function<void()>> over;  // what the network has to say
  std::map<std::uint64_t, Inlet*> inlets;  // by number
  std::vector<std::unique_ptr<Link>> closed;
  std::vector<FabricWord> words;
  Turns turns{0};
  std::chrono::steady_clock::time_point watched{};
  bool is_stopped = false;  // it neither polls nor watches
  int epochs = 0;

 private:
  std::unique_ptr<Peer> peer_;
  std::vector<std::unique_ptr<Peer>> gone_;  // of whom the network may still speak
};

class FakeNetwork {
 public:
  using Time = std::chrono::steady_clock::time_point;

  FakeNetwork(int lanes, std::uint64_t seed, const Faults& its_faults = {})
      : faults(its_faults), is_dead(static_cast<std::size_t>(lanes), false), random(seed), lanes_(lanes) {
    for (Rank rank = 0; rank < 2; ++rank) processes.push_back(std::make_unique<FakeProcess>(*this, rank, lanes));
  }
  [[nodiscard]] FakeProcess& operator[](Rank rank) { return *processes[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int lanes() const { return lanes_; }

  [[nodiscard]] bool happens(unsigned of_hundred) { return random() % 100 < of_hundred; }
  void after_a_while(std::function<void()> what) {
    const auto most = static_cast<std::uint64_t>(faults.most_delay.count());
    if (events_.size() > 100'000) throw std::logic_error("the network does nothing but wait");
    events_.emplace(now + std::chrono::microseconds(1 + random() % most), std::move(what));
  }
  // A little time passes, and more while nothing happens.
  void step() {
    const Time next = events_.empty() ? now + 5ms : events_.begin()->first;
    now = std::clamp(next, now + 20us, now + 5ms);
    if (faults.records_lost != 0 && events_.empty()) say_something();
    while (!events_.empty() && events_.begin()->first <= now) {
      const auto event = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      event();
    }
    for (const auto& process : processes) process->progress();
  }
  // Until that is true; false: not within that time of the network's.
  [[nodiscard]] bool runs_until(const std::function<bool()>& is_over, std::chrono::milliseconds at_most = 20s) {
    for (const Time end = now + at_most; now < end; step()) {
      if (is_over()) return true;
    }
    return false;
  }

  Time now{std::chrono::hours(1)};
  Faults faults;
  std::vector<bool> is_dead;  // lanes: nothing gets through, and nobody says so
  std::map<EndpointName, NetworkLink*> endpoints;
  int endpoints_opened = 0;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<FakeProcess>> processes;

 private:
  // That records are lost is seen by a later one.
  void say_something() {
    for (const auto& process : processes) process->peer().send_word({});
  }

  const int lanes_;
  std::multimap<Time, std::function<void()>> events_;
};

class NetworkLink final : public Link {
 public:
  NetworkLink(FakeProcess& process, int lane, Peer& peer, const EndpointName& name, std::size_t max_bytes_under_way)
      : Link(*process.loads[static_cast<std::size_t>(lane)], peer, name, max_bytes_under_way), process_(process) {
    network().endpoints[name] = this;
  }
  ~NetworkLink() override { network().endpoints.erase(name()); }

  [[nodiscard]] Pulse pulse() const override {
    if (is_dead()) return Pulse::dead;
    return network().endpoints.contains(remote_name()) ? Pulse::alive : Pulse::none;
  }
  [[nodiscard]] bool has_carrier() const override { return true; }
  [[nodiscard]] bool end_connections() override { return false; }

  [[nodiscard]] const FakeProcess& process() const { return process_; }
  // With its process.
  void vanish() {
    is_gone_ = true;
    network().endpoints.erase(name());
  }

 private:
  [[nodiscard]] FakeNetwork& network() const { return process_.network; }
  [[nodiscard]] bool is_dead() const { return network().is_dead[static_cast<std::size_t>(lane().number())]; }
  [[nodiscard]] NetworkLink* remote() const {
    const auto found = network().endpoints.find(remote_name());
    return found != network().endpoints.end() ? found->second : nullptr;
  }
  void say_over(std::function<void()> what) {
    if (!is_gone_) process_.over.push_back(std::move(what));
  }
  // As long as it is open; where the lane is dead, as soon as it is not.
  void later(std::function<void()> what) {
    network().after_a_while([this, what = std::move(what)]() mutable {
      if (!is_open() || is_gone_) return;
      is_dead() ? later(std::move(what)) : what();
    });
  }

  [[nodiscard]] bool join(const EndpointName&) override { return true; }
  [[nodiscard]] PostResult post_write(Write& write, const FabricRun&, const FabricPiece& piece,
                                      const WriteTarget& target) override {
    if (!is_connected_ && network().happens(network().faults.refused)) return PostResult::refused;
    is_connected_ = true;
    const bool fails = network().happens(network().faults.writes_failed);
    const bool arrives = !fails || network().happens(50);
    std::vector<std::byte> bytes(piece.data, piece.data + piece.bytes);
    later([this, &write, target, fails, arrives, bytes = std::move(bytes)] {
      NetworkLink* const to = remote();
      if (to != nullptr && arrives) to->take_piece(target, bytes);
      const int error = fails || to == nullptr ? 1 : 0;
      later([this, &write, error] { say_over([this, &write, error] { peer().finish(write, error); }); });
    });
    return PostResult::taken;
  }
  void take_piece(const WriteTarget& target, const std::vector<std::byte>& bytes) {
    if (!bytes.empty()) std::memcpy(reinterpret_cast<std::byte*>(target.address), bytes.data(), bytes.size());
    say_over([this, immediate = target.immediate] {
      const Immediate said = Immediate::unpack(immediate);
      const auto found = process_.inlets.find(said.inlet);
      if (found == process_.inlets.end()) return;
      found->second->peer.note_piece_received();
      found->second->note_done(found->second->done.number_of(said.piece));
    });
  }
  [[nodiscard]] PostResult post_send(RecordMessage& message, std::size_t bytes) override {
    if (!is_connected_ && network().happens(network().faults.refused)) return PostResult::refused;
    is_connected_ = true;
    const auto text = std::as_bytes(std::span(&message.sealed, 1)).first(bytes);
    const bool is_lost = network().happens(network().faults.records_lost);
    const int times = is_lost ? 0 : network().happens(network().faults.records_doubled) ? 2 : 1;
    for (int k = 0; k < times; ++k) line_.emplace_back(text.begin(), text.end());
    later([this, &message, times] {
      NetworkLink* const to = remote();
      for (int k = 0; k < times; ++k) {  // in order, whichever comes first
        if (to != nullptr) to->take_records(std::move(line_.front()));
        line_.pop_front();
      }
      say_over([this, &message, to] { peer().finish(message, to != nullptr ? 0 : 1); });
    });
    return PostResult::taken;
  }
  void take_records(std::vector<std::byte> bytes) {
    arrived_.push_back(std::move(bytes));
    say_over([this] { match_records(); });
  }
  // What arrives before it is expected waits for that.
  void match_records() {
    while (is_open() && !receives_.empty() && !arrived_.empty()) {
      const std::vector<std::byte> bytes = std::move(arrived_.front());
      arrived_.pop_front();
      RecordMessage& message = *receives_.front();
      receives_.pop_front();
      std::memcpy(&message.sealed, bytes.data(), bytes.size());
      peer().take(message, bytes.size());
      receive(message);
    }
  }
  void post_receive(RecordMessage& message) override {
    receives_.push_back(&message);
    say_over([this] { match_records(); });
  }
  void note_message_memory(void*, std::size_t) override {}
  void admit_no_more() override {}
  void close_endpoint() override { network().endpoints.erase(name()); }

  FakeProcess& process_;
  bool is_connected_ = false, is_gone_ = false;
  std::deque<std::vector<std::byte>> line_, arrived_;  // records under way, and not yet taken
  std::deque<RecordMessage*> receives_;
};

class NetworkGateway final : public Gateway {
 public:
  explicit NetworkGateway(FakeProcess& process) : process_(process) {}

  [[nodiscard]] Clock::time_point now() const override { return network().now; }
  [[nodiscard]] std::unique_ptr<Link> open_link(int lane, Peer& peer, std::size_t max_bytes_under_way) override {
    const EndpointName name = name_of(++network().endpoints_opened);
    return std::make_unique<NetworkLink>(process_, lane, peer, name, max_bytes_under_way);
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> anchor(int) const override { return {0, 0}; }
  void drain() override { process_.poll(); }
  void keep_for_a_while(std::vector<std::unique_ptr<Link>> links) override {
    for (auto& link : links) process_.closed.push_back(std::move(link));
  }
  [[nodiscard]] bool shake_hands(int lane, const Handshake& handshake, Peer&) override {
    const Faults& faults = network().faults;
    if (network().happens(faults.handshakes_unsent)) return false;
    const bool is_lost = is_dead(lane) || network().happens(faults.handshakes_lost);
    const int times = is_lost ? 0 : network().happens(faults.handshakes_doubled) ? 2 : 1;
    FakeProcess& to = network()[1 - process_.me];
    for (int k = 0; k < times; ++k) {
      network().after_a_while(
          [&to, handshake] { to.over.push_back([&to, handshake] { to.peer().receive_handshake(handshake); }); });
    }
    network().after_a_while([this, lane, kind = handshake.kind, is_lost, &process = process_] {
      process.over.push_back(
          [&process, lane, kind, is_lost] { process.peer().finish_handshake(lane, kind, is_lost ? 1 : 0); });
    });
    return true;
  }
  [[nodiscard]] Pulse pulse_of_listener(int lane) const override { return is_dead(lane) ? Pulse::dead : Pulse::alive; }
  [[nodiscard]] bool has_carrier(int) const override { return true; }
  [[nodiscard]] bool are_descriptors_used_up() const override { return false; }
  void note_epoch() override { ++process_.epochs; }
  void receive_word(const FabricWord& word) override { process_.words.push_back(word); }

 private:
  [[nodiscard]] FakeNetwork& network() const { return process_.network; }
  [[nodiscard]] bool is_dead(int lane) const { return network().is_dead[static_cast<std::size_t>(lane)]; }

  FakeProcess& process_;
};

inline FakeProcess::FakeProcess(FakeNetwork& its_network, Rank its_rank, int lanes)
    : network(its_network), me(its_rank) {
  for (int k = 0; k < lanes; ++k) loads.push_back(std::make_unique<LaneLoad>(k, 1, 0));
  restart();
}

inline void FakeProcess::restart() {
  const Peer::PeerOptions options = {.me = me,
                                     .rank = 1 - me,
                                     .lanes = static_cast<int>(loads.size()),
                                     .distance = {.links = 2},
                                     .secret = {},
                                     .lane_timeout = 2s};
  const std::map<EndpointName, NetworkLink*> endpoints = network.endpoints;
  for (const auto& [name, link] : endpoints) {
    if (&link->process() == this) link->vanish();
  }
  over.clear();
  auto another = std::make_unique<Peer>(options, std::make_unique<NetworkGateway>(*this), turns);
  peer_.swap(another);
  if (another) gone_.push_back(std::move(another));
}

inline void FakeProcess::poll() {
  while (!over.empty()) {
    const auto next = std::move(over.front());
    over.pop_front();
    next();
  }
}

inline void FakeProcess::progress() {
  if (is_stopped) return;
  if (peer_->has_pending_work()) peer_->go_on();
  poll();
  if (peer_->has_pending_work()) peer_->go_on();
  const auto since = network.now - watched;
  if (since < 20ms) return;
  watched = network.now;
  peer_->watch(network.now, since > 200ms);
}

// A run of both: `count` messages from each to the other one on each of some channels.
class Exchange {
 public:
  struct Side {
    Side(std::uint64_t number, std::size_t tokens) : run(number, tokens), messages(tokens) {}
    FakeRun run;
    StreamEnd::Messages messages;
    std::vector<std::unique_ptr<Inlet>> inlets;
    std::vector<std::unique_ptr<Outlet>> outlets;
    std::vector<std::byte> sent, received;
    bool has_ended = false;
  };

  Exchange(FakeNetwork& network, std::uint64_t number, std::size_t count, std::size_t bytes, int channels = 2)
      : network_(network), count_(count), bytes_(bytes), channels_(channels) {
    const std::size_t messages = count * static_cast<std::size_t>(channels);
    for (Rank rank = 0; rank < 2; ++rank) {
      auto& side = sides_.emplace_back(std::make_unique<Side>(number, 2 * messages));
      side->sent.resize(messages * bytes);
      std::uint64_t drawn = network.random();
      for (std::byte& one : side->sent) {
        one = static_cast<std::byte>(drawn >> 56);
        drawn = drawn * 6364136223846793005U + 1442695040888963407U;
      }
      side->received.resize(messages * bytes);
      side->run.region.id = ++regions_;
      side->run.region.area = {side->received.data(), side->received.size()};
      side->run.region.where.base = reinterpret_cast<std::uintptr_t>(side->received.data());
    }
  }
  ~Exchange() {
    for (Rank rank = 0; rank < 2; ++rank) end(rank);
  }
  [[nodiscard]] Side& operator[](Rank rank) { return *sides_[static_cast<std::size_t>(rank)]; }

  void begin() {
    for (Rank rank = 0; rank < 2; ++rank) begin(rank);
  }
  void begin(Rank rank) {
    Side& side = (*this)[rank];
    Peer& peer = network_[rank].peer();
    Token token = 0;
    for (int channel = 0; channel < channels_; ++channel) {
      side.inlets.push_back(std::make_unique<Inlet>(side.run, side.messages, peer, static_cast<Channel>(channel)));
      side.outlets.push_back(std::make_unique<Outlet>(side.run, side.messages, peer, static_cast<Channel>(channel)));
      Inlet& inlet = *side.inlets.back();
      Outlet& outlet = *side.outlets.back();
      inlet.number = ++inlets_;
      network_[rank].inlets[inlet.number] = &inlet;
      peer.add(inlet);
      peer.add(outlet);
      for (std::size_t k = 0; k < count_; ++k) {
        const std::size_t offset = (static_cast<std::size_t>(channel) * count_ + k) * bytes_;
        receive(inlet, token++, side.received.data() + offset);
        outlet.post(token++, {.data = side.sent.data() + offset, .bytes = bytes_});
        peer.write(outlet);
      }
    }
  }
  // As a port does at the end, or when it has failed.
  void end(Rank rank) {
    Side& side = (*this)[rank];
    if (std::exchange(side.has_ended, true)) return;
    for (const auto& inlet : side.inlets) {
      network_[rank].inlets.erase(inlet->number);
      network_[rank].peer().remove(*inlet);
    }
    for (const auto& outlet : side.outlets) network_[rank].peer().remove(*outlet);
    if (is_over(rank)) return;
    if (side.run.failed()) network_[rank].peer().send_abort(side.run.run_name());
    network_[rank].peer().fence();
  }
  [[nodiscard]] bool is_over(Rank rank) { return (*this)[rank].run.over().size() == (*this)[rank].messages.size(); }
  [[nodiscard]] bool is_over() { return is_over(0) && is_over(1); }
  [[nodiscard]] bool is_right() {
    return (*this)[0].received == (*this)[1].sent && (*this)[1].received == (*this)[0].sent;
  }

 private:
  void receive(Inlet& inlet, Token token, std::byte* data) {
    const std::uint64_t piece = inlet.posted_pieces();
    inlet.post(token, {.data = data, .bytes = bytes_});
    inlet.peer.grant(inlet, piece, Pieces(bytes_, inlet.path).count, data, bytes_);
  }

  inline static std::uint32_t regions_ = 0;
  inline static std::uint64_t inlets_ = 0;
  FakeNetwork& network_;
  const std::size_t count_, bytes_;
  const int channels_;
  std::vector<std::unique_ptr<Side>> sides_;
};

}  // namespace espalier::fake
