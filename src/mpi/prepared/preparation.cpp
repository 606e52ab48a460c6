// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/preparation.hpp"

namespace espalier {

Prepared::Setup basic_setup(const OwnCall& own, const PreparedKey& key) {
  return {.key = key,
          .shape = own.communicator.shape(),
          .me = own.communicator.rank(),
          .elements = {},
          .arithmetic = nullptr,
          .wire = {},
          .partition = {}};
}

void add_to_key(const Partition::Given& given, PreparedKey& key) {
  for (const Partition::Given::Side* side : {&given.input, &given.output}) {
    key.blocks.insert(key.blocks.end(), side->sizes.begin(), side->sizes.end());
    key.blocks.insert(key.blocks.end(), side->offsets.begin(), side->offsets.end());
  }
}

Preparation prepare(const OwnCall& own) {
  return own.call.contract().reduces ? prepare_reduction(own) : prepare_bytes(own);
}

}  // namespace espalier
