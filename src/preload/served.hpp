// SPDX-License-Identifier: Apache-2.0
// The MPI that Espalier serves in this process, and the backend that does it.
#pragma once

#include <cstddef>

#include "preload/backend.h"

namespace espalier {

// The backend's own form of a function of functions.inc; null if calls are to go to the native one. Opens the backend
// that fits the served MPI at the first call; if that fails says so, once, and all is native from then on.
[[nodiscard]] void* served_function(std::size_t function);

// ESPALIER=off: every call goes to the native MPI, and no backend is opened.
[[nodiscard]] bool switched_off();

// The backend, if it has been opened.
[[nodiscard]] const EspalierBackend* opened_backend();

// Whether the code at this address is the backend's own.
[[nodiscard]] bool is_of_backend(const void* address);

}  // namespace espalier
