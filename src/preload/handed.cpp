// SPDX-License-Identifier: Apache-2.0
#include "preload/handed.hpp"

#include <dlfcn.h>

#include <atomic>

#include "preload/callers.hpp"
#include "preload/loader/mpi_library.hpp"
#include "preload/loader/next_dlsym.hpp"
#include "preload/served.hpp"
#include "preload/trampolines/trampolines.hpp"

namespace espalier {

namespace {

// Some address in the one MPI whose functions are handed out. Those of a second one are its own.
constinit std::atomic<const void*> inside_the_mpi = nullptr;

// Neither the MPI's own nor that of a layer over it, which another MPI's users call.
bool may_be_served(const void* return_address, const Module& mpi) {
  const auto caller = module_at(return_address);
  if (caller && is_part_of_mpi(*caller, mpi)) return false;
  const auto own = mpi_library_of(caller);
  return !own || own->base == mpi.base;
}

// One that was looked at and closed again, before anybody called it, has no claim any more.
bool is_claimed_by_another(const void* inside, const Module& mpi) {
  const auto claimant = inside ? module_at(inside) : std::nullopt;
  return claimant && claimant->base != mpi.base && is_an_mpi(*claimant);
}

bool claim(const void* function, const Module& mpi) {
  if (known_mpis() > 0 && known_mpi(served_mpi).module.base != mpi.base) return false;
  const void* inside = inside_the_mpi.load();
  do {
    if (is_claimed_by_another(inside, mpi)) return false;
  } while (!inside_the_mpi.compare_exchange_weak(inside, function));
  return true;
}

}  // namespace

void* resolve_handed(std::size_t slot) {
  const auto mpi = module_at(inside_the_mpi.load());
  const int index = mpi ? registered(*mpi) : -1;
  void* target = index == served_mpi ? served_function(function_of(slot)) : nullptr;
  if (!target && mpi) target = find_from(*mpi, name_of(slot));
  if (target) std::atomic_ref(espalier_slots[slot_count + slot]).store(target);
  return target;
}

}  // namespace espalier

// Called by dlsym_*.S with a real handle: what to give out instead of what the next dlsym has; null: nothing.
extern "C" ESPALIER_HIDDEN void* espalier_hand_out(void* handle, const char* name, const void* return_address) {
  using namespace espalier;
  const std::size_t slot = slot_named(name);
  if (slot == slot_count || switched_off() || is_of_backend(return_address)) return nullptr;
  const void* const function = next_dlsym(handle, name);
  const auto owner = function ? module_at(function) : std::nullopt;
  if (!owner || !is_an_mpi(*owner) || !may_be_served(return_address, *owner)) return nullptr;
  if (!claim(function, *owner)) return nullptr;
  dlerror();  // forgets what was not found en route: this look-up has succeeded
  return espalier_handed[slot];
}
