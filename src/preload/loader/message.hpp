// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// One line on standard error, "espalier: ...", from one process of each node: what goes wrong down here depends on the
// node's files, and a job may have thousands of ranks.
__attribute__((format(printf, 1, 2))) void log_on_node(const char* format, ...);

}  // namespace espalier
