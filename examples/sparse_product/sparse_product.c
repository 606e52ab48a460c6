/* SPDX-License-Identifier: Apache-2.0 */
/* The square of a sparse matrix whose middle columns are the fullest: rows are broadcast, columns stay where they are.
 * It is the benchmark of section 5.2 of T. Soga, K. Kurihara, T. Nanri, M. Kurokawa and K. Murakami, "Dynamic
 * Optimization of Load Balance in MPI Broadcast" (2008, in Japanese).
 *
 * An ordinary MPI program; it knows nothing of Espalier.
 *
 *     mpicc -O2 sparse_product.c -o sparse_product -lm
 *     mpirun -n 16 ./sparse_product [--n N] [--percent P] [--slope C] [--rows R] [--sleep S] [--check]
 *
 * --n N        rows and columns of the matrix (4000)
 * --percent P  so much of it is not zero (10)
 * --slope C    nonzeros of the first and the last column, as a part of those of a middle one; in between they lie on a
 *              straight line (0.2)
 * --rows R     how many rows of the product are made (all)
 * --sleep S    ranks do not multiply, but sleep for S seconds per million multiplications: a few cores hold many ranks
 *              that are late as they would be on cores of their own
 * --check      also multiplies in the plainest manner on rank 0 and compares; the status is 1 if something is wrong
 *
 * The matrix is stored by columns (CCS), so a row takes a search in every column. Only the root does that; then
 * everybody multiplies the row with the columns it holds. The root holds none, unless it is alone: the others share the
 * columns in blocks, and those in the middle have the most work and are late for the next row.
 *
 *     root    find|#|find|#|find|#|find|#|             #  a row is passed on; the root runs ahead as far as it may
 *     edge        |#|xxx.......|#|xxx.......|#|        x  multiplies
 *     middle      |#|xxxxxxxxxx|#|xxxxxxxxxx|#|        .  waits, if it gets its rows through a middle rank
 *
 * It prints when the last rank was through (`seconds`) and when ranks were on average (`mean seconds`), and how much of
 * that the average rank and the longest one were in broadcasts. The last rank is one in the middle, which multiplies
 * all the time; so it is the means that tell how well the broadcast does.
 *
 * The paper does not say how receivers know the length of a row. Here all broadcasts have the length of the longest
 * row, which the root tells once at the start: one broadcast per row, and never a second one for its length. A shorter
 * row ends in zeros, which add nothing. An element is two ints, its column and its value.
 *
 * Everybody makes the columns it needs, by a random generator that starts again in each column. Values are small
 * integers, so the sum of the product is exact: it is the same on any number of ranks, and with --sleep.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The sum of the largest product is below 2^63 by far; the largest one that is checked takes a second or two. */
enum { root = 0, most_columns = 40000, most_checked = 1000, largest_value = 9 };
static const uint64_t seed = 20080828;

struct settings {
  int n, rows;
  double percent, slope;
  double seconds_per_million; /* negative: not --sleep */
  int is_checked;
};

struct shape {
  int n;
  double slope;
  double peak; /* nonzeros of a column in the middle */
};

/* Some neighbouring columns; nonzeros of column `first + c` are those from start[c] to start[c + 1]. */
struct columns {
  int first, count;
  size_t* start;
  int *row, *value;
};

struct element {
  int column, value;
};

struct product {
  struct settings settings;
  int rank, ranks;
  struct columns all;  /* of the root, to find rows in */
  struct columns mine; /* what I multiply with */
  int longest;         /* elements of a row */
  struct element* received;
  int* row;            /* what was received, with its zeros */
  long long* row_sums; /* of my columns, with --sleep */
  int* made;           /* my columns of the product, with --check */
  long long sum;
  double seconds, in_broadcasts;
};

static void refuse(const char* format, ...) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == root) {
    va_list words;
    va_start(words, format);
    fprintf(stderr, "sparse_product: ");
    vfprintf(stderr, format, words);
    fprintf(stderr, "\n");
    va_end(words);
  }
  MPI_Finalize();
  exit(2);
}

