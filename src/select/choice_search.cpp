// SPDX-License-Identifier: Apache-2.0
#include "select/choice_search.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "algorithms/over_nodes.hpp"
#include "algorithms/unfit.hpp"
#include "core/hash.hpp"
#include "estimate/native.hpp"
#include "select/network_choice.hpp"
#include "topology/network.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

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

// Where there is none yet, all are as good as any.
double best_of(const std::vector<Alternative>& found) { return found.empty() ? 0 : log_estimate_of(found.front()); }

std::optional<double> log_of_play(std::span<const double> seconds, std::size_t play) {
  return seconds[play] > 0 ? std::optional(tuning::log_of(seconds[play])) : std::nullopt;
}

std::uint64_t hash_of_choice(const Choice& choice, std::uint64_t hash) {
  hash = hash_of_text(choice.algorithm->name, hash);
  hash = hash_of_number(choice.cut.segment_bytes, hash);
  for (const int number : {choice.cut.window, choice.radix, choice.leaders, static_cast<int>(choice.transport)})
    hash = hash_of_number(static_cast<std::uint64_t>(number), hash);
  return hash;
}

void keep_the_best(std::vector<Alternative>& all, std::size_t count) {
  std::ranges::stable_sort(all, {}, log_estimate_of);
  if (all.size() > count) all.resize(count);
}

}  // namespace

ChoiceSearch::ChoiceSearch(const Problem& problem, const Shape& shape, const Choice& baseline,
                           Reproducible reproducible)
    : problem_(problem),
      shape_(shape),
      is_bound_(is_bound_to_order(problem, reproducible)),
      baseline_(baseline),
      first_(first_alternative(shape, baseline, is_bound_)),
      played_(problem, shape),
      played_over_fabric_(problem, shape.over(Transport::fabric)) {
  if (is_bound_ && baseline.native()) return;
  list(is_bound_ ? &baseline_ : nullptr);
  if (!baseline_.native()) baseline_play_ = play_of(baseline_);
  if (first_.native()) list_native();
}

// On assumed networks it does as ours do.
void ChoiceSearch::list_native() {
  for (const Choice& choice : native_choices(problem_.collective)) {
    if (played_.is_assumed()) {
      native_plays_.push_back(play_of(choice));
    } else {
      native_choices_.push_back(choice);
    }
  }
  for (std::size_t i = 0; i < native_choices_.size(); ++i) native_plays_.push_back(played_choices_.size() + i);
}

// All that fit, or of those the ones that add as `order` does.
void ChoiceSearch::list(const Choice* order) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != problem_.collective || is_another_one(algorithm)) continue;
    const bool has_two = shape_.transports == Transports::either;
    list(algorithm, shape_.default_transport(), has_two ? 1 : max_of_one_algorithm, order);
    if (has_two) list(algorithm, Transport::fabric, 1, order);
  }
}

void ChoiceSearch::list(const Algorithm& algorithm, Transport transport, std::size_t kept, const Choice* order) {
  VariantGroup group{.kept = kept};
  for (const auto variants : {variants_of, variants_over_nodes}) {
    for (const Choice& choice : variants(algorithm, problem_, shape_, transport)) {
      if (unfit_for(choice, problem_, shape_) != nullptr) continue;
      if (order == nullptr || (choice != *order && adds_alike(choice, *order)))
        group.variants.push_back({choice, play_of(choice)});
    }
  }
  groups_.push_back(std::move(group));
}

bool ChoiceSearch::is_another_one(const Algorithm& algorithm) const {
  if (shape_.network == nullptr) return algorithm.differs_by_network;
  // Trees of a graph are searched for, and a table of each is kept; those of a torus follow from a formula.
  constexpr int most_searched = 1024;
  return algorithm.needs == Needs::graph && shape_.network->torus() != nullptr &&
         shape_.network->nodes() > most_searched;
}

// Over networks of which nothing is known that differs, both transports take as long.
std::size_t ChoiceSearch::play_of(Choice choice) {
  const bool is_another_network = shape_.fabric_network != nullptr && shape_.fabric_network != shape_.network;
  if (!is_another_network) choice.transport = shape_.default_transport();
  const auto found = std::ranges::find(played_choices_, choice);
  const auto play = static_cast<std::size_t>(found - played_choices_.begin());
  if (found == played_choices_.end()) played_choices_.push_back(std::move(choice));
  return play;
}

