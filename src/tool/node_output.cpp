// SPDX-License-Identifier: Apache-2.0
#include "tool/node_output.hpp"

#include "tool/machine_output.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

Json node_json(const NodeParts& node) {
  Json nics = Json::array();
  for (const Nic& nic : node.nics) {
    nics.push_back({{"name", nic.name},
                    {"kind", nic.kind},
                    {"bus", nic.bus},
                    {"numa_node", nic.numa_node == several_numa_nodes ? Json(nullptr) : Json(nic.numa_node)},
                    {"bytes_per_second", nic.bytes_per_second > 0 ? Json(nic.bytes_per_second) : Json(nullptr)}});
  }
  return {{"packages", node.packages},
          {"numa_nodes", node.numa_nodes},
          {"cores", node.cores},
          {"processing_units", node.processing_units},
          {"nic_devices", node.nic_devices()},
          {"nics", nics}};
}

std::string node_text(const NodeParts& node) {
  const auto count = [](int number, const char* word) { return plural(static_cast<std::size_t>(number), word); };
  std::string text = count(node.packages, "package") + ", " + count(node.numa_nodes, "NUMA node") + ", " +
                     count(node.cores, "core") + ", " + count(node.processing_units, "processing unit") + "\n";
  if (node.nics.empty()) return text + "no NIC on a PCI bus\n";
  TextTable table = {{"NIC", "kind", "bus", "near", "rate"}};
  for (const Nic& nic : node.nics) {
    table.push_back(
        {nic.name, nic.kind, nic.bus,
         nic.numa_node == several_numa_nodes ? "several NUMA nodes" : "NUMA node " + std::to_string(nic.numa_node),
         nic.bytes_per_second > 0 ? rate_text(nic.bytes_per_second) : "unknown"});
  }
  return text + count(node.nic_devices(), "device") + " with NICs\n\n" + format_table(table);
}

}  // namespace espalier::tool
