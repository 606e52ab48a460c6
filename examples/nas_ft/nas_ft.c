/* SPDX-License-Identifier: Apache-2.0 */
/* NAS FT, written from its description: a three-dimensional field is taken to its waves once; in each step these
 * die away a little more, and one inverse transform, with one MPI_Alltoall, brings the field back. A checksum of 1024
 * of its numbers is compared with the published one. (Bailey et al.: The NAS parallel benchmarks, RNR-94-007, 1994.)
 *
 * An ordinary MPI program; it knows nothing of Espalier.
 *
 *     mpicc -O2 nas_ft.c -o nas_ft -lfftw3 -lm
 *     mpirun -n 4 ./nas_ft [CLASS [TIMES]]
 *
 * CLASS is S, W, A, B or C; all of it is done so many times. The ranks must divide the extents along y and z. It prints
 * the checksums, how long the steps took, and how much of it the alltoalls. The status is 1 if a checksum is wrong.
 *
 *     z |#####|  rank 1     planes x, y are whole on one rank,       y |#####|  rank 1     and so are lines along z
 *       |:::::|  rank 0     so transforms along x and y are local      |:::::|  rank 0     after the transposition
 *          x, y                                                           x, z
 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems.h"

static const double tolerance = 1e-12, pi = 3.14159265358979323846, decay = 1e-6;

struct field {
  const struct problem* problem;
  int ranks, rank;
  int planes_here, rows_here; /* of all along z, and along y */
  size_t size, block;         /* numbers on this rank, and from each rank to each */
  fftw_complex *planes, *packed, *lines, *waves;
  fftw_plan planes_forth, planes_back, lines_forth, lines_back;
  double in_alltoalls;
};

