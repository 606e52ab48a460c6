// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/decide.hpp"

namespace espalier {

namespace {

// The communicator first: between two groups the root of a right call is none of its ranks.
const char* reason_for_native(const Classified& found, const Communicator& communicator) {
  if (communicator.unusual() != nullptr) return communicator.unusual();
  if (found.unusual != nullptr) return found.unusual;
  return communicator.is_broken() ? "a communicator that was revoked, or lost a process" : nullptr;
}

}  // namespace

Decided look_at(const Call& call, PreparedCommunicator& communicator) {
  const BufferUse use = use_of_buffers(call, communicator.rank());
  Decided decided{.found = classify(communicator.job(), call, communicator.rank(), communicator.size(), use)};
  if (const char* reason = reason_for_native(decided.found, communicator)) {
    decided.is_open = false;
    decided.choice = {.reason = reason};
  }
  return decided;
}

void find_decision(Decided& decided, PreparedCommunicator& communicator, const Selector& selector) {
  if (!decided.is_open) return;
  communicator.find_place();
  const auto [choice, changing] = communicator.decisions.find(selector, decided.found.problem, communicator.shape());
  decided.choice = choice;
  decided.changing = changing;
}

Decided find_decision(const Call& call, PreparedCommunicator& communicator, const Selector& selector) {
  Decided decided = look_at(call, communicator);
  find_decision(decided, communicator, selector);
  return decided;
}

Decided decide(const Call& call, PreparedCommunicator& communicator, const Selector& selector) {
  Decided decided = find_decision(call, communicator, selector);
  if (decided.changing != nullptr) decided.choice = decided.changing->next().choice;
  return decided;
}

}  // namespace espalier
