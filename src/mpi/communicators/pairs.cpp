// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/pairs.hpp"

namespace espalier {

namespace {

// By number. Never destroyed, as requests may end while the process does.
struct Opened {
  std::mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<Pairs>> all;
};
Opened& opened() {
  static auto& all = *new Opened;
  return all;
}

}  // namespace

Pairs::~Pairs() {
  const std::lock_guard lock(opened().mutex);
  const auto found = opened().all.find(number());
  if (found != opened().all.end() && found->second.expired()) opened().all.erase(found);
}

void Pairs::open() {
  const std::lock_guard lock(opened().mutex);
  opened().all[number()] = weak_from_this();
}

std::shared_ptr<Pairs> Pairs::find(std::uint64_t number) {
  const std::lock_guard lock(opened().mutex);
  const auto found = opened().all.find(number);
  return found != opened().all.end() ? found->second.lock() : nullptr;
}

}  // namespace espalier
