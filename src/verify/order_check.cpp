// SPDX-License-Identifier: Apache-2.0
#include "verify/order_check.hpp"

#include <exception>

namespace espalier::proof {

namespace {

bool are_of_one_class(const Algorithm& a, const Algorithm& b) { return a.order.name == b.order.name; }

// The same done by another algorithm.
SweepCase done_by(const Algorithm& other, const SweepCase& one) {
  return {.algorithm = &other,
          .problem = {.collective = other.collective, .size = one.problem.size, .root = one.problem.root},
          .pieces = one.pieces,
          .radix = one.radix,
          .network = one.network,
          .network_name = one.network_name};
}

bool can_be_done(const SweepCase& one) {
  const bool has_root = one.problem.contract().is_rooted() || one.problem.root == 0;
  return has_root && exists_for(*one.algorithm, {one.problem.size, one.network});
}

// What is wrong with the other one is for its own proof to say.
bool adds_otherwise(const SweepCase& other, const Findings& findings) try {
  const Verdict verdict = verify(other.problem, other.build(), {1, 1});
  return verdict.ok() && verdict.findings.commutative_order_class != findings.commutative_order_class;
} catch (const std::exception&) {
  return false;
}

std::string compare_with_others(const SweepCase& one, const Findings& findings) {
  for (const Algorithm& other : registry()) {
    if (&other == one.algorithm || !are_of_one_class(other, *one.algorithm)) continue;
    const SweepCase same = done_by(other, one);
    if (!can_be_done(same) || !adds_otherwise(same, findings)) continue;
    return "it adds in another order than " + std::string(name_of(other.collective)) + ":" + std::string(other.name) +
           ", and both claim the order class '" + std::string(other.order.name) + "'";
  }
  return {};
}

}  // namespace

std::string OrderCheck::check(const SweepCase& one, const Findings& findings) {
  if (one.arrangement != nullptr) return {};  // it adds otherwise, as the one that arranges the ranks knows
  const auto key = std::tuple(one.problem.root, one.pieces, one.radix, one.leaders);
  const auto [known, is_new] = classes_.try_emplace(key, findings.order_class);
  if (known->second != findings.order_class) return "the order of the operands depends on who is in place";
  if (one.leaders > 0) return {};  // so do those who run it among some ranks
  return is_new && one.problem.contract().reduces ? check_claim(one, findings) : "";
}

std::string OrderCheck::check_claim(const SweepCase& one, const Findings& findings) {
  const OrderClass& claim = one.algorithm->order;
  if (claim.name.empty()) return "it adds, but claims no order class";
  const auto known = class_of_root_.try_emplace(one.problem.root, findings.commutative_order_class).first;
  if (!claim.depends_on_cut && known->second != findings.commutative_order_class) {
    return "the order of the operands depends on how the message is cut, against its claim";
  }
  return compare_with_others(one, findings);
}

}  // namespace espalier::proof
