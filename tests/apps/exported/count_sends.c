// SPDX-License-Identifier: Apache-2.0
// Preloaded under an MPI on UCX: counts the messages that a process sends, before UCX sees them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

static long sends;

long sends_so_far(void) { return sends; }

void* ucp_tag_send_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag, const void* parameters) {
  static void* (*real)(void*, const void*, size_t, uint64_t, const void*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
  sends++;
  return real(endpoint, buffer, count, tag, parameters);
}

// Open MPI 4 sends by this, too.
void* ucp_tag_send_nb(void* endpoint, const void* buffer, size_t count, uint64_t type, uint64_t tag, void* done) {
  static void* (*real)(void*, const void*, size_t, uint64_t, uint64_t, void*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "ucp_tag_send_nb");
  sends++;
  return real(endpoint, buffer, count, type, tag, done);
}
