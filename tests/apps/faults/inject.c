/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded behind libespalier.so, makes one thing fail that a backend asks of its surroundings, on one rank:
 *
 *     FAULT_KIND    allocation   malloc() and its kin return null, once
 *                   message      a point-to-point function of the MPI returns an error without doing anything, once:
 *                                one that starts a message or, for odd numbers, the next that waits for some
 *                   clock        clocks are an hour ahead from then on, or FAULT_STEP seconds
 *                   file         open(), read(), fopen(), fwrite() or fclose() fails, once
 *     FAULT_RANK    on which rank; -1: on each
 *     FAULT_AT      the how manyth of such calls
 *     FAULT_EVERY   and again whenever there were this many more; without it, never
 *
 * With FAULT_KIND=none nothing fails, but how many such calls there were is printed at the end, of each kind.
 *
 * Only calls from a libespalier-*.so are counted: libstdc++ is within it, so all its memory is among them. Its calls of
 * the MPI go through what it looked up with dlsym(), so that is where the wrappers of those get in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum kind { allocation, message, clocks, file, kinds };
static const char* const names[kinds] = {"allocation", "message", "clock", "file"};

static enum kind wanted = kinds;
static long wanted_at, wanted_every, step = 3600;
static int is_reported; /* how many calls there were */
static atomic_long counts[kinds];
static uintptr_t first, last; /* the backend's code */

static int is_backend(const void* caller) { return (uintptr_t)caller - first < last - first; }

/* Whether this call is the one to fail. */
static int fails(enum kind kind, const void* caller) {
  if (!is_backend(caller)) return 0;
  const long number = atomic_fetch_add(&counts[kind], 1) + 1;
  if (kind != wanted || number < wanted_at) return 0;
  if (number > wanted_at) return wanted_every > 0 && (number - wanted_at) % wanted_every == 0;
  char line[64];
  const int length = snprintf(line, sizeof line, "fault: %s %ld\n", names[kind], number);
  return write(STDERR_FILENO, line, (size_t)length) == length;
}
#define FAILS(kind) fails(kind, __builtin_return_address(0))

static int on_this_rank(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  const char* chosen = getenv("FAULT_RANK");
  return rank && chosen && (strcmp(rank, chosen) == 0 || strcmp(chosen, "-1") == 0);
}

__attribute__((constructor)) static void start(void) {
  const char* kind = getenv("FAULT_KIND");
  const char* at = getenv("FAULT_AT");
  if (!kind || !on_this_rank()) return;
  is_reported = strcmp(kind, "none") == 0;
  wanted_at = at ? atol(at) : 0;
  if (getenv("FAULT_EVERY")) wanted_every = atol(getenv("FAULT_EVERY"));
  if (getenv("FAULT_STEP")) step = atol(getenv("FAULT_STEP"));
  for (int k = 0; k < kinds; ++k) {
    if (strcmp(kind, names[k]) == 0) wanted = (enum kind)k;
  }
}

__attribute__((destructor)) static void end(void) {
  if (!is_reported) return;
  for (int k = 0; k < kinds; ++k) fprintf(stderr, "fault: %s of %ld\n", names[k], counts[k]);
}

static int find_backend(struct dl_phdr_info* library, size_t size, void* data) {
  (void)size, (void)data;
  if (!strstr(library->dlpi_name, "libespalier-") || strstr(library->dlpi_name, "libespalier-patient")) return 0;
  for (int k = 0; k < library->dlpi_phnum; ++k) {
    const ElfW(Phdr)* const part = &library->dlpi_phdr[k];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    first = library->dlpi_addr + part->p_vaddr;
    last = first + part->p_memsz;
  }
  return 1;
}

