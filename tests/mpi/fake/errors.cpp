// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <utility>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

constexpr int class_bits = 0x7f;
constexpr int not_only_a_class = 0x4000;

int hand_to_handler(MPI_Comm comm, int code) {
  const MPI_Errhandler handler = mine(comm).handler;
  state().raised[my_rank()].push_back(code);
  if (handler == MPI_ERRORS_ARE_FATAL) throw JobEnded("error " + std::to_string(code));
  if (handler != MPI_ERRORS_RETURN) state().handlers.at(handler)(comm, code);
  return code;
}

int get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  *handler = mine(comm).handler;
  return MPI_SUCCESS;
}

int set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  mine(comm).handler = handler;
  return MPI_SUCCESS;
}

int call_errhandler(MPI_Comm comm, int code) {
  hand_to_handler(comm, code);
  return MPI_SUCCESS;
}

int free_errhandler(MPI_Errhandler* handler) {
  *handler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int error_class(int code, int* its_class) {
  *its_class = code & class_bits;
  return MPI_SUCCESS;
}

int error_string(int code, char* text, int* length) {
  *length = std::snprintf(text, MPI_MAX_ERROR_STRING, "fake error %d", code);
  return MPI_SUCCESS;
}

}  // namespace

int code_of(int error_class) { return error_class | not_only_a_class; }

int raise(MPI_Comm comm, int error_class) {
  return hand_to_handler(find_comm(comm) != nullptr ? comm : MPI_COMM_WORLD, code_of(error_class));
}

std::vector<int> take_raised() { return std::exchange(state().raised[my_rank()], {}); }

MPI_Errhandler make_handler(std::function<void(MPI_Comm, int)> work) { return state().handlers.add(std::move(work)); }

void add_errors(Native& table) {
  table.Comm_get_errhandler = get_errhandler;
  table.Comm_set_errhandler = set_errhandler;
  table.Comm_call_errhandler = call_errhandler;
  table.Errhandler_free = free_errhandler;
  table.Error_class = error_class;
  table.Error_string = error_string;
}

}  // namespace espalier::fake
