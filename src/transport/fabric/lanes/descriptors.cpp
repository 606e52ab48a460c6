// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/descriptors.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "transport/fabric/lanes/no_fabric.hpp"

namespace espalier {

namespace {

// For the MPI and the application, which go on to open some.
constexpr rlim_t kept_free = 32;

rlim_t open_now() {
  rlim_t count = 0;
  for_each_descriptor([&](int) { ++count; });
  return count;
}

}  // namespace

void make_room_for_descriptors(std::size_t wanted) {
  const rlim_t needed = open_now() + wanted + kept_free;
  rlimit limit = descriptor_limit();
  if (needed <= limit.rlim_cur) return;
  if (needed > limit.rlim_max) {
    throw NoFabric("this process may open " + std::to_string(limit.rlim_max) +
                   " files and connections, and libfabric needs up to " + std::to_string(needed) +
                   " with all processes of the job; 'ulimit -n " + std::to_string(needed) + "' allows them");
  }
  limit.rlim_cur = needed;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    throw NoFabric("the limit of open files cannot be raised to " + std::to_string(needed));
  }
}

bool are_descriptors_used_up() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return errno == EMFILE || errno == ENFILE;
  close(any);
  return false;
}

}  // namespace espalier
