/* SPDX-License-Identifier: Apache-2.0 */
/* Behind a program that has a function of the same name: who is found from here? */
#define _GNU_SOURCE
#include <dlfcn.h>

typedef int Count(void);

int which(void) { return 2; }
Count* default_which(void) {
  Count* function = (Count*)dlsym(RTLD_DEFAULT, "which");
  return function;
}
Count* next_which(void) {
  Count* function = (Count*)dlsym(RTLD_NEXT, "which");
  return function;
}
