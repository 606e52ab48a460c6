// SPDX-License-Identifier: Apache-2.0
// Whatever ranks have counted and a setting holds, the report is JSON.
#include "report/report.hpp"

#include <nlohmann/json.hpp>

#include "target.hpp"

namespace espalier::fuzz {
namespace {

void run(std::string_view text) {
  const std::vector<RankStatistics> ranks = {RankStatistics::read(text),
                                             RankStatistics::read(text.substr(text.size() / 2))};
  const Report report{.version = "0",
                      .mpi = std::string(text),
                      .ranks = 2,
                      .settings = {{"ESPALIER_REPORT", std::string(text)}},
                      .calls = calls_of_job(ranks)};
  const auto read = nlohmann::json::parse(json_of(report));
  require(read["rows"].size() == report.calls.rows.size(), "a report lacks rows");
}

const Registration registration("report", run);

}  // namespace
}  // namespace espalier::fuzz
