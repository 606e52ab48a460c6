// SPDX-License-Identifier: Apache-2.0
// All ranks' schedules, played in one process: what each posts, and which messages meet. What a message or local work
// costs is its owner's: the estimate, a simulation, a drawing.
//
// The owner is told of each message that both sides have posted, and of local work that can be done; it says when
// either is over.
#pragma once

#include <algorithm>
#include <vector>

#include "core/prefetch.hpp"
#include "engine/progress.hpp"
#include "play/channels.hpp"
#include "play/shared_rules.hpp"
#include "play/simulated_message.hpp"
#include "play/waiting_items.hpp"
#include "schedule/layout.hpp"

namespace espalier {

// A message that both sides have posted.
struct MetMessage {
  std::uint32_t channel = 0;
  std::uint32_t number = 0;  // among those that its sender has posted
  Item sent, received;
};

// Owner: has
//   void meet(const MetMessage&)
//   bool take_local(Rank): whether the rank could do local work now
//   void do_local(Rank, Item): of kind reduce or copy; it is over when complete_local() says so, at once or later
template <class Owner>
class Player {
 public:
  // All of these must outlive this.
  Player(std::span<const Schedule> ranks, const PlayedChannels& channels, const SimulatedMessage& message, Owner& owner)
      : ranks_(ranks),
        channels_(channels),
        message_(message),
        owner_(owner),
        waiting_(channels.all().size()),
        sends_posted_(ranks.size()) {
    layouts_.reserve(ranks.size());
    progress_.reserve(ranks.size());
    for (const Schedule& schedule : ranks) {
      layouts_.emplace_back(schedule, message.partition, message.window);
      progress_.emplace_back(rules_.for_rank(schedule, layouts_.back().items(), message.window)).restart();
    }
  }

  void begin() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<Rank>(rank));
  }

  // Posts all messages that can be posted, and offers local work.
  void advance(Rank rank) {
    Progress& progress = progress_[rank];
    Item item;
    while (true) {
      if (progress.take_message(item)) {
        post(rank, item);
      } else if (owner_.take_local(rank) && progress.take_local(item)) {
        owner_.do_local(rank, item);
      } else {
        return;
      }
    }
  }

  // The rank may be able to go on: advance() it.
  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }
  void complete_local(Rank rank, Item item) { progress_[rank].complete_local(item); }

  // Soon something of the rank completes: what advance() reads, the second looking at what the first has fetched; or
  // something of a channel.
  void prefetch(Rank rank) const {
    prefetch_object(progress_[rank]);
    espalier::prefetch(&sends_posted_[rank]);
  }
  void prefetch_counters(Rank rank) const {
    progress_[rank].prefetch();
    channels_.prefetch(static_cast<std::size_t>(rank));
  }
  void prefetch_channel(std::uint32_t channel) const { espalier::prefetch(&waiting_[channel]); }

  [[nodiscard]] bool finished(Rank rank) const { return progress_[rank].finished(); }
  [[nodiscard]] bool finished() const { return std::ranges::all_of(progress_, &Progress::finished); }

  [[nodiscard]] const PlayedOperation& operation(Rank rank, Item item) const {
    return channels_.operation(static_cast<std::size_t>(rank), item.operation);
  }
  [[nodiscard]] double bytes_of(Rank rank, Item item) const {
    const std::int32_t label = operation(rank, item).label;
    const std::size_t elements =
        label >= 0 ? message_.partition.segment(label, item.index).length : elements_of(rank, item);
    return static_cast<double>(elements * message_.element_bytes);
  }

 private:
  [[nodiscard]] std::size_t elements_of(Rank rank, Item item) const {
    const Operation& operation = ranks_[rank].operations[item.operation];
    return layouts_[rank].extent(item.operation, operation.walked(), item.index).length;
  }

  void post(Rank rank, Item item) {
    const PlayedOperation& played = operation(rank, item);
    const bool sends = played.kind == Operation::Kind::send;
    const int block = played.has_one_peer ? 0 : layouts_[rank].block_of(item.operation, item.index);
    const std::uint32_t channel = channels_.of(static_cast<std::size_t>(rank), item.operation, block);
    const WaitingItem posted{item, sends ? sends_posted_[rank]++ : 0};
    WaitingItems& waiting = waiting_[channel];
    if (waiting.empty() || waiting.are_sends() == sends) return waiting.push(posted, sends);
    const WaitingItem other = waiting.pop();
    const WaitingItem& sent = sends ? posted : other;
    owner_.meet({channel, sent.number, sent.item, sends ? other.item : item});
  }

  std::span<const Schedule> ranks_;
  const PlayedChannels& channels_;
  const SimulatedMessage& message_;
  Owner& owner_;
  std::vector<WaitingItems> waiting_;  // by channel
  std::vector<std::uint32_t> sends_posted_;
  std::vector<Layout> layouts_;
  SharedRules rules_;
  std::vector<Progress> progress_;
};

}  // namespace espalier
