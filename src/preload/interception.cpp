// SPDX-License-Identifier: Apache-2.0
#include "preload/interception.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "preload/callers.hpp"
#include "preload/large_count.hpp"
#include "preload/message.hpp"
#include "preload/mpi_library.hpp"
#include "preload/served.hpp"
#include "preload/trampolines.hpp"

namespace espalier {

namespace {

constinit std::atomic<bool> every_call = false;

void put(std::size_t slot, void* target) { std::atomic_ref(espalier_slots[slot]).store(target); }

// Every program starts with one of these, so looking at each such call finds a second MPI before it is used.
bool starts_an_mpi(const InterceptedFunction& function) {
  return std::strncmp(function.name(), "MPI_Init", std::strlen("MPI_Init")) == 0;
}

// Both sides first write, then look: whichever comes last, the slot ends up with its stub once every call is resolved.
void remember(std::size_t slot, void* target) {
  if (starts_an_mpi(intercepted_functions[function_of(slot)]) || every_call.load()) return;
  put(slot, target);
  if (every_call.load()) put(slot, espalier_lazy_stubs[slot]);
}

// A profiling tool behind us in the search order: without us, MPI_X would have reached it. It will call PMPI_X, which
// is where we step in, once.
void* tool_function(const InterceptedFunction& function) {
  void* next = dlsym(RTLD_NEXT, function.name());
  const auto owner = next ? module_at(next) : std::nullopt;
  return owner && !is_an_mpi(*owner) ? next : nullptr;
}

void* target_of(std::size_t slot, int mpi) {
  const InterceptedFunction& function = intercepted_functions[function_of(slot)];
  if (mpi == served_mpi) {
    if (void* tool = is_profiling(slot) ? nullptr : tool_function(function)) return tool;
    if (void* own = served_function(function_of(slot))) return own;
  }
  if (void* native = known_mpi(mpi).native[function_of(slot)]) return native;
  return large_count_fallback(function_of(slot));
}

[[noreturn]] void nowhere_to_go(std::size_t slot, const void* return_address, const Caller& caller) {
  const char* name = intercepted_functions[function_of(slot)].name();
  const auto module = module_at(return_address);
  const char* from = module ? module->shown_path() : "code made at run time";
  if (caller.mpi < 0) {
    say("%s called %s, but no MPI library is loaded where it could find one. Link it with an MPI.", from, name);
  } else {
    say("%s called %s, which %s does not have.", from, name, known_mpi(caller.mpi).module.shown_path());
  }
  std::abort();
}

}  // namespace

void resolve_every_call() {
  every_call.store(true);
  for (std::size_t slot = 0; slot < slot_count; ++slot) put(slot, espalier_lazy_stubs[slot]);
}

}  // namespace espalier

void* espalier_resolve(void** slot_address, const void* return_address) {
  using namespace espalier;
  const auto slot = static_cast<std::size_t>(slot_address - espalier_slots);
  const Caller caller = caller_at(return_address);
  void* target = caller.mpi < 0 ? nullptr : target_of(slot, caller.mpi);
  if (!target) nowhere_to_go(slot, return_address, caller);
  // The slot is every caller's, so it may only remember what holds for the MPI that is served.
  if (caller.mpi == served_mpi) remember(slot, target);
  return target;
}
