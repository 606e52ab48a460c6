// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/recent_calls.hpp"

namespace espalier {

bool RecentCall::note(const Call& call, bool call_in_place, const Buffers& buffers,
                      const NamedPlaces& places) noexcept {
  function = nullptr;
  if (call.function->is_uneven && !blocks.note(call, places)) return false;
  const Buffers named = buffers_of(call, call_in_place);
  function = call.function;
  sent_count = call.sent.count;
  received_count = call.received.count;
  sent_type = call.sent.type;
  received_type = call.received.type;
  op = call.op;
  root = call.root;
  in_place = call_in_place;
  lacks_input = call.input == nullptr;
  lacks_output = call.output == nullptr;
  input_offset = buffers.input - named.input;
  output_offset = buffers.output - named.output;
  return true;
}

}  // namespace espalier
