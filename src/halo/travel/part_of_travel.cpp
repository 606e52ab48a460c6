// SPDX-License-Identifier: Apache-2.0
#include "halo/travel/part_of_travel.hpp"

#include <algorithm>
#include <map>

namespace espalier::halo {

namespace {

class OwnPart {
 public:
  OwnPart(const Traveller& traveller, std::span<const RankMessage> messages, const Travel& travel)
      : traveller_(traveller), messages_(messages), travel_(travel) {
    part_.inputs = traveller.inputs;
    part_.outputs = traveller.outputs;
  }

  [[nodiscard]] Part find() {
    find_wanted();
    for (const std::size_t k : legs_to_here()) receive(travel_.legs[k], traveller_.paths[k]);
    for (const int k : traveller_.order) {
      const auto number = static_cast<std::size_t>(k);
      part_.sent.push_back(edge_of(travel_.legs[number], travel_.legs[number].to, traveller_.paths[number]));
    }
    for (const auto& [carrier, labels] : wanted_) {
      for (const int label : labels) {
        if (label != label_of(carrier)) part_.copies.push_back({.from = label_of(carrier), .to = label});
      }
    }
    return std::move(part_);
  }

 private:
  void find_wanted() {
    for (std::size_t k = 0; k < messages_.size(); ++k) {
      if (messages_[k].to != traveller_.me) continue;
      wanted_[travel_.carried_by[k]].push_back(part_.output_at(traveller_.place_in_output[k]));
    }
  }

  // In the order of the blocks that they bring: so neighbours in one direction are learnt of at one time.
  [[nodiscard]] std::vector<std::size_t> legs_to_here() const {
    std::vector<std::size_t> legs;
    for (std::size_t k = 0; k < travel_.legs.size(); ++k) {
      if (travel_.legs[k].to == traveller_.me) legs.push_back(k);
    }
    std::ranges::stable_sort(legs, {}, [&](std::size_t k) {
      return traveller_.place_in_output[static_cast<std::size_t>(travel_.legs[k].messages.front())];
    });
    return legs;
  }

  // What comes alone goes to where it is wanted.
  void receive(const Leg& leg, Path path) {
    for (const int number : leg.messages) {
      const auto wanted = wanted_.find(number);
      const bool is_at_home = leg.messages.size() == 1 && wanted != wanted_.end();
      labels_[number] =
          is_at_home ? wanted->second.front() : part_.add_passing(messages_[static_cast<std::size_t>(number)].bytes);
    }
    part_.received.push_back(edge_of(leg, leg.from, path));
  }

  [[nodiscard]] Edge edge_of(const Leg& leg, Rank peer, Path path) const {
    Edge edge{.peer = peer, .blocks = {}, .channel = leg.channel, .path = path};
    for (const int number : leg.messages) edge.blocks.push_back(label_of(number));
    return edge;
  }

  // Of what this rank has, or gets.
  [[nodiscard]] int label_of(int number) const {
    const auto found = labels_.find(number);
    return found != labels_.end() ? found->second
                                  : part_.input_at(traveller_.place_in_input[static_cast<std::size_t>(number)]);
  }

  const Traveller& traveller_;
  const std::span<const RankMessage> messages_;
  const Travel& travel_;
  Part part_;
  std::map<int, std::vector<int>> wanted_;  // by carrier: labels of the output
  std::map<int, int> labels_;               // of what comes, by message
};

}  // namespace

Part part_of(const Traveller& traveller, std::span<const RankMessage> messages, const Travel& travel) {
  return OwnPart(traveller, messages, travel).find();
}

}  // namespace espalier::halo
