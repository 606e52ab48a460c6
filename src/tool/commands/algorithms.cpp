// SPDX-License-Identifier: Apache-2.0
// algorithms: all that the registry holds.
#include "contract/contract.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

bool reduces(const Algorithm& algorithm) { return contract_of(algorithm.collective).reduces; }

Json as_json() {
  Json list = Json::array();
  for (const Algorithm& algorithm : registry()) {
    list.push_back({{"collective", name_of(algorithm.collective)},
                    {"name", algorithm.name},
                    {"description", algorithm.description},
                    {"source", algorithm.source},
                    {"order_class", reduces(algorithm) ? Json(algorithm.order.name) : Json(nullptr)},
                    {"order_depends_on_cut", algorithm.order.depends_on_cut},
                    {"keeps_rank_order", algorithm.keeps_rank_order},
                    {"ranks", algorithm.ranks == RankCounts::any ? "any" : "powers of two"},
                    {"needs_a_network", algorithm.needs != Needs::nothing},
                    {"takes_pieces", algorithm.takes_pieces},
                    {"takes_radix", algorithm.takes_radix},
                    {"takes_uneven", algorithm.takes_uneven}});
  }
  return {{"algorithms", list}};
}

std::string rank_order_text(const Algorithm& algorithm) {
  if (!reduces(algorithm)) return "-";
  return algorithm.keeps_rank_order ? "kept" : "not kept";
}

std::string order_class_text(const Algorithm& algorithm) {
  return reduces(algorithm) ? std::string(algorithm.order.name) : "-";
}

std::string as_text() {
  TextTable table = {{"algorithm", "order class", "rank order", "description"}};
  for (const Algorithm& algorithm : registry()) {
    table.push_back({full_name(algorithm), order_class_text(algorithm), rank_order_text(algorithm),
                     std::string(algorithm.description)});
  }
  return format_table(table) +
         "\nReductions of one order class add in the same order: with an operation that commutes they give the same\n"
         "bits. Without a root they are as with root 0.\n";
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
