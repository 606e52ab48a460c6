// SPDX-License-Identifier: Apache-2.0
// algorithms: all that the registry holds.
#include "contract/contract.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

Json as_json() {
  Json list = Json::array();
  for (const Algorithm& algorithm : registry()) {
    list.push_back({{"collective", name_of(algorithm.collective)},
                    {"name", algorithm.name},
                    {"description", algorithm.description},
                    {"source", algorithm.source},
                    {"keeps_rank_order", algorithm.keeps_rank_order},
                    {"cuts_by_length", algorithm.cuts_by_length},
                    {"takes_radix", algorithm.takes_radix}});
  }
  return {{"algorithms", list}};
}

std::string as_text() {
  TextTable table = {{"algorithm", "rank order", "description"}};
  for (const Algorithm& algorithm : registry()) {
    const char* order = !contract_of(algorithm.collective).reduces ? "-"
                        : algorithm.keeps_rank_order               ? "kept"
                                                                   : "not kept";
    table.push_back({full_name(algorithm), order, std::string(algorithm.description)});
  }
  return format_table(table);
}

}  // namespace

void add_algorithms(CLI::App& app) {
  CLI::App* command = app.add_subcommand("algorithms", "Every algorithm, with its description and its source.");
  const CLI::Option* json = add_json_flag(*command);
  command->callback([json] {
    if (json->count() > 0) return print_json(as_json());
    print(as_text());
  });
}

}  // namespace espalier::tool
