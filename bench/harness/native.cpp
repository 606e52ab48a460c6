// SPDX-License-Identifier: Apache-2.0
#include "native.hpp"

#include <cstdio>
#include <cstdlib>

#include "shared/mpi_library.hpp"

namespace bench {

namespace {

espalier::Native look_up_all() {
  espalier::Native functions;
  const char* missing = functions.load(espalier::apps::mpi_library());
  if (missing == nullptr) return functions;
  std::fprintf(stderr, "espalier-bench: the MPI library has no %s\n", missing);
  std::exit(1);
}

}  // namespace

const espalier::Native& native() {
  static const espalier::Native functions = look_up_all();
  return functions;
}

}  // namespace bench
