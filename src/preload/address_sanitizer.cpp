// SPDX-License-Identifier: Apache-2.0
// Programs that are built with AddressSanitizer (gcc's, in a shared library) end themselves at start if any library is
// loaded before its runtime, as everything in LD_PRELOAD is. That is meant for libraries that define malloc and the
// like, which this one does not: it may arrive first. The runtime asks this function for its default settings, and
// reads ASAN_OPTIONS after that. A program's own function of this name counts instead of ours.

// Called before this library, the C library and the runtime itself are ready.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name is the runtime's
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options(void) {
  return "verify_asan_link_order=0";
}
