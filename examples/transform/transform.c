/* SPDX-License-Identifier: Apache-2.0 */
/* A three-dimensional Fourier transform in slabs, forth and back again and again, as NAS FT does it: local transforms
 * by FFTW, and a transposition by MPI_Alltoall in between.
 *
 * An ordinary MPI program; it knows nothing of Espalier.
 *
 *     mpicc -O2 transform.c -o transform -lfftw3 -lm
 *     mpirun -n 4 ./transform [POINTS [STEPS]]
 *
 * POINTS of each axis (a multiple of the number of ranks), and how often forth and back. It prints how long all of that
 * took, and how much of it the alltoalls. The status is 1 if a step does not bring the input back, or if a coefficient
 * is not what the definition of the transform says.
 *
 *     z |#####|  rank 1     planes x, y are whole on one rank,       y |#####|  rank 1     and so are lines along z
 *       |:::::|  rank 0     so transforms along x and y are local      |:::::|  rank 0     after the transposition
 *          x, y                                                           x, z
 */
#include <complex.h>
#include <fftw3.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_points = 2048, most_steps = 1000000 };
static const double tolerance = 1e-10, two_pi = 6.283185307179586476925;

struct transform {
  int points, ranks, rank;
  int thick;    /* planes of a slab */
  size_t size;  /* numbers on this rank */
  size_t block; /* numbers from each rank to each */
  fftw_complex *planes, *packed, *lines;
  fftw_plan planes_forth, planes_back, lines_forth, lines_back;
  double in_alltoalls;
};