const Played& ChoiceSearch::played_for(const Choice& choice) const {
  return choice.transport == Transport::fabric ? played_over_fabric_ : played_;
}

std::uint64_t ChoiceSearch::hash() const {
  std::uint64_t hash = hash_of_nothing;
  for (const std::vector<Choice>* const choices : {&played_choices_, &native_choices_}) {
    for (const Choice& choice : *choices) hash = hash_of_choice(choice, hash);
  }
  return hash;
}

double ChoiceSearch::seconds(std::size_t play) const {
  const std::size_t ours = played_choices_.size();
  const std::optional<double> seconds = play < ours ? played_for(played_choices_[play]).seconds(played_choices_[play])
                                                    : played_.seconds_of_native(native_choices_[play - ours]);
  return seconds.value_or(0);
}

std::vector<Alternative> ChoiceSearch::alternatives(SecondsOfPlays seconds) const {
  if (is_bound_ && baseline_.native()) return {Alternative{baseline_, {}}};
  std::vector<Alternative> found;
  for (const VariantGroup& group : groups_) add_best(group, seconds, found);
  keep_the_best(found, max_alternatives - 1);
  if (!is_bound_ && !baseline_.native()) add_baseline(seconds, found);
  put_first(seconds, found);
  return found;
}

// One that is cut otherwise, but for the same time, makes no difference.
void ChoiceSearch::add_best(const VariantGroup& group, SecondsOfPlays seconds, std::vector<Alternative>& found) const {
  std::vector<Alternative> of_this;
  for (const Variant& variant : group.variants) {
    const std::optional<double> its = log_of_play(seconds, variant.play);
    const auto is_same = [&](const Alternative& one) { return log_estimate_of(one) == *its; };
    if (its && std::ranges::none_of(of_this, is_same)) of_this.push_back(alternative(variant.choice, *its));
  }
  keep_the_best(of_this, group.kept);
  found.insert(found.end(), of_this.begin(), of_this.end());
}

// In place of one that differs by nothing that shows.
void ChoiceSearch::add_baseline(SecondsOfPlays seconds, std::vector<Alternative>& found) const {
  std::erase_if(found, [&](const Alternative& one) { return runs_alike(one.choice, baseline_); });
  found.push_back(alternative(baseline_, log_of_baseline(seconds).value_or(best_of(found))));
  std::ranges::stable_sort(found, {}, log_estimate_of);
}

// Where nothing can be said of the first, it is taken to be as good as the best of the others.
void ChoiceSearch::put_first(SecondsOfPlays seconds, std::vector<Alternative>& found) const {
  const double best = best_of(found);
  const double estimate = (first_.native() ? log_of_native(seconds) : log_of_baseline(seconds)).value_or(best);
  const double bar = std::min(estimate, best) + tuning::log_of(hopeless);
  std::erase_if(found, [&](const Alternative& one) { return one.choice == first_; });
  while (!found.empty() && log_estimate_of(found.back()) > bar) found.pop_back();
  found.insert(found.begin(), alternative(first_, estimate));
}

std::optional<double> ChoiceSearch::log_of_baseline(SecondsOfPlays seconds) const {
  return log_of_play(seconds, baseline_play_);
}

// The best that it may do.
std::optional<double> ChoiceSearch::log_of_native(SecondsOfPlays seconds) const {
  std::optional<double> best;
  for (const std::size_t play : native_plays_) {
    const std::optional<double> its = log_of_play(seconds, play);
    if (its && (!best || *its < *best)) best = its;
  }
  return best;
}

Alternative ChoiceSearch::alternative(const Choice& choice, double log_seconds) const {
  return {choice, {log_seconds, played_.sd()}};
}

// Messages within a power of two are of one context.
bool ChoiceSearch::is_whole(const Cut& cut) const {
  return cut.segment_bytes == 0 || cut.segment_bytes >= 2 * problem_.bytes();
}

bool ChoiceSearch::runs_alike(Choice one, const Choice& other) const {
  if (is_whole(one.cut) && is_whole(other.cut) && !problem_.is_uneven) one.cut = other.cut;
  return one == other;
}

}  // namespace espalier
