// SPDX-License-Identifier: Apache-2.0
// Choices as text, and back.
#pragma once

#include <optional>
#include <string>

#include "core/choice.hpp"
#include "settings/settings.hpp"

namespace espalier {

// "segment=64KiB,window=4", with the radix where the algorithm has one; empty: the native MPI.
[[nodiscard]] std::string parameters_of(const Choice& choice);
// "ring,segment=64KiB,window=4", as ESPALIER_ALGORITHM takes it, with all parameters; "native".
[[nodiscard]] std::string text_of(const Choice& choice);

// Of an algorithm that there is. What is not given is as the network wants it.
[[nodiscard]] Choice choice_given(const ForcedChoice& given, const Algorithm& algorithm, const Problem& problem,
                                  const Shape& shape);
// Nothing: it is no choice, or not for such a problem.
[[nodiscard]] std::optional<Choice> choice_from(const std::string& text, const Problem& problem, const Shape& shape);

}  // namespace espalier
