/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses an MPI if there is one, by weak references or by dlsym: maybe weak|dlsym|weak_large. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int MPI_Init(int*, char***) __attribute__((weak));
int MPI_Barrier(void*) __attribute__((weak));
int MPI_Allreduce_c(const void*, void*, int64_t, void*, void*, void*) __attribute__((weak));

typedef int Init(int*, char***);
typedef int Barrier(void*);

static int use(Init* init, Barrier* barrier) {
  if (!init || !barrier) return puts("there is no MPI"), 0;
  int argc = 0;
  char** argv = NULL;
  const int started = init(&argc, &argv);
  printf("%d %d %d\n", started != 0, barrier((void*)1) != 0, barrier((void*)1) != 0);
  return 0;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "weak")) return use(MPI_Init, MPI_Barrier);
  if (!strcmp(what, "dlsym")) return use((Init*)dlsym(RTLD_DEFAULT, "MPI_Init"), (Barrier*)dlsym(NULL, "MPI_Barrier"));
  if (!strcmp(what, "weak_large") && MPI_Allreduce_c)
    printf("%d\n", MPI_Allreduce_c((void*)1, (void*)2, 3, (void*)4, (void*)5, (void*)6));
  return 0;
}
