// SPDX-License-Identifier: Apache-2.0
#include "shared/known_calls.hpp"

#include "shared/failures.hpp"

namespace espalier::apps {

void make_and_check(const Member& member, const KnownCall::Wish& wish) {
  KnownCall call(member, wish);
  if (const int status = call.make(); status != MPI_SUCCESS) {
    fail(call.describe() + ": error " + std::to_string(status));
  } else {
    call.check();
  }
}

void make_known_call(const Member& member, std::uint64_t number, int max_elements) {
  make_and_check(member, KnownCall::wish(member, Kind::blocking, number, max_elements));
}

void make_each_call(const Member& member, std::uint64_t number) {
  for (const Form& form : forms_of(Kind::blocking)) {
    const KnownCall::Wish any = KnownCall::wish(member, Kind::blocking, number, 8);
    make_and_check(member, {.form = callable(form), .number = number, .root = any.root, .count = any.count});
    ++number;
  }
}

}  // namespace espalier::apps
