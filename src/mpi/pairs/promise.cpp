// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/promise.hpp"

#include <string>

#include "core/log.hpp"

namespace espalier {

bool Promise::look() noexcept {
  const PairStream::Answer answer = stream_.answer_to(number_);
  const MissingEnd::Step step = missing_.look(fabric_.now(), answer.answer, fabric_.timeout());
  log(step.finding, answer.theirs);
  if (step.asks) {
    fabric_.send(pairs_.tags()->endpoint().peers.world_ranks[end_.peer],
                 question_of(end_, number_, bytes_, pairs_.number()));
  }
  return step.is_end();
}

void Promise::log(MissingEnd::Finding finding, std::uint32_t their_bytes) const {
  switch (finding) {
    case MissingEnd::Finding::nothing: return;
    case MissingEnd::Finding::other_length:
      return log(("meets one of " + std::to_string(their_bytes) + " bytes").c_str());
    case MissingEnd::Finding::none_in_time:
      return log("meets no persistent one of that tag and length there; ESPALIER_LANE_TIMEOUT is over");
    case MissingEnd::Finding::none_as_yet:
      return log("waits, and there is no persistent one of that tag and length there as yet");
  }
}

void Promise::log(const char* what) const {
  const MpiPeers& peers = pairs_.tags()->endpoint().peers;
  log_line(
      "ESPALIER_PERSISTENT=paired: rank %d's persistent %s of %zu bytes with tag %d %s rank %d %s. "
      "Where persistent messages do not meet persistent ones of the same length, leave it at `native`.",
      peers.me, end_.side == PairSide::sends ? "send" : "receive", bytes_, end_.tag,
      end_.side == PairSide::sends ? "to" : "from", end_.peer, what);
}

}  // namespace espalier
