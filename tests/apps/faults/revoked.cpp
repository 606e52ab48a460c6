// SPDX-License-Identifier: Apache-2.0
// Fault tolerance (ULFM): one rank revokes the communicator while all others wait in calls that it does not make. Each
// of these ends, whatever the collective; and those that are left go on among themselves.
//
//     mpiexec --with-ft ulfm -x LD_PRELOAD=.../libespalier.so -n 4 revoked
#include <mpi.h>
// After mpi.h, which it needs.
#include <mpi-ext.h>
#include <unistd.h>

#include <string>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int max_calls = 2000, microseconds_between_calls = 1000;

int class_of(int code) {
  int its_class = code;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &its_class);
  return its_class;
}

// Those that wait for nobody may succeed until the news is there.
int make_until_it_fails(KnownCall& call) {
  for (int k = 0; k < max_calls; ++k) {
    if (const int status = call.make(); status != MPI_SUCCESS) return status;
    usleep(microseconds_between_calls);
  }
  return MPI_SUCCESS;
}

void revoke_during(const Form& form, std::uint64_t number) {
  now_doing(form.function.name);
  MPI_Comm comm, left;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const Member member(comm);
  make_known_call(member, number, 500);
  MPI_Barrier(MPI_COMM_WORLD);  // all have made it, so that nobody is in it any more when the communicator is revoked
  if (member.rank == 0) {
    usleep(10 * microseconds_between_calls);
    MPIX_Comm_revoke(comm);
  } else {
    KnownCall call(member, {.form = form, .number = number, .root = member.size - 1, .count = 100});
    const int status = class_of(make_until_it_fails(call));
    if (status != MPIX_ERR_REVOKED) fail(call.describe() + ": " + text_of_error(status));
  }
  MPIX_Comm_shrink(comm, &left);
  make_known_call(Member(left), number + 1, 500);
  MPI_Comm_free(&left);
  MPI_Comm_free(&comm);
}

int run(const Arguments& arguments) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::uint64_t number = arguments.number(1, 0);
  if (const std::string error = force(own_algorithms(number)); !error.empty()) fail(error);
  // Open MPI 5.0's own nonblocking ones may fail with other errors.
  for (const Form& form : forms_of(Kind::blocking)) {
    if (!form.function.is_large) revoke_during(form, ++number);
  }
  return conclude("\"own\": " + std::to_string(all_calls().own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
