// SPDX-License-Identifier: Apache-2.0
// File descriptors, of which a process may open only this many. Each connection of libfabric's takes one.
#pragma once

#include <dirent.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace espalier {

// Of a lane without connections, and of those to another process: one at the listener, and each link has an endpoint
// and what it is joined by.
inline constexpr std::size_t descriptors_of_lane = 8;
[[nodiscard]] constexpr std::size_t descriptors_to_process(std::size_t lanes, std::size_t links) {
  return lanes * (1 + 2 * links);
}

[[nodiscard]] inline rlimit descriptor_limit() {
  rlimit limit{};
  (void)getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

// Calls each(descriptor) for all that are open.
template <class Each>
void for_each_descriptor(Each each) {
  struct Close {
    void operator()(DIR* directory) const { closedir(directory); }
  };
  const std::unique_ptr<DIR, Close> list(opendir("/proc/self/fd"));
  if (list) {
    while (const dirent* const entry = readdir(list.get())) {
      if (entry->d_name[0] != '.') each(static_cast<int>(std::strtol(entry->d_name, nullptr, 10)));
    }
  } else if (errno == EMFILE) {  // then they are all open
    for (int descriptor = 0; descriptor < static_cast<int>(descriptor_limit().rlim_cur); ++descriptor) each(descriptor);
  }
}

// For this many more; where that is within the hard limit, the soft one is raised. Throws NoFabric (no_fabric.hpp) if
// there is no room for them.
void make_room_for_descriptors(std::size_t wanted);

// Now, none can be opened.
[[nodiscard]] bool are_descriptors_used_up();

}  // namespace espalier
