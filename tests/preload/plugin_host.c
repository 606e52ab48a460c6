/* SPDX-License-Identifier: Apache-2.0 */
/* A program without an MPI of its own: plugin_host LIBRARY:ACTION ... opens each plugin out of everybody else's sight.
 * ACTION is start, step, native_calls (all call the plugin's function of that name and print the result) or close. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

static int act(const char* library, const char* action) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | HOW);
  if (!handle) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (!strcmp(action, "close")) return dlclose(handle), dlclose(handle);
  char name[64];
  snprintf(name, sizeof name, "plugin_%s", action);
  int (*function)(void) = (int (*)(void))dlsym(handle, name);
  printf("%s %d\n", action, function());
  return 0;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    char* action = strrchr(argv[i], ':');
    *action++ = '\0';
    if (act(argv[i], action) != 0) return 1;
  }
  return 0;
}
