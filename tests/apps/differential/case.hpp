// SPDX-License-Identifier: Apache-2.0
// One case of the differential test, as a line of text that makes it again:
//
//     MPI_Ialltoallv_c type=MPI_INT counts=mixed:33 root=0 in_place=no comm=odd_even algorithm=alltoall:bruck calls=2
//     finish=Wait seed=77
//
// All ranks have the same; what each does of it follows from its rank and from the seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/collective_forms.hpp"

namespace espalier::apps {

// How large blocks of their own sizes are, by the largest.
enum class Pattern : std::uint8_t {
  equal,      // all as large
  mixed,      // anything up to it; a third are empty
  alternate,  // every second one is empty
  one,        // all but one are empty
};

enum class InPlaceWish : std::uint8_t { no, yes, mixed };  // where a rank has the choice; mixed: where ranks may differ

struct Case {
  const Form* form = nullptr;
  std::string type = "MPI_INT", op;  // op: empty where nothing is reduced
  Pattern pattern = Pattern::equal;
  int count = 1;
  int root = 0;  // modulo the communicator's size
  InPlaceWish in_place = InPlaceWish::no;
  std::string comm = "world";
  std::string algorithm;  // as espalier_force() takes it; empty: nothing is forced
  int calls = 1;
  std::string finish = "Wait";  // by which function requests are completed
  std::uint64_t seed = 0;

  [[nodiscard]] const Contract& contract() const { return contract_of(form->collective()); }
};

// Cases whose calls are under way at once, joined by " + ".
using Batch = std::vector<Case>;

[[nodiscard]] std::string text_of(const Case& one);
[[nodiscard]] std::string text_of(const Batch& batch);

// Throws std::invalid_argument, which says what is wrong. "ranks=N" is passed over.
[[nodiscard]] Batch read_batch(const std::string& text);

// What must be forced for all of them: espalier_force()'s text.
[[nodiscard]] std::string setting_for(const Batch& batch);

}  // namespace espalier::apps
