// SPDX-License-Identifier: Apache-2.0
// A run of all ranks whose processors take time: for the estimate, and for simulations. How messages travel, and the
// clock, are the wire's.
//
// A rank's processor does one thing at a time. A message begins when both sides have posted it and its sender's
// processor is free, which it keeps busy for a while; of several the one that was posted first. Reductions are done
// while no message is to be sent.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>

#include "core/prefetch.hpp"
#include "play/player.hpp"
#include "play/segment_pace.hpp"

namespace espalier {

// Between ranks of one node: a copy.
inline constexpr double memory_bytes_per_second = 4e9;

struct ProcessorCosts {
  double message_seconds = 0;              // of the sender
  double arithmetic_bytes_per_second = 1;  // of one operand
  double reduction_seconds = 0;            // of each, over what its bytes take
};

// A processor is free (its rank), or a message (its number) is ready to go on.
struct PlannedEvent {
  std::uint32_t subject : 31 = 0;
  std::uint32_t of_processor : 1 = false;
};

// Wire: has
//   double now()
//   void plan(double seconds, PlannedEvent): it hands the event to TimedRun::handle() then
//   bool stays_within(channel): whether its messages do not leave their node
//   void carry(message): from node to node: plans the same message again for its next step, and says
//     TimedRun::arrive() at its end
//   void prefetch_route(channel), prefetch_nodes(channel): what carry() reads, if it calls prefetch(); the second one
//     looks at what the first one has fetched
// Transit: what the wire keeps of each message.
template <class Wire, class Transit>
class TimedRun {
 public:
  struct TimedMessage {
    std::uint32_t channel = 0;
    Item sent, received;
    double bytes = 0;
    Transit transit = {};
  };

  // All of these must outlive this.
  TimedRun(std::span<const Schedule> ranks, const PlayedChannels& channels, const SimulatedMessage& message,
           const ProcessorCosts& costs, Wire& wire)
      : channels_(channels.all()),
        costs_(costs),
        wire_(wire),
        processors_(ranks.size()),
        player_(ranks, channels, message, *this) {}

  // Tells it when segments arrive. It must outlive this.
  void watch(SegmentPace& pace) { pace_ = &pace; }

  void begin() { player_.begin(); }
  // When nothing is planned any more. Throws std::logic_error where ranks wait for each other.
  void check_end() const {
    if (!player_.finished()) throw std::logic_error("ranks wait for each other");
  }

  void handle(PlannedEvent event) {
    if (event.of_processor != 0) return work(static_cast<Rank>(event.subject));
    const std::uint32_t channel = messages_[event.subject].channel;
    wire_.stays_within(channel) ? arrive(event.subject) : wire_.carry(event.subject);
  }

  // What handle() will read, in steps: each one looks at what the one before has fetched, so some time lies between.
  static constexpr std::size_t prefetch_steps = 4;
  void prefetch(PlannedEvent event, std::size_t step) const {
    event.of_processor != 0 ? prefetch_processor(static_cast<Rank>(event.subject), step)
                            : prefetch_message(event.subject, step);
  }

  [[nodiscard]] TimedMessage& message(std::uint32_t index) { return messages_[index]; }
  [[nodiscard]] Path path_of(const TimedMessage& message) const {
    return player_.operation(channels_[message.channel].sender, message.sent).path;
  }
  [[nodiscard]] std::uint64_t arrived() const { return arrived_; }

  void arrive(std::uint32_t index) {
    ++arrived_;
    const TimedMessage message = messages_[index];
    const auto [sender, receiver] = channels_[message.channel];
    unused_.push_back(index);
    if (pace_ != nullptr) pace_->arrived(message.sent.index, wire_.now());
    player_.complete(sender, message.sent);
    player_.complete(receiver, message.received);
    player_.advance(sender);
    player_.advance(receiver);
  }

 private:
  friend class Player<TimedRun>;

  // A message that both sides have posted.
  struct Ready {
    std::uint32_t number = 0;  // as posted by the sender
    std::uint32_t message = 0;
    bool operator>(const Ready& other) const { return number > other.number; }
  };

  struct Processor {
    std::vector<Ready> ready;  // a heap: what was posted first goes first
    std::optional<Item> arithmetic;
    bool computes = false;  // that, just now
    bool is_awake = false;  // an event is planned
    double free_from = 0;
  };

