// SPDX-License-Identifier: Apache-2.0
#include "named_variant.hpp"

#include <stdexcept>

namespace bench {

std::unique_ptr<Variant> make_variant(const std::string& name, const Function& function, MPI_Comm comm) {
  constexpr const char* espalier_prefix = "espalier:";
  if (name == "native") return make_direct(function, comm);
  if (is_forced(name)) return make_forced(function, comm, name);
  if (name == "espalier") return make_intercepted(function, comm, "");
  if (name.starts_with(espalier_prefix)) {
    return make_intercepted(function, comm, name.substr(std::string(espalier_prefix).size()));
  }
  throw std::invalid_argument(name + ": unknown; allowed: native, forced:NAME, forced:*, espalier, espalier:NAME");
}

}  // namespace bench
