// SPDX-License-Identifier: Apache-2.0
// The one rank that arranges the others: it hears how broadcasts went on all of them, late or never, and says when
// there is a better arrangement. (Paper 4, section 4.2: the optimising process.)
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "arrival/order.hpp"
#include "arrival/profiled_swap.hpp"

namespace espalier::arrival {

// Broadcasts between two times at which all ranks hear of arrangements.
inline constexpr double max_period = 1024;

enum class Method : std::uint8_t { order, swap };

// How a broadcast went on one rank. Seconds.
struct Heard {
  double begun = 0;  // by a clock that all have in common
  double taken = 0;
  double waited = 0;  // for the first message
  double beside = 0;  // what hearing of the arrangement took before
};

class Organiser {
 public:
  // `tree` must outlive this. `like`: in how many segments a message flows, and how it is sent; what a transfer takes
  // is found out.
  Organiser(const PlaceTree& tree, const Transfer& like, Method method);

  // Of broadcasts on which the ranks agreed, by number.
  void hear(Rank from, std::uint64_t broadcast, const Heard& heard);
  // Learns from those of which every rank has told. True if the ranks are to be arranged otherwise from now on.
  [[nodiscard]] bool decide();

  // What all ranks have to know for that: numbers that make an Arrangement (arrangement_from()).
  [[nodiscard]] const std::vector<double>& orders() const { return orders_; }
  // After how many broadcasts it shall hear of the next one: of more where calls are shorter, so that little is spent.
  [[nodiscard]] std::uint64_t period() const { return period_; }

 private:
  // A broadcast that some ranks have told of.
  struct Told {
    std::uint64_t broadcast = 0;
    std::vector<char> has_told;
    Rank count = 0;
    std::vector<double> arrivals, left, waited;
    double taken = 0, beside = 0;  // the sum, and the least
  };

  [[nodiscard]] bool learn(const Told& told);
  [[nodiscard]] bool learn_by_order(const Told& told);
  [[nodiscard]] bool learn_by_swap(const Told& told);
  [[nodiscard]] bool begin_order(const Told& told);
  void find_period(const Told& told);

  const PlaceTree& tree_;
  const Transfer like_;
  const Method method_;
  static constexpr std::size_t max_told = 16;
  std::array<Told, max_told> told_;
  std::uint64_t learnt_before_ = 0;                  // this broadcast
  std::vector<Transfer> fitted_;                     // to the first ones,
  std::vector<std::vector<double>> first_arrivals_;  // and when the ranks came to them
  std::unique_ptr<Order> order_;                     // once it is known what a transfer takes
  std::unique_ptr<ProfiledSwap> swap_;
  std::uint64_t period_ = 1;
  std::vector<double> orders_;
};

// Numbers at most, for so many ranks.
[[nodiscard]] constexpr std::size_t most_orders(Rank size) { return static_cast<std::size_t>(size) + 2; }

// What an organiser orders means for a tree, which need not be its own if the method is `order`. `present`: how that
// tree's ranks are arranged by now. `like`: as above, of what flows there. Equal on all ranks. Throws
// std::invalid_argument if the orders are no such.
[[nodiscard]] Arrangement arrangement_from(std::span<const double> orders, Method method, const PlaceTree& tree,
                                           const Transfer& like, const Arrangement& present);

}  // namespace espalier::arrival
