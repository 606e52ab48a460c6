// SPDX-License-Identifier: Apache-2.0
// What an executor asks of whatever moves its bytes. Executors are templates over it, so nothing is called through a
// pointer on the hot path.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/types.hpp"

namespace espalier {

// Names a message under way; chosen by the executor, smaller than the number that was reserved.
using Token = std::uint32_t;

struct Message {
  Rank peer = no_rank;
  Channel channel = 0;
  Path path = 0;
  std::byte* data = nullptr;  // only read by a send
  std::size_t bytes = 0;      // 0 is a message too
};

// Messages of equal (sender, receiver, channel) are matched in the order in which they are posted. A send may wait for
// its receive. Every call that waits also progresses the native MPI, if there is one.
//
//   reserve(n)    set-up: at most n tokens are in use at once; the only call that may allocate
//   send, recv    start a message; data must stay valid until the token has completed
//   wait(token)   block until that message has completed; frees the token
//   poll()        the tokens that have completed since the last poll, possibly none; frees them. Valid until the
//                 next call. May yield the processor when called in vain many times in a row
//   failed()      a message failed; executors give up then and the caller asks the transport for the reason
//
// wait() and poll() are not mixed within one collective.
template <class T>
concept Transport = requires(T transport, const Message& message, Token token, std::size_t tokens) {
  transport.reserve(tokens);
  transport.send(token, message);
  transport.recv(token, message);
  transport.wait(token);
  { transport.poll() } -> std::convertible_to<std::span<const Token>>;
  { transport.failed() } -> std::convertible_to<bool>;
};

}  // namespace espalier
