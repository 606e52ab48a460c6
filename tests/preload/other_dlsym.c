/* SPDX-License-Identifier: Apache-2.0 */
/* A tool with a dlsym of its own, which counts what is asked for in handles. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#ifdef __x86_64__
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

typedef void* Dlsym(void*, const char*);

static int asked;
__attribute__((destructor)) static void report(void) { printf("tool was asked: %s\n", asked ? "yes" : "no"); }

void* dlsym(void* handle, const char* name) {
  Dlsym* next = (Dlsym*)dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
  if (handle != RTLD_NEXT && handle != RTLD_DEFAULT) ++asked;
  return next(handle, name);
}