/* Memory. glibc keeps the real functions under other names, too. */
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t number, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void* malloc(size_t bytes) { return FAILS(allocation) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t number, size_t bytes) { return FAILS(allocation) ? NULL : __libc_calloc(number, bytes); }
void* realloc(void* old, size_t bytes) { return FAILS(allocation) ? NULL : __libc_realloc(old, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) {
  return FAILS(allocation) ? NULL : __libc_memalign(alignment, bytes);
}

/* Clocks. */
static atomic_int has_jumped;
time_t time(time_t* now) {
  static time_t (*real)(time_t*);
  if (!real) real = (time_t(*)(time_t*))dlsym(RTLD_NEXT, "time");
  const time_t seconds = real(NULL) + (has_jumped && is_backend(__builtin_return_address(0)) ? step : 0);
  if (now) *now = seconds;
  return seconds;
}
int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlvsym(RTLD_NEXT, "clock_gettime", "GLIBC_2.17");
  if (FAILS(clocks)) has_jumped = 1;
  const int status = real(clock, now);
  if (has_jumped && is_backend(__builtin_return_address(0))) now->tv_sec += step;
  return status;
}

/* Files. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (FAILS(file)) return errno = EMFILE, -1;
  return REAL(open)(path, flags, mode);
}
ssize_t read(int descriptor, void* to, size_t bytes) {
  return FAILS(file) ? (errno = EIO, -1) : REAL(read)(descriptor, to, bytes);
}
FILE* fopen(const char* path, const char* mode) {
  return FAILS(file) ? (errno = EMFILE, NULL) : REAL(fopen)(path, mode);
}
size_t fwrite(const void* from, size_t bytes, size_t number, FILE* to) {
  return FAILS(file) ? (errno = ENOSPC, 0) : REAL(fwrite)(from, bytes, number, to);
}
int fclose(FILE* stream) {
  const int status = REAL(fclose)(stream);
  return FAILS(file) ? (errno = ENOSPC, EOF) : status;
}

/* Messages. What fails on MPI_COMM_WORLD, while Espalier starts, ends the job natively; so only what follows counts.
 * All arguments are integers or pointers, so each function can be called as one of the most. */
static int is_active(void) {
  static int (*active)(void);
  if (!active) active = (int (*)(void))dlsym(RTLD_DEFAULT, "espalier_active");
  return active && active();
}

typedef intptr_t Word;
typedef int (*Function)(Word, Word, Word, Word, Word, Word, Word);
#define STARTING(X) X(Isend) X(Issend) X(Irecv)
#define WAITING(X) X(Wait) X(Test) X(Testsome) /* polled any number of times, so they are not counted */

static atomic_int next_wait_fails;
static int start_fails(const void* caller) {
  if (!is_active() || !fails(message, caller)) return 0;
  return wanted_at % 2 ? (next_wait_fails = 1, 0) : 1;
}
static int wait_fails(void) { return next_wait_fails && atomic_exchange(&next_wait_fails, 0); }

#define WRAPPER(name, condition)                                                     \
  static Function real_##name;                                                       \
  static int faulty_##name(Word a, Word b, Word c, Word d, Word e, Word f, Word g) { \
    return condition ? MPI_ERR_OTHER : real_##name(a, b, c, d, e, f, g);             \
  }
#define START_WRAPPER(name) WRAPPER(name, start_fails(__builtin_return_address(0)))
#define WAIT_WRAPPER(name) WRAPPER(name, wait_fails())
STARTING(START_WRAPPER)
WAITING(WAIT_WRAPPER)

static void* wrapper_of(const char* name, void* real) {
#define LOOK_UP(which)                             \
  if (strcmp(name, "PMPI_" #which) == 0 && real) { \
    real_##which = (Function)real;                 \
    return (void*)faulty_##which;                  \
  }
  STARTING(LOOK_UP)
  WAITING(LOOK_UP)
  return real;
}

void* dlsym(void* library, const char* name) {
  static void* (*real)(void*, const char*);
  if (!real) {
    real = (void* (*)(void*, const char*))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!real) real = (void* (*)(void*, const char*))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  }
  if (!last && strncmp(name, "PMPI_", 5) == 0) dl_iterate_phdr(find_backend, NULL);
  void* const found = real(library, name);
  return is_backend(__builtin_return_address(0)) ? wrapper_of(name, found) : found;
}