static void* zeros(size_t count, size_t size) {
  void* memory = calloc(count + 1, size);
  if (!memory) {
    fprintf(stderr, "sparse_product: no memory for %zu times %zu bytes\n", count, size);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

/* What a column has of the nonzeros of one in the middle. */
static double fullness(const struct shape* shape, int column) {
  const int from_edge = column < shape->n / 2 ? column : shape->n - 1 - column;
  const int middle = (shape->n - 1) / 2;
  return middle == 0 ? 1 : shape->slope + from_edge * (1 - shape->slope) / middle;
}

static int nonzeros_of(const struct shape* shape, int column) {
  return (int)lround(shape->peak * fullness(shape, column));
}

static struct shape shape_of(const struct settings* settings) {
  struct shape shape = {.n = settings->n, .slope = settings->slope};
  double middle_columns = 0; /* as many would have all nonzeros */
  for (int column = 0; column < shape.n; ++column) middle_columns += fullness(&shape, column);
  const double most_percent = 100 * middle_columns / shape.n;
  if (settings->percent > most_percent * (1 + 1e-12)) {
    refuse("--percent %g: allowed: 0 to %.2f, as with --slope %g the middle columns are full then", settings->percent,
           floor(100 * most_percent + 1e-6) / 100, settings->slope);
  }
  shape.peak = fmin(settings->percent / 100 * shape.n / middle_columns * shape.n, shape.n);
  return shape;
}

/* splitmix64 */
static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

static uint64_t next_random(uint64_t* state) { return mixed(*state += 0x9e3779b97f4a7c15ULL); }

/* A nonzero somewhere in each of `count` equal parts of the column, so that rows come sorted and none comes twice. */
static void fill_column(int column, int n, int count, int* row, int* value) {
  uint64_t state = mixed(seed + (uint64_t)column);
  for (long long k = 0; k < count; ++k) {
    const int from = (int)(k * n / count), to = (int)((k + 1) * n / count);
    const uint64_t random = next_random(&state);
    row[k] = from + (int)((random >> 32) % (uint64_t)(to - from));
    value[k] = 1 + (int)((random & UINT32_MAX) % largest_value);
  }
}

static struct columns make_columns(const struct shape* shape, int first, int count) {
  struct columns columns = {.first = first, .count = count, .start = zeros((size_t)count + 1, sizeof(size_t))};
  for (int c = 0; c < count; ++c) {
    columns.start[c + 1] = columns.start[c] + (size_t)nonzeros_of(shape, first + c);
  }
  columns.row = zeros(columns.start[count], sizeof(int));
  columns.value = zeros(columns.start[count], sizeof(int));
  for (int c = 0; c < count; ++c) {
    const size_t at = columns.start[c];
    fill_column(first + c, shape->n, (int)(columns.start[c + 1] - at), columns.row + at, columns.value + at);
  }
  return columns;
}

static void free_columns(struct columns* columns) {
  free(columns->start);
  free(columns->row);
  free(columns->value);
  *columns = (struct columns){.count = 0};
}

/* The first column of a rank. The root, which is rank 0, has none if there are others. */
static int first_column(int n, int rank, int ranks) {
  if (ranks == 1) return rank * n;
  return rank == 0 ? 0 : (int)((long long)n * (rank - 1) / (ranks - 1));
}

static int longest_row(const struct columns* all, int n) {
  int* lengths = zeros((size_t)n, sizeof(int));
  int longest = 0;
  for (size_t k = 0; k < all->start[all->count]; ++k) ++lengths[all->row[k]];
  for (int row = 0; row < n; ++row) longest = lengths[row] > longest ? lengths[row] : longest;
  free(lengths);
  return longest;
}

static long long* row_sums_of(const struct columns* columns, int n) {
  long long* sums = zeros((size_t)n, sizeof(long long));
  for (size_t k = 0; k < columns->start[columns->count]; ++k) sums[columns->row[k]] += columns->value[k];
  return sums;
}

static struct product make_product(struct settings settings) {
  struct product p = {.settings = settings};
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
  const struct shape shape = shape_of(&settings);
  const int first = first_column(settings.n, p.rank, p.ranks);
  p.mine = make_columns(&shape, first, first_column(settings.n, p.rank + 1, p.ranks) - first);
  if (p.rank == root) {
    p.all = make_columns(&shape, 0, settings.n);
    p.longest = longest_row(&p.all, settings.n);
  }
  MPI_Bcast(&p.longest, 1, MPI_INT, root, MPI_COMM_WORLD);
  p.received = zeros((size_t)p.longest, sizeof(struct element));
  p.row = zeros((size_t)settings.n, sizeof(int));
  if (settings.seconds_per_million >= 0) p.row_sums = row_sums_of(&p.mine, settings.n);
  if (settings.is_checked) p.made = zeros((size_t)settings.rows * (size_t)p.mine.count, sizeof(int));
  return p;
}

static void free_product(struct product* p) {
  free_columns(&p->all);
  free_columns(&p->mine);
  free(p->received);
  free(p->row);
  free(p->row_sums);
  free(p->made);
}

/* Where the nonzero in that row is, or the first one below it. */
static size_t find_row(const int* rows, size_t from, size_t to, int row) {
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (rows[middle] < row) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

static void extract_row(struct product* p, int row) {
  const struct columns* all = &p->all;
  int length = 0;
  for (int c = 0; c < all->count; ++c) {
    const size_t end = all->start[c + 1], at = find_row(all->row, all->start[c], end, row);
    if (at < end && all->row[at] == row) p->received[length++] = (struct element){c, all->value[at]};
  }
  memset(p->received + length, 0, (size_t)(p->longest - length) * sizeof(struct element));
}

static void broadcast_row(struct product* p) {
  const double start = MPI_Wtime();
  MPI_Bcast(p->received, 2 * p->longest, MPI_INT, root, MPI_COMM_WORLD);
  p->in_broadcasts += MPI_Wtime() - start;
}

static int times_column(const struct product* p, int c) {
  int result = 0;
  for (size_t k = p->mine.start[c]; k < p->mine.start[c + 1]; ++k) result += p->row[p->mine.row[k]] * p->mine.value[k];
  return result;
}

static void multiply(struct product* p, int row) {
  for (int k = 0; k < p->longest; ++k) p->row[p->received[k].column] += p->received[k].value;
  for (int c = 0; c < p->mine.count; ++c) {
    const int result = times_column(p, c);
    p->sum += result;
    if (p->made) p->made[(size_t)row * (size_t)p->mine.count + (size_t)c] = result;
  }
  for (int k = 0; k < p->longest; ++k) p->row[p->received[k].column] = 0;
}

static size_t nonzeros_in(const struct columns* columns) { return columns->start[columns->count]; }

/* The sum of what multiply() would make takes no time, as the columns are added up beforehand. */
static void sleep_instead(struct product* p) {
  for (int k = 0; k < p->longest; ++k) p->sum += p->row_sums[p->received[k].column] * p->received[k].value;
  const double seconds = 1e-6 * p->settings.seconds_per_million * (double)nonzeros_in(&p->mine);
  struct timespec left = {.tv_sec = (time_t)seconds};
  left.tv_nsec = (long)(1e9 * (seconds - (double)left.tv_sec));
  while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

static void run(struct product* p) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int row = 0; row < p->settings.rows; ++row) {
    if (p->rank == root) extract_row(p, row);
    broadcast_row(p);
    if (p->mine.count == 0) continue;
    if (p->row_sums) {
      sleep_instead(p);
    } else {
      multiply(p, row);
    }
  }
  p->seconds = MPI_Wtime() - start;
}

/* The matrix as it is, zeros included. */
static int* dense_matrix(const struct columns* all) {
  const size_t n = (size_t)all->count;
  int* matrix = zeros(n * n, sizeof(int));
  for (size_t c = 0; c < n; ++c) {
    for (size_t k = all->start[c]; k < all->start[c + 1]; ++k) matrix[(size_t)all->row[k] * n + c] = all->value[k];
  }
  return matrix;
}

static void multiply_plainly(const int* matrix, size_t n, size_t row, int* result) {
  memset(result, 0, n * sizeof(int));
  for (size_t k = 0; k < n; ++k) {
    for (size_t column = 0; column < n; ++column) result[column] += matrix[row * n + k] * matrix[k * n + column];
  }
}

/* One row after the other comes to the root, from all ranks. */
static void gather_row(const struct product* p, int row, int* whole) {
  int *counts = zeros((size_t)p->ranks, sizeof(int)), *places = zeros((size_t)p->ranks, sizeof(int));
  for (int rank = 0; rank < p->ranks; ++rank) {
    places[rank] = first_column(p->settings.n, rank, p->ranks);
    counts[rank] = first_column(p->settings.n, rank + 1, p->ranks) - places[rank];
  }
  const int* mine = p->made + (size_t)row * (size_t)p->mine.count;
  MPI_Gatherv(mine, p->mine.count, MPI_INT, whole, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  free(counts);
  free(places);
}

static int is_right(const struct product* p, long long sum) {
  const size_t n = (size_t)p->settings.n;
  int *whole = zeros(n, sizeof(int)), *expected = zeros(n, sizeof(int));
  int* matrix = p->rank == root ? dense_matrix(&p->all) : NULL;
  int is_same = 1;
  for (int row = 0; row < p->settings.rows; ++row) {
    gather_row(p, row, whole);
    if (p->rank != root) continue;
    multiply_plainly(matrix, n, (size_t)row, expected);
    is_same = is_same && memcmp(whole, expected, n * sizeof(int)) == 0;
    for (size_t column = 0; column < n; ++column) sum -= expected[column];
  }
  is_same = is_same && sum == 0;
  MPI_Bcast(&is_same, 1, MPI_INT, root, MPI_COMM_WORLD);
  free(whole);
  free(expected);
  free(matrix);
  return is_same;
}

static double over_ranks(double mine, MPI_Op operation) {
  double all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, operation, root, MPI_COMM_WORLD);
  return all;
}

static size_t work_of(const struct product* p, int rank) {
  const int first = first_column(p->settings.n, rank, p->ranks), end = first_column(p->settings.n, rank + 1, p->ranks);
  return p->all.start[end] - p->all.start[first];
}

static void print_work(const struct product* p) {
  size_t least = SIZE_MAX, most = 0;
  for (int rank = p->ranks > 1; rank < p->ranks; ++rank) {
    const size_t work = work_of(p, rank);
    least = work < least ? work : least;
    most = work > most ? work : most;
  }
  printf("%d x %d with %zu nonzeros on %d ranks\n", p->settings.n, p->settings.n, nonzeros_in(&p->all), p->ranks);
  printf("%d rows, each a broadcast of %zu bytes and %zu to %zu multiplications on a rank\n", p->settings.rows,
         (size_t)p->longest * sizeof(struct element), least, most);
  printf("multiplications by rank");
  for (int rank = 0; rank < p->ranks; ++rank) printf(" %zu", work_of(p, rank));
  printf("\n");
}

/* Returns whether all is right. */
static int report(const struct product* p) {
  long long sum = 0;
  MPI_Reduce(&p->sum, &sum, 1, MPI_LONG_LONG, MPI_SUM, root, MPI_COMM_WORLD);
  const double longest = over_ranks(p->seconds, MPI_MAX), mean = over_ranks(p->seconds, MPI_SUM) / p->ranks;
  const double longest_in_broadcasts = over_ranks(p->in_broadcasts, MPI_MAX);
  const double mean_in_broadcasts = over_ranks(p->in_broadcasts, MPI_SUM) / p->ranks;
  const int right = !p->settings.is_checked || is_right(p, sum);
  if (p->rank == root) {
    print_work(p);
    if (p->settings.is_checked) printf("product %s\n", right ? "right" : "WRONG");
    printf("seconds %.6f\nmean seconds %.6f\n", longest, mean);
    printf("seconds in broadcasts %.6f\nlongest in broadcasts %.6f\n", mean_in_broadcasts, longest_in_broadcasts);
    printf("sum %lld\n", sum);
  }
  return right;
}

struct option {
  const char* name;
  double least, most, value;
  int is_whole;
};

static void set_value(struct option* option, const char* text) {
  char* rest = NULL;
  const double value = text ? strtod(text, &rest) : NAN;
  const int is_number = text && rest != text && *rest == '\0';
  /* Not a number is in no range. */
  if (!is_number || !(value >= option->least && value <= option->most) || (option->is_whole && value != floor(value))) {
    refuse("%s %s: allowed: %s from %g to %g", option->name, text ? text : "without a value",
           option->is_whole ? "whole numbers" : "numbers", option->least, option->most);
  }
  option->value = value;
}

static struct settings settings_in(char** words) {
  struct option n = {"--n", 1, most_columns, 4000, 1}, rows = {"--rows", 1, most_columns, 0, 1};
  struct option percent = {"--percent", 0, 100, 10, 0}, slope = {"--slope", 0, 1, 0.2, 0};
  struct option pause = {"--sleep", 0, 1000, -1, 0};
  struct option* const options[] = {&n, &percent, &slope, &rows, &pause, NULL};
  int is_checked = 0;
  while (*words) {
    const char* word = *words++;
    struct option* const* option = options;
    while (*option && strcmp((*option)->name, word) != 0) ++option;
    if (*option) {
      set_value(*option, *words);
      ++words;
    } else if (strcmp(word, "--check") == 0) {
      is_checked = 1;
    } else {
      refuse("%s: unknown; allowed: --n N --percent P --slope C --rows R --sleep S --check", word);
    }
  }
  if (rows.value > n.value) refuse("--rows %g: allowed: 1 to %g, as --n says", rows.value, n.value);
  if (is_checked && n.value > most_checked) refuse("--check: allowed: with --n 1 to %d", most_checked);
  if (is_checked && pause.value >= 0) refuse("--check: allowed: without --sleep, which makes no product");
  return (struct settings){.n = (int)n.value,
                           .rows = (int)(rows.value > 0 ? rows.value : n.value),
                           .percent = percent.value,
                           .slope = slope.value,
                           .seconds_per_million = pause.value,
                           .is_checked = is_checked};
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  struct product p = make_product(settings_in(argv + 1));
  run(&p);
  const int right = report(&p);
  free_product(&p);
  MPI_Finalize();
  return right ? 0 : 1;
}
