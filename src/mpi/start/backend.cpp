// SPDX-License-Identifier: Apache-2.0
// What this library exports: one function, by which libespalier.so gets all others.
#include "preload/backend.h"

#include <exception>

#include "core/log.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/start/control.hpp"

namespace espalier {

namespace {

const EspalierBackend* make_backend() {
  static const EspalierBackend backend = {
      .version = ESPALIER_BACKEND_VERSION,
      .name = ESPALIER_BACKEND_NAME,
      .entries = Entries::all(),
      .active = is_active,
      .force = force_setting,
      .error = last_error,
      .calls = count_calls,
  };
  return &backend;
}

}  // namespace

}  // namespace espalier

extern "C" __attribute__((visibility("default"))) const EspalierBackend* espalier_backend(const EspalierHost* host) {
  using namespace espalier;
  if (host == nullptr || host->version != ESPALIER_BACKEND_VERSION) {
    log_line("libespalier.so and libespalier-" ESPALIER_BACKEND_NAME
             ".so are from different versions; disabled. Install both from one build.");
    return nullptr;
  }
  Native native;
  if (const char* missing = native.load(host->mpi_handle)) {
    log_line("%s has no %s; disabled.", host->mpi_path, missing);
    return nullptr;
  }
  try {
    context = new Context(*host, native);
    return make_backend();
  } catch (const std::exception& error) {
    log_line("startup failed: %s. Disabled.", error.what());
    return nullptr;
  }
}
