// SPDX-License-Identifier: Apache-2.0
#include "halo/travel/aggregation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace espalier::halo {

namespace {

using Numbers = std::vector<int>;  // of messages

class AggregationPlanner {
 public:
  AggregationPlanner(std::span<const RankMessage> messages, std::span<const int> hosts, const Aggregation& aggregation)
      : messages_(messages), hosts_(hosts), aggregation_(aggregation), travel_{{}, Numbers(messages.size())} {
    std::iota(travel_.carried_by.begin(), travel_.carried_by.end(), 0);
  }

  [[nodiscard]] Travel plan() {
    std::map<std::pair<int, int>, Numbers> between;  // hosts
    for (int number = 0; number < std::ssize(messages_); ++number) {
      const RankMessage& message = at(number);
      const int from = host_of(message.from), to = host_of(message.to);
      if (from != to) {
        between[{from, to}].push_back(number);
      } else if (message.from != message.to) {
        add_leg(message.from, message.to, {number});
      }
    }
    for (const auto& [ends, numbers] : between) plan_between(ends.first, ends.second, numbers);
    std::ranges::stable_sort(travel_.legs, {},
                             [](const Leg& leg) { return std::pair(leg.stage, leg.messages.front()); });
    number_channels();
    return std::move(travel_);
  }

 private:
  [[nodiscard]] const RankMessage& at(int number) const { return messages_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] int host_of(Rank rank) const { return hosts_[static_cast<std::size_t>(rank)]; }
  void add_leg(Rank from, Rank to, const Numbers& numbers, Leg::Stage stage = Leg::Stage::first) {
    travel_.legs.push_back({.from = from, .to = to, .messages = numbers, .channel = 0, .stage = stage});
  }

  void plan_between(int from, int to, const Numbers& numbers) {
    if (aggregation_.sends_once) find_those_alike(numbers);
    Numbers together;
    for (const int number : numbers) {
      if (at(number).bytes <= aggregation_.longest) together.push_back(number);
    }
    if (together.size() < 2) together.clear();
    for (const int number : numbers) {
      if (!std::ranges::binary_search(together, number)) go_alone(number);
    }
    if (!together.empty()) go_together(from, to, together);
  }

  void find_those_alike(const Numbers& numbers) {
    std::map<std::pair<Rank, int>, int> first;
    for (const int number : numbers)
      travel_.carried_by[static_cast<std::size_t>(number)] =
          first.try_emplace({at(number).from, at(number).datum}, number).first->second;
  }
  [[nodiscard]] int carrier_of(int number) const { return travel_.carried_by[static_cast<std::size_t>(number)]; }

  // The first to get it hands it on.
  void go_alone(int number) {
    const int carrier = carrier_of(number);
    if (carrier == number) return add_leg(at(number).from, at(number).to, {number});
    const Rank holder = at(carrier).to, to = at(number).to;
    if (holder != to && handed_on_.insert({carrier, to}).second) add_leg(holder, to, {carrier}, Leg::Stage::last);
  }

  // Ranks of a host gather for other hosts in turn, and scatter in turn.
  void go_together(int from, int to, Numbers numbers) {
    std::map<Rank, Numbers> by_sender, by_receiver;
    Numbers carried;
    std::set<int> are_carried;
    std::set<std::pair<Rank, int>> are_wanted;
    std::ranges::stable_sort(numbers, {}, [&](int number) { return at(number).to; });
    for (const int number : numbers) {
      const int carrier = carrier_of(number);
      const Rank receiver = at(number).to;
      if (carrier == number) by_sender[at(number).from].push_back(number);
      if (are_wanted.insert({receiver, carrier}).second) by_receiver[receiver].push_back(carrier);
      if (are_carried.insert(carrier).second) carried.push_back(carrier);
    }
    const Rank gatherer = in_turn(by_sender, gathered_[from]++), scatterer = in_turn(by_receiver, scattered_[to]++);
    for (const auto& [sender, some] : by_sender) {
      if (sender != gatherer) add_leg(sender, gatherer, some);
    }
    add_leg(gatherer, scatterer, carried, by_sender.size() > 1 ? Leg::Stage::between_hosts : Leg::Stage::first);
    for (const auto& [receiver, some] : by_receiver) {
      if (receiver != scatterer) add_leg(scatterer, receiver, some, Leg::Stage::last);
    }
  }
  [[nodiscard]] static Rank in_turn(const std::map<Rank, Numbers>& ranks, std::size_t turn) {
    return std::next(ranks.begin(), static_cast<std::ptrdiff_t>(turn % ranks.size()))->first;
  }

