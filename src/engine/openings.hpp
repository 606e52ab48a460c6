// SPDX-License-Identifier: Apache-2.0
// What a port that opens channels (port.hpp) must know of a schedule: how far messages reach into the buffers, and
// which channels may be open for a whole run, as all their messages go to memory that nothing else of this rank reads
// or writes before. MPI has no such port; RDMA has.
#pragma once

#include <vector>

#include "schedule/layout.hpp"
#include "transport/port.hpp"

namespace espalier {

// `stride_bytes`: of an element.
[[nodiscard]] Reach find_reach(const Schedule& schedule, const Layout& layout, std::size_t stride_bytes);
[[nodiscard]] std::vector<Opening> find_openings(const Schedule& schedule, const Layout& layout,
                                                 std::size_t stride_bytes);

}  // namespace espalier
