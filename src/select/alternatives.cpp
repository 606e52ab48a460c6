// SPDX-License-Identifier: Apache-2.0
#include "select/alternatives.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "algorithms/over_nodes.hpp"
#include "algorithms/unfit.hpp"
#include "contract/contract.hpp"
#include "estimate/estimate.hpp"
#include "select/network_choice.hpp"
#include "select/played.hpp"
#include "topology/network.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/estimate_errors.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_alternatives = 16;
constexpr std::size_t max_known = 4;             // more that are known
constexpr std::size_t max_of_one_algorithm = 2;  // cut or branched otherwise
constexpr double hopeless = 6;                   // times the best
constexpr std::size_t tried_segments[] = {16 << 10, 64 << 10, 256 << 10};
constexpr int tried_radices[] = {2, 4, 8};
constexpr int several_leaders = 4;

// The choices of how to run one algorithm over a transport that may differ much in time.
std::vector<Choice> variants_of(const Algorithm& algorithm, const Problem& problem, const Shape& any,
                                Transport transport) {
  const Shape shape = any.over(transport);
  std::vector<Choice> variants;
  const auto add = [&](const Cut& cut, int radix) {
    variants.push_back({.algorithm = &algorithm, .cut = cut, .radix = radix, .transport = transport});
  };
  const Cut baseline = cut_for(algorithm, problem, shape);
  for (const int radix : tried_radices) {
    const bool is_another = algorithm.takes_radix && radix < 2 * shape.size;  // else one below is as wide as there are
    if (radix == default_radix || is_another) add(baseline, radix);
  }
  if (algorithm.is_direct) return variants;
  for (const std::size_t segment : tried_segments) {
    if (segment < problem.bytes() && segment != baseline.segment_bytes) {
      add({.segment_bytes = segment, .window = baseline.window}, default_radix);
    }
  }
  return variants;
}

// By one leader of each node, by some, and by as many as there can be.
std::vector<Choice> variants_over_nodes(const Algorithm& algorithm, const Problem& problem, const Shape& any,
                                        Transport transport) {
  const Shape shape = any.over(transport);
  if (unfit_for_leaders(problem, shape) != nullptr) return {};
  const int most = ranks_by_node(shape)->fewest_ranks();
  std::vector<Choice> variants;
  for (const int leaders : std::set{1, std::min(several_leaders, most), most}) {
    Choice choice{.algorithm = &algorithm, .leaders = leaders, .transport = transport};
    choice.cut = cut_for(choice, problem, shape);
    variants.push_back(choice);
  }
  return variants;
}

double log_estimate_of(const Alternative& alternative) { return alternative.estimate.log_seconds; }

Alternative alternative(const Played& played, const Choice& choice, double log_seconds) {
  return {choice, {log_seconds, played.sd()}};
}

class Collection {
 public:
  Collection(const Problem& problem, const Shape& shape)
      : problem_(problem),
        shape_(shape),
        played_(problem, shape),
        played_over_fabric_(problem, shape.over(Transport::fabric)) {}

  // All that fit, or of those the ones that add as `order` does.
  void add_all(const Choice* order) {
    for (const Algorithm& algorithm : registry()) {
      if (algorithm.collective != problem_.collective || is_another_one(algorithm)) continue;
      const bool has_two = shape_.transports == Transports::either;
      add_variants(algorithm, shape_.default_transport(), has_two ? 1 : max_of_one_algorithm, order);
      if (has_two) add_variants(algorithm, Transport::fabric, 1, order);
    }
    keep_the_best(found_, max_alternatives - 1);
  }

  // Where nothing can be said of the first, it is taken to be as good as the best of the others.
  [[nodiscard]] std::vector<Alternative> after(const Choice& first) {
    const auto log_seconds = first.native() ? played_.log_seconds_of_native() : played_for(first).log_seconds(first);
    const double best = found_.empty() ? 0 : log_estimate_of(found_.front());
    const double estimate = log_seconds.value_or(best);
    const double bar = std::min(estimate, best) + tuning::log_of(hopeless);
    std::erase_if(found_, [&](const Alternative& one) { return one.choice == first; });
    while (!found_.empty() && log_estimate_of(found_.back()) > bar) found_.pop_back();
    found_.insert(found_.begin(), alternative(played_, first, estimate));
    return std::move(found_);
  }

