/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface, from C, in a process without MPI: it answers, and says why it can do nothing. */
#include <espalier/espalier.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  printf("Espalier %s, %s\n", espalier_version(), espalier_active() ? "active" : "not active");
  if (espalier_active()) return 1;
  if (espalier_force("allreduce:ring") == 0) return 2;
  if (strlen(espalier_error()) == 0) return 3;
  printf("%s\n", espalier_error());
  return 0;
}
