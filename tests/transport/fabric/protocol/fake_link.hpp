// SPDX-License-Identifier: Apache-2.0
// A link, a run and a gateway that do what a test says and note what is asked of them: no network, no time.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "transport/fabric/protocol/gateway.hpp"
#include "transport/fabric/protocol/link_set.hpp"
#include "transport/fabric/protocol/peer.hpp"

namespace espalier::fake {

inline EndpointName name_of(int number) {
  EndpointName name{};
  name[0] = static_cast<std::byte>(number);
  name[1] = static_cast<std::byte>(number >> 8);
  return name;
}

class FakeLink final : public Link {
 public:
  using PostResult = Link::PostResult;
  struct PostedWrite {
    Write* write;
    FabricPiece piece;
    WriteTarget target;
  };
  struct PostedRecords {
    RecordMessage* message;
    std::vector<std::byte> bytes;
  };

  FakeLink(LaneLoad& lane, Peer& peer, const EndpointName& name, std::size_t max_bytes_under_way = 4 * max_piece_bytes)
      : Link(lane, peer, name, max_bytes_under_way) {}

  [[nodiscard]] Pulse pulse() const override { return its_pulse; }
  [[nodiscard]] bool has_carrier() const override { return its_carrier; }
  [[nodiscard]] bool end_connections() override { return connections > 0 && connections-- > 0; }

  // What it answers.
  PostResult answer = PostResult::taken;
  bool joins = true, its_carrier = true;
  Pulse its_pulse = Pulse::alive;
  int connections = 0;  // that others made to it
  // What it was asked.
  std::vector<PostedWrite> written;
  std::vector<PostedRecords> sent;
  std::vector<RecordMessage*> receives;
  int closed = 0, closed_to_others = 0;

 private:
  [[nodiscard]] bool join(const EndpointName&) override { return joins; }
  [[nodiscard]] PostResult post_write(Write& write, const FabricRun&, const FabricPiece& piece,
                                      const WriteTarget& target) override {
    if (answer == PostResult::taken) written.push_back({&write, piece, target});
    return answer;
  }
  [[nodiscard]] PostResult post_send(RecordMessage& message, std::size_t bytes) override {
    const std::span<const std::byte> text = std::as_bytes(std::span(&message.sealed, 1)).first(bytes);
    if (answer == PostResult::taken) sent.push_back({&message, {text.begin(), text.end()}});
    return answer;
  }
  void post_receive(RecordMessage& message) override { receives.push_back(&message); }
  void note_message_memory(void*, std::size_t) override {}
  void admit_no_more() override { ++closed_to_others; }
  void close_endpoint() override { ++closed; }
};

class FakeRun final : public FabricRun {
 public:
  explicit FakeRun(std::uint64_t number, std::size_t tokens = 64) {
    name_ = {number, 7};
    is_over_.resize(tokens);
  }
  [[nodiscard]] const WritableRegion& open_to_writes(std::byte*, std::size_t) override { return region; }
  [[nodiscard]] void* descriptor(const std::byte*, int) const override { return nullptr; }
  [[nodiscard]] const std::vector<Token>& over() const { return over_; }
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] Rank failed_peer() const { return failed_peer_; }
  void set_attended(bool attended) { is_attended_ = attended; }

  WritableRegion region;
};

class FakeGateway final : public Gateway {
 public:
  struct Sent {
    int lane;
    Handshake handshake;
  };

  explicit FakeGateway(int lanes, double bytes_per_second = 0) {
    for (int k = 0; k < lanes; ++k) loads.push_back(std::make_unique<LaneLoad>(k, 1, bytes_per_second));
    has_carriers.assign(loads.size(), true);
    listener_pulses.assign(loads.size(), Pulse::alive);
  }

  [[nodiscard]] Clock::time_point now() const override { return time; }
  [[nodiscard]] std::unique_ptr<Link> open_link(int lane, Peer& peer, std::size_t max_bytes_under_way) override {
    if (links_left == 0) return nullptr;
    --links_left;
    auto link = std::make_unique<FakeLink>(*loads[static_cast<std::size_t>(lane)], peer, name_of(++opened),
                                           max_bytes_under_way);
    links.push_back(link.get());
    return link;
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> anchor(int lane) const override {
    return {static_cast<std::uint64_t>(lane) + 100, 0};
  }
  void drain() override { ++drains; }
  void keep_for_a_while(std::vector<std::unique_ptr<Link>> closed) override {
    links.clear();
    for (auto& link : closed) kept.push_back(std::move(link));
  }
  [[nodiscard]] bool shake_hands(int lane, const Handshake& handshake, Peer&) override {
    if (out_of_memory) throw std::bad_alloc();
    if (takes_handshakes) sent.push_back({lane, handshake});
    return takes_handshakes;
  }
  [[nodiscard]] Pulse pulse_of_listener(int lane) const override {
    return listener_pulses[static_cast<std::size_t>(lane)];
  }
  [[nodiscard]] bool has_carrier(int lane) const override { return has_carriers[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] bool are_descriptors_used_up() const override { return out_of_descriptors; }
  void note_epoch() override { ++epochs; }
  void receive_word(const FabricWord& word) override { words.push_back(word); }

  // What it answers.
  Clock::time_point time{std::chrono::hours(1)};
  std::vector<std::unique_ptr<LaneLoad>> loads;
  std::vector<bool> has_carriers;
  std::vector<Pulse> listener_pulses;
  int links_left = 1000;
  bool takes_handshakes = true, out_of_memory = false, out_of_descriptors = false;
  // What it was asked.
  std::vector<FakeLink*> links;  // that are open
  std::vector<std::unique_ptr<Link>> kept;
  std::vector<Sent> sent;
  std::vector<FabricWord> words;
  int opened = 0, drains = 0, epochs = 0;
};

// A peer with such a gateway, for those who need one.
struct FakePeer {
  explicit FakePeer(int lanes, double bytes_per_second = 0)
      : gateway(new FakeGateway(lanes, bytes_per_second)),
        peer(
            {.me = 0, .rank = 1, .lanes = lanes, .distance = {}, .secret = {}, .lane_timeout = std::chrono::seconds(2)},
            std::unique_ptr<Gateway>(gateway), turns) {}
  // What the other process would say, whose links have such names.
  [[nodiscard]] static Handshake handshake(std::uint32_t epoch, LaneSet lanes, bool wants_answer) {
    Handshake handshake;
    handshake.epoch = epoch;
    handshake.lanes = lanes;
    handshake.wants_answer = wants_answer ? 1 : 0;
    for (int lane = 0; lane < max_lanes; ++lane) {
      if (!has_lane(lanes, lane)) continue;
      Handshake::Endpoint& endpoint = handshake.endpoints[handshake.endpoint_count++];
      endpoint.lane = static_cast<std::uint8_t>(lane);
      endpoint.name = name_of(1000 + lane);
    }
    return handshake;
  }
  void receive_handshake(const Handshake& handshake) {
    peer.receive_handshake(handshake);
    peer.go_on();
  }
  // The handshakes that were sent since this was asked.
  [[nodiscard]] std::vector<FakeGateway::Sent> take_sent() {
    std::vector<FakeGateway::Sent> sent;
    sent.swap(gateway->sent);
    for (const auto& one : sent) peer.finish_handshake(one.lane, one.handshake.kind, 0);
    return sent;
  }

  Turns turns{0};
  FakeGateway* gateway;  // the peer's
  Peer peer;
};

}  // namespace espalier::fake
