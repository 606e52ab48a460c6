// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.hpp"

#include <compare>
#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace espalier {

namespace {

struct PostedItem {
  Item item;
  int step = 0;
};

// All messages from one rank to another on one channel, matched first with first.
struct ChannelPosts {
  std::deque<PostedItem> sends, receives;

  [[nodiscard]] bool ready() const { return !sends.empty() && !receives.empty(); }
  [[nodiscard]] bool empty() const { return sends.empty() && receives.empty(); }
  [[nodiscard]] int ready_since() const { return std::max(sends.front().step, receives.front().step); }
};
using Ends = std::tuple<Rank, Rank, Channel>;  // sender, receiver

// Its first message can be sent; in the order in which such messages are.
struct ReadyChannel {
  int since, item;
  std::uint32_t operation;
  Ends ends;

  static ReadyChannel of(const Ends& ends, const ChannelPosts& traffic) {
    const Item item = traffic.sends.front().item;
    return {traffic.ready_since(), item.index, item.operation, ends};
  }
  friend auto operator<=>(const ReadyChannel&, const ReadyChannel&) = default;
};

class TimelineRun {
 public:
  TimelineRun(std::span<const Schedule> ranks, int segments, int window)
      : ranks_(ranks), partition_(unit_partition(ranks.front().blocks, segments)) {
    items_.reserve(ranks.size());
    progress_.reserve(ranks.size());
    timeline_.finished.assign(ranks.size(), -1);
    for (const Schedule& schedule : ranks) {
      progress_.emplace_back(schedule, items_.emplace_back(schedule, partition_), window).restart();
      advance(static_cast<Rank>(progress_.size() - 1));
    }
  }

  Timeline finish() {
    while (true) {
      const std::vector<DrawnMessage> moved = choose();
      if (moved.empty()) return std::move(timeline_);
      ++timeline_.steps;
      for (const DrawnMessage& transfer : moved) {
        complete(transfer.sender, transfer.sent);
        complete(transfer.receiver, transfer.received);
      }
      for (const DrawnMessage& transfer : moved) {
        advance(transfer.sender);
        advance(transfer.receiver);
      }
      timeline_.transfers.insert(timeline_.transfers.end(), moved.begin(), moved.end());
    }
  }

 private:
  // Does all local work that can be done, and posts all messages that can be posted.
  void advance(Rank rank) {
    Progress& progress = progress_[rank];
    Item item;
    while (true) {
      if (progress.take_message(item)) {
        post(rank, item);
      } else if (progress.take_local(item)) {
        timeline_.work.push_back({timeline_.steps, rank, item});
        progress.complete_local(item);
      } else {
        break;
      }
    }
    if (progress.finished() && timeline_.finished[rank] < 0) timeline_.finished[rank] = timeline_.steps;
  }

  void post(Rank rank, Item item) {
    const Operation& operation = ranks_[rank].operations[item.operation];
    const bool sends = operation.kind == Operation::Kind::send;
    const Rank peer = operation.peer(items_[rank].piece(item.operation, item.index).block);
    const Ends ends = sends ? Ends{rank, peer, operation.channel} : Ends{peer, rank, operation.channel};
    ChannelPosts& traffic = channels_[ends];
    const bool was_ready = traffic.ready();
    (sends ? traffic.sends : traffic.receives).push_back({item, timeline_.steps});
    if (!was_ready && traffic.ready()) ready_.insert(ReadyChannel::of(ends, traffic));
  }

  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }

  // The messages of the next step, at most one per port.
  std::vector<DrawnMessage> choose() {
    std::vector<char> sending(ranks_.size() * max_channels), receiving(ranks_.size() * max_channels);
    std::vector<DrawnMessage> chosen;
    for (auto candidate = ready_.begin(); candidate != ready_.end();) {
      const auto [sender, receiver, channel] = candidate->ends;
      char& out = sending[std::size_t{channel} * ranks_.size() + sender];
      char& in = receiving[std::size_t{channel} * ranks_.size() + receiver];
      if (out || in) {
        ++candidate;
        continue;
      }
      out = in = 1;
      chosen.push_back(take_first(candidate->ends));
      candidate = ready_.erase(candidate);
    }
    for (const DrawnMessage& message : chosen) look_again({message.sender, message.receiver, message.channel});
    return chosen;
  }

  DrawnMessage take_first(const Ends& ends) {
    const auto [sender, receiver, channel] = ends;
    ChannelPosts& traffic = channels_[ends];
    DrawnMessage message{
        timeline_.steps, channel, sender, receiver, traffic.sends.front().item, traffic.receives.front().item};
    traffic.sends.pop_front();
    traffic.receives.pop_front();
    return message;
  }

  void look_again(const Ends& ends) {
    const auto found = channels_.find(ends);
    if (found->second.ready()) {
      ready_.insert(ReadyChannel::of(ends, found->second));
    } else if (found->second.empty()) {
      channels_.erase(found);
    }
  }

  std::span<const Schedule> ranks_;
  Partition partition_;
  std::vector<Items> items_;
  std::vector<Progress> progress_;
  std::map<Ends, ChannelPosts> channels_;  // with anything posted
  std::set<ReadyChannel> ready_;           // those of which a message can be sent
  Timeline timeline_;
};

}  // namespace

bool Timeline::complete() const {
  return std::none_of(finished.begin(), finished.end(), [](int step) { return step < 0; });
}

Timeline run_idealised(std::span<const Schedule> ranks, int segments, int window) {
  return TimelineRun(ranks, segments, window).finish();
}

}  // namespace espalier
