// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/shm_port.hpp"

#include <sched.h>

namespace espalier {

void ShmPort::idle() {
  constexpr int looks_before_yield = 200;
  if (++empty_looks_ % looks_before_yield == 0) sched_yield();
}

}  // namespace espalier
