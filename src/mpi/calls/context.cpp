// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/context.hpp"

namespace espalier {

constinit Context* context = nullptr;

}  // namespace espalier
