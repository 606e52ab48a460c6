// SPDX-License-Identifier: Apache-2.0
// PMI-1 on the wire, as the Hydra launcher of MPICH speaks it with each rank over a socket: a line is a request, a line
// is the answer. The MPI hides its own functions for it, but does not use the socket before and right after MPI_Init.
// What is put before the MPI's first barrier reaches all nodes with it.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/start/launcher_store.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_line = 1280;  // values have at most 1024 characters
constexpr std::size_t max_name = 257;

int socket_number = -1;
char space[max_name];  // the job's part of the store

bool send_line(const char* line) {
  for (std::size_t left = std::strlen(line); left > 0;) {
    const ssize_t sent = ::send(socket_number, line, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    line += sent;
    left -= static_cast<std::size_t>(sent);
  }
  return true;
}

// A byte at a time: what follows the line is not ours.
bool receive_line(char (&line)[max_line]) {
  for (std::size_t filled = 0; filled + 1 < max_line;) {
    const ssize_t got = ::recv(socket_number, line + filled, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    if (line[filled] == '\n') {
      line[filled] = '\0';
      return true;
    }
    ++filled;
  }
  return false;
}

// Waits as long as the MPI would: it is about to ask the same launcher.
bool ask(const char* request, char (&answer)[max_line]) {
  if (send_line(request) && receive_line(answer)) return true;
  socket_number = -1;
  return false;
}

bool succeeded(const char* answer) { return std::strstr(answer, " rc=0") != nullptr; }

void request_of(char (&request)[max_line], const char* verb, int rank, const char* rest) {
  std::snprintf(request, sizeof request, "cmd=%s kvsname=%s key=espalier-present-1-%d%s\n", verb, space, rank, rest);
}

bool pmi1_has(int rank, Search) {
  char request[max_line], answer[max_line];
  request_of(request, "get", rank, "");
  return socket_number >= 0 && ask(request, answer) && succeeded(answer);
}

// -1 if there is none, or not such a number.
int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return -1;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  return *end == '\0' && number >= 0 && number <= 1 << 30 ? static_cast<int>(number) : -1;
}

// Others of MPICH's family have launchers of their own, and so has Slurm, which sets PMI_FD too.
bool is_for_hydra(const Native& mpi) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  mpi.Get_library_version(version, &length);
  return std::strncmp(version, "MPICH Version", 13) == 0 && std::getenv("MPI_LOCALRANKID") != nullptr &&
         number_in("PMI_FD") >= 0 && number_in("PMI_RANK") >= 0;
}

bool learn_space(char (&answer)[max_line]) {
  if (!ask("cmd=get_my_kvsname\n", answer)) return false;
  const char* const found = std::strstr(answer, "kvsname=");
  return found != nullptr && std::sscanf(found, "kvsname=%256s", space) == 1;
}

}  // namespace

void leave_word_by_pmi1(const Native& mpi) {
  if (!is_for_hydra(mpi)) return;
  socket_number = number_in("PMI_FD");
  char request[max_line], answer[max_line];
  // Hydra forgets what was put before the first rank of a node says this. The MPI says it again.
  if (!ask("cmd=init pmi_version=1 pmi_subversion=1\n", answer) || !succeeded(answer) || !learn_space(answer)) return;
  request_of(request, "put", number_in("PMI_RANK"), " value=1");
  if (!ask(request, answer)) return;
}

LauncherStore pmi1_store() { return socket_number >= 0 ? pmi1_has : nullptr; }

}  // namespace espalier
