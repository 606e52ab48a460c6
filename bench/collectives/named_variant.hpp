// SPDX-License-Identifier: Apache-2.0
// How to do a collective:
//
//   native                    what the MPI chooses, past Espalier
//   forced:NAME[,segment=N]   one of the MPI's own algorithms, past Espalier
//   espalier                  what Espalier chooses by itself
//   espalier:NAME[,...]       an algorithm of Espalier's
#pragma once

#include "variants.hpp"

namespace bench {

[[nodiscard]] std::unique_ptr<Variant> make_variant(const std::string& name, const Function& function, MPI_Comm comm);

}  // namespace bench
