// SPDX-License-Identifier: Apache-2.0
#include "late_calls.hpp"

#include <stdexcept>

#include "../collectives/data.hpp"
#include "../collectives/named_variant.hpp"
#include "../harness/clock.hpp"
#include "../harness/native.hpp"
#include "../harness/program.hpp"
#include "algorithms/algorithm.hpp"
#include "arrival/assignment.hpp"
#include "core/choice.hpp"
#include "policy/place_trees.hpp"

namespace bench {

namespace {

// "ideal:NAME,...": the arrangement that suits the delays best, known beforehand. (Where transfers keep a link busy all
// the time that they take; how long that is makes no difference then.)
std::string with_ideal(const std::string& name, const LateOptions& options) {
  constexpr std::string_view prefix = "ideal:";
  if (!name.starts_with(prefix)) return name;
  const std::string choice = name.substr(prefix.size());
  const auto* const found =
      espalier::find_algorithm(function_of(options.collective).contract.collective, choice.substr(0, choice.find(',')));
  if (found == nullptr || found->tree == nullptr) throw std::invalid_argument(name + ": no algorithm with a tree");
  const auto tree =
      place_tree_of(*found, {.size = static_cast<espalier::Rank>(options.delays.size())}, 0, espalier::default_radix);
  const auto tails = find_tails(tree, {.seconds = 1, .busy_seconds = 1});
  const espalier::Arrangement best = earliest_to_longest_tails(tree, tails, options.delays);
  std::string list;
  for (const espalier::Rank rank : best.ranks()) list += (list.empty() ? "" : "/") + std::to_string(rank);
  return "espalier:" + choice + ",arrange=" + list;
}

class OwnComm {
 public:
  explicit OwnComm(MPI_Comm like) { MPI_Comm_dup(like, &comm_); }
  ~OwnComm() { MPI_Comm_free(&comm_); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class LateCalls {
 public:
  LateCalls(const LateOptions& options, MPI_Comm comm) : options_(options), comm_(comm), position_(position_in(comm)) {}

  [[nodiscard]] LateRow measure(const std::string& name) {
    const OwnComm comm(comm_);
    const std::unique_ptr<Variant> variant =
        make_variant(with_ideal(name, options_), function_of(options_.collective), comm.get());
    Data data(function_of(options_.collective), options_.bytes, position_.rank, position_.ranks, Numbers::whole);
    LateRow row{name, {}, {}};
    variant->select();
    for (int i = 0; i < options_.calls; ++i) call(*variant, data, i, row);
    if (variant->was_left_to_the_mpi()) throw std::runtime_error(name + ": was left to the MPI");
    variant->leave();
    return row;
  }

 private:
  [[nodiscard]] double delay_at(int call) const {
    if (options_.delays.empty()) return 0;
    const bool is_changed = options_.change_after > 0 && call >= options_.change_after;
    const int like = is_changed ? position_.ranks - 1 - position_.rank : position_.rank;
    return options_.delays.at(static_cast<std::size_t>(like));
  }

  void call(Variant& variant, Data& data, int number, LateRow& row) {
    data.prepare(static_cast<std::uint64_t>(number), 0, variant.comm());
    const double delay = delay_at(number);
    sleep_until(agreed_start(comm_) + delay);
    const double begin = now();
    variant.call(data.call());
    const double end = now();
    require_right(data.is_right(), row.variant, comm_);
    std::vector<double> first_and_last = {-begin, end};
    take_latest(first_and_last, comm_);
    row.overall.push_back(first_and_last[0] + first_and_last[1]);
    double seconds = end - begin;
    native().Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_SUM, comm_);
    row.mean.push_back(seconds / position_.ranks);
  }

  const LateOptions& options_;
  const MPI_Comm comm_;
  const Position position_;
};

}  // namespace

std::vector<LateRow> run_late(const LateOptions& options, MPI_Comm comm) {
  const int rank = position_in(comm).rank;
  LateCalls calls(options, comm);
  std::vector<LateRow> rows;
  const std::size_t variants = options.variants.size();
  for (std::size_t turn = 0; turn < variants * static_cast<std::size_t>(options.rounds); ++turn) {
    const std::string& name = options.variants[(turn + turn / variants) % variants];
    if (rank == 0) say(name);
    rows.push_back(calls.measure(name));
  }
  return rows;
}

}  // namespace bench
