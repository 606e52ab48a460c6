// SPDX-License-Identifier: Apache-2.0
#include "estimate/running_time.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "engine/progress.hpp"

namespace espalier {

namespace {

// Between ranks of one node: a copy.
constexpr double memory_bytes_per_second = 4e9;

// An MPI that uses several NICs cuts messages longer than this among them.
constexpr double max_bytes_on_one_lane = 64 << 10;

}  // namespace

// One run from beginning to end.
class Simulation::Run {
 public:
  Run(Simulation& simulation, const Payload& payload)
      : ranks_(simulation.ranks_),
        payload_(payload),
        network_(simulation.network_),
        channels_(simulation.channels_),
        channel_of_(simulation.channel_of_),
        first_of_(simulation.first_of_),
        ways_(simulation.ways_),
        free_(ways_.bytes_per_second().size() * ways_.lanes(), 0.0),
        waiting_(channels_.size()),
        processors_(ranks_.size()) {
    progress_.reserve(ranks_.size());
    layouts_.reserve(ranks_.size());
    for (const Schedule& schedule : ranks_) {
      layouts_.emplace_back(schedule, payload.elements, payload.segments, payload.window, payload.granule);
      progress_.emplace_back(schedule, payload.segments, payload.window).restart();
    }
  }

  double seconds() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<Rank>(rank));
    while (!events_.empty()) {
      std::ranges::pop_heap(events_, std::greater<>());
      const Event event = events_.back();
      events_.pop_back();
      now_ = event.seconds;
      if (event.of_processor) {
        work(static_cast<Rank>(event.subject));
      } else {
        proceed(event.subject);
      }
    }
    if (!std::ranges::all_of(progress_, &Progress::finished)) throw std::logic_error("ranks wait for each other");
    return now_;
  }

 private:
  struct Posted {
    Item item;
    std::uint32_t number = 0;  // of a send: among those of its rank
  };

  // What one side of a channel has posted and the other one has not, in order.
  struct Waiting {
    std::vector<Posted> items;
    std::size_t first = 0;
    bool are_sends = false;

    [[nodiscard]] bool empty() const { return first == items.size(); }
    void push(const Posted& posted) {
      if (empty()) first = (items.clear(), 0);
      items.push_back(posted);
    }
  };

  struct Message {
    std::uint32_t channel = 0;
    Item sent, received;
    double bytes = 0;
    std::size_t links_done = 0;  // of its way
    double last_byte = 0;        // when it is through the links so far
  };

  // A message that both sides have posted.
  struct Ready {
    std::uint32_t number = 0;  // as posted by the sender
    std::uint32_t message = 0;
    bool operator>(const Ready& other) const { return number > other.number; }
  };

  // Of one rank: it sends its messages and does its arithmetic one after the other.
  struct Processor {
    std::vector<Ready> ready;  // a heap: what was posted first goes first
    std::optional<Item> arithmetic;
    bool computes = false;  // that, just now
    bool is_awake = false;  // an event is planned
    double free_from = 0;
    std::uint32_t posted = 0;
  };

  // A processor is free, or a message's first byte comes to the next link, or its last byte to the receiver.
  struct Event {
    double seconds = 0;
    std::uint32_t number = 0;  // of two at the same time the one that was planned first
    std::uint32_t subject : 31 = 0;
    std::uint32_t of_processor : 1 = false;

    bool operator>(const Event& other) const {
      return seconds != other.seconds ? seconds > other.seconds : number > other.number;
    }
  };

  // Posts all messages that can be posted, and finds the next work.
  void advance(Rank rank) {
    Progress& progress = progress_[rank];
    Processor& processor = processors_[rank];
    Item item;
    while (true) {
      if (progress.take_message(item)) {
        post(rank, item);
      } else if (!processor.arithmetic && progress.take_local(item)) {
        if (ranks_[rank].operations[item.operation].kind == Operation::Kind::reduce) {
          processor.arithmetic = item;
          wake(rank);
        } else {
          progress.complete_local(item);
        }
      } else {
        return;
      }
    }
  }

  void complete(Rank rank, Item item) { progress_[rank].complete(progress_[rank].token_of(item)); }

  void post(Rank rank, Item item) {
    const bool sends = ranks_[rank].operations[item.operation].kind == Operation::Kind::send;
    const std::uint32_t channel = channel_of_[first_of_[rank] + item.operation];
    const Posted posted{item, sends ? processors_[rank].posted++ : 0};
    Waiting& waiting = waiting_[channel];
    if (waiting.empty() || waiting.are_sends == sends) {
      waiting.push(posted);
      waiting.are_sends = sends;
      return;
    }
    const Posted& other = waiting.items[waiting.first++];
    make_ready(channel, sends ? posted : other, sends ? other.item : item);
  }

  void make_ready(std::uint32_t channel, const Posted& sent, Item received) {
    const Rank sender = channels_[channel].sender;
    Processor& processor = processors_[sender];
    processor.ready.push_back(
        {sent.number,
         new_message(
             {.channel = channel, .sent = sent.item, .received = received, .bytes = bytes_of(sender, sent.item)})});
    std::ranges::push_heap(processor.ready, std::greater<>());
    wake(sender);
  }

  std::uint32_t new_message(const Message& message) {
    if (unused_.empty()) {
      messages_.push_back(message);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t index = unused_.back();
    unused_.pop_back();
    messages_[index] = message;
    return index;
  }

  [[nodiscard]] double bytes_of(Rank rank, Item item) const {
    const Operation& operation = ranks_[rank].operations[item.operation];
    const Extent extent = layouts_[rank].extent(operation, operation.walked(), item.index);
    return static_cast<double>(extent.length * payload_.element_bytes);
  }

  // After what else happens now: of messages that become ready together the one that was posted first goes first.
  void wake(Rank rank) {
    Processor& processor = processors_[rank];
    if (processor.is_awake) return;
    processor.is_awake = true;
    plan(std::max(now_, processor.free_from), static_cast<std::uint32_t>(rank), true);
  }

  void plan(double seconds, std::uint32_t subject, bool of_processor) {
    events_.push_back({seconds, ++planned_, subject, of_processor ? 1U : 0U});
    std::ranges::push_heap(events_, std::greater<>());
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
      processor.free_from = now_ + bytes_of(rank, *processor.arithmetic) / network_.arithmetic_bytes_per_second();
      wake(rank);
    }
  }

  void depart(Processor& processor) {
    std::ranges::pop_heap(processor.ready, std::greater<>());
    const std::uint32_t index = processor.ready.back().message;
    processor.ready.pop_back();
    Message& message = messages_[index];
    const bool stays = channels_[message.channel].way == nullptr;
    message.last_byte = now_ + (stays ? message.bytes / memory_bytes_per_second : network_.hop_seconds());
    processor.free_from = message.last_byte;
    plan(message.last_byte, index, false);
  }

  void end_arithmetic(Rank rank) {
    Processor& processor = processors_[rank];
    const Item done = *processor.arithmetic;
    processor.computes = false;
    processor.arithmetic.reset();
    progress_[rank].complete_local(done);
    advance(rank);
  }

  void proceed(std::uint32_t index) {
    const Message& message = messages_[index];
    const Channel& channel = channels_[message.channel];
    if (channel.way != nullptr && message.links_done < channel.way->links.size()) return take_link(index, *channel.way);
    complete(channel.sender, message.sent);
    complete(channel.receiver, message.received);
    unused_.push_back(index);
    advance(channel.sender);
    advance(channel.receiver);
  }

  // The first byte goes on at once, the last one when the link has carried all.
  void take_link(std::uint32_t index, const Way& way) {
    Message& message = messages_[index];
    const int link = way.links[message.links_done++];
    const std::span<double> lanes = lanes_for(message.bytes, link);
    const double rate = ways_.bytes_per_second()[link];
    const double begins = std::max(now_, lanes.back());
    const double rested_since = std::max(now_ - network_.burst_bytes() / rate, lanes.back());
    const double ends = rested_since + message.bytes / (rate * static_cast<double>(lanes.size()));
    std::ranges::fill(lanes, ends);
    message.last_byte = std::max({message.last_byte, begins, ends});
    const bool was_last = message.links_done == way.links.size();
    plan(was_last ? message.last_byte + way.delay : begins, index, false);
  }

  // The lane that is free first, or all of them; the one that is free last comes last.
  [[nodiscard]] std::span<double> lanes_for(double bytes, int link) {
    const std::size_t count = ways_.lanes();
    const std::span<double> lanes(free_.data() + link * count, count);
    if (count > 1) std::ranges::sort(lanes);
    return bytes > max_bytes_on_one_lane ? lanes : lanes.first(1);
  }

  std::span<const Schedule> ranks_;
  const Payload& payload_;
  const Network& network_;
  const std::vector<Channel>& channels_;
  const std::vector<std::uint32_t>&channel_of_, &first_of_;
  const Ways& ways_;
  std::vector<double> free_;      // since or from when on, of each lane of each link; in a burst it is in the past
  std::vector<Waiting> waiting_;  // by channel
  std::vector<Processor> processors_;
  std::vector<Layout> layouts_;
  std::vector<Progress> progress_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> unused_;  // of these
  std::vector<Event> events_;          // a heap
  std::uint32_t planned_ = 0;
  double now_ = 0;
};