  // In place of one that differs by nothing that shows.
  void add(const Choice& choice) {
    if (choice.native()) return;
    std::erase_if(found_, [&](const Alternative& one) { return runs_alike(one.choice, choice); });
    const double best = found_.empty() ? 0 : log_estimate_of(found_.front());
    found_.push_back(alternative(played_, choice, played_for(choice).log_seconds(choice).value_or(best)));
    std::ranges::stable_sort(found_, {}, log_estimate_of);
  }

 private:
  [[nodiscard]] const Played& played_for(const Choice& choice) const {
    return choice.transport == Transport::fabric ? played_over_fabric_ : played_;
  }

  void add_variants(const Algorithm& algorithm, Transport transport, std::size_t count, const Choice* order) {
    std::vector<Alternative> found;
    for (const auto variants : {variants_of, variants_over_nodes}) {
      for (const Choice& choice : variants(algorithm, problem_, shape_, transport)) {
        if (unfit_for(choice, problem_, shape_) != nullptr) continue;
        if (order == nullptr || (choice != *order && adds_alike(choice, *order))) add_if_it_differs(choice, found);
      }
    }
    keep_the_best(found, count);
    found_.insert(found_.end(), found.begin(), found.end());
  }

  // Messages within a power of two are of one context.
  [[nodiscard]] bool is_whole(const Cut& cut) const {
    return cut.segment_bytes == 0 || cut.segment_bytes >= 2 * problem_.bytes();
  }
  [[nodiscard]] bool runs_alike(Choice one, const Choice& other) const {
    if (is_whole(one.cut) && is_whole(other.cut) && !problem_.is_uneven) one.cut = other.cut;
    return one == other;
  }

  [[nodiscard]] bool is_another_one(const Algorithm& algorithm) const {
    if (shape_.network == nullptr) return algorithm.differs_by_network;
    // Trees of a graph are searched for, and a table of each is kept; those of a torus follow from a formula.
    constexpr int most_searched = 1024;
    return algorithm.needs == Needs::graph && shape_.network->torus() != nullptr &&
           shape_.network->nodes() > most_searched;
  }

  // Cut otherwise, but for the same time: it makes no difference.
  void add_if_it_differs(const Choice& choice, std::vector<Alternative>& of_this) const {
    const auto log_seconds = played_for(choice).log_seconds(choice);
    if (!log_seconds) return;
    const auto is_same = [&](const Alternative& one) { return log_estimate_of(one) == *log_seconds; };
    if (std::ranges::none_of(of_this, is_same)) of_this.push_back(alternative(played_, choice, *log_seconds));
  }

  static void keep_the_best(std::vector<Alternative>& all, std::size_t count) {
    std::ranges::stable_sort(all, {}, log_estimate_of);
    if (all.size() > count) all.resize(count);
  }

  const Problem& problem_;
  const Shape& shape_;
  const Played played_, played_over_fabric_;
  std::vector<Alternative> found_;
};

// Null: it is none of them.
Alternative* alternative_of(const KnownChoice& known, std::vector<Alternative>& alternatives) {
  const auto found = std::ranges::find(alternatives, known.choice, &Alternative::choice);
  return found != alternatives.end() ? &*found : nullptr;
}

// What is known are seconds, what is estimated may be off by any factor: by the mean of those that are both. How far
// off these are otherwise tells how good the other estimates are.
void correct_estimates(std::span<const KnownChoice> known, std::vector<Alternative>& alternatives) {
  double offset = 0;
  int both = 0;
  for (const KnownChoice& each : known) {
    const Alternative* const one = alternative_of(each, alternatives);
    if (one != nullptr) offset += (each.log_seconds - log_estimate_of(*one) - offset) / ++both;
  }
  tuning::EstimateErrors errors;
  for (const KnownChoice& each : known) {
    const Alternative* const one = alternative_of(each, alternatives);
    if (one == nullptr || one->estimate.sd <= 0) continue;
    const double error = (each.log_seconds - log_estimate_of(*one) - offset) / one->estimate.sd;
    errors.note(error * error);
  }
  for (Alternative& each : alternatives) {
    each.estimate.log_seconds += offset;
    each.estimate.sd *= tuning::root_of(errors.factor());
  }
}

// Where ranks share processors, and the native MPI keeps its own while it waits, a call of it takes as long as turns of
// the system: thousands of times what is known to run there. To try it once costs more than it could ever gain.
bool native_is_hopeless(const Shape& shape, const Choice& baseline) {
  return !baseline.native() && shape.in_memory && shape.is_crowded && !shape.mpi_yields;
}

}  // namespace

