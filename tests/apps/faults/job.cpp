// SPDX-License-Identifier: Apache-2.0
// A job whose collectives take schedules of ours, the flat ones and the general ones, on communicators that come and
// go. Every result is looked at. Prints "N wrong" on rank 0.
#include <cstdio>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr int rounds = 6, most = 40000;

void try_all(const Member& member, int count, std::uint64_t seed) {
  for (const Form& form : forms_of(Kind::blocking)) {
    if (form.function.is_large) continue;
    const int root = static_cast<int>(seed % static_cast<std::uint64_t>(member.size));
    make_and_check(member, {.form = form, .number = scramble(seed, count), .root = root, .count = count});
  }
}

int run(const Arguments&) {
  const Member world(MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, round % 2 != 0 ? world.rank % 2 : 0, world.rank, &part);
    for (int count = 1; count <= most; count *= 200) {
      try_all(world, count, static_cast<std::uint64_t>(round));
      try_all(Member(part), count, static_cast<std::uint64_t>(round));
    }
    MPI_Comm_free(&part);
  }
  unsigned long wrong = failures_here(), sum = 0;
  MPI_Reduce(&wrong, &sum, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world.rank == 0) std::printf("%lu wrong\n", sum);
  return sum == 0 ? 0 : 1;
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
