// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"

#include <vector>

namespace espalier {

namespace {

// Made by whichever file is first.
std::vector<EspalierEntry>& registered() {
  static std::vector<EspalierEntry> all = {{nullptr, nullptr}};
  return all;
}

}  // namespace

Entries::Entries(std::initializer_list<EspalierEntry> more) { registered().insert(registered().end() - 1, more); }

const EspalierEntry* Entries::all() { return registered().data(); }

}  // namespace espalier
