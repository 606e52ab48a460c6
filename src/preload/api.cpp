// SPDX-License-Identifier: Apache-2.0
// The functions of espalier.h: each asks the backend, if there is one.
#include "espalier/espalier.h"
#include "preload/served.hpp"

namespace {

// Why the last call on this thread failed, if there was no backend to ask.
thread_local const char* own_error = "";

const EspalierBackend* backend_or_error() {
  const EspalierBackend* backend = espalier::opened_backend();
  own_error = backend ? "" : "Espalier is not active: no MPI of this process runs under it";
  return backend;
}

}  // namespace

const char* espalier_version(void) { return ESPALIER_VERSION; }

int espalier_active(void) {
  const EspalierBackend* backend = espalier::opened_backend();
  return backend ? backend->active() : 0;
}

int espalier_force(const char* setting) {
  const EspalierBackend* backend = backend_or_error();
  return backend ? backend->force(setting) : 1;
}

const char* espalier_error(void) {
  const EspalierBackend* backend = espalier::opened_backend();
  return backend ? backend->error() : own_error;
}

int espalier_calls(const char* collective, unsigned long long* own, unsigned long long* native) {
  const EspalierBackend* backend = backend_or_error();
  return backend ? backend->calls(collective, own, native) : 1;
}
