// SPDX-License-Identifier: Apache-2.0
#include "other_process.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include "../../harness/native.hpp"
#include "../../harness/program.hpp"

namespace bench {

namespace {

// Of the other one of two.
template <class Value>
Value exchanged(Value mine, MPI_Comm comm) {
  const int rank = position_in(comm).rank;
  Value both[2] = {};
  both[rank] = mine;
  for (int root = 0; root < 2; ++root) native().Bcast(&both[root], sizeof(Value), MPI_BYTE, root, comm);
  return both[1 - rank];
}

using Copy = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

// The kernel may stop early.
void copy_all(Copy copy, pid_t process, char* here, char* there, std::size_t bytes) {
  while (bytes > 0) {
    const iovec local{here, bytes}, remote{there, bytes};
    const ssize_t done = copy(process, &local, 1, &remote, 1, 0);
    if (done <= 0) throw std::runtime_error(std::string("the other rank's memory: ") + std::strerror(errno));
    here += done;
    there += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

}  // namespace

OtherProcess::OtherProcess(MPI_Comm comm) : process_(exchanged(getpid(), comm)) {}

bool OtherProcess::is_open(MPI_Comm comm) {
  const OtherProcess other(comm);
  double mine = 1, theirs = 0;
  const double* const there = exchanged<const double*>(&mine, comm);
  int failed = 0;
  try {
    other.read(&theirs, there, sizeof theirs);
  } catch (const std::runtime_error&) {
    failed = 1;
  }
  native().Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, comm);
  return failed == 0;
}

void OtherProcess::read(void* here, const void* there, std::size_t bytes) const {
  copy_all(process_vm_readv, process_, static_cast<char*>(here), static_cast<char*>(const_cast<void*>(there)), bytes);
}

void OtherProcess::write(void* there, const void* here, std::size_t bytes) const {
  copy_all(process_vm_writev, process_, static_cast<char*>(const_cast<void*>(here)), static_cast<char*>(there), bytes);
}

}  // namespace bench
