/* SPDX-License-Identifier: Apache-2.0 */
/* The edge between libespalier.so, which knows no MPI, and the library for one MPI that it opens
 * (libespalier-openmpi.so, libespalier-mpich.so or libespalier-abi.so). Plain C, no MPI type in sight. */
#ifndef ESPALIER_PRELOAD_BACKEND_H
#define ESPALIER_PRELOAD_BACKEND_H

#ifdef __cplusplus
extern "C" {
#endif

/* Both sides refuse a partner of another version. */
#define ESPALIER_BACKEND_VERSION 1

/* What the preload tells the backend. Lives until the process ends. */
typedef struct EspalierHost {
  int version;
  /* dlopen() handle of the real MPI library. */
  void* mpi_handle;
  /* Nonzero if a call that returns to `return_address` comes from the MPI library itself or from one of its plugins.
   * Cheap, lock-free, any thread. */
  int (*is_internal)(const void* return_address);
  /* File name of the real MPI library. */
  const char* mpi_path;
} EspalierHost;

/* One intercepted function. The trampolines of MPI_X and PMPI_X jump there, so __builtin_return_address(0) inside it is
 * the application's. */
typedef struct EspalierEntry {
  const char* name; /* "MPI_Allreduce" */
  void* function;
} EspalierEntry;

/* What the backend gives back. Lives until the process ends. */
typedef struct EspalierBackend {
  int version;
  const char* name; /* "openmpi", "mpich", "abi" */
  /* Ends with a null name. A function that is not listed goes to the native one. */
  const EspalierEntry* entries;

  /* The functions of include/espalier/espalier.h, with the same meaning. */
  int (*active)(void);
  int (*force)(const char* setting);
  const char* (*error)(void);
  int (*calls)(const char* collective, unsigned long long* own, unsigned long long* native);
} EspalierBackend;

/* The only symbol that a backend exports: ESPALIER_BACKEND_SYMBOL. Called once per MPI library, before any of its
 * functions is intercepted. Null if this MPI cannot be served; every call then goes to the native function. */
typedef const EspalierBackend* (*EspalierBackendFunction)(const EspalierHost* host);
#define ESPALIER_BACKEND_SYMBOL "espalier_backend"

#ifdef __cplusplus
}
#endif

#endif
