/* SPDX-License-Identifier: Apache-2.0 */
/* Opens each library that it is given out of the others' sight and runs it. Knows no MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#ifndef HOW
#define HOW 0
#endif

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL | HOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    int (*run)(void) = (int (*)(void))dlsym(library, "run_library");
    printf("rank %d: %d wrong\n", i - 1, run());
    fflush(stdout);
  }
  return 0;
}
