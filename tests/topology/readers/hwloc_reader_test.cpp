// SPDX-License-Identifier: Apache-2.0
// What exports of hwloc's are taken for is stored next to them, in tests/tool/machines.
#include "topology/readers/hwloc_reader.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

namespace espalier::hwloc_reader_test {
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

TEST(HwlocReader, names_the_remedy_for_what_a_newer_hwloc_wrote) {
  const std::string begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n";
  const std::string ours = std::to_string(hwloc_get_api_version() >> 16);
  EXPECT_EQ(complaint(begin + "<topology version=\"99.0\">\n</topology>\n"),
            "n.xml:1: an export of hwloc 99, which hwloc " + ours +
                ", the one here, does not read; allowed: what `lstopo --export-xml-flags v" + ours +
                " FILE.xml` writes on that node");
  EXPECT_NE(complaint(begin + "<topology version=\"3.0\">\n</topology>\n"), "");
}

// hwloc itself crashes on it: it looks for a set that is not there.
TEST(HwlocReader, survives_what_hwloc_does_not) {
  const std::string text =
      R"(<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)"
      R"(<object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" allowed_cpuset="0x1" nodeset="0x1")"
      R"( complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1"><object type="Package" os_index="0" cpuset="0x1")"
      R"( nodeset="0x1" gp_index="2"/><object type="Package" os_index="1" cpuset="0x1" nodeset="0x1" gp_index="3"/>)"
      R"(</object></topology>)";
  EXPECT_NE(complaint(text).find("hwloc does not understand it"), std::string::npos);
}

}  // namespace
}  // namespace espalier::hwloc_reader_test
