/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Espalier's public C interface: what a program, or a benchmark, may ask of the library that is preloaded under it.
 *
 * A program does not need it. One that wants it links `libespalier.so`, or looks the functions up with
 * `dlsym(RTLD_DEFAULT, ...)` and so also runs without Espalier. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ESPALIER_PUBLIC __attribute__((visibility("default")))
#else
#define ESPALIER_PUBLIC
#endif

/** The library's version, `"0.1.0"`. Never null. May be called at any time, by any thread. */
ESPALIER_PUBLIC const char* espalier_version(void);

/** 1 between `MPI_Init` and `MPI_Finalize` if collectives may run on Espalier's own schedules in this job; 0 if all of
 * them go to the native MPI: before `MPI_Init`, with `ESPALIER=off`, or when the ranks could not agree at `MPI_Init`
 * (the library said why on standard error). Equal on all ranks. */
ESPALIER_PUBLIC int espalier_active(void);

/** Forces what is done with collectives from here on. `setting` has the form of the setting `ESPALIER_ALGORITHM`, for
 * example `"allreduce:ring,segment=16KiB;bcast:native"`; `""` goes back to the choice made at start.
 *
 * Collective over the job: every rank of `MPI_COMM_WORLD` calls it with the same text, with no collective under way
 * anywhere in the job. All communicators forget what they had decided before.
 *
 * Returns 0 if it is in force on all ranks. Returns another value, and changes nothing on any rank, if the text is
 * malformed or differs between ranks, or if Espalier is not active; espalier_error() then says why. */
ESPALIER_PUBLIC int espalier_force(const char* setting);

/** Why the last function of this interface that failed on this thread did so; `""` if none did. Valid until the next
 * call on this thread. */
ESPALIER_PUBLIC const char* espalier_error(void);

/** How many calls of `collective` (`"bcast"`, `"allreduce"`, `"alltoall"`, ...) this process has made so far: those
 * that ran on Espalier's own schedules, and those that were passed on to the native MPI. Either pointer may be null.
 * Returns 0, or another value if there is no such collective or no MPI under Espalier in this process. */
ESPALIER_PUBLIC int espalier_calls(const char* collective, unsigned long long* own, unsigned long long* native);

#ifdef __cplusplus
}
#endif

#endif
