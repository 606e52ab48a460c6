// SPDX-License-Identifier: Apache-2.0
#include "estimate/running_time.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "engine/progress.hpp"

namespace espalier {

namespace {

// An MPI that uses several NICs cuts messages longer than this among them.
constexpr double max_bytes_on_one_lane = 64 << 10;

}  // namespace

// One run from beginning to end.
class Simulation::Run {
 public:
  Run(Simulation& simulation, const SimulatedMessage& message)
      : ranks_(simulation.ranks_),
        element_bytes_(message.element_bytes),
        network_(simulation.network_),
        simulation_(simulation),
        channels_(simulation.channels_),
        routes_(simulation.routes_),
        free_(routes_.bytes_per_second().size() * routes_.lanes(), 0.0),
        waiting_(channels_.size()),
        processors_(ranks_.size()) {
    progress_.reserve(ranks_.size());
    layouts_.reserve(ranks_.size());
    for (const Schedule& schedule : ranks_) {
      layouts_.emplace_back(schedule, message.partition, message.window);
      progress_.emplace_back(schedule, layouts_.back().items(), message.window).restart();
    }
  }

  double seconds() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<Rank>(rank));
    while (!events_.empty()) {
      std::ranges::pop_heap(events_, std::greater<>());
      const TimedEvent event = events_.back();
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

  struct PlannedMessage {
    std::uint32_t channel = 0;
    Item sent, received;
    double bytes = 0;
    std::size_t links_done = 0;  // of its route
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
  struct TimedEvent {
    double seconds = 0;
    std::uint32_t number = 0;  // of two at the same time the one that was planned first
    std::uint32_t subject : 31 = 0;
    std::uint32_t of_processor : 1 = false;

    bool operator>(const TimedEvent& other) const {
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
    const int block = layouts_[rank].block_of(item.operation, item.index);
    const std::uint32_t channel = simulation_.channel_of(static_cast<std::size_t>(rank), item.operation, block);
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

  std::uint32_t new_message(const PlannedMessage& message) {
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
    const Extent extent = layouts_[rank].extent(item.operation, operation.walked(), item.index);
    return static_cast<double>(extent.length * element_bytes_);
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
    PlannedMessage& message = messages_[index];
    const bool stays = channels_[message.channel].route == nullptr;
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
    const PlannedMessage& message = messages_[index];
    const SimulatedChannel& channel = channels_[message.channel];
    if (channel.route != nullptr && message.links_done < channel.route->links.size())
      return take_link(index, *channel.route);
    complete(channel.sender, message.sent);
    complete(channel.receiver, message.received);
    unused_.push_back(index);
    advance(channel.sender);
    advance(channel.receiver);
  }

  // The first byte goes on at once, the last one when the link has carried all.
  void take_link(std::uint32_t index, const Route& route) {
    PlannedMessage& message = messages_[index];
    const int link = route.links[message.links_done++];
    const std::span<double> lanes = lanes_for(message.bytes, link);
    const double rate = routes_.bytes_per_second()[link];
    const double begins = std::max(now_, lanes.back());
    const double rested_since = std::max(now_ - network_.burst_bytes() / rate, lanes.back());
    const double ends = rested_since + message.bytes / (rate * static_cast<double>(lanes.size()));
    std::ranges::fill(lanes, ends);
    message.last_byte = std::max({message.last_byte, begins, ends});
    const bool was_last = message.links_done == route.links.size();
    plan(was_last ? message.last_byte + route.delay : begins, index, false);
  }

  // The lane that is free first, or all of them; the one that is free last comes last.
  [[nodiscard]] std::span<double> lanes_for(double bytes, int link) {
    const std::size_t count = routes_.lanes();
    const std::span<double> lanes(free_.data() + link * count, count);
    if (count > 1) std::ranges::sort(lanes);
    return bytes > max_bytes_on_one_lane ? lanes : lanes.first(1);
  }

  std::span<const Schedule> ranks_;
  const std::size_t element_bytes_;
  const Network& network_;
  const Simulation& simulation_;
  const std::vector<SimulatedChannel>& channels_;
  const Routes& routes_;
  std::vector<double> free_;      // since or from when on, of each lane of each link; in a burst it is in the past
  std::vector<Waiting> waiting_;  // by channel
  std::vector<Processor> processors_;
  std::vector<Layout> layouts_;
  std::vector<Progress> progress_;
  std::vector<PlannedMessage> messages_;
  std::vector<std::uint32_t> unused_;  // of these
  std::vector<TimedEvent> events_;     // a heap
  std::uint32_t planned_ = 0;
  double now_ = 0;
};

Simulation::Simulation(std::span<const Schedule> ranks, const Network& network)
    : ranks_(ranks), network_(network), routes_(network) {
  std::map<std::tuple<Rank, Rank, Channel>, std::uint32_t> numbers;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto rank = static_cast<Rank>(k);
    first_of_.push_back(static_cast<std::uint32_t>(first_channel_.size()));
    for (const Operation& operation : ranks[k].operations) {
      first_channel_.push_back(static_cast<std::uint32_t>(channel_numbers_.size()));
      const int peers = !operation.communicates() ? 0 : operation.has_one_peer() ? 1 : operation.walked().blocks;
      for (int block = 0; block < peers; ++block) {
        const bool sends = operation.kind == Operation::Kind::send;
        const Rank peer = operation.peer(block), sender = sends ? rank : peer, receiver = sends ? peer : rank;
        const auto [found, is_new] = numbers.try_emplace({sender, receiver, operation.channel}, numbers.size());
        channel_numbers_.push_back(found->second);
        if (is_new) channels_.push_back({sender, receiver, route_between(sender, receiver)});
      }
    }
  }
}

const Route* Simulation::route_between(Rank sender, Rank receiver) {
  const int from = network_.node_of(sender), to = network_.node_of(receiver);
  return from == to ? nullptr : &routes_.between(from, to);
}

double Simulation::seconds(const SimulatedMessage& message) { return Run(*this, message).seconds(); }

double Simulation::min_seconds_per_segment(const SimulatedMessage& message) const {
  Load load{.of_link = std::vector<double>(routes_.bytes_per_second().size(), 0.0)};
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) add_load(rank, message, load);
  // Ranks of one node have none.
  return std::accumulate(load.of_link.begin(), load.of_link.end(), load.longest,
                         [](double most, double link) { return std::max(most, link); });
}

void Simulation::add_load(std::size_t rank, const SimulatedMessage& message, Load& load) const {
  const Schedule& schedule = ranks_[rank];
  const Partition& partition = message.partition;
  const double bytes =
      static_cast<double>(partition.elements() * message.element_bytes) / schedule.blocks / partition.segments();
  double of_processor = 0;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    const int items = operation.merged ? 0 : operation.walked().blocks;
    if (operation.kind == Operation::Kind::reduce)
      of_processor += items * bytes / network_.arithmetic_bytes_per_second();
    if (operation.kind != Operation::Kind::send) continue;
    const int parts = operation.has_one_peer() ? 1 : items;
    for (int part = 0; part < parts; ++part) {
      const Route* route = channels_[channel_of(rank, k, part)].route;
      of_processor += items / parts * (route == nullptr ? bytes / memory_bytes_per_second : network_.hop_seconds());
      if (route != nullptr) add_load(*route, items / parts, bytes, message.window, load);
    }
  }
  load.longest = std::max(load.longest, of_processor);
}

void Simulation::add_load(const Route& route, int items, double bytes, int window, Load& load) const {
  for (const int link : route.links) {
    load.of_link[link] += items * bytes / routes_.bytes_per_second()[link] / routes_.lanes();
  }
  load.longest = std::max(load.longest, items * route.delay / window);
}

std::size_t Simulation::messages(int segments) const {
  std::size_t count = 0;
  for (const Schedule& schedule : ranks_) {
    for (const Operation& operation : schedule.operations) {
      if (operation.kind != Operation::Kind::send) continue;
      count += operation.merged
                   ? 1
                   : static_cast<std::size_t>(operation.walked().blocks) * static_cast<std::size_t>(segments);
    }
  }
  return count;
}

double running_time(std::span<const Schedule> ranks, const SimulatedMessage& message, const Network& network) {
  return Simulation(ranks, network).seconds(message);
}

}  // namespace espalier
