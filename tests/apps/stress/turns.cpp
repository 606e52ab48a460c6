// SPDX-License-Identifier: Apache-2.0
// Another algorithm at every call, native ones among them: if two ranks ever counted their calls differently, they
// would diverge at once. Mixed collectives on four communicators; each rank names its data by datatypes of its own, and
// roots give in place or not, as they like.
//
// With a 1 at the end, ESPALIER_POLICY chooses, and few kinds of calls come again and again, so that it has what to
// choose by.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 turns [collectives [seed [1]]]
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

// Few enough that each is met often.
constexpr int counts[] = {1, 2, 5, 64, 700};
constexpr std::uint64_t kinds_of_calls = 60;

struct Plan {
  std::uint64_t collectives, seed;
  bool by_policy;
};

// Calls that begin alike, and only some of which all ranks can agree in.
KnownCall::Wish recurring_wish(const Member& member, std::uint64_t number) {
  const Kind kind = scramble(number, 8) % 8 == 0 ? Kind::nonblocking : Kind::blocking;
  KnownCall::Wish wish = KnownCall::wish(member, kind, scramble(number, 7) % kinds_of_calls, 1);
  if (kind == Kind::nonblocking) wish.in_place = false;  // Open MPI 5 itself moves the wrong blocks then
  return wish;
}

void start_and_check(const Member& member, const KnownCall::Wish& wish) {
  KnownCall call(member, wish);
  MPI_Request request = MPI_REQUEST_NULL;
  if (call.make(&request) != MPI_SUCCESS || MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
    fail(call.describe() + ": an error");
  } else {
    call.check();
  }
}

void make_call(const Member& member, std::uint64_t number, bool by_policy) {
  KnownCall::Wish wish =
      by_policy ? recurring_wish(member, number) : KnownCall::wish(member, Kind::blocking, number, 1);
  wish.count = by_policy ? 700 : counts[scramble(number, 6) % std::size(counts)];
  wish.derived_types = true;
  wish.form.kind == Kind::blocking ? make_and_check(member, wish) : start_and_check(member, wish);
}

// Whether this rank is in a communicator is its own business: the others do not ask.
// Returns by how much the process has grown since a tenth of them was done.
std::size_t take_turns(const std::vector<Member>& members, const Plan& plan) {
  const auto [collectives, seed, by_policy] = plan;
  std::size_t early_bytes = 0;
  for (std::uint64_t number = seed; number < seed + collectives; ++number) {
    if (number == seed + collectives / 10) early_bytes = resident_bytes();
    const Member& member = members[scramble(number, 5) % members.size()];
    if (number % 1000 == 0) now_doing("turns, seed " + std::to_string(seed) + ", call " + std::to_string(number));
    if (member.comm != MPI_COMM_NULL) make_call(member, number, by_policy);
  }
  const std::size_t late_bytes = resident_bytes();
  return late_bytes > early_bytes ? late_bytes - early_bytes : 0;
}

int run(const Arguments& arguments) {
  const Plan plan{arguments.number(1, 100000), arguments.number(2, 20261122), arguments.number(3, 0) != 0};
  const Member world(MPI_COMM_WORLD);
  MPI_Comm backwards, copy, most;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &backwards);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_split(MPI_COMM_WORLD, world.rank > 0 ? 0 : 1, world.rank, &most);
  const std::string error = plan.by_policy ? "" : force(all_by("in-turn"));
  if (!error.empty()) fail(error);
  const std::size_t growth = take_turns({world, Member(backwards), Member(copy), Member(most)}, plan);
  for (MPI_Comm* comm : {&backwards, &copy, &most}) MPI_Comm_free(comm);
  const CallCounts counted = all_calls();
  return conclude("\"collectives\": " + std::to_string(plan.collectives) + ", \"seed\": " + std::to_string(plan.seed) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native) +
                  ", \"growth_bytes\": " + std::to_string(growth));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
