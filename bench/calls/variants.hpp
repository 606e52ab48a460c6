// SPDX-License-Identifier: Apache-2.0
// What may carry out a collective among all ranks:
//
//   direct                    the MPI, past Espalier
//   native                    through Espalier, which passes it on
//   forced:NAME[,segment=N]   one of the MPI's own algorithms, past Espalier
//   hand_written              over the MPI's point-to-point calls
//   NAME[,...]                an algorithm of Espalier's
#pragma once

#include "../collectives/variants.hpp"

namespace bench {

[[nodiscard]] std::unique_ptr<Variant> make_variant(const std::string& name, const Function& function);

}  // namespace bench
