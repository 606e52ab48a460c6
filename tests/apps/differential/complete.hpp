// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <span>
#include <string>

namespace espalier::apps {

// Completes the requests by the function of that name ("Waitsome"), called as often as it takes. Returns the first
// error. Throws std::invalid_argument if it is not known.
[[nodiscard]] int complete(std::span<MPI_Request> requests, const std::string& by);

}  // namespace espalier::apps