static void make(struct transform* t, int points) {
  MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &t->ranks);
  t->points = points;
  t->thick = points / t->ranks;
  t->size = (size_t)t->thick * points * points;
  t->block = (size_t)t->thick * t->thick * points;
  t->in_alltoalls = 0;
  t->planes = fftw_alloc_complex(t->size);
  t->packed = fftw_alloc_complex(t->size);
  t->lines = fftw_alloc_complex(t->size);
  if (!t->planes || !t->packed || !t->lines) {
    fprintf(stderr, "transform: no memory for %zu numbers on a rank\n", 3 * t->size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  /* Plans are estimated, not measured: all ranks get the same ones, and ranks that share a core disturb no measurement.
   */
  const int plane[] = {points, points}, line[] = {points};
  const int apart = t->thick * points; /* neighbours along z */
  t->planes_forth = fftw_plan_many_dft(2, plane, t->thick, t->planes, NULL, 1, points * points, t->planes, NULL, 1,
                                       points * points, FFTW_FORWARD, FFTW_ESTIMATE);
  t->planes_back = fftw_plan_many_dft(2, plane, t->thick, t->planes, NULL, 1, points * points, t->planes, NULL, 1,
                                      points * points, FFTW_BACKWARD, FFTW_ESTIMATE);
  t->lines_forth = fftw_plan_many_dft(1, line, apart, t->lines, NULL, apart, 1, t->lines, NULL, apart, 1, FFTW_FORWARD,
                                      FFTW_ESTIMATE);
  t->lines_back = fftw_plan_many_dft(1, line, apart, t->lines, NULL, apart, 1, t->lines, NULL, apart, 1, FFTW_BACKWARD,
                                     FFTW_ESTIMATE);
}

static void end(struct transform* t) {
  fftw_destroy_plan(t->planes_forth);
  fftw_destroy_plan(t->planes_back);
  fftw_destroy_plan(t->lines_forth);
  fftw_destroy_plan(t->lines_back);
  fftw_free(t->planes);
  fftw_free(t->packed);
  fftw_free(t->lines);
}

/* planes[z][y][x] <-> packed[rank][z][y of that rank][x] */
static void pack(struct transform* t, int back) {
  const size_t row = (size_t)t->thick * t->points;
  for (int rank = 0; rank < t->ranks; ++rank) {
    for (int z = 0; z < t->thick; ++z) {
      fftw_complex* plane = t->planes + ((size_t)z * t->ranks + rank) * row;
      fftw_complex* part = t->packed + ((size_t)rank * t->thick + z) * row;
      memcpy(back ? plane : part, back ? part : plane, row * sizeof(fftw_complex));
    }
  }
}

static void exchange(struct transform* t, const fftw_complex* from, fftw_complex* to) {
  const double start = MPI_Wtime();
  const int count = (int)t->block;
  MPI_Alltoall(from, count, MPI_C_DOUBLE_COMPLEX, to, count, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
  t->in_alltoalls += MPI_Wtime() - start;
}

/* From `planes` to `lines`; what comes from one rank after the other is lines[z][y][x] already. */
static void forth(struct transform* t) {
  fftw_execute(t->planes_forth);
  pack(t, 0);
  exchange(t, t->packed, t->lines);
  fftw_execute(t->lines_forth);
}

static void back(struct transform* t) {
  fftw_execute(t->lines_back);
  exchange(t, t->lines, t->packed);
  pack(t, 1);
  fftw_execute(t->planes_back);
  const double scale = 1.0 / ((double)t->points * t->points * t->points);
  for (size_t i = 0; i < t->size; ++i) t->planes[i] *= scale;
}

/* Some number between -1 and 1, of each point: the same on any number of ranks. */
static double noise(unsigned long long x) {
  x = (x + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return (double)(x >> 11) / (double)(1ULL << 52) - 1;
}

static fftw_complex input(const struct transform* t, size_t i) {
  const unsigned long long point = (unsigned long long)t->rank * t->size + i;
  return noise(2 * point) + I * noise(2 * point + 1);
}

static void fill(struct transform* t) {
  for (size_t i = 0; i < t->size; ++i) t->planes[i] = input(t, i);
}

static double largest(double mine) {
  double all = 0;
  /* Not a number is larger than all numbers. */
  mine = mine == mine ? mine : HUGE_VAL;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double distance_from_input(const struct transform* t) {
  double most = 0;
  for (size_t i = 0; i < t->size; ++i) {
    const double error = cabs(t->planes[i] - input(t, i));
    if (!(error <= most)) most = error;
  }
  return largest(most);
}

/* How far one coefficient is from its definition, the sum of all numbers times waves; relative to the largest sum.
 */
static double distance_from_definition(struct transform* t) {
  const int n = t->points, kx = 1 % n, ky = n / 2, kz = n - 1;
  double mine[2] = {0, 0}, sum[2];
  fill(t);
  for (size_t i = 0; i < t->size; ++i) {
    const long long x = (long long)(i % n), y = (long long)(i / n % n);
    const long long z = (long long)(i / n / n) + (long long)t->rank * t->thick;
    const fftw_complex term = t->planes[i] * cexp(-I * two_pi * (double)((kx * x + ky * y + kz * z) % n) / n);
    mine[0] += creal(term);
    mine[1] += cimag(term);
  }
  MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  forth(t);
  double error = 0;
  if (ky / t->thick == t->rank) {
    const size_t at = ((size_t)kz * t->thick + ky % t->thick) * n + kx;
    error = cabs(t->lines[at] - (sum[0] + I * sum[1])) / sqrt((double)n * n * n);
  }
  return largest(error);
}

static int number_in(const char* text, int most) {
  char* rest = NULL;
  const long number = strtol(text, &rest, 10);
  return *text != '\0' && *rest == '\0' && number >= 1 && number <= most ? (int)number : 0;
}

static void refuse(int rank, const char* text) {
  if (rank == 0) fprintf(stderr, "transform: %s\n", text);
  MPI_Finalize();
  exit(2);
}

int main(int argc, char** argv) {
  struct transform t;
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int points = number_in(argc > 1 ? argv[1] : "64", most_points);
  const int steps = number_in(argc > 2 ? argv[2] : "10", most_steps);
  if (argc > 3) refuse(rank, "usage: transform [POINTS [STEPS]]");
  if (points == 0) refuse(rank, "POINTS: allowed: 1 to 2048");
  if (steps == 0) refuse(rank, "STEPS: allowed: 1 to 1000000");
  if (points % ranks != 0) refuse(rank, "POINTS must be a multiple of the number of ranks");
  if ((double)(points / ranks) * (points / ranks) * points > INT_MAX) refuse(rank, "a block is too large for MPI");

  make(&t, points);
  fill(&t);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    forth(&t);
    back(&t);
  }
  const double seconds = largest(MPI_Wtime() - start), in_alltoalls = largest(t.in_alltoalls);
  const double after_all = distance_from_input(&t), of_coefficient = distance_from_definition(&t);
  const int is_right = after_all <= tolerance && of_coefficient <= tolerance;
  if (rank == 0) {
    printf("%d x %d x %d points on %d ranks, %d times forth and back\n", points, points, points, ranks, steps);
    printf("largest error %.3e, of a coefficient %.3e: %s\n", after_all, of_coefficient, is_right ? "right" : "WRONG");
    printf("seconds %.6f\nseconds in alltoalls %.6f\n", seconds, in_alltoalls);
  }
  end(&t);
  MPI_Finalize();
  return is_right ? 0 : 1;
}