Simulation::Simulation(std::span<const Schedule> ranks, const Network& network)
    : ranks_(ranks), network_(network), ways_(network) {
  std::map<std::tuple<Rank, Rank, Lane>, std::uint32_t> numbers;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto rank = static_cast<Rank>(k);
    first_of_.push_back(static_cast<std::uint32_t>(channel_of_.size()));
    for (const Operation& operation : ranks[k].operations) {
      channel_of_.push_back(0);
      if (!operation.communicates()) continue;
      const bool sends = operation.kind == Operation::Kind::send;
      const Rank sender = sends ? rank : operation.peer, receiver = sends ? operation.peer : rank;
      const auto [found, is_new] = numbers.try_emplace({sender, receiver, operation.lane}, numbers.size());
      channel_of_.back() = found->second;
      if (is_new) channels_.push_back({sender, receiver, way_between(sender, receiver)});
    }
  }
}

const Way* Simulation::way_between(Rank sender, Rank receiver) {
  const int from = network_.node_of(sender), to = network_.node_of(receiver);
  return from == to ? nullptr : &ways_.between(from, to);
}

double Simulation::seconds(const Payload& payload) { return Run(*this, payload).seconds(); }

double Simulation::least_seconds_per_segment(const Payload& payload) const {
  Load load{.of_link = std::vector<double>(ways_.bytes_per_second().size(), 0.0)};
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) add_load(rank, payload, load);
  return std::max(load.longest, std::ranges::max(load.of_link));
}

