// SPDX-License-Identifier: Apache-2.0
// Each collective function called again and again with the same arguments: what Espalier itself asks of its
// surroundings in these calls (steady/count.c), on the rank that asks most.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so:.../count.so -n 2 steady
#include <array>
#include <string>
#include <utility>

#include "shared/counted.hpp"
#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int batches = 7, calls_in_batch = 40;

// Calls of one kind, of which a persistent one is made once.
class Repeated {
 public:
  explicit Repeated(KnownCall& call) : call_(call), kind_(call.wish().form.kind) {
    if (kind_ == Kind::persistent) (void)call_.make(&request_);
  }
  ~Repeated() {
    if (kind_ == Kind::persistent) MPI_Request_free(&request_);
  }
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

  // What this many calls ask for.
  [[nodiscard]] Counts make(int times) {
    const Counts counts = counted_so_far();
    for (int k = 0; k < times; ++k) make_one();
    return counted_since(counts);
  }

 private:
  void make_one() {
    if (kind_ == Kind::persistent) {
      MPI_Start(&request_);
    } else {
      (void)call_.make(&request_);
    }
    if (kind_ != Kind::blocking) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

  KnownCall& call_;
  const Kind kind_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// Of a batch, as most are: now and then the ranks agree on new tags, and what was prepared is prepared again.
Counts counts_of(KnownCall& call, int calls_before) {
  Repeated repeated(call);
  (void)repeated.make(calls_before);
  std::array<Counts, batches> all;
  for (Counts& batch : all) batch = repeated.make(calls_in_batch);
  return typical_of(all);
}

// "MPI_Bcast": [1, 2, 3, 4], ...
std::string count_all(const Member& world, const Native& there, Kind kind, bool in_place, int calls_before) {
  std::string all;
  for (const Form& form : forms_of(kind)) {
    if (!form.is_in(there)) continue;
    now_doing(form.function.name);
    KnownCall call(world, {.form = form, .count = 4, .in_place = in_place});
    all += (all.empty() ? "\"" : ", \"") + std::string(form.function.name) +
           "\": " + text_of(counts_of(call, calls_before));
  }
  return "{" + all + "}";
}

// By ours or by the native MPI, each kind of form that is there, in place or not.
std::string count_all_by(const Member& world, const Native& there, const std::string& by,
                         int calls_before = calls_in_batch) {
  constexpr std::pair<Kind, const char*> kinds[] = {
      {Kind::blocking, "blocking"}, {Kind::nonblocking, "nonblocking"}, {Kind::persistent, "persistent"}};
  std::string facts;
  for (const auto& [kind, name] : kinds) {
    facts += "\"" + by + " " + name + "\": " + count_all(world, there, kind, false, calls_before) + ", ";
    facts += "\"" + by + " " + name + " in place\": " + count_all(world, there, kind, true, calls_before) + ", ";
  }
  return facts;
}

// With a number: as ESPALIER_POLICY has it, after this many calls.
int run(const Arguments& arguments) {
  start_counting();
  const Member world(MPI_COMM_WORLD);
  if (const auto calls_before = arguments.number(1, 0); calls_before > 0) {
    const std::string race = count_all_by(world, native_mpi(), "race", static_cast<int>(calls_before));
    return conclude(race + "\"own\": " + std::to_string(all_calls().own));
  }
  if (const std::string error = force(own_algorithms(0)); !error.empty()) fail(error);
  const std::string own = count_all_by(world, called_mpi(), "own");
  const CallCounts before = all_calls();
  if (const std::string error = force(all_by("native")); !error.empty()) fail(error);
  // With large counts that the native MPI does not know, a call takes memory for the small ones.
  const std::string native = count_all_by(world, native_mpi(), "native");
  return conclude(own + native + "\"own\": " + std::to_string(before.own) +
                  ", \"native\": " + std::to_string(all_calls().native - before.native));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
