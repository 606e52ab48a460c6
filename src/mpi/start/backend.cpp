// SPDX-License-Identifier: Apache-2.0
// What this library exports: one function, by which libespalier.so gets all others.
#include "preload/backend.h"

#include <cstdio>
#include <exception>

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
    std::fprintf(stderr, "espalier: libespalier.so and libespalier-" ESPALIER_BACKEND_NAME
                         ".so are of different versions: every MPI call goes to the native MPI\n");
    return nullptr;
  }
  Native native;
  if (const char* missing = native.load(host->mpi_handle)) {
    std::fprintf(stderr, "espalier: %s has no %s: every MPI call goes to the native MPI\n", host->mpi_path, missing);
    return nullptr;
  }
  try {
    context = new Context(*host, native);
    return make_backend();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier: cannot start, so every MPI call goes to the native MPI: %s\n", error.what());
    return nullptr;
  }
}
