/* SPDX-License-Identifier: Apache-2.0 */
/* A program linked with fake_mpi: does what its first argument says and prints what came of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int MPI_Init(int*, char***);
int MPI_Barrier(void*);
int PMPI_Barrier(void*);
int MPI_Allreduce_c(const void*, void*, int64_t, void*, void*, void*) __attribute__((weak));
typedef int Bcast(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, double, double, double, double, double, double,
                  double, double, intptr_t, intptr_t, intptr_t, intptr_t);
Bcast MPI_Bcast, PMPI_Bcast;
const char* fake_mpi_stack(void);
int fake_mpi_calls(void);

#define ALL_ARGUMENTS (1, 2, 3, 4, 5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 6, 7, 8, 9)

static void arguments(void) {
  for (int i = 0; i < 2; ++i) printf("%d %d\n", MPI_Bcast ALL_ARGUMENTS, PMPI_Bcast ALL_ARGUMENTS);
}

static void large_count(void) {
  const int64_t counts[] = {0, 3, INT32_MAX, (int64_t)INT32_MAX + 1, (int64_t)1 << 40};
  for (int i = 0; i < 5; ++i)
    printf("%d\n", MPI_Allreduce_c((void*)1, (void*)2, counts[i], (void*)4, (void*)5, (void*)6));
}

static void barriers(void) { printf("%d %d\n", MPI_Barrier((void*)1), PMPI_Barrier((void*)1)); }

static pthread_barrier_t together;
static void* many_barriers(void* unused) {
  pthread_barrier_wait(&together);
  intptr_t wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += i % 2 ? MPI_Barrier((void*)1) : PMPI_Barrier((void*)1);
  return (void*)wrong + 0 * (intptr_t)unused;
}

static void threads(void) {
  enum { count = 8 };
  pthread_t thread[count];
  pthread_barrier_init(&together, NULL, count);
  for (int i = 0; i < count; ++i) pthread_create(&thread[i], NULL, many_barriers, NULL);
  intptr_t wrong = 0;
  for (int i = 0; i < count; ++i) {
    void* result;
    pthread_join(thread[i], &result);
    wrong += (intptr_t)result;
  }
  printf("%d wrong, %d native\n", (int)wrong, fake_mpi_calls());
}

static void interface_calls(void) {
  const char* (*version)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "espalier_version");
  int (*active)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "espalier_active");
  int (*force)(const char*) = (int (*)(const char*))dlsym(RTLD_DEFAULT, "espalier_force");
  const char* (*error)(void) = (const char* (*)(void))dlsym(RTLD_DEFAULT, "espalier_error");
  int (*calls)(const char*, unsigned long long*, unsigned long long*) =
      (int (*)(const char*, unsigned long long*, unsigned long long*))dlsym(RTLD_DEFAULT, "espalier_calls");
  printf("%s\n", version());
  for (int i = 0; i < 2; ++i) {
    printf("active %d, ", active());
    printf("force %d, ", force("allreduce:ring"));
    printf("error '%s', ", error());
    printf("calls %d\n", calls("bcast", NULL, NULL));
    MPI_Barrier((void*)1);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "start")) printf("%d\n", MPI_Init(&argc, &argv));
  if (!strcmp(what, "arguments")) arguments();
  if (!strcmp(what, "large_count")) large_count();
  if (!strcmp(what, "barriers")) barriers();
  if (!strcmp(what, "barriers_elsewhere") && chdir("/") == 0) barriers();
  if (!strcmp(what, "threads")) threads();
  if (!strcmp(what, "interface")) interface_calls();
  if (!strcmp(what, "stack")) printf("%d\n%s", MPI_Barrier((void*)1), fake_mpi_stack());
  return 0;
}