  void prefetch_processor(Rank rank, std::size_t step) const {
    const Processor& processor = processors_[rank];
    const bool sends = step > 0 && !processor.ready.empty();
    switch (step) {
      case 0: prefetch_object(processor); return player_.prefetch(rank);
      case 1:
        if (sends) espalier::prefetch(processor.ready.data());
        return player_.prefetch_counters(rank);
      case 2:
        if (sends) prefetch_object(messages_[processor.ready.front().message]);
        return;
      default: return;
    }
  }

  void prefetch_message(std::uint32_t index, std::size_t step) const {
    const TimedMessage& message = messages_[index];
    if (step == 0) return prefetch_object(message);
    const PlayedChannel& channel = channels_[message.channel];
    if (step == 1) {
      espalier::prefetch(&channel);
      player_.prefetch_channel(message.channel);
      return wire_.prefetch_route(message.channel);
    }
    if (step == 2) wire_.prefetch_nodes(message.channel);
    for (const Rank rank : {channel.sender, channel.receiver}) {
      step == 2 ? player_.prefetch(rank) : player_.prefetch_counters(rank);
      if (step == 2) prefetch_object(processors_[rank]);
    }
  }

  void meet(const MetMessage& met) {
    const Rank sender = channels_[met.channel].sender;
    Processor& processor = processors_[sender];
    const double bytes = player_.bytes_of(sender, met.sent);
    processor.ready.push_back(
        {met.number,
         new_message({.channel = met.channel, .sent = met.sent, .received = met.received, .bytes = bytes})});
    std::ranges::push_heap(processor.ready, std::greater<>());
    wake(sender);
  }

  [[nodiscard]] bool take_local(Rank rank) const { return !processors_[rank].arithmetic; }
  void do_local(Rank rank, Item item) {
    if (player_.operation(rank, item).kind != Operation::Kind::reduce) return player_.complete_local(rank, item);
    processors_[rank].arithmetic = item;
    wake(rank);
  }

  std::uint32_t new_message(const TimedMessage& message) {
    if (unused_.empty()) {
      messages_.push_back(message);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t index = unused_.back();
    unused_.pop_back();
    messages_[index] = message;
    return index;
  }

  // After what else happens now: of messages that become ready together the one that was posted first goes first.
  void wake(Rank rank) {
    Processor& processor = processors_[rank];
    if (processor.is_awake) return;
    processor.is_awake = true;
    wire_.plan(std::max(wire_.now(), processor.free_from), {static_cast<std::uint32_t>(rank), 1U});
  }

  // The processor is free: messages go before arithmetic.
  void work(Rank rank) {
    Processor& processor = processors_[rank];
    if (processor.computes) end_arithmetic(rank);
    processor.is_awake = false;
    if (!processor.ready.empty()) {
      depart(processor);
      if (!processor.ready.empty() || processor.arithmetic) wake(rank);
    } else if (processor.arithmetic) {
      processor.computes = true;
      processor.free_from = wire_.now() + costs_.reduction_seconds +
                            player_.bytes_of(rank, *processor.arithmetic) / costs_.arithmetic_bytes_per_second;
      wake(rank);
    }
  }

  void depart(Processor& processor) {
    std::ranges::pop_heap(processor.ready, std::greater<>());
    const std::uint32_t index = processor.ready.back().message;
    processor.ready.pop_back();
    const TimedMessage& message = messages_[index];
    const double busy =
        wire_.stays_within(message.channel) ? message.bytes / memory_bytes_per_second : costs_.message_seconds;
    processor.free_from = wire_.now() + busy;
    wire_.plan(processor.free_from, {index, 0U});
  }

  void end_arithmetic(Rank rank) {
    Processor& processor = processors_[rank];
    const Item done = *processor.arithmetic;
    processor.computes = false;
    processor.arithmetic.reset();
    player_.complete_local(rank, done);
    player_.advance(rank);
  }

  std::span<const PlayedChannel> channels_;
  const ProcessorCosts costs_;
  Wire& wire_;
  std::vector<Processor> processors_;
  std::vector<TimedMessage> messages_;
  std::vector<std::uint32_t> unused_;  // of these
  std::uint64_t arrived_ = 0;
  SegmentPace* pace_ = nullptr;
  Player<TimedRun> player_;
};

}  // namespace espalier