static void make(struct field* f, const struct problem* problem, int rank, int ranks) {
  *f = (struct field){.problem = problem, .ranks = ranks, .rank = rank};
  f->planes_here = problem->z / ranks;
  f->rows_here = problem->y / ranks;
  f->size = (size_t)f->planes_here * problem->y * problem->x;
  f->block = f->size / ranks;
  f->planes = fftw_alloc_complex(f->size);
  f->packed = fftw_alloc_complex(f->size);
  f->lines = fftw_alloc_complex(f->size);
  f->waves = fftw_alloc_complex(f->size);
  if (!f->planes || !f->packed || !f->lines || !f->waves) {
    fprintf(stderr, "nas_ft: no memory for %zu numbers on a rank\n", 4 * f->size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int plane[] = {problem->y, problem->x}, line[] = {problem->z};
  const int in_plane = problem->y * problem->x, apart = f->rows_here * problem->x; /* neighbours along z */
  f->planes_forth = fftw_plan_many_dft(2, plane, f->planes_here, f->planes, NULL, 1, in_plane, f->planes, NULL, 1,
                                       in_plane, FFTW_FORWARD, FFTW_ESTIMATE);
  f->planes_back = fftw_plan_many_dft(2, plane, f->planes_here, f->planes, NULL, 1, in_plane, f->planes, NULL, 1,
                                      in_plane, FFTW_BACKWARD, FFTW_ESTIMATE);
  f->lines_forth = fftw_plan_many_dft(1, line, apart, f->waves, NULL, apart, 1, f->waves, NULL, apart, 1, FFTW_FORWARD,
                                      FFTW_ESTIMATE);
  f->lines_back = fftw_plan_many_dft(1, line, apart, f->lines, NULL, apart, 1, f->lines, NULL, apart, 1, FFTW_BACKWARD,
                                     FFTW_ESTIMATE);
}

static void end(struct field* f) {
  fftw_destroy_plan(f->planes_forth);
  fftw_destroy_plan(f->planes_back);
  fftw_destroy_plan(f->lines_forth);
  fftw_destroy_plan(f->lines_back);
  fftw_free(f->planes);
  fftw_free(f->packed);
  fftw_free(f->lines);
  fftw_free(f->waves);
}

/* The benchmark's random numbers: x' = 5^13 x mod 2^46, divided by 2^46. */
static const unsigned long long multiplier = 1220703125ULL, seed = 314159265ULL, modulus = 1ULL << 46;

static unsigned long long after(unsigned long long x, unsigned long long steps) {
  for (unsigned long long factor = multiplier; steps > 0; steps >>= 1) {
    if (steps & 1) x = factor * x % modulus; /* what is lost above 2^64 is a multiple of 2^46 */
    factor = factor * factor % modulus;
  }
  return x;
}

static double next(unsigned long long* x) {
  *x = multiplier * *x % modulus;
  return (double)*x / (double)modulus;
}

/* Two for each point, in the order of the whole field. */
static void fill(struct field* f) {
  unsigned long long x = after(seed, 2 * (unsigned long long)f->rank * f->size);
  for (size_t i = 0; i < f->size; ++i) {
    const double real = next(&x);
    f->planes[i] = real + I * next(&x);
  }
}

/* planes[z][y][x] <-> packed[rank][z][y of that rank][x] */
static void pack(struct field* f, int back) {
  const size_t row = (size_t)f->rows_here * f->problem->x;
  for (int rank = 0; rank < f->ranks; ++rank) {
    for (int z = 0; z < f->planes_here; ++z) {
      fftw_complex* plane = f->planes + ((size_t)z * f->ranks + rank) * row;
      fftw_complex* part = f->packed + ((size_t)rank * f->planes_here + z) * row;
      memcpy(back ? plane : part, back ? part : plane, row * sizeof(fftw_complex));
    }
  }
}

static void exchange(struct field* f, const fftw_complex* from, fftw_complex* to) {
  const double start = MPI_Wtime();
  const int count = (int)f->block;
  MPI_Alltoall(from, count, MPI_C_DOUBLE_COMPLEX, to, count, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
  f->in_alltoalls += MPI_Wtime() - start;
}

/* From `planes` to `waves`; what comes from one rank after the other is waves[z][y][x] already. */
static void forth(struct field* f) {
  fftw_execute(f->planes_forth);
  pack(f, 0);
  exchange(f, f->packed, f->waves);
  fftw_execute(f->lines_forth);
}

/* From `lines` to `planes`. Both are as large as the whole field times the numbers: nothing is divided. */
static void back(struct field* f) {
  fftw_execute(f->lines_back);
  exchange(f, f->lines, f->packed);
  pack(f, 1);
  fftw_execute(f->planes_back);
}

/* Waves of an axis go both ways round it. */
static double squared_wave(int k, int extent) {
  const double wave = k < extent / 2 ? k : k - extent;
  return wave * wave;
}

/* exp(-4 a pi^2 k^2) for each k^2 along an axis. */
static double* fading(int extent, int step) {
  double* factors = malloc(sizeof(double) * (size_t)extent);
  if (!factors) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int k = 0; k < extent; ++k) factors[k] = exp(-4 * decay * pi * pi * squared_wave(k, extent) * step);
  return factors;
}

/* What is left of the waves after so many steps. */
static void evolve(struct field* f, int step) {
  const struct problem* p = f->problem;
  double *along_x = fading(p->x, step), *along_y = fading(p->y, step), *along_z = fading(p->z, step);
  size_t i = 0;
  for (int z = 0; z < p->z; ++z) {
    for (int row = 0; row < f->rows_here; ++row) {
      const double factor = along_z[z] * along_y[f->rank * f->rows_here + row];
      for (int x = 0; x < p->x; ++x, ++i) f->lines[i] = f->waves[i] * (factor * along_x[x]);
    }
  }
  free(along_x);
  free(along_y);
  free(along_z);
}

static double complex checksum(const struct field* f) {
  const struct problem* p = f->problem;
  double complex mine = 0, all = 0;
  for (int j = 1; j <= 1024; ++j) {
    const int x = j % p->x, y = 3 * j % p->y, z = 5 * j % p->z;
    if (z / f->planes_here != f->rank) continue;
    mine += f->planes[((size_t)(z % f->planes_here) * p->y + y) * p->x + x];
  }
  MPI_Allreduce(&mine, &all, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  return all / ((double)p->x * p->y * p->z);
}

/* Not a number is wrong, too. */
static int is_near(double value, double hundreds) {
  return fabs(value - 100 * hundreds) <= tolerance * fabs(100 * hundreds);
}

/* How many checksums are wrong. They are printed if they are, and the first time. */
static int run(struct field* f, int is_first) {
  const struct problem* p = f->problem;
  int wrong = 0;
  forth(f);
  for (int step = 1; step <= p->steps; ++step) {
    evolve(f, step);
    back(f);
    const double complex sum = checksum(f);
    const double* expected = p->checksums[step - 1];
    const int right = is_near(creal(sum), expected[0]) && is_near(cimag(sum), expected[1]);
    wrong += !right;
    if (f->rank == 0 && (is_first || !right)) {
      printf("step %2d: %.12e %.12e%s\n", step, creal(sum), cimag(sum), right ? "" : "  WRONG");
    }
  }
  return wrong;
}

static int run_all(struct field* f, int times) {
  const struct problem* p = f->problem;
  double took = 0;
  int wrong = 0;
  for (int time = 0; time < times; ++time) {
    fill(f);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    wrong += run(f, time == 0);
    took += MPI_Wtime() - start;
  }
  if (f->rank == 0) {
    printf("class %c, %d x %d x %d, %d ranks, %d times: seconds %.6f, in alltoalls %.6f: %s\n", p->name, p->x, p->y,
           p->z, f->ranks, times, took, f->in_alltoalls, wrong ? "wrong" : "verified");
  }
  return wrong;
}

static int number_in(const char* text) {
  char* rest = NULL;
  const long number = strtol(text, &rest, 10);
  return *text != '\0' && *rest == '\0' && number >= 1 && number <= 1000000 ? (int)number : 0;
}

static const struct problem* problem_named(const char* name) {
  for (size_t i = 0; i < sizeof problems / sizeof *problems; ++i) {
    if (name[0] == problems[i].name && name[1] == '\0') return &problems[i];
  }
  return NULL;
}

static void refuse(int rank, const char* text) {
  if (rank == 0) fprintf(stderr, "nas_ft: %s\n", text);
  MPI_Finalize();
  exit(2);
}

int main(int argc, char** argv) {
  struct field field;
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 3) refuse(rank, "usage: nas_ft [CLASS [TIMES]]");
  const struct problem* problem = problem_named(argc > 1 ? argv[1] : "S");
  if (!problem) refuse(rank, "CLASS: allowed: S, W, A, B, C");
  const int times = number_in(argc > 2 ? argv[2] : "1");
  if (times == 0) refuse(rank, "TIMES: allowed: 1 to 1000000");
  if (problem->y % ranks != 0 || problem->z % ranks != 0)
    refuse(rank, "the ranks must divide the extents along y and z");

  make(&field, problem, rank, ranks);
  const int wrong = run_all(&field, times);
  end(&field);
  MPI_Finalize();
  return wrong ? 1 : 0;
}
