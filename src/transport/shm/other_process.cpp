// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/other_process.hpp"

#include <sys/uio.h>

namespace espalier {

namespace {

// The kernel may stop at a page, and moves at most 2 GiB at once.
template <class SystemCall>
bool copy_all(SystemCall copy, pid_t pid, std::uint64_t address, std::byte* data, std::size_t bytes) {
  while (bytes > 0) {
    const iovec here{data, bytes};
    const iovec there{reinterpret_cast<void*>(address), bytes};
    const ssize_t moved = copy(pid, &here, 1, &there, 1, 0);
    if (moved <= 0) return false;
    address += static_cast<std::uint64_t>(moved);
    data += moved;
    bytes -= static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

OtherProcess::OtherProcess(pid_t pid, std::uint64_t address, std::uint64_t expected) : pid_(pid) {
  std::uint64_t found = ~expected;
  if (!read(address, reinterpret_cast<std::byte*>(&found), sizeof found) || found != expected) pid_ = 0;
}

bool OtherProcess::read(std::uint64_t address, std::byte* data, std::size_t bytes) const {
  return copy_all(process_vm_readv, pid_, address, data, bytes);
}

bool OtherProcess::write(std::uint64_t address, const std::byte* data, std::size_t bytes) const {
  return copy_all(process_vm_writev, pid_, address, const_cast<std::byte*>(data), bytes);
}

}  // namespace espalier
