// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/unguessable.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "transport/fabric/lanes/no_fabric.hpp"

namespace espalier {

// So few bytes come whole, or not at all.
HashKey draw_key() {
  HashKey key;
  ssize_t drawn = -1;
  do {
    drawn = getrandom(&key, sizeof key, 0);
  } while (drawn < 0 && errno == EINTR);
  if (drawn != sizeof key) throw NoFabric(std::string("getrandom: ") + std::strerror(errno));
  return key;
}

}  // namespace espalier
