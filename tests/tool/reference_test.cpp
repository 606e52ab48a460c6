// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "settings/table.hpp"
#include "tool.hpp"

namespace espalier {
namespace {

TEST(Reference, is_the_page_that_is_checked_in) {
  EXPECT_EQ(run_tool("reference").output, read_file(ESPALIER_REFERENCE_PAGE))
      << "to renew it: build/bin/espalier-tool reference > docs/reference/settings.md";
}

TEST(Reference, has_a_line_for_every_setting_and_parameter) {
  const std::string page = run_tool("reference").output;
  for (const Setting& setting : settings_table) {
    EXPECT_NE(page.find("\n| `" + std::string(setting.name) + "` | "), page.npos) << setting.name;
  }
  for (const ParameterLimits* parameter : parameters_table) {
    EXPECT_NE(page.find("\n| `" + std::string(parameter->name) + "` | "), page.npos) << parameter->name;
  }
}

}  // namespace
}  // namespace espalier
