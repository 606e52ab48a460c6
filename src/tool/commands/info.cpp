// SPDX-License-Identifier: Apache-2.0
// info: the version, and every setting with its value and where that came from.
#include "settings/table.hpp"
#include "tool/output.hpp"
#include "tool/requests.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier::tool {

namespace {

const char* origin_text(Origin origin) { return origin == Origin::environment ? "environment" : "default"; }

Json as_json(const Settings& settings) {
  Json list = Json::array();
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    const Setting& setting = settings_table[i];
    list.push_back({{"name", setting.name},
                    {"value", value_text(setting, settings)},
                    {"origin", origin_text(settings.origins[i])},
                    {"default", setting.default_text},
                    {"allowed", allowed_text(setting)},
                    {"description", setting.description}});
  }
  return {{"version", ESPALIER_VERSION}, {"settings", list}};
}

std::string as_text(const Settings& settings) {
  TextTable table = {{"setting", "value", "from", "allowed"}};
  for (std::size_t i = 0; i < settings_table.size(); ++i) {
    const std::string value = value_text(settings_table[i], settings);
    table.push_back({std::string(settings_table[i].name), value.empty() ? "-" : value, origin_text(settings.origins[i]),
                     allowed_text(settings_table[i])});
  }
  return "Espalier " ESPALIER_VERSION "\n\n" + format_table(table);
}

// Refuses a description that the library would go on without.
void check_files(const Settings& settings) {
  if (settings.topology.empty()) return;
  (void)read_machine(text_of("ESPALIER_TOPOLOGY", settings.topology), settings.topology);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "The version, and every setting with its value and its origin.");
  const CLI::Option* json = add_json_flag(*command);
  const CLI::Option* check =
      command->add_flag("--check")->description("Also read the file that ESPALIER_TOPOLOGY names");
  command->callback([json, check] {
    const Settings settings = current_settings();
    if (check->count() > 0) check_files(settings);
    if (json->count() > 0) return print_json(as_json(settings));
    print(as_text(settings));
  });
}

}  // namespace espalier::tool
