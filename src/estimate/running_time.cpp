// SPDX-License-Identifier: Apache-2.0
#include "estimate/running_time.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <stdexcept>
#include <tuple>

#include "engine/progress.hpp"
#include "estimate/ways.hpp"

namespace espalier {

namespace {

// Between ranks of one node: a copy.
constexpr double memory_bytes_per_second = 4e9;

// An MPI that uses several NICs cuts messages longer than this among them.
constexpr double most_bytes_on_one_lane = 64 << 10;

// All messages from one rank to another on one lane, matched first with first.
struct Channel {
  std::deque<Item> sends, receives;
};
using Ends = std::tuple<Rank, Rank, Lane>;  // sender, receiver

// A message on its way.
struct Traveller {
  Rank sender = 0, receiver = 0;
  Item sent, received;
  double bytes = 0;
  const Way* way = nullptr;    // null: within a node
  std::size_t links_done = 0;  // of the way
  double last_byte = 0;        // when it is through the links so far
};

// Its first byte comes to the next link, or its last byte to the receiver.
struct Event {
  double seconds = 0;
  std::uint64_t number = 0;  // of two at the same time the one that was planned first
  std::size_t traveller = 0;

  bool operator>(const Event& other) const { return std::tie(seconds, number) > std::tie(other.seconds, other.number); }
};

class Run {
 public:
  Run(std::span<const Schedule> ranks, const Payload& payload, const Network& network)
      : ranks_(ranks),
        payload_(payload),
        network_(network),
        ways_(network),
        free_(ways_.bytes_per_second().size() * ways_.lanes(), 0.0),
        busy_until_(ranks.size(), 0.0) {
    progress_.reserve(ranks.size());
    layouts_.reserve(ranks.size());
    for (const Schedule& schedule : ranks) {
      layouts_.emplace_back(schedule, payload.elements, payload.segments, payload.window, payload.granule);
      progress_.emplace_back(schedule, payload.segments, payload.window).restart();
    }
  }

  double seconds() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<Rank>(rank));
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.seconds;
      proceed(event.traveller);
    }
    if (!std::ranges::all_of(progress_, &Progress::finished)) throw std::logic_error("ranks wait for each other");
    return now_;
  }

 private:
  // Posts all messages that can be posted; local work takes no time.
  void advance(Rank rank) {
    Progress& progress = progress_[rank];
    Item item;
    while (true) {
      if (progress.take_message(item)) {
        post(rank, item);
      } else if (progress.take_local(item)) {
        progress.complete_local(item);
      } else {
        return;
      }
    }
  }

  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }

  void post(Rank rank, Item item) {
    const Operation& operation = ranks_[rank].operations[item.operation];
    const bool sends = operation.kind == Operation::Kind::send;
    const Rank sender = sends ? rank : operation.peer, receiver = sends ? operation.peer : rank;
    Channel& channel = channels_[{sender, receiver, operation.lane}];
    (sends ? channel.sends : channel.receives).push_back(item);
    if (channel.sends.empty() || channel.receives.empty()) return;
    begin({.sender = sender,
           .receiver = receiver,
           .sent = channel.sends.front(),
           .received = channel.receives.front(),
           .bytes = bytes_of(sender, channel.sends.front())});
    channel.sends.pop_front();
    channel.receives.pop_front();
  }

  [[nodiscard]] double bytes_of(Rank sender, Item item) const {
    const Operation& operation = ranks_[sender].operations[item.operation];
    const Extent extent = layouts_[sender].extent(operation, operation.source, item.index);
    return static_cast<double>(extent.length * payload_.element_bytes);
  }

  void begin(Traveller traveller) {
    const int from = network_.node_of(traveller.sender), to = network_.node_of(traveller.receiver);
    // One after another.
    double& busy_until = busy_until_[traveller.sender];
    busy_until =
        std::max(now_, busy_until) + (from == to ? traveller.bytes / memory_bytes_per_second : network_.hop_seconds());
    traveller.last_byte = busy_until;
    if (from != to) traveller.way = &ways_.between(from, to);
    const double next = traveller.last_byte;
    travellers_.push_back(traveller);
    plan(next, travellers_.size() - 1);
  }

  void plan(double seconds, std::size_t traveller) { events_.push({seconds, ++planned_, traveller}); }

  void proceed(std::size_t index) {
    Traveller& traveller = travellers_[index];
    const std::size_t links = traveller.way == nullptr ? 0 : traveller.way->links.size();
    if (traveller.links_done < links) {
      take_link(traveller, index);
    } else {
      const Traveller arrived = traveller;
      complete(arrived.sender, arrived.sent);
      complete(arrived.receiver, arrived.received);
      advance(arrived.sender);
      advance(arrived.receiver);
    }
  }

  // The first byte goes on at once, the last one when the link has carried all.
  void take_link(Traveller& traveller, std::size_t index) {
    const int link = traveller.way->links[traveller.links_done++];
    const std::span<double> lanes = lanes_for(traveller.bytes, link);
    const double rate = ways_.bytes_per_second()[link];
    const double begins = std::max(now_, lanes.back());
    const double rested_since = std::max(now_ - network_.burst_bytes() / rate, lanes.back());
    const double ends = rested_since + traveller.bytes / (rate * static_cast<double>(lanes.size()));
    std::ranges::fill(lanes, ends);
    traveller.last_byte = std::max({traveller.last_byte, begins, ends});
    const bool was_last = traveller.links_done == traveller.way->links.size();
    plan(was_last ? traveller.last_byte + traveller.way->delay : begins, index);
  }

  // The lane that is free first, or all of them; the one that is free last comes last.
  [[nodiscard]] std::span<double> lanes_for(double bytes, int link) {
    const std::size_t count = ways_.lanes();
    const std::span<double> lanes(free_.data() + link * count, count);
    std::ranges::sort(lanes);
    return bytes > most_bytes_on_one_lane ? lanes : lanes.first(1);
  }

  std::span<const Schedule> ranks_;
  const Payload& payload_;
  const Network& network_;
  Ways ways_;
  std::vector<double> free_;        // since or from when on, of each lane of each link; in a burst it is in the past
  std::vector<double> busy_until_;  // of each rank's processor
  std::vector<Layout> layouts_;
  std::vector<Progress> progress_;
  std::map<Ends, Channel> channels_;
  std::vector<Traveller> travellers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t planned_ = 0;
  double now_ = 0;
};

}  // namespace

double running_time(std::span<const Schedule> ranks, const Payload& payload, const Network& network) {
  return Run(ranks, payload, network).seconds();
}

}  // namespace espalier
