// SPDX-License-Identifier: Apache-2.0
#include "policy/by_kin.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/hash.hpp"
#include "policy/measured/learnt.hpp"
#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"
#include "tuning/kin.hpp"

namespace espalier {

namespace {

constexpr double sd_of_another_cut = .2;  // of the log of what it takes otherwise

struct Timed {
  Choice choice;
  double log_seconds = 0, variance = 0;
};

// What a context of another size knows.
struct Kin {
  double log2_size = 0;  // of its bytes over those here
  std::vector<Timed> timed;
};

bool differ_by_cut(const Choice& one, const Choice& other) {
  Choice same_cut = one;
  same_cut.cut = other.cut;
  return same_cut == other;
}

// Contexts of all sizes name the same few choices.
class Reader {
 public:
  Reader(const Problem& problem, const Shape& shape)
      : problem_(problem), shape_(shape), log_bytes_(tuning::log_of(typical_bytes(context_of(problem)))) {}

  [[nodiscard]] Kin read(const ContextMemory& context) {
    Kin kin{.log2_size = (tuning::log_of(typical_bytes(context.key)) - log_bytes_) / tuning::log_of(2)};
    for (const KnownAlgorithm& one : context.known_algorithms) {
      if (const std::optional<Choice>& choice = choice_of(one.choice))
        kin.timed.push_back({*choice, tuning::log_of(one.seconds), one.sd * one.sd});
    }
    return kin;
  }

 private:
  const std::optional<Choice>& choice_of(const std::string& text) {
    const auto [known, is_new] = choices_.try_emplace(text);
    if (is_new) known->second = choice_from(text, problem_, shape_);
    return known->second;
  }

  const Problem& problem_;
  const Shape& shape_;
  const double log_bytes_;
  std::map<std::string, std::optional<Choice>> choices_;
};

const Timed* find(const Kin& kin, const Choice& choice) {
  const auto same = std::ranges::find(kin.timed, choice, &Timed::choice);
  return same != kin.timed.end() ? &*same : nullptr;
}

std::optional<Timed> find_cut_anyhow(const Kin& kin, const Choice& choice) {
  if (const Timed* const same = find(kin, choice)) return *same;
  const auto other =
      std::ranges::find_if(kin.timed, [&](const Timed& one) { return differ_by_cut(one.choice, choice); });
  if (other == kin.timed.end()) return std::nullopt;
  Timed otherwise = *other;
  otherwise.variance += sd_of_another_cut * sd_of_another_cut;
  return otherwise;
}

std::vector<tuning::KinTiming> timings_of(const Choice& choice, const Choice& reference, std::span<const Kin> all) {
  std::vector<tuning::KinTiming> timings;
  for (const Kin& kin : all) {
    const auto its = find_cut_anyhow(kin, choice), measure = find_cut_anyhow(kin, reference);
    if (!its || !measure) continue;
    timings.push_back({.log2_size = kin.log2_size,
                       .log_ratio = its->log_seconds - measure->log_seconds,
                       .sd = tuning::root_of(its->variance + measure->variance)});
  }
  return timings;
}

}  // namespace

std::uint64_t hash_of_kin(std::span<const ContextMemory> kin) {
  std::uint64_t hash = hash_of_nothing;
  for (const ContextMemory& context : kin)
    hash = hash_of_number(hash_of(context), hash_of_number(hash_of(context.key), hash));
  return hash;
}

bool expect_by_kin(std::span<const ContextMemory> kin, const Problem& problem, const Shape& shape,
                   std::vector<Alternative>& alternatives) {
  Reader reader(problem, shape);
  std::vector<Kin> all;
  for (const ContextMemory& context : kin) all.push_back(reader.read(context));
  bool is_any = false;
  const Alternative& first = alternatives.front();
  for (Alternative& each : std::span(alternatives).subspan(1)) {
    const std::vector<tuning::KinTiming> timings = timings_of(each.choice, first.choice, all);
    if (timings.empty()) continue;
    each.estimate = tuning::expect_by_kin(each.estimate, first.estimate, timings);
    is_any = true;
  }
  return is_any;
}

}  // namespace espalier
