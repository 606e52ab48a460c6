// SPDX-License-Identifier: Apache-2.0
// The limit: what somebody would write by hand for two ranks that share memory. There are several forms of it, and the
// best one counts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../../collectives/variants.hpp"

namespace bench {

// "limit:halves"
[[nodiscard]] bool is_limit(const std::string& name);

// Those that are worth trying for a function, in whatever size; none among other than two ranks. Collective.
[[nodiscard]] std::vector<std::string> limits_of(const Function& function, MPI_Comm comm);
// Whether one is for messages of this size.
[[nodiscard]] bool is_limit_for(const std::string& name, std::size_t bytes);

// Collective.
[[nodiscard]] std::unique_ptr<Variant> make_limit(const std::string& name, const Function& function, MPI_Comm comm);

}  // namespace bench
