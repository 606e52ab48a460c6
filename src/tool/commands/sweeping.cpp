// SPDX-License-Identifier: Apache-2.0
#include "tool/commands/sweeping.hpp"

#include <cstdio>
#include <thread>

namespace espalier::tool {

SweepOptions sweep_options(const Algorithm* algorithm) {
  SweepOptions options;
  options.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (algorithm == nullptr) return options;
  options.collective = algorithm->collective;
  options.algorithm = algorithm->name;
  return options;
}

void print_progress(const SweepProgress& progress) {
  const Json json = {{"done", progress.done}, {"total", progress.total}, {"failures", progress.failures}};
  std::fprintf(stderr, "%s\n", json.dump().c_str());
}

}  // namespace espalier::tool
