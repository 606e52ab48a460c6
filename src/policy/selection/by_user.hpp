// SPDX-License-Identifier: Apache-2.0
// What a user forced.
#pragma once

#include "policy/policy.hpp"
#include "settings/settings.hpp"

namespace espalier {

// `given`: for the problem's collective, and found right by select/forced.hpp. A call for which it would be wrong is
// the native MPI's.
[[nodiscard]] Selection decide_by_user(const ForcedChoice& given, const Problem& problem, const Shape& shape,
                                       Reproducible reproducible);

}  // namespace espalier
