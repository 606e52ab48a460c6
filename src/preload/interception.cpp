// SPDX-License-Identifier: Apache-2.0
#include "preload/interception.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "preload/callers.hpp"
#include "preload/handed.hpp"
#include "preload/large_count.hpp"
#include "preload/loader/message.hpp"
#include "preload/loader/mpi_library.hpp"
#include "preload/loader/next_dlsym.hpp"
#include "preload/served.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

namespace {

constinit std::atomic<bool> every_call = false;

void put(std::size_t slot, void* target) { std::atomic_ref(espalier_slots[slot]).store(target); }

bool lies_in_an_mpi(const void* address) {
  const auto owner = module_at(address);
  return owner && is_an_mpi(*owner);
}

bool lies_in_this_library(const void* address) {
  const auto owner = module_at(address);
  return owner && owner->base == module_at(espalier_slots)->base;
}

void keep_loaded(const void* address) {
  if (const auto owner = module_at(address)) pin(*owner);
}

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

// What a call would have reached without us.
struct Definition {
  void* function = nullptr;
  bool is_global = false;  // and so would every other caller's
  bool is_an_mpis = false;
};

// The loader looks in everybody's scope first, behind us, and then in the caller's own.
Definition next_definition(std::size_t slot, const void* return_address) {
  const char* name = name_of(slot);
  if (void* global = next_dlsym(RTLD_NEXT, name)) return {global, true, lies_in_an_mpi(global)};
  const auto caller = module_at(return_address);
  void* own = caller ? find_from(*caller, name) : nullptr;
  if (!own || lies_in_this_library(own)) return {};
  return {own, false, lies_in_an_mpi(own)};
}

// Neither an MPI's nor ours to look at: a stand-in for an MPI; or a profiling tool, which will call PMPI_X, and that is
// where we step in.
void* left_alone(std::size_t slot, const Definition& definition) {
  if (definition.is_global) {
    keep_loaded(definition.function);
    remember(slot, definition.function);
  } else {
    resolve_every_call();
  }
  return definition.function;
}

void* target_of(std::size_t slot, int mpi) {
  if (void* own = mpi == served_mpi ? served_function(function_of(slot)) : nullptr) return own;
  if (void* native = known_mpi(mpi).native[function_of(slot)]) return native;
  return large_count_fallback(function_of(slot));
}

// All functions that we intercept give back an int; what it means is each MPI's own affair, but for 0.
int fail() { return 1; }

void* nowhere(std::size_t slot, const void* return_address, bool has_an_mpi) {
  static std::atomic<bool> is_logged = false;
  if (is_logged.exchange(true)) return reinterpret_cast<void*>(&fail);
  const auto module = module_at(return_address);
  const char* const who = module ? module->shown_path() : "code made at run time";
  if (has_an_mpi) {
    log_on_node("%s called %s, which its MPI library does not provide; the call fails.", who, name_of(slot));
  } else {
    log_on_node(
        "%s called %s, but no MPI library is loaded; the call fails. Link it with an MPI, or run without "
        "LD_PRELOAD=libespalier.so.",
        who, name_of(slot));
  }
  return reinterpret_cast<void*>(&fail);
}

}  // namespace

void resolve_every_call() {
  if (every_call.exchange(true)) return;
  for (std::size_t slot = 0; slot < slot_count; ++slot) put(slot, espalier_lazy_stubs[slot]);
}

void* function_of_mpi(const char* name, const void* return_address) {
  const Caller caller = caller_at(return_address);
  return next_dlsym(caller.mpi < 0 ? RTLD_NEXT : known_mpi(caller.mpi).handle, name);
}

const char* interface_of_mpi(const void* return_address) {
  const Caller caller = caller_at(return_address);
  return caller.mpi < 0 ? nullptr : interface_of(known_mpi(caller.mpi).module);
}

void* target_for(std::size_t slot, const void* return_address) {
  void* target = std::atomic_ref(espalier_slots[slot]).load();
  return target == espalier_lazy_stubs[slot] ? espalier_resolve(&espalier_slots[slot], return_address) : target;
}

}  // namespace espalier

void* espalier_resolve(void** slot_address, const void* return_address) {
  using namespace espalier;
  const auto slot = static_cast<std::size_t>(slot_address - espalier_slots);
  if (slot >= slot_count) return resolve_handed(slot - slot_count);
  const Definition definition = next_definition(slot, return_address);
  if (definition.function && !definition.is_an_mpis) return left_alone(slot, definition);
  const Caller caller = caller_at(return_address);
  void* target = caller.mpi < 0 ? large_count_fallback(function_of(slot)) : target_of(slot, caller.mpi);
  if (!target) return nowhere(slot, return_address, caller.mpi >= 0);
  // The slot is every caller's, so it may only remember what holds for the MPI that is served.
  if (caller.mpi == served_mpi) remember(slot, target);
  return target;
}
