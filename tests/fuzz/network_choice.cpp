// SPDX-License-Identifier: Apache-2.0
// What is decided on a machine that a text describes, whatever it says of rates and times.
#include "select/network_choice.hpp"

#include <numeric>

#include "core/bad_description.hpp"
#include "target.hpp"
#include "topology/network.hpp"
#include "topology/readers/toml_reader.hpp"

namespace espalier::fuzz {
namespace {

constexpr std::size_t max_nodes = 12;  // more take too long to decide

void run(std::string_view text) try {
  const Machine machine = machine_from_toml(text, "file");
  if (machine.nodes.size() > max_nodes || machine.node_at.size() > max_nodes) return;
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  const Network network(machine, node_of);
  const Shape shape{network.nodes(), &network};
  NetworkChooser chooser;
  for (const Collective collective : {Collective::bcast, Collective::allreduce}) {
    const Problem problem{.collective = collective, .count = 1 << 18};
    const auto choice = chooser.choose(problem, shape);
    require(chooser.choose(problem, shape).has_value() == choice.has_value(), "a choice is made once only");
    if (!choice || choice->native()) continue;
    require(choice->cut.window >= 1 && choice->cut.segment_bytes > 0, "a choice cuts no segments");
  }
} catch (const BadDescription&) {
}

const Registration registration("network_choice", run);

}  // namespace
}  // namespace espalier::fuzz
