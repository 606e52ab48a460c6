// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.hpp"

#include <deque>
#include <map>
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
  [[nodiscard]] int ready_since() const { return std::max(sends.front().step, receives.front().step); }
};
using Ends = std::tuple<Rank, Rank, Channel>;  // sender, receiver

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
    (sends ? traffic.sends : traffic.receives).push_back({item, timeline_.steps});
  }

  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }

  // The messages of the next step, at most one per port.
  std::vector<DrawnMessage> choose() {
    struct Ready {
      int since, item;
      std::uint32_t operation;
      Ends ends;

      bool operator<(const Ready& other) const {
        return std::tie(since, item, operation, ends) < std::tie(other.since, other.item, other.operation, other.ends);
      }
    };
    std::vector<Ready> ready;
    for (const auto& [ends, channel] : channels_) {
      if (!channel.ready()) continue;
      const Item item = channel.sends.front().item;
      ready.push_back({channel.ready_since(), item.index, item.operation, ends});
    }
    std::sort(ready.begin(), ready.end());

    std::vector<char> sending(ranks_.size() * max_channels), receiving(ranks_.size() * max_channels);
    std::vector<DrawnMessage> chosen;
    for (const Ready& candidate : ready) {
      const auto [sender, receiver, channel] = candidate.ends;
      char& out = sending[std::size_t{channel} * ranks_.size() + sender];
      char& in = receiving[std::size_t{channel} * ranks_.size() + receiver];
      if (out || in) continue;
      out = in = 1;
      ChannelPosts& traffic = channels_[candidate.ends];
      chosen.push_back(
          {timeline_.steps, channel, sender, receiver, traffic.sends.front().item, traffic.receives.front().item});
      traffic.sends.pop_front();
      traffic.receives.pop_front();
    }
    return chosen;
  }

  std::span<const Schedule> ranks_;
  Partition partition_;
  std::vector<Items> items_;
  std::vector<Progress> progress_;
  std::map<Ends, ChannelPosts> channels_;
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
