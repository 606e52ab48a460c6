// SPDX-License-Identifier: Apache-2.0
// What exports of hwloc's are taken for is stored beside them, in tests/tool/machines.
#include "topology/hwloc_reader.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(node_from_hwloc(text, "n.xml"));
  } catch (const BadDescription& bad) {
    return bad.what();
  }
  return "";
}

TEST(HwlocReader, sees_this_node) {
  const NodeParts node = this_node();
  EXPECT_GE(node.packages, 0);
  EXPECT_GE(node.numa_nodes, 1);
  EXPECT_GE(node.processing_units, 1);
  for (const Nic& nic : node.nics) {
    EXPECT_NE(nic.name, "lo");
    EXPECT_TRUE(nic.kind == "network" || nic.kind == "openfabrics") << nic.kind;
    EXPECT_GE(nic.bytes_per_second, 0);
  }
}

TEST(HwlocReader, counts_a_device_with_several_names_once) {
  const NodeParts node{.nics = {{"ib0", "network", "0000:3b:00.0"},
                                {"mlx5_0", "openfabrics", "0000:3b:00.0"},
                                {"eth0", "network", "0000:18:00.0"}}};
  EXPECT_EQ(node.nic_devices(), 2);
}

TEST(HwlocReader, refuses_what_is_no_export) {
  for (const char* text : {"", "[torus]\n", "<?xml version=\"1.0\"?>\n<html></html>\n",
                           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
                           "<topology version=\"2.0\">\n</topology>\n"}) {
    EXPECT_EQ(complaint(text),
              "n.xml:1: hwloc does not understand it; allowed: a node's export, as `lstopo FILE.xml` writes it")
        << text;
  }
}

}  // namespace
}  // namespace espalier
