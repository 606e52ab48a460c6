// SPDX-License-Identifier: Apache-2.0
#include "shared_memory.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "../harness/native.hpp"
#include "../harness/program.hpp"

namespace bench {

namespace {

// A name that no other job has, and no earlier memory of this one.
std::string name_for(MPI_Comm comm) {
  static int made = 0;
  long first_process = getpid();
  native().Bcast(&first_process, 1, MPI_LONG, 0, comm);
  return "/espalier-bench-" + std::to_string(first_process) + "-" + std::to_string(++made);
}

void* map(const std::string& name, std::size_t bytes) {
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
  if (file < 0) return MAP_FAILED;
  void* const data = ftruncate(file, static_cast<off_t>(bytes)) == 0
                         ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                         : MAP_FAILED;
  close(file);
  return data;
}

}  // namespace

SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes) : bytes_(bytes) {
  const std::string name = name_for(comm);
  data_ = map(name, bytes);
  int failed = data_ == MAP_FAILED ? 1 : 0;
  native().Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, comm);
  shm_unlink(name.c_str());  // all have it: it goes with the last of them
  if (failed > 0) throw std::runtime_error(std::to_string(failed) + " ranks have no shared memory");
}

SharedMemory::~SharedMemory() { munmap(data_, bytes_); }

void yield_processor() { sched_yield(); }

}  // namespace bench
