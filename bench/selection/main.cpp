// SPDX-License-Identifier: Apache-2.0
// What choosing at run time costs, by policy and kind of context:
//     espalier-bench-selection INSTANCES CALLS SEED [MACHINE=FILE]...
// INSTANCES: synthetic contexts of each kind; 0: none. FILE: contexts whose times were recorded (recorded.hpp). All
// policies meet the same contexts. Progress goes to standard error: done/all.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "selection/recorded_study.hpp"
#include "selection/synthetic_study.hpp"

namespace espalier::selection {

namespace {

RecordedMachine read_machine(const std::string& argument, std::size_t calls) {
  const std::size_t equals = argument.find('=');
  std::ifstream file(equals != std::string::npos ? argument.substr(equals + 1) : "");
  if (!file) throw std::invalid_argument("\"" + argument + "\" is not MACHINE=FILE, with a file that can be read");
  return {argument.substr(0, equals), read_recorded(file, calls)};
}

void run_all(const SyntheticStudy& study, std::vector<RecordedMachine>& machines) {
  std::size_t all = study.instances > 0 ? steps_of_synthetic_study() : 0;
  all += machines.size() * steps_of_recorded_study();
  std::size_t done = 0;
  const auto show = [&] { std::fprintf(stderr, "%zu/%zu\n", ++done, all); };
  if (study.instances > 0) run(study, show);
  for (RecordedMachine& machine : machines) run(machine, show);
}

}  // namespace

}  // namespace espalier::selection

int main(int argc, char** argv) {
  using namespace espalier::selection;
  try {
    if (argc < 4) throw std::invalid_argument("usage: INSTANCES CALLS SEED [MACHINE=FILE]...");
    const SyntheticStudy study{std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
                               std::strtoull(argv[3], nullptr, 10)};
    std::vector<RecordedMachine> machines;
    for (int k = 4; k < argc; ++k) machines.push_back(read_machine(argv[k], study.calls));
    run_all(study, machines);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "espalier-bench-selection: %s\n", error.what());
    return 1;
  }
}
