// SPDX-License-Identifier: Apache-2.0
// Wrong calls: the error class is the native MPI's, and the application's error handler is called as the native MPI
// calls it, on the application's own communicator.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 errors
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

int error_class(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

MPI_Datatype two_ints(bool committed) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  if (committed) MPI_Type_commit(&type);
  return type;
}

void name_types(Call& call, MPI_Datatype type) {
  static std::vector<MPI_Datatype> types;
  call.sent.type = call.received.type = type;
  if (!call.function->is_typed) return;
  types.assign(64, type);  // more than there are ranks
  call.sent.types = call.received.types = types.data();
}

template <class Count>
const void* negative(int ranks) {
  static std::vector<Count> counts;
  counts.assign(static_cast<std::size_t>(ranks), -1);
  return counts.data();
}

void name_negative_counts(Call& call, const Member& member) {
  const int ranks = member.size;
  call.sent.count = call.received.count = -1;
  call.sent.counts = call.received.counts = call.function->is_large ? negative<MPI_Count>(ranks) : negative<int>(ranks);
}

// What makes a right call wrong on all ranks, and of which functions it can be said.
struct Mistake {
  const char* name;
  bool (*concerns)(const Function& function);
  void (*make)(Call& call, const Member& member);
};

bool any(const Function&) { return true; }
bool rooted(const Function& function) { return function.contract->is_rooted(); }
bool moving(const Function& function) { return function.contract->carries_data; }
bool reducing(const Function& function) { return function.contract->reduces; }

// Of what is wrong at the root and at the others, Open MPI 5 finds some at the root alone, and the others wait.
bool same_everywhere(const Function& function) {
  return moving(function) && !(rooted(function) && function.names_data_twice);
}

const Mistake mistakes[] = {
    {"root too large", rooted, [](Call& call, const Member& member) { call.root = member.size; }},
    {"negative root", rooted, [](Call& call, const Member&) { call.root = -7; }},
    {"negative counts", moving, name_negative_counts},
    {"no datatype", moving, [](Call& call, const Member&) { name_types(call, MPI_DATATYPE_NULL); }},
    {"datatype not committed", same_everywhere,
     [](Call& call, const Member&) {
       static const MPI_Datatype uncommitted = two_ints(false);
       name_types(call, uncommitted);
     }},
    {"no operation", reducing, [](Call& call, const Member&) { call.op = MPI_OP_NULL; }},
    {"bitwise and of floats", reducing,
     [](Call& call, const Member&) {
       call.op = MPI_BAND;
       name_types(call, MPI_FLOAT);
     }},
    {"minimum with location of ints", reducing,
     [](Call& call, const Member&) {
       call.op = MPI_MINLOC;
       name_types(call, MPI_INT);
     }},
    {"predefined operation on a derived type", reducing,
     [](Call& call, const Member&) {
       static const MPI_Datatype derived = two_ints(true);
       name_types(call, derived);
     }},
    // No rank is the root of its own call.
    {"in place where it may not be",
     [](const Function& function) { return function.contract->output_at == Holder::root; },
     [](Call& call, const Member& member) {
       call.root = (member.rank + 1) % member.size;
       call.input = MPI_IN_PLACE;
     }},
    {"in place where nothing stays",
     [](const Function& function) { return function.contract->in_place == InPlace::stays; },
     [](Call& call, const Member& member) {
       call.root = (member.rank + 1) % member.size;
       call.output = MPI_IN_PLACE;
     }},
    {"no communicator", any, [](Call& call, const Member&) { call.comm = MPI_COMM_NULL; }},
};

// The same wrong call, by the functions that the application sees or by the native ones.
class WrongCall {
 public:
  WrongCall(const Form& form, const Mistake& mistake, const Member& member)
      : name(std::string(form.function.name) + ", " + mistake.name),
        right_(member, {.form = form, .count = 4}),
        call_(right_.call(&request_)) {
    mistake.make(call_, member);
  }

