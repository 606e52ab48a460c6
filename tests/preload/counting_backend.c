/* SPDX-License-Identifier: Apache-2.0 */
/* A backend that counts the calls that reach it and passes every one on. It knows no MPI: arguments are words. When the
 * process ends it writes {"mpi": path, "own": {name: calls}, "internal": {...}} to $COUNTING_BACKEND_FILE.<pid>. */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/backend.h"

#ifndef REPORTED_VERSION
#define REPORTED_VERSION ESPALIER_BACKEND_VERSION
#endif

typedef intptr_t Word;
typedef int (*Function)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);

static const EspalierHost* host;

#define ESPALIER_FUNCTION(name, result, parameters)                                                                   \
  static Function native_##name;                                                                                      \
  static atomic_int own_##name, internal_##name;                                                                      \
  static int counted_##name(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k) { \
    ++*(host->is_internal(__builtin_return_address(0)) ? &internal_##name : &own_##name);                             \
    return native_##name(a, b, c, d, e, f, g, h, i, j, k);                                                            \
  }
#include "preload/trampolines/functions.inc"
#undef ESPALIER_FUNCTION

static void write_counts(FILE* out, int internal) {
  const char* comma = "";
#define ESPALIER_FUNCTION(name, result, parameters)                                      \
  if (internal ? internal_##name : own_##name) {                                         \
    fprintf(out, "%s\"%s\": %d", comma, #name, internal ? internal_##name : own_##name); \
    comma = ", ";                                                                        \
  }
#include "preload/trampolines/functions.inc"
#undef ESPALIER_FUNCTION
}

__attribute__((destructor)) static void report(void) {
  const char* prefix = getenv("COUNTING_BACKEND_FILE");
  if (!prefix || !host) return;
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", prefix, (int)getpid());
  FILE* out = fopen(path, "w");
  if (!out) return;
  fprintf(out, "{\"mpi\": \"%s\", \"own\": {", host->mpi_path);
  write_counts(out, 0);
  fprintf(out, "}, \"internal\": {");
  write_counts(out, 1);
  fprintf(out, "}}\n");
  fclose(out);
}

static int active(void) { return 1; }
static int force(const char* setting) { return strcmp(setting, "allreduce:ring") != 0; }
static const char* error(void) { return "the counting backend's error"; }
static int calls(const char* collective, unsigned long long* own, unsigned long long* native) {
  if (strcmp(collective, "bcast") != 0) return 1;
  if (own) *own = (unsigned long long)own_MPI_Bcast;
  if (native) *native = 0;
  return 0;
}

#define ESPALIER_FUNCTION(name, result, parameters) +1
enum {
  function_count =
#include "preload/trampolines/functions.inc"
};
#undef ESPALIER_FUNCTION

static EspalierEntry entries[function_count + 1];
static EspalierBackend backend = {REPORTED_VERSION, "counting", entries, active, force, error, calls};

/* What this MPI lacks is not listed. */
__attribute__((visibility("default"))) const EspalierBackend* espalier_backend(const EspalierHost* given) {
  host = given;
  EspalierEntry* next = entries;
#define ESPALIER_FUNCTION(name, result, parameters)              \
  native_##name = (Function)dlsym(given->mpi_handle, "P" #name); \
  if (native_##name) *next++ = (EspalierEntry){#name, counted_##name};
#include "preload/trampolines/functions.inc"
#undef ESPALIER_FUNCTION
  return &backend;
}
