// SPDX-License-Identifier: Apache-2.0
// Persistent messages that do not meet what was promised (ESPALIER_PERSISTENT=paired): by the case, one end is not
// persistent, or longer than the other one. Prints what the two ranks learn of it.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -x ESPALIER_PERSISTENT=paired -n 2 promises CASE
#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"

namespace espalier::apps {

namespace {

constexpr int tag = 7, go_on = 8;

enum class Case : std::uint64_t {
  send_meets_other_receive,  // MPI_Recv
  receive_meets_other_send,  // MPI_Isend
  shorter_send,              // of one piece
  much_shorter_send,         // of fewer pieces
  longer_send,
  late_receive,      // no broken promise
  throwing_handler,  // shorter_send, whose error handlers leave by an exception
};

struct Lengths {
  int sent = 0, received = 0;
};

Lengths lengths_of(Case drawn) {
  switch (drawn) {
    case Case::shorter_send:
    case Case::throwing_handler: return {8000, 16000};
    case Case::much_shorter_send: return {8000, 300000};
    case Case::longer_send: return {300000, 8000};
    default: return {20000, 20000};
  }
}

enum Learnt : int { success, other_length, other_error };

int class_of(int code) {
  int found = code;
  MPI_Error_class(code, &found);
  if (found == MPI_SUCCESS) return success;
  return found == MPI_ERR_TRUNCATE ? other_length : other_error;
}

void throw_code(MPI_Comm* /*comm*/, int* code, ...) { throw *code; }

int wait_or_catch(MPI_Request& request) try { return MPI_Wait(&request, MPI_STATUS_IGNORE); } catch (int code) {
  return code;
}

int started(MPI_Request request) {
  MPI_Start(&request);
  const int code = wait_or_catch(request);
  MPI_Request_free(&request);
  return class_of(code);
}

void signal(int to) { MPI_Send(nullptr, 0, MPI_BYTE, to, go_on, MPI_COMM_WORLD); }
void await_signal(int from) { MPI_Recv(nullptr, 0, MPI_BYTE, from, go_on, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int send(Case drawn, std::vector<char>& data) {
  const int length = lengths_of(drawn).sent;
  if (drawn == Case::receive_meets_other_send) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data.data(), length, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &request);
    await_signal(1);
    return class_of(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Send_init(data.data(), length, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &request);
  const int learnt = started(request);
  if (drawn == Case::send_meets_other_receive) MPI_Send(data.data(), length, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
  return learnt;
}

int receive(Case drawn, std::vector<char>& data) {
  const int length = lengths_of(drawn).received;
  if (drawn == Case::send_meets_other_receive)
    return class_of(MPI_Recv(data.data(), length, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  if (drawn == Case::late_receive) {
    const double begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 2.5) {
      int flag = 0;
      MPI_Iprobe(0, go_on, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Recv_init(data.data(), length, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request);
  const int learnt = started(request);
  if (drawn == Case::receive_meets_other_send) {
    signal(0);
    MPI_Recv(data.data(), length, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return learnt;
}

int run(const Arguments& arguments) {
  const auto drawn = static_cast<Case>(arguments.number(1, 0));
  now_doing("case " + std::to_string(static_cast<int>(drawn)), 60);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler thrower = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(throw_code, &thrower);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, drawn == Case::throwing_handler ? thrower : MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&thrower);
  std::vector<char> data(300000, rank == 0 ? 'a' : 'b');
  std::array<int, 2> learnt{};
  const int mine = rank == 0 ? send(drawn, data) : receive(drawn, data);
  MPI_Gather(&mine, 1, MPI_INT, learnt.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (mine == MPI_SUCCESS && rank == 1 && data[0] != 'a') fail("it has not arrived");
  constexpr std::array names = {"success", "length", "error"};
  return conclude(std::string("\"sender\": \"") + names[static_cast<std::size_t>(learnt[0])] + "\", \"receiver\": \"" +
                  names[static_cast<std::size_t>(learnt[1])] + "\"");
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  return espalier::apps::run_program(argc, argv, espalier::apps::run, MPI_THREAD_SINGLE);
}
