// SPDX-License-Identifier: Apache-2.0
// Adds up what all ranks did, and writes the job's log.
#pragma once

#include "core/clock.hpp"

namespace espalier {

// Collective over all ranks; rank 0 writes a file beneath ESPALIER_LOG_DIR. What goes wrong is said, and no more.
void write_job_log(Clock::duration wall);

}  // namespace espalier
