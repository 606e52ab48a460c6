// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.hpp"

#include <algorithm>
#include <map>

#include "core/hash.hpp"
#include "verify/checks/channels.hpp"
#include "verify/checks/deadlock.hpp"
#include "verify/checks/issue_order.hpp"
#include "verify/checks/layout_check.hpp"
#include "verify/checks/races.hpp"
#include "verify/checks/results.hpp"
#include "verify/checks/structure.hpp"
#include "verify/model/samples.hpp"

namespace espalier {

namespace {

using proof::AllRanks;
using proof::SymbolicRun;

std::string check_form(const AllRanks& all) {
  std::string wrong = proof::check_messages(all);
  return wrong.empty() ? proof::check_posting_order(all) : wrong;
}

// One class for all blocks if they are combined alike, however many there are: cutting a message does not change bits
// then.
std::uint64_t class_of(const std::vector<Expressions::Id>& blocks, const Expressions& expressions,
                       std::uint64_t Expressions::Term::*hash) {
  const auto hash_of = [&](Expressions::Id id) { return expressions[id].*hash; };
  const std::uint64_t first = hash_of(blocks.front());
  std::uint64_t all = blocks.size();
  bool alike = true;
  for (const Expressions::Id id : blocks) {
    alike = alike && hash_of(id) == first;
    all = mix(all + hash_of(id));
  }
  return alike ? first : all;
}

// The blocks of all ranks by how many ranks they combine, each label once, by its first holder: others hold the same.
using DistinctBlocks = std::map<Rank, std::map<int, Expressions::Id>>;
DistinctBlocks distinct_blocks(const AllRanks& all, const Findings& findings) {
  DistinctBlocks blocks;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const Held held = all.problem().output(rank, all.blocks());
    for (int place = 0; place < held.count; ++place) {
      const int label = held.label_at(place);
      blocks[all.problem().sources(rank, label).count].try_emplace(label, findings.outputs[rank][place]);
    }
  }
  return blocks;
}

// Prefixes of different lengths have classes of their own.
std::uint64_t class_of_all(const DistinctBlocks& blocks, const Expressions& expressions,
                           std::uint64_t Expressions::Term::*hash) {
  std::uint64_t all = 0;
  for (const auto& [sources, by_label] : blocks) {
    std::vector<Expressions::Id> ids;
    for (const auto& [label, id] : by_label) ids.push_back(id);
    all = mix(all + class_of(ids, expressions, hash));
  }
  return all;
}

// Another order of events and more items under way must not change anything. It follows from the theory; this is for
// the sake of doubt.
std::string check_other_order(const AllRanks& all, std::span<const Partition> partitions, int window,
                              const SymbolicRun& first, Expressions& expressions) {
  SymbolicRun other(all, partitions, {.window = window, .in_flight = window, .breadth_first = true}, expressions);
  std::string wrong = other.run();
  if (!wrong.empty()) return wrong;
  if (proof::results_of(all, other) != proof::results_of(all, first)) return "the result depends on timing";
  return proof::check_results(all, other, expressions);
}

void add_order_class(const AllRanks& all, Findings& findings) {
  const DistinctBlocks blocks = distinct_blocks(all, findings);
  findings.order_class = class_of_all(blocks, *findings.expressions, &Expressions::Term::hash);
  findings.commutative_order_class = class_of_all(blocks, *findings.expressions, &Expressions::Term::commutative_hash);
  if (!all.problem().contract().reduces) return;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const Held held = all.problem().output(rank, all.blocks());
    for (int place = 0; place < held.count; ++place) {
      const RankRange sources = all.problem().sources(rank, held.label_at(place));
      findings.in_rank_order &= findings.expressions->is_in_rank_order(findings.outputs[rank][place], sources);
    }
  }
}

Verdict verify_sample(const AllRanks& all, const Sample& sample, const std::shared_ptr<Expressions>& expressions) {
  if (sample.segments < 1 || sample.window < 1) return {"there must be at least one segment, and a window of one", {}};
  const std::vector<Partition> partitions = proof::partitions_of(all, sample);
  SymbolicRun run(all, partitions, {.window = sample.window}, *expressions);
  std::string wrong = run.run();
  if (wrong.empty()) wrong = proof::check_results(all, run, *expressions);
  if (wrong.empty()) wrong = proof::check_races(all, run);
  if (wrong.empty() && sample.window > 1) wrong = check_other_order(all, partitions, sample.window, run, *expressions);
  if (wrong.empty()) wrong = proof::check_issue_order(all, partitions, sample.window);
  if (!wrong.empty()) return {(sample.is_uneven ? "blocks of different sizes: " : "") + wrong, {}};

  Findings findings;
  findings.events = run.count_events();
  findings.channels = all.channels().size();
  for (const AllRanks::ChannelEnds& channel : all.channels()) {
    findings.streams_per_channel =
        std::max({findings.streams_per_channel, channel.sends.size(), channel.receives.size()});
  }
  if (!all.problem().contract().carries_data) return {"", findings};
  findings.expressions = expressions;
  findings.outputs = proof::results_of(all, run);
  add_order_class(all, findings);
  return {"", findings};
}

}  // namespace

Verdict verify(const Case& problem, std::span<const Schedule> ranks, const Sample& sample) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return {wrong, {}};
  const AllRanks all(problem, ranks);
  wrong = check_form(all);
  if (!wrong.empty()) return {wrong, {}};
  return verify_sample(all, sample, std::make_shared<Expressions>(problem.size));
}

std::string static_deadlock_check(const Case& problem, std::span<const Schedule> ranks) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return wrong;
  const AllRanks all(problem, ranks);
  wrong = check_form(all);
  return wrong.empty() ? proof::check_deadlock(all) : wrong;
}

Verdict prove(const Case& problem, std::span<const Schedule> ranks, std::span<const Sample> samples) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return {wrong, {}};
  const AllRanks all(problem, ranks);
  wrong = check_form(all);
  if (wrong.empty()) wrong = proof::check_deadlock(all);
  const bool uneven = std::ranges::any_of(samples, &Sample::is_uneven);
  if (wrong.empty()) wrong = proof::check_layouts(all, uneven);
  if (!wrong.empty()) return {wrong, {}};

  Verdict whole;
  const auto expressions = std::make_shared<Expressions>(problem.size);
  for (const Sample& sample : samples) {
    Verdict one = verify_sample(all, sample, expressions);
    if (!one.ok()) return one;
    const std::size_t events = whole.findings.events + one.findings.events;
    if (&sample != samples.data() && one.findings.outputs != whole.findings.outputs) {
      return {"the order of the operands depends on how the message is cut", {}};
    }
    whole = one;
    whole.findings.events = events;
  }
  return whole;
}

}  // namespace espalier
