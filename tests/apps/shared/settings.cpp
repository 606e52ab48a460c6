// SPDX-License-Identifier: Apache-2.0
#include "shared/settings.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

// That exist on every communicator.
std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : registry()) {
    const bool exists = algorithm.needs == Needs::nothing && algorithm.ranks == RankCounts::any;
    if (exists && algorithm.collective == collective) found.push_back(&algorithm);
  }
  return found;
}

const Algorithm& own_algorithm(std::uint64_t number, Collective collective) {
  const std::vector<const Algorithm*> all = algorithms_of(collective);
  return *all[number % all.size()];
}

std::string parameters_of(const Algorithm& algorithm, std::uint64_t random) {
  constexpr const char* segments[] = {"", "", ",segment=512", ",segment=1KiB", ",segment=2KiB"};
  constexpr const char* windows[] = {"", ",window=1", ",window=2", ",window=3"};
  const std::string radix = ",radix=" + std::to_string(2 + scramble(random, 3) % 3);
  return segments[scramble(random, 1) % std::size(segments)] +
         std::string(windows[scramble(random, 2) % std::size(windows)]) + (algorithm.takes_radix ? radix : "");
}

template <class NameOf>
std::string for_each_collective(NameOf name_for) {
  std::string all;
  for (const Collective collective : all_collectives) {
    all += (all.empty() ? "" : ";") + std::string(name_of(collective)) + ":" + name_for(collective);
  }
  return all;
}

}  // namespace

bool takes_uneven(std::uint64_t number, Collective collective) {
  return own_algorithm(number, collective).takes_uneven;
}

std::string own_algorithms(std::uint64_t number) {
  return for_each_collective([&](Collective collective) {
    const Algorithm& one = own_algorithm(number, collective);
    return std::string(one.name) + parameters_of(one, scramble(number, static_cast<int>(collective)));
  });
}

int settings_with_all() {
  std::size_t most = 0;
  for (const Collective collective : all_collectives) most = std::max(most, algorithms_of(collective).size());
  return static_cast<int>(most);
}

std::string all_by(std::string_view name) {
  return for_each_collective([&](Collective) { return std::string(name); });
}

}  // namespace espalier::apps