  void number_channels() {
    std::map<std::pair<Rank, Rank>, int> next;
    for (Leg& leg : travel_.legs) leg.channel = static_cast<Channel>(next[{leg.from, leg.to}]++);
  }

  const std::span<const RankMessage> messages_;
  const std::span<const int> hosts_;
  const Aggregation& aggregation_;
  Travel travel_;
  std::map<int, std::size_t> gathered_, scattered_;  // by host: for how many others so far
  std::set<std::pair<int, Rank>> handed_on_;         // messages, and to whom
};

}  // namespace

Travel travel_of(std::span<const RankMessage> messages, std::span<const int> hosts, const Aggregation& aggregation) {
  return AggregationPlanner(messages, hosts, aggregation).plan();
}

double time_of(const Travel& travel, std::span<const RankMessage> messages, std::span<const int> hosts,
               const MessageCosts& costs) {
  std::map<Rank, double> busy;
  std::map<int, double> sent, received;  // bytes, by host
  double stages = 0;
  for (const Leg& leg : travel.legs) {
    double bytes = 0;
    for (const int number : leg.messages)
      bytes += static_cast<double>(messages[static_cast<std::size_t>(number)].bytes);
    const int from = hosts[static_cast<std::size_t>(leg.from)], to = hosts[static_cast<std::size_t>(leg.to)];
    const bool is_copied = from == to || leg.messages.size() > 1;
    const double cost =
        (from == to ? costs.within_host : costs.between_hosts) + (is_copied ? bytes * costs.byte_copied : 0);
    busy[leg.from] += cost;
    busy[leg.to] += cost;
    if (from != to) sent[from] += bytes, received[to] += bytes;
    if (leg.stage == Leg::Stage::last) stages = 2 * costs.within_host;
  }
  const auto most = [](const std::map<int, double>& of) {
    double found = 0;
    for (const auto& [host, value] : of) found = std::max(found, value);
    return found;
  };
  return most(busy) + std::max(most(sent), most(received)) / costs.host_rate + stages;
}

namespace {

bool has_several_between_hosts(std::span<const RankMessage> messages, std::span<const int> hosts) {
  std::set<std::pair<int, int>> seen;
  return std::ranges::any_of(messages, [&](const RankMessage& message) {
    const int from = hosts[static_cast<std::size_t>(message.from)], to = hosts[static_cast<std::size_t>(message.to)];
    return from != to && !seen.insert({from, to}).second;
  });
}

}  // namespace

Aggregation aggregation_for(std::span<const RankMessage> messages, std::span<const int> hosts,
                            const MessageCosts& costs) {
  constexpr std::size_t many = 100'000;
  if (messages.size() > many || !has_several_between_hosts(messages, hosts)) return {};
  constexpr Aggregation known[] = {{0, true},       {1024, false}, {1024, true},
                                   {4096, false},   {4096, true},  {full_aggregation.longest, false},
                                   full_aggregation};
  Aggregation best;
  double least = time_of(travel_of(messages, hosts, {}), messages, hosts, costs) - costs.between_hosts;
  for (const Aggregation& one : known) {
    const double time = time_of(travel_of(messages, hosts, one), messages, hosts, costs);
    if (time < least) best = one, least = time;
  }
  return best;
}

bool sends_once(const Travel& travel) {
  for (std::size_t number = 0; number < travel.carried_by.size(); ++number) {
    if (travel.carried_by[number] != static_cast<int>(number)) return true;
  }
  return false;
}

int legs_between_hosts(const Travel& travel, std::span<const int> hosts) {
  return static_cast<int>(std::ranges::count_if(travel.legs, [&](const Leg& leg) {
    return hosts[static_cast<std::size_t>(leg.from)] != hosts[static_cast<std::size_t>(leg.to)];
  }));
}

int channels_of(const Travel& travel) {
  int most = 0;
  for (const Leg& leg : travel.legs) most = std::max(most, leg.channel + 1);
  return most;
}

}  // namespace espalier::halo
