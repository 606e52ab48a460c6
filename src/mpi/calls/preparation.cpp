// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/preparation.hpp"

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

Preparation prepare(const OwnCall& own) {
  return own.call.contract().reduces ? prepare_reduction(own) : prepare_bytes(own);
}

}  // namespace espalier
