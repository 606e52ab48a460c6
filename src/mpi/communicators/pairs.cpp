// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/pairs.hpp"

#include <algorithm>
#include <list>

namespace espalier {

namespace {

// Never destroyed, as requests may end while the process does.
struct Made {
  std::mutex mutex;
  std::list<std::weak_ptr<Pairs>> all;
};
Made& made() {
  static auto& all = *new Made;
  return all;
}

}  // namespace

std::shared_ptr<Pairs> Pairs::make(std::shared_ptr<PersistentTags> tags) {
  auto pairs = std::make_shared<Pairs>(std::move(tags));
  const std::lock_guard lock(made().mutex);
  made().all.push_back(pairs);
  return pairs;
}

Pairs::~Pairs() {
  const std::lock_guard lock(made().mutex);
  std::erase_if(made().all, [](const std::weak_ptr<Pairs>& one) { return one.expired(); });
}

// What is the last to hold one lets it go after the lock.
std::shared_ptr<Pairs> Pairs::find(std::uint64_t number) {
  std::list<std::shared_ptr<Pairs>> others;
  const std::lock_guard lock(made().mutex);
  for (const std::weak_ptr<Pairs>& one : made().all) {
    std::shared_ptr<Pairs> pairs = one.lock();
    if (pairs != nullptr && pairs->number() == number) return pairs;
    if (pairs != nullptr) others.push_back(std::move(pairs));
  }
  return nullptr;
}

}  // namespace espalier
