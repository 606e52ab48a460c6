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

Espalier is set by environment variables, below these by a user's [file](#files), below that by the site's. Settings must
be equal on all ranks; if they differ, all calls go to the native MPI, and rank 0 says so. A value that is not allowed,
or a name that begins with `ESPALIER_` and is not listed here, is refused. `espalier` then ends with status 2 before it
starts anything. The library without it says so once and leaves all calls to the native MPI. `espalier info` shows every
setting with its value and where that came from.

)";

constexpr std::string_view files = R"(
## Files

    cache = 128                             # any setting: its name without ESPALIER_, in lower case
    budget = "2%"
    arrival = false                         # off, no or 0; true: on, yes or 1

    [[hosts]]                               # for hosts of such names alone
    match = "node[0-9]*"
    topology = "/etc/espalier/torus.toml"

    [limits]                                # in the site's file alone: what users may not go beyond
    budget = "5%"
    policy = ["race", "estimate"]

    [off]                                   # for whom all calls go to the native MPI, whatever else is set
    programs = ["vasp*"]
    users = ["alice", 1001]

The first of these that has a setting gives it:

1. the environment;
2. the user's file, `$XDG_CONFIG_HOME/espalier/espalier.toml`, or else `~/.config/espalier/espalier.toml`;
3. the site's file, `/etc/espalier/espalier.toml`, or else `PREFIX/etc/espalier/espalier.toml` where Espalier is installed
   in PREFIX; another one by `ESPALIER_SITE_FILE`;
4. the default.

In a file the first entry of `[[hosts]]` whose `match` fits the host, with or without its domain, and that has the
setting goes before the lines above. Patterns are those of a shell: `*`, `?`, `[0-9]`. Programs are matched by the names
of the executable, of the command, and of the script that Python, R or Julia runs. `ESPALIER=off` is `espalier = "off"`
in a file. `ESPALIER_SITE_FILE` and `ESPALIER_RUN` do not stand there. Paths begin with `/`.

`enabled = false`, or a file named `off` next to the site's, switches all new jobs off, whatever the environment says. A
limit is the highest value of a number, or all words that are allowed; a setting beyond it is refused.

Files are believed if they, and the directories on the path, belong to root or to the user and nobody else may write
there. A file that is not believed or not understood is named, with the line, and the job runs natively. So it does
where files make settings differ between ranks; one rank for which all is off switches it off for the job.
`espalier info --host NAME` shows what would hold on another host.
[How an administrator sets all that up](../how-to/leave-it-on-for-everybody.md).
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
    print(std::string(heading) + settings_section() + std::string(files) + std::string(grammar) + parameters_section() +
          std::string(sizes));
  });
}

}  // namespace espalier::tool
