// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/hwloc_reader.hpp"

#include <cstdlib>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) try {
  // What hwloc says of each text on standard error would fill disks.
  static const int hidden = setenv("HWLOC_HIDE_ERRORS", "2", 1);
  require(hidden == 0, "the environment is full");
  const NodeParts parts = node_from_hwloc(std::string(text), "file");
  require(parts.processing_units >= 0 && parts.nic_devices() <= static_cast<int>(parts.nics.size()),
          "parts are missing");
} catch (const BadDescription& bad) {
  require(std::string_view(bad.what()).starts_with("file:"), "a refusal does not say where");
}

const Registration registration("hwloc_reader", run);

}  // namespace
}  // namespace espalier::fuzz
