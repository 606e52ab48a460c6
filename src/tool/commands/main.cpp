// SPDX-License-Identifier: Apache-2.0
// espalier-tool: all that can be said of Espalier without an MPI. The Python command `espalier` is built on it.
//
// Exit status: 0 done; 1 something was found wrong; 2 not understood (command line or settings).
#include <cstdio>

#include "core/bad_description.hpp"
#include "core/printable.hpp"
#include "tool/command.hpp"

namespace {

constexpr int failed = 1, not_understood = 2;

int complain(const std::exception& error, int status) {
  std::fprintf(stderr, "espalier-tool: %s\n", espalier::printable_lines(error.what()).c_str());
  return status;
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : not_understood;
  } catch (const espalier::tool::BadRequest& error) {
    return complain(error, not_understood);
  } catch (const espalier::BadDescription& error) {
    return complain(error, not_understood);
  } catch (const espalier::tool::FoundWrong&) {
    return failed;
  } catch (const std::exception& error) {
    return complain(error, failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Espalier's schedules: what there is, what is chosen, whether it is right, how it looks.",
               "espalier-tool");
  app.set_version_flag("--version", ESPALIER_VERSION);
  app.require_subcommand(1);
  espalier::tool::add_info(app);
  espalier::tool::add_algorithms(app);
  espalier::tool::add_explain(app);
  espalier::tool::add_verify(app);
  espalier::tool::add_mutate(app);
  espalier::tool::add_draw(app);
  espalier::tool::add_reference(app);
  espalier::tool::add_replay(app);
  espalier::tool::add_halo(app);
  espalier::tool::add_levels(app);
  espalier::tool::add_topo(app);
  return run(app, argc, argv);
}
