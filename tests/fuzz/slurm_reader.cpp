// SPDX-License-Identifier: Apache-2.0
#include "topology/slurm/slurm_reader.hpp"

#include "machine_checks.hpp"
#include "target.hpp"

namespace espalier::fuzz {
namespace {

const Registration registration("slurm_reader", [](std::string_view text) { check_reader(machine_from_slurm, text); });

}  // namespace
}  // namespace espalier::fuzz
