// SPDX-License-Identifier: Apache-2.0
#include "preload/served.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "preload/callers.hpp"
#include "preload/loader/message.hpp"
#include "preload/loader/mpi_library.hpp"
#include "preload/loader/next_dlsym.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

namespace {

constinit std::atomic<const EspalierBackend*> backend = nullptr;
constinit pthread_once_t opening = PTHREAD_ONCE_INIT;
constinit void* functions[intercepted_count] = {};
constinit std::atomic<std::uintptr_t> backend_first = 0, backend_last = 0;  // of its code

// What another MPI of this process calls is not for the backend either.
int passes_through(const void* return_address) {
  const Caller caller = caller_at(return_address);
  return caller.internal || caller.mpi != served_mpi;
}

// The directory of libespalier.so, with a slash; also if it was preloaded by a relative path and the program has moved
// on since. Empty if the loader cannot tell: it then looks wherever it looks for libraries.
void find_own_directory(char (&directory)[PATH_MAX]) {
  const auto self = module_at(espalier_slots);
  void* handle = self ? open_loaded(self->path) : nullptr;
  if (!handle || dlinfo(handle, RTLD_DI_ORIGIN, directory) != 0) *directory = '\0';
  if (*directory) std::strcat(directory, "/");
  if (handle) dlclose(handle);
}

EspalierBackendFunction open_library(const char* interface) {
  char directory[PATH_MAX];
  char path[PATH_MAX + 64];
  find_own_directory(directory);
  std::snprintf(path, sizeof path, "%slibespalier-%s.so", directory, interface);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* entry = library ? next_dlsym(library, ESPALIER_BACKEND_SYMBOL) : nullptr;
  if (!entry) {
    log_on_node(
        "%s. Disabled: no backend for this MPI. The backend must lie next to libespalier.so: build Espalier where this "
        "MPI's headers are installed, and install all of it.",
        dlerror());
  }
  if (const auto module = entry ? module_at(entry) : std::nullopt) {
    backend_first = module->first;
    backend_last = module->last;
  }
  return reinterpret_cast<EspalierBackendFunction>(entry);
}

const EspalierBackend* open_backend(const MpiLibrary& mpi) {
  const char* interface = interface_of(mpi.module);
  if (!interface) {
    log_on_node(
        "unsupported MPI library %s; disabled. Supported: Open MPI, MPICH and its derivatives, and MPIs with the "
        "standard ABI.",
        mpi.module.shown_path());
    return nullptr;
  }
  const auto entry = open_library(interface);
  if (!entry) return nullptr;

  static EspalierHost host;
  host = {ESPALIER_BACKEND_VERSION, mpi.handle, passes_through, mpi.module.path};
  const EspalierBackend* opened = entry(&host);
  if (opened && opened->version != ESPALIER_BACKEND_VERSION) {
    log_on_node("version mismatch between libespalier-%s.so and libespalier.so; disabled. Install both from one build.",
                interface);
    return nullptr;
  }
  return opened;
}

void* listed_function(const EspalierBackend& opened, const char* name) {
  for (const EspalierEntry* entry = opened.entries; entry->name; ++entry) {
    if (std::strcmp(entry->name, name) == 0) return entry->function;
  }
  return nullptr;
}

void open_once() {
  const EspalierBackend* opened = switched_off() ? nullptr : open_backend(known_mpi(served_mpi));
  for (std::size_t i = 0; opened && i < intercepted_count; ++i) {
    functions[i] = listed_function(*opened, intercepted_functions[i].name());
  }
  backend.store(opened, std::memory_order_release);
}

}  // namespace

bool switched_off() {
  const char* setting = std::getenv("ESPALIER");
  return setting && std::strcmp(setting, "off") == 0;
}

bool is_of_backend(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at >= backend_first && at < backend_last;
}

const EspalierBackend* opened_backend() { return backend.load(std::memory_order_acquire); }

void* served_function(std::size_t function) {
  pthread_once(&opening, open_once);
  return functions[function];
}

}  // namespace espalier