bool adds_alike(const Choice& one, const Choice& other) {
  if (one.native() || other.native()) return one.native() && other.native();
  const OrderClass& order = one.algorithm->order;
  if (order.name != other.algorithm->order.name) return false;
  if (one.leaders != other.leaders) return order.name.empty();
  const bool depends_on_cut = order.depends_on_cut || other.algorithm->order.depends_on_cut;
  return !depends_on_cut || (one.cut.segment_bytes == other.cut.segment_bytes && one.radix == other.radix);
}

bool is_bound_to_order(const Problem& problem, Reproducible reproducible) {
  return contract_of(problem.collective).reduces && problem.arithmetic != Arithmetic::exact &&
         reproducible != Reproducible::off;
}

std::vector<Alternative> alternatives_for(const Problem& problem, const Shape& shape, const Choice& baseline,
                                          Reproducible reproducible) {
  const bool is_bound = is_bound_to_order(problem, reproducible);
  if (is_bound && baseline.native()) return {Alternative{baseline, {}}};
  Collection collection(problem, shape);
  collection.add_all(is_bound ? &baseline : nullptr);
  if (!is_bound) collection.add(baseline);
  return collection.after(first_alternative(shape, baseline, is_bound));
}

Choice first_alternative(const Shape& shape, const Choice& baseline, bool is_bound) {
  return is_bound || native_is_hopeless(shape, baseline) ? baseline : Choice{};
}

bool is_short(const Problem& problem, const Shape& shape) {
  constexpr std::size_t min_bytes = 4096;
  return problem.bytes() * static_cast<std::size_t>(shape.size) < min_bytes;
}

// Each algorithm is played on all ranks of the network that is played, and has more messages where there are more.
double seconds_to_find_alternatives(const Problem& problem, const Shape& shape) {
  constexpr double seconds_per_known_rank = 5e-4, seconds_per_pair = 2e-5;
  constexpr double most_seconds_per_rank = 1e-4, seconds_of_first = 5e-5, seconds_of_short_message = 2e-6;
  if (can_be_estimated(shape)) return seconds_per_known_rank * std::min(shape.size, max_played_ranks);
  const double ranks = std::min(shape.size, max_assumed_nodes);
  if (!is_short(problem, shape)) return seconds_per_pair * ranks * ranks;
  const auto algorithms = std::ranges::count(registry(), problem.collective, &Algorithm::collective);
  return std::min(most_seconds_per_rank * ranks,
                  seconds_of_first + seconds_of_short_message * static_cast<double>(algorithms) * ranks * ranks);
}

std::vector<Alternative> alternatives_of_star(const Problem& problem, const Shape& shape) {
  constexpr const char* names[] = {
      "spread", "pairwise",           "pairwise_light_barrier", "pairwise_mpi_barrier", "pairwise_one_barrier",
      "ring",   "ring_light_barrier", "ring_mpi_barrier",       "ring_one_barrier"};
  const Played played(problem, shape);
  std::vector<Alternative> alternatives = {alternative(played, {}, played.log_seconds_of_native().value_or(0))};
  for (const char* const name : names) {
    const Algorithm* const algorithm = find_algorithm(problem.collective, name);
    if (algorithm == nullptr || unfit_for(*algorithm, problem, shape) != nullptr) continue;
    Choice choice{
        .algorithm = algorithm, .cut = cut_for(*algorithm, problem, shape), .transport = shape.default_transport()};
    if (name == names[0]) choice.cut.window = std::max<Rank>(choice.cut.window, shape.size);
    alternatives.push_back(alternative(played, choice, played.log_seconds(choice).value_or(0)));
  }
  return alternatives;
}

void add_known(std::span<const KnownChoice> known, std::vector<Alternative>& alternatives) {
  constexpr double change = .1;  // of ratios, from job to job: standard deviation of their logs
  correct_estimates(known, alternatives);
  for (const KnownChoice& each : known) {
    const tuning::Estimate estimate{each.log_seconds, tuning::root_of(each.sd * each.sd + change * change)};
    if (Alternative* one = alternative_of(each, alternatives)) {
      one->estimate = estimate;
    } else if (alternatives.size() < max_alternatives + max_known) {
      alternatives.push_back({each.choice, estimate});
    }
  }
}

}  // namespace espalier