  [[nodiscard]] int make(const Native& functions) {
    const int status = call_.function->native(functions, call_);
    if (request_ != MPI_REQUEST_NULL) fail(name + ": there is a request");
    return status;
  }

  const std::string name;

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
  KnownCall right_;
  Call call_;
};

sigjmp_buf before_the_call;

void leave_the_call(int) { siglongjmp(before_the_call, 1); }

// Whether the native MPI survives its own look at the arguments. Nothing was done then, so that one can go on.
bool crashes_natively(WrongCall& call) {
  const auto before = std::signal(SIGSEGV, leave_the_call);
  const bool crashed = sigsetjmp(before_the_call, 1) != 0;
  if (!crashed) (void)call.make(native_mpi());
  (void)std::signal(SIGSEGV, before);
  return crashed;
}

// What a user's error handler saw.
struct Seen {
  int calls = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  int error_class = MPI_SUCCESS;
};
Seen seen;

void note_error(MPI_Comm* comm, int* code, ...) { seen = {seen.calls + 1, *comm, error_class(*code)}; }

void compare_classes(WrongCall& call) {
  const int native = error_class(call.make(native_mpi()));
  const int ours = error_class(call.make(called_mpi()));
  if (native == MPI_SUCCESS) fail(call.name + ": the native MPI finds nothing wrong with it");
  if (ours != native) {
    fail(call.name + ": error class " + std::to_string(ours) + " and not " + std::to_string(native));
  }
}

void compare_handlers(WrongCall& call) {
  seen = {};
  (void)call.make(native_mpi());
  const Seen native = seen;
  seen = {};
  (void)call.make(called_mpi());
  if (seen.calls != native.calls || seen.comm != native.comm || seen.error_class != native.error_class) {
    fail(call.name + ": the error handler was called " + std::to_string(seen.calls) + " times with class " +
         std::to_string(seen.error_class) + ", natively " + std::to_string(native.calls) + " times with class " +
         std::to_string(native.error_class) + (seen.comm == native.comm ? "" : ", and with another communicator"));
  }
}

// Natively in the same form, or else there is nothing to compare with.
std::vector<const Form*> comparable_forms() {
  std::vector<const Form*> all;
  for (const Kind kind : {Kind::blocking, Kind::nonblocking, Kind::persistent}) {
    for (const Form& form : forms_of(kind)) {
      if (form.is_in(native_mpi())) all.push_back(&form);
    }
  }
  return all;
}

// Returns how many calls were wrong.
int compare_all(MPI_Comm comm, const char* name) {
  const Member member(comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note_error, &handler);
  std::uint64_t number = 0;
  int compared = 0;
  for (const Form* form : comparable_forms()) {
    for (const Mistake& mistake : mistakes) {
      if (!mistake.concerns(form->function)) continue;
      WrongCall call(*form, mistake, member);
      now_doing(std::string(name) + ", " + call.name);
      MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
      if (crashes_natively(call)) {
        if (member.rank == 0) std::fprintf(stderr, "crashes natively: %s\n", call.name.c_str());
        continue;
      }
      compare_classes(call);
      MPI_Comm_set_errhandler(comm, handler);
      compare_handlers(call);
      ++compared;
      seen = {};
      for (int i = 0; i < 8; ++i) make_known_call(member, ++number, 100);  // right calls still work
      if (seen.calls > 0) fail(call.name + ": an error handler was called in a right call");
    }
  }
  MPI_Errhandler_free(&handler);
  return compared;
}

int run(const Arguments&) {
  // Where errors without a communicator go.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (const std::string error = force(own_algorithms(0)); !error.empty()) fail(error);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  const int compared = compare_all(copy, "duplicate of WORLD") + compare_all(MPI_COMM_WORLD, "WORLD");
  MPI_Comm_free(&copy);
  return conclude("\"compared\": " + std::to_string(compared) + ", \"own\": " + std::to_string(all_calls().own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
