// SPDX-License-Identifier: Apache-2.0
// reference: docs/reference/settings.md, from the table of settings and the registry.
#include "core/choice.hpp"
#include "settings/number.hpp"
#include "settings/table.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

constexpr std::string_view heading = R"(# Settings

<!-- Written by `build/bin/espalier-tool reference > docs/reference/settings.md`; a test fails when it is stale. -->

Espalier is set by environment variables. They must be equal on all ranks; if they differ, all calls go to the native
MPI, and rank 0 says so. A value that is not allowed, or a name that begins with `ESPALIER_` and is not listed here, is
refused. `espalier` then ends with status 2 before it starts anything. The library without it says so once and leaves
all calls to the native MPI. `espalier info` shows every setting with its value and where that came from.

)";

constexpr std::string_view grammar = R"(
## Forcing algorithms

    ESPALIER_ALGORITHM="allreduce:ring,segment=16KiB,window=4;bcast:native"

One choice per collective, separated by `;`: the collective, `:`, an algorithm or `native`, and then, each after a `,`,
the parameters that shall differ from the defaults:

)";

constexpr std::string_view sizes = R"(
Sizes are whole numbers of bytes, or of `KiB`, `MiB` or `GiB`. Other units are refused: `64k` means 64000 to some. Only
k-nomial trees and `alltoall:bruck` take a `radix`.

`allreduce:in-turn` is for tests: each call takes the next algorithm that is right for it, the native MPI among them, and
each time round the message is cut otherwise. Results that round then differ from call to call. It takes no parameters.

`espalier info` lists the algorithms of every collective. `espalier explain` shows what would be chosen for a call, and
which algorithms would be wrong for it.
)";

std::string in_cell(std::string_view text) {
  std::string result;
  for (const char letter : text) result += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return result;
}

std::string as_code(std::string_view text) { return text.empty() ? "empty" : "`" + in_cell(text) + "`"; }

std::string settings_section() {
  std::string text = "| setting | default | allowed | |\n|---|---|---|---|\n";
  for (const Setting& setting : settings_table) {
    const bool has_grammar = std::holds_alternative<Choices>(setting.form);
    text += "| " + as_code(setting.name) + " | " + as_code(setting.default_text) + " | " +
            (has_grammar ? "[see below](#forcing-algorithms)" : in_cell(allowed_text(setting))) + " | " +
            in_cell(setting.description) + " |\n";
  }
  return text;
}

// Empty: none in particular.
std::string default_of(const ParameterLimits& parameter) {
  if (&parameter == &segment_parameter) return format_size(default_cut.segment_bytes);
  if (&parameter == &window_parameter) return std::to_string(default_cut.window);
  if (&parameter == &radix_parameter) return std::to_string(default_radix);
  return "";
}

std::string parameters_section() {
  std::string text = "| parameter | default | allowed | |\n|---|---|---|---|\n";
  for (const ParameterLimits* parameter : parameters_table) {
    text += "| " + as_code(parameter->name) + " | " + as_code(default_of(*parameter)) + " | " +
            allowed_text(*parameter) + " | " + in_cell(parameter->description) + " |\n";
  }
  return text;
}

}  // namespace

void add_reference(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reference", "The reference page of the settings, in Markdown.");
  command->callback([] {
    print(std::string(heading) + settings_section() + std::string(grammar) + parameters_section() + std::string(sizes));
  });
}

}  // namespace espalier::tool
