// SPDX-License-Identifier: Apache-2.0
#include "preload/callers.hpp"

#include <atomic>

#include "preload/interception.hpp"
#include "preload/loader/lock.hpp"
#include "preload/loader/message.hpp"
#include "preload/loader/mpi_library.hpp"
#include "preload/loader/next_dlsym.hpp"
#include "preload/served.hpp"

namespace espalier {

namespace {

constexpr int max_mpis = 4;  // two in one process are rare enough

constinit CallerRanges ranges;
constinit MpiLibrary mpis[max_mpis] = {};
constinit std::atomic<int> mpi_count = 0;
constinit pthread_mutex_t registration = PTHREAD_MUTEX_INITIALIZER;

int index_of(const Module& mpi) {
  const int count = mpi_count.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    if (mpis[i].module.base == mpi.base) return i;
  }
  return -1;
}

void welcome_another(const Module& mpi) {
  if (!switched_off()) {
    log_on_node("second MPI library in this process: %s. Its calls are not intercepted; Espalier serves %s only.",
                mpi.shown_path(), mpis[served_mpi].module.shown_path());
  }
  resolve_every_call();
}

MpiLibrary opened(const Module& mpi) {
  MpiLibrary library{mpi, open_loaded(mpi.path), {}};
  for (std::size_t i = 0; library.handle && i < intercepted_count; ++i) {
    library.native[i] = next_dlsym(library.handle, intercepted_functions[i].profiling_name);
  }
  return library;
}

// Code made at run time belongs to no module: it is known by its page, and it is never the MPI's own.
CallerRange page_of(const void* address) {
  constexpr std::uintptr_t page_bytes = 4096;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(address) & ~(page_bytes - 1);
  return {first, first + page_bytes, {}};
}

Caller classify(const void* return_address) {
  const auto module = module_at(return_address);
  const auto mpi = mpi_library_of(module);
  const int index = mpi ? registered(*mpi) : known_mpis() > 0 ? served_mpi : -1;
  if (index < 0) return {};

  CallerRange range = module ? CallerRange{module->first, module->last, {}} : page_of(return_address);
  range.caller.mpi = static_cast<std::int16_t>(index);
  range.caller.internal = module && is_part_of_mpi(*module, mpis[index].module);
  if (module) pin(*module);
  ranges.add(range);
  return range.caller;
}

}  // namespace

// The loader is asked before the lock is taken: another thread may hold the loader's own lock and wait for ours.
int registered(const Module& mpi) {
  if (const int index = index_of(mpi); index >= 0) return index;
  const MpiLibrary library = opened(mpi);
  if (!library.handle) return -1;

  const Lock lock(registration);
  if (const int index = index_of(mpi); index >= 0) return index;
  const int index = mpi_count.load(std::memory_order_relaxed);
  if (index == max_mpis) return -1;
  mpis[index] = library;
  mpi_count.store(index + 1, std::memory_order_release);
  if (index != served_mpi) welcome_another(mpi);
  return index;
}

Caller caller_at(const void* return_address) {
  if (const CallerRange* range = ranges.find(return_address)) [[likely]]
    return range->caller;
  return classify(return_address);
}

int known_mpis() { return mpi_count.load(std::memory_order_acquire); }

const MpiLibrary& known_mpi(int index) { return mpis[index]; }

}  // namespace espalier