void Simulation::add_load(std::size_t rank, const Payload& payload, Load& load) const {
  const Schedule& schedule = ranks_[rank];
  const double bytes =
      static_cast<double>(payload.elements * payload.element_bytes) / schedule.blocks / payload.segments;
  double of_processor = 0;
  for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    const int items = operation.merged ? 0 : operation.walked().blocks;
    if (operation.kind == Operation::Kind::reduce)
      of_processor += items * bytes / network_.arithmetic_bytes_per_second();
    if (operation.kind != Operation::Kind::send) continue;
    const Way* way = channels_[channel_of_[first_of_[rank] + k]].way;
    of_processor += items * (way == nullptr ? bytes / memory_bytes_per_second : network_.hop_seconds());
    if (way != nullptr) add_load(*way, items, bytes, payload.window, load);
  }
  load.longest = std::max(load.longest, of_processor);
}

void Simulation::add_load(const Way& way, int items, double bytes, int window, Load& load) const {
  for (const int link : way.links) {
    load.of_link[link] += items * bytes / ways_.bytes_per_second()[link] / ways_.lanes();
  }
  load.longest = std::max(load.longest, items * way.delay / window);
}

std::size_t Simulation::messages(int segments) const {
  std::size_t count = 0;
  for (const Schedule& schedule : ranks_) {
    for (const Operation& operation : schedule.operations) {
      if (operation.kind == Operation::Kind::send) count += static_cast<std::size_t>(operation.items(segments));
    }
  }
  return count;
}

double running_time(std::span<const Schedule> ranks, const Payload& payload, const Network& network) {
  return Simulation(ranks, network).seconds(payload);
}

}  // namespace espalier
