// SPDX-License-Identifier: Apache-2.0
// Tables of functions that know whose they are: a run of one rank may be advanced by the thread of another, since
// progress is the process's.
#include <array>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

constexpr Rank max_ranks = 6;
std::array<Native, max_ranks> tables;

template <Rank rank, auto member>
struct Spoken;
template <Rank rank, class Result, class... Arguments, Result (*Native::*member)(Arguments...)>
struct Spoken<rank, member> {
  static Result call(Arguments... arguments) {
    const SpeakingFor speaking(rank);
    return (tables[rank].*member)(arguments...);
  }
};

template <Rank rank>
Native spoken_by() {
  Native table = tables[rank];
#define FAKE_SPEAK(name, ...) \
  if (table.name != nullptr) table.name = Spoken<rank, &Native::name>::call;
  ESPALIER_NATIVE_FUNCTIONS(FAKE_SPEAK)
  ESPALIER_OPTIONAL_FUNCTIONS(FAKE_SPEAK)
  ESPALIER_EXTENSIONS(FAKE_SPEAK)
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) \
  FAKE_SPEAK(Name)                                         \
  FAKE_SPEAK(Name##_c) FAKE_SPEAK(IName) FAKE_SPEAK(IName##_c) FAKE_SPEAK(Name##_init) FAKE_SPEAK(Name##_init_c)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
#undef FAKE_SPEAK
  return table;
}

}  // namespace

Native functions_of(Rank rank, const Native& table) {
  static constexpr std::array<Native (*)(), max_ranks> spoken = {spoken_by<0>, spoken_by<1>, spoken_by<2>,
                                                                 spoken_by<3>, spoken_by<4>, spoken_by<5>};
  if (rank >= max_ranks) fail("this many ranks have no tables");
  tables[rank] = table;
  return spoken[rank]();
}

}  // namespace espalier::fake
