// SPDX-License-Identifier: Apache-2.0
// The memory of another process, as far as the system lets this one at it: process_vm_readv, process_vm_writev. Yama,
// containers and other users' processes forbid it, so it is tried first.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace espalier {

class OtherProcess {
 public:
  // Never readable.
  OtherProcess() = default;
  // Readable if the number that lies at that address there is the expected one: process numbers are equal in many
  // containers.
  OtherProcess(pid_t pid, std::uint64_t address, std::uint64_t expected);

  [[nodiscard]] bool is_readable() const { return pid_ != 0; }
  // False: not all of it could be read.
  [[nodiscard]] bool read(std::uint64_t address, std::byte* data, std::size_t bytes) const;
  // Where that process has asked for it. False: not all of it could be written.
  [[nodiscard]] bool write(std::uint64_t address, const std::byte* data, std::size_t bytes) const;

 private:
  pid_t pid_ = 0;
};

}  // namespace espalier
