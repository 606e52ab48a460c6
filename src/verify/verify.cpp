// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.hpp"

#include <algorithm>

#include "verify/channels.hpp"
#include "verify/deadlock.hpp"
#include "verify/issue_order.hpp"
#include "verify/layout_check.hpp"
#include "verify/mix.hpp"
#include "verify/races.hpp"
#include "verify/results.hpp"
#include "verify/structure.hpp"

namespace espalier {

namespace {

using proof::Network;
using proof::SymbolicRun;

std::string check_form(const Network& network) {
  std::string wrong = proof::check_messages(network);
  return wrong.empty() ? proof::check_posting_order(network) : wrong;
}

// One class for all blocks if they are combined alike, however many there are: cutting a message does not change bits
// then.
std::uint64_t class_of(const Facts& facts, std::uint64_t Expressions::Node::*hash) {
  const auto hash_of = [&](Expressions::Id id) { return (*facts.expressions)[id].*hash; };
  const std::uint64_t first = hash_of(facts.blocks.front());
  std::uint64_t all = facts.blocks.size();
  bool alike = true;
  for (const Expressions::Id id : facts.blocks) {
    alike = alike && hash_of(id) == first;
    all = proof::mix(all + hash_of(id));
  }
  return alike ? first : all;
}

// Another order of events and more items under way must not change anything. It follows from the theory; this is for
// the sake of doubt.
std::string check_other_order(const Network& network, Cut cut, const SymbolicRun& first, Expressions& expressions) {
  SymbolicRun other(network, {cut.segments, cut.window, cut.window, true}, expressions);
  std::string wrong = other.run();
  if (!wrong.empty()) return wrong;
  if (proof::result_of(network, other) != proof::result_of(network, first)) return "the result depends on timing";
  return proof::check_results(network, other, expressions);
}

Verdict verify_cut(const Network& network, Cut cut, const std::shared_ptr<Expressions>& expressions) {
  if (cut.segments < 1 || cut.window < 1) return {"there must be at least one segment, and a window of one", {}};
  SymbolicRun run(network, {cut.segments, cut.window, 1, false}, *expressions);
  std::string wrong = run.run();
  if (wrong.empty()) wrong = proof::check_results(network, run, *expressions);
  if (wrong.empty()) wrong = proof::check_races(network, run);
  if (wrong.empty() && cut.window > 1) wrong = check_other_order(network, cut, run, *expressions);
  if (wrong.empty()) wrong = proof::check_issue_order(network, cut.segments, cut.window);
  if (!wrong.empty()) return {wrong, {}};

  Facts facts;
  facts.events = run.count_events();
  facts.channels = network.channels().size();
  for (const Network::Channel& channel : network.channels()) {
    facts.streams_per_channel = std::max({facts.streams_per_channel, channel.sends.size(), channel.receives.size()});
  }
  if (network.problem().collective == Collective::barrier) return {"", facts};
  facts.expressions = expressions;
  facts.blocks = proof::result_of(network, run);
  facts.order_class = class_of(facts, &Expressions::Node::hash);
  facts.commutative_order_class = class_of(facts, &Expressions::Node::commutative_hash);
  for (const Expressions::Id id : facts.blocks) {
    if (reduces(network.problem().collective)) facts.in_rank_order &= expressions->is_in_rank_order(id);
  }
  return {"", facts};
}

}  // namespace

Verdict verify(const Case& problem, std::span<const Schedule> ranks, int segments, int window) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return {wrong, {}};
  const Network network(problem, ranks);
  wrong = check_form(network);
  if (!wrong.empty()) return {wrong, {}};
  return verify_cut(network, {segments, window}, std::make_shared<Expressions>(problem.size));
}

std::string static_deadlock_check(const Case& problem, std::span<const Schedule> ranks) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return wrong;
  const Network network(problem, ranks);
  wrong = check_form(network);
  return wrong.empty() ? proof::check_deadlock(network) : wrong;
}

Verdict prove(const Case& problem, std::span<const Schedule> ranks, std::span<const Cut> cuts) {
  std::string wrong = proof::check_structure(problem, ranks);
  if (!wrong.empty()) return {wrong, {}};
  const Network network(problem, ranks);
  wrong = check_form(network);
  if (wrong.empty()) wrong = proof::check_deadlock(network);
  if (wrong.empty()) wrong = proof::check_layouts(network);
  if (!wrong.empty()) return {wrong, {}};

  Verdict whole;
  const auto expressions = std::make_shared<Expressions>(problem.size);
  for (const Cut& cut : cuts) {
    Verdict one = verify_cut(network, cut, expressions);
    if (!one.ok()) return one;
    const std::size_t events = whole.facts.events + one.facts.events;
    if (&cut != cuts.data() && one.facts.blocks != whole.facts.blocks) {
      return {"the order of the operands depends on how the message is cut", {}};
    }
    whole = one;
    whole.facts.events = events;
  }
  return whole;
}

}  // namespace espalier
