/* SPDX-License-Identifier: Apache-2.0 */
/* A program without an MPI of its own that takes functions from the handles of libraries:
 * handle calls LIBRARY | probe LIBRARY OTHER | both LIBRARY OTHER | errors LIBRARY | scopes */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int Init(int*, char***);
typedef int Barrier(void*);
typedef int Count(void);

int which(void) { return 1; }
Count* default_which(void);
Count* next_which(void);

static void* opened(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fprintf(stderr, "%s\n", dlerror());
  return handle;
}

/* As careful programs do it. */
static void* found(void* handle, const char* name) {
  dlerror();
  void* function = dlsym(handle, name);
  const char* error = dlerror();
  if (error) printf("%s\n", error);
  return function;
}

static int start(void* handle) {
  int argc = 0;
  char** argv = NULL;
  return ((Init*)found(handle, "MPI_Init"))(&argc, &argv);
}

static void call(void* handle) {
  const int started = start(handle);
  const int first = ((Barrier*)found(handle, "MPI_Barrier"))((void*)1);
  const int second = ((Barrier*)found(handle, "PMPI_Barrier"))((void*)1);
  printf("%d %d %d, %d native\n", started, first, second, ((Count*)found(handle, "fake_mpi_calls"))());
}

static void show_errors(void* handle) {
  printf("%d\n", dlsym(handle, "MPI_Gather") == NULL && strstr(dlerror(), "MPI_Gather") != NULL);
  printf("%d\n", dlsym(handle, "MPI_Barrier") != NULL && dlerror() == NULL);
  printf("%d\n", dlsym(handle, "nothing") == NULL && strstr(dlerror(), "nothing") != NULL);
}

static void show_scopes(void) {
  printf("%d ", ((Count*)dlsym(RTLD_DEFAULT, "which"))());
  printf("%d ", ((Count*)dlsym(RTLD_NEXT, "which"))());
  printf("%d ", default_which()());
  printf("%d\n", next_which() == NULL);
}

int main(int argc, char** argv) {
  const char* what = argv[1];
  if (!strcmp(what, "scopes")) return show_scopes(), 0;
  void* handle = opened(argv[2]);
  if (!strcmp(what, "errors")) return show_errors(handle), 0;
  if (!strcmp(what, "probe")) {
    if (!found(handle, "MPI_Init") || dlclose(handle) != 0) return 1;
    printf("%s\n", dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD) ? "stays" : "gone");
  } else {
    call(handle);
  }
  if (argc > 3) call(opened(argv[3]));
  return 0;
}
