/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded behind libespalier.so, counts what Espalier itself asks of its surroundings: memory, locks, and what enters
 * the kernel. What the MPI asks for below it is the MPI's. libstdc++ is within the backends, so all of theirs is seen;
 * who calls is told by where the call returns to. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of this process so far. A rank that waits yields its core again and again; so those stand apart. */
enum kind { allocations, locks, system_calls, yields, kinds };
static atomic_long counts[kinds];

void counted_so_far(long now[kinds]) {
  for (int kind = 0; kind < kinds; ++kind) now[kind] = counts[kind];
}

/* The code of libespalier.so and of its backend, once that is there. */
static struct { uintptr_t first, size; } code[2];
static atomic_int codes;

static int find_code(struct dl_phdr_info* library, size_t size, void* data) {
  (void)size;
  int* const found = data;
  if (!strstr(library->dlpi_name, "libespalier") || strstr(library->dlpi_name, "libespalier-patient")) return 0;
  for (int k = 0; k < library->dlpi_phnum && *found < 2; ++k) {
    const ElfW(Phdr)* const part = &library->dlpi_phdr[k];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    code[*found].first = library->dlpi_addr + part->p_vaddr;
    code[(*found)++].size = part->p_memsz;
  }
  return 0;
}

/* Called by the program when the backend is there. Returns whether it is. */
int start_counting(void) {
  int found = 0;
  dl_iterate_phdr(find_code, &found);
  codes = found;
  return found == 2;
}

static void count(enum kind kind, const void* caller) {
  for (int k = 0; k < codes; ++k) {
    if ((uintptr_t)caller - code[k].first < code[k].size) ++counts[kind];
  }
}
#define COUNT(kind) count(kind, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Memory. glibc keeps the real functions under other names, too. */
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t number, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void* malloc(size_t bytes) { return COUNT(allocations), __libc_malloc(bytes); }
void* calloc(size_t number, size_t bytes) { return COUNT(allocations), __libc_calloc(number, bytes); }
void* realloc(void* old, size_t bytes) { return COUNT(allocations), __libc_realloc(old, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return COUNT(allocations), __libc_memalign(alignment, bytes); }

/* Locks. */
#define LOCK(name, type)             \
  int name(type* lock) {             \
    static int (*real)(type*);       \
    if (!real) real = REAL(name);    \
    return COUNT(locks), real(lock); \
  }
LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)

/* The kernel. The clock is read without it. */
int sched_yield(void) { return COUNT(yields), (int)syscall(SYS_sched_yield); }
ssize_t read(int file, void* to, size_t bytes) { return COUNT(system_calls), REAL(read)(file, to, bytes); }
ssize_t write(int file, const void* from, size_t bytes) { return COUNT(system_calls), REAL(write)(file, from, bytes); }
int close(int file) { return COUNT(system_calls), REAL(close)(file); }
int poll(struct pollfd* files, nfds_t number, int wait) { return COUNT(system_calls), REAL(poll)(files, number, wait); }
ssize_t recv(int file, void* to, size_t bytes, int flags) {
  return COUNT(system_calls), REAL(recv)(file, to, bytes, flags);
}
ssize_t send(int file, const void* from, size_t bytes, int flags) {
  return COUNT(system_calls), REAL(send)(file, from, bytes, flags);
}
long syscall(long number, ...) {
  va_list more;
  long word[6];
  va_start(more, number);
  for (int k = 0; k < 6; ++k) word[k] = va_arg(more, long);
  va_end(more);
  static long (*real)(long, ...);
  if (!real) real = REAL(syscall);
  return COUNT(system_calls), real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
