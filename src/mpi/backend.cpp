// SPDX-License-Identifier: Apache-2.0
// What this library exports: one function, by which libespalier.so gets all others.
#include "preload/backend.h"

#include <cstdio>
#include <exception>

#include "mpi/context.hpp"
#include "mpi/control.hpp"
#include "mpi/entries.hpp"

namespace espalier {

namespace {

template <class Function>
EspalierEntry entry(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

const EspalierBackend* make_backend() {
  static const EspalierEntry entries[] = {
      entry("MPI_Init", entry_Init),
      entry("MPI_Init_thread", entry_Init_thread),
      entry("MPI_Bcast", entry_Bcast),
      entry("MPI_Bcast_c", entry_Bcast_c),
      entry("MPI_Reduce", entry_Reduce),
      entry("MPI_Reduce_c", entry_Reduce_c),
      entry("MPI_Allreduce", entry_Allreduce),
      entry("MPI_Allreduce_c", entry_Allreduce_c),
      entry("MPI_Barrier", entry_Barrier),
      entry("MPI_Comm_free", entry_Comm_free),
      entry("MPI_Comm_disconnect", entry_Comm_disconnect),
      {nullptr, nullptr},
  };
  static const EspalierBackend backend = {
      .version = ESPALIER_BACKEND_VERSION,
      .name = ESPALIER_BACKEND_NAME,
      .entries = entries,
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
