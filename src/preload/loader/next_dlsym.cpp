// SPDX-License-Identifier: Apache-2.0
#include "preload/loader/next_dlsym.hpp"

#include <dlfcn.h>

#include <atomic>

#include "preload/trampolines/trampolines.hpp"

namespace {

using Dlsym = void* (*)(void* handle, const char* name);

}  // namespace

extern "C" {

// Read by dlsym_*.S; null until somebody has asked.
ESPALIER_HIDDEN constinit void* espalier_next_dlsym = nullptr;

// By its version the C library's is found, and by that whichever is next. A sanitizer's runtime calls dlsym before it
// can check anything; templates would do so all the same.
ESPALIER_HIDDEN __attribute__((no_sanitize("address", "thread", "undefined"))) void espalier_find_next_dlsym() {
#if defined(__x86_64__)
  constexpr const char* first_version = "GLIBC_2.2.5";
#else
  constexpr const char* first_version = "GLIBC_2.17";
#endif
  const auto of_c_library = reinterpret_cast<Dlsym>(dlvsym(RTLD_NEXT, "dlsym", first_version));
  __atomic_store_n(&espalier_next_dlsym, of_c_library(RTLD_NEXT, "dlsym"), __ATOMIC_RELEASE);
}
}

namespace espalier {

void* next_dlsym(void* handle, const char* name) {
  if (std::atomic_ref(espalier_next_dlsym).load() == nullptr) espalier_find_next_dlsym();
  return reinterpret_cast<Dlsym>(std::atomic_ref(espalier_next_dlsym).load())(handle, name);
}

}  // namespace espalier
