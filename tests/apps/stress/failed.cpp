// SPDX-License-Identifier: Apache-2.0
// A call that fails on one rank only, whose arguments are wrong: it leaves the call before anything is sent. The
// others' calls end, well or not, and the next calls on the communicator are right on all ranks.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 failed
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

// Returns whether the rank learnt of the failure.
bool make_wrong_on_one_rank(const Member& member, const Form& form, int wrong, int count) {
  KnownCall right(member, {.form = form, .root = (wrong + 1) % member.size, .count = count});
  Call call = right.call();
  const std::vector<MPI_Datatype> none(static_cast<std::size_t>(member.size), MPI_DATATYPE_NULL);
  if (member.rank == wrong) {
    call.sent.type = call.received.type = MPI_DATATYPE_NULL;
    if (form.function.is_typed) call.sent.types = call.received.types = none.data();
  }
  const int status = form.function.native(called_mpi(), call);
  if (member.rank == wrong && status == MPI_SUCCESS) fail(right.describe() + ": nobody found it wrong");
  return status != MPI_SUCCESS;
}

// In what goes to the native MPI the others would wait endlessly.
bool is_ours(const Form& form, std::uint64_t setting) {
  const Contract& contract = *form.function.contract;
  return contract.carries_data && (!form.function.is_uneven || takes_uneven(setting, contract.collective));
}

int run(const Arguments&) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const Member member(comm);
  int learnt = 0;
  std::uint64_t number = 0;
  for (std::uint64_t setting = 0; setting < static_cast<std::uint64_t>(settings_with_all()); ++setting) {
    if (const std::string error = force(own_algorithms(setting)); !error.empty()) fail(error);
    make_each_call(member, ++number);
    for (const Form& form : forms_of(Kind::blocking)) {
      if (!is_ours(form, setting) || form.function.is_large) continue;
      for (const int count : {2, 5000}) {
        now_doing(std::string(form.function.name) + " with " + own_algorithms(setting));
        if (make_wrong_on_one_rank(member, form, static_cast<int>(number) % member.size, count)) ++learnt;
        native_mpi().Barrier(MPI_COMM_WORLD);
        for (int k = 0; k < 3; ++k) make_known_call(member, scramble(++number), 5000);
      }
    }
  }
  MPI_Comm_free(&comm);
  return conclude("\"learnt\": " + std::to_string(learnt) + ", \"own\": " + std::to_string(all_calls().own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
