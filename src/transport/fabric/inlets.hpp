// SPDX-License-Identifier: Apache-2.0
// Where pieces that arrive belong: each inlet that is open has a number that nobody can guess, since a provider may
// report a piece without having asked for a key.
#pragma once

#include <vector>

#include "transport/fabric/lanes/unguessable.hpp"
#include "transport/fabric/protocol/streams.hpp"
#include "transport/fabric/wire/pieces.hpp"

namespace espalier {

// Of one process. A user of it holds the fabric's lock.
class Inlets {
 public:
  explicit Inlets(Unguessable& numbers) : numbers_(numbers) {}

  // Under a number of its own, for as long as it is open.
  void open(Inlet& inlet) {
    if (2 * ++open_ > places_.size()) grow();
    do {
      inlet.number = numbers_.next() & Immediate::inlet_mask;
    } while (place(inlet.number) != nullptr);
    place(inlet.number) = &inlet;
  }
  void close(const Inlet& inlet) {
    place(inlet.number) = nullptr;
    --open_;
  }
  // Null: there is none.
  [[nodiscard]] Inlet* find(std::uint64_t number) {
    if (places_.empty()) return nullptr;
    Inlet* const inlet = place(number);
    return inlet != nullptr && inlet->number == number ? inlet : nullptr;
  }

 private:
  [[nodiscard]] Inlet*& place(std::uint64_t number) { return places_[number & (places_.size() - 1)]; }
  // Those that had places of their own have so among more.
  void grow() {
    std::vector<Inlet*> before(places_.empty() ? first_places : 2 * places_.size());
    before.swap(places_);
    for (Inlet* const inlet : before) {
      if (inlet != nullptr) place(inlet->number) = inlet;
    }
  }

  static constexpr std::size_t first_places = 64;  // their number is a power of two, and half of them are free
  Unguessable& numbers_;
  std::vector<Inlet*> places_;
  std::size_t open_ = 0;
};

}  // namespace espalier
