// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.hpp"

#include <deque>
#include <map>
#include <tuple>

namespace espalier {

namespace {

struct Posted {
  Item item;
  int step = 0;
};

// All messages from one rank to another on one lane, matched first with first.
struct Channel {
  std::deque<Posted> sends, receives;

  [[nodiscard]] bool ready() const { return !sends.empty() && !receives.empty(); }
  [[nodiscard]] int ready_since() const { return std::max(sends.front().step, receives.front().step); }
};
using Ends = std::tuple<Rank, Rank, Lane>;  // sender, receiver

class Run {
 public:
  Run(std::span<const Schedule> ranks, int segments, int window) : ranks_(ranks) {
    progress_.reserve(ranks.size());
    timeline_.finished.assign(ranks.size(), -1);
    for (const Schedule& schedule : ranks) {
      progress_.emplace_back(schedule, segments, window).restart();
      advance(static_cast<Rank>(progress_.size() - 1));
    }
  }

  Timeline finish() {
    while (true) {
      const std::vector<Transfer> moved = choose();
      if (moved.empty()) return std::move(timeline_);
      ++timeline_.steps;
      for (const Transfer& transfer : moved) {
        complete(transfer.sender, transfer.sent);
        complete(transfer.receiver, transfer.received);
      }
      for (const Transfer& transfer : moved) {
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
    const Ends ends = sends ? Ends{rank, operation.peer, operation.lane} : Ends{operation.peer, rank, operation.lane};
    Channel& channel = channels_[ends];
    (sends ? channel.sends : channel.receives).push_back({item, timeline_.steps});
  }

  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }

  // The messages of the next step, at most one per port.
  std::vector<Transfer> choose() {
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

    std::vector<char> sending(ranks_.size() * max_lanes), receiving(ranks_.size() * max_lanes);
    std::vector<Transfer> chosen;
    for (const Ready& candidate : ready) {
      const auto [sender, receiver, lane] = candidate.ends;
      char& out = sending[std::size_t{lane} * ranks_.size() + sender];
      char& in = receiving[std::size_t{lane} * ranks_.size() + receiver];
      if (out || in) continue;
      out = in = 1;
      Channel& channel = channels_[candidate.ends];
      chosen.push_back(
          {timeline_.steps, lane, sender, receiver, channel.sends.front().item, channel.receives.front().item});
      channel.sends.pop_front();
      channel.receives.pop_front();
    }
    return chosen;
  }

  std::span<const Schedule> ranks_;
  std::vector<Progress> progress_;
  std::map<Ends, Channel> channels_;
  Timeline timeline_;
};

}  // namespace

bool Timeline::complete() const {
  return std::none_of(finished.begin(), finished.end(), [](int step) { return step < 0; });
}

Timeline run_idealised(std::span<const Schedule> ranks, int segments, int window) {
  return Run(ranks, segments, window).finish();
}

}  // namespace espalier
