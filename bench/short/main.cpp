// SPDX-License-Identifier: Apache-2.0
// Programs whose calls are few or short:
//     espalier-bench-short-MPI CASE
// Rank 0 prints how many seconds its calls took, or its MPI_Init. Without a case, the names of all are printed.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int longest = 200 * 200;  // doubles

std::vector<double> in(longest), out(longest);
int ranks = 1;

void call_one_of_many(MPI_Comm comm, int k) {
  switch (k % 5) {
    case 0: MPI_Allreduce(in.data(), out.data(), 1 + k % 3, MPI_DOUBLE, MPI_SUM, comm); break;
    case 1: MPI_Bcast(in.data(), 8 << (k % 3), MPI_INT, 0, comm); break;
    case 2: MPI_Barrier(comm); break;
    case 3: MPI_Allgather(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, comm); break;
    default: MPI_Reduce(in.data(), out.data(), 2, MPI_DOUBLE, MPI_MAX, 0, comm); break;
  }
}

void mixed(int calls) {
  for (int k = 0; k < calls; ++k) call_one_of_many(MPI_COMM_WORLD, k);
}

void add(int count) { MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

void communicators(int number) {
  for (int made = 0; made < number; ++made) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < 20; ++k) call_one_of_many(comm, k);
    MPI_Comm_free(&comm);
  }
}

void sizes() {
  for (int size = 1; size <= 200; ++size) {
    for (int k = 0; k < 5; ++k) add(size * size);
  }
}

struct Case {
  const char* name;
  void (*run)();
  bool with_init = false;
};

constexpr Case cases[] = {
    {"init", [] {}, true},
    {"10-calls", [] { mixed(10); }},
    {"100-calls", [] { mixed(100); }},
    {"1000-calls", [] { mixed(1000); }},
    {"60000-calls", [] { mixed(60000); }},
    {"1000-allreduces",
     [] {
       for (int k = 0; k < 1000; ++k) add(1);
     }},
    {"20000-allreduces",
     [] {
       for (int k = 0; k < 20000; ++k) add(1);
     }},
    {"20000-barriers",
     [] {
       for (int k = 0; k < 20000; ++k) MPI_Barrier(MPI_COMM_WORLD);
     }},
    {"20000-broadcasts",
     [] {
       for (int k = 0; k < 20000; ++k) MPI_Bcast(in.data(), 1024, MPI_INT, 0, MPI_COMM_WORLD);
     }},
    {"200-communicators", [] { communicators(200); }},
    {"1000-communicators", [] { communicators(1000); }},
    {"200-sizes", sizes},
    {"rotating-roots",
     [] {
       for (int k = 0; k < 20000; ++k) MPI_Bcast(in.data(), 16, MPI_INT, k % ranks, MPI_COMM_WORLD);
     }},
    {"alternating-sizes",
     [] {
       for (int k = 0; k < 2000; ++k) add(k % 2 == 0 ? 4096 : 1);
     }},
};

const Case* find(const char* name) {
  for (const Case& one : cases) {
    if (std::strcmp(one.name, name) == 0) return &one;
  }
  return nullptr;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int main(int argc, char** argv) {
  const Case* const wanted = argc == 2 ? find(argv[1]) : nullptr;
  if (wanted == nullptr) {
    for (const Case& one : cases) std::printf("%s\n", one.name);
    return argc == 1 ? 0 : 2;
  }
  double begin = now();
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!wanted->with_init) begin = now();
  wanted->run();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::printf("%.9f\n", now() - begin);
  MPI_Finalize();
}
