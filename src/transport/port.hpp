// SPDX-License-Identifier: Apache-2.0
// What an executor asks of whatever moves its bytes. Each prepared schedule has a port of its own, and ports of one
// communicator share an endpoint: this rank's end there, from which a port takes what it needs of one transport or of
// two (hybrid/). Executors are templates over the port, so nothing is called through a pointer on the hot path.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// Names a message under way; chosen by the executor, smaller than the number that was reserved.
using Token = std::uint32_t;

struct Message {
  Rank peer = no_rank;
  Channel channel = 0;
  Path path = 0;
  bool may_stay = false;      // a receive whose bytes need not go to `data` (LendingPort)
  std::byte* data = nullptr;  // only read by a send
  std::size_t bytes = 0;      // 0 is a message too
};

// Where the buffers of one run begin. Input and output may be the same; a rank may lack either.
struct RunMemory {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::byte* scratch = nullptr;
};

// Messages of equal (sender, receiver, run, channel) are matched in the order in which they are posted. A send may wait
// for its receive. Every call that waits also progresses the native MPI, if there is one.
//
//   reserve(n)    set-up: at most n tokens are in use at once; the only call that may allocate
//   begin(run, memory)  a run begins: its number is equal on all ranks and differs from those of other runs under way
//                 on the communicator; all its messages lie in that memory, which stays until the run is over
//   send, recv    start a message; data must stay valid until the token has completed
//   test(token)   whether that message has completed; frees the token if so
//   wait(token)   block until that message has completed; frees the token
//   poll()        the tokens that have completed since the last poll, possibly none; frees them. Valid until the
//                 next call
//   idle()        the caller found nothing to do and is about to ask again: may yield the processor, and looks from
//                 time to time whether the run was ended from outside; runs in steps are not told
//   failed()      a message failed, or the run was ended from outside: executors abort then
//   take_error()  the code of the run's first error, 0 if there was none; what it means is the transport's matter. A
//                 message that arrived damaged (cut off, say) is an error, but no failure
//   end()         the run is over: nothing is under way
//   abandon()     the run is aborted: what is under way is taken back, so that nothing arrives in its memory later on
//
// poll() is not mixed with test() and wait() within one run.
template <class P>
concept Port = requires(P port, const Message& message, Token token, std::size_t tokens, std::uint64_t run,
                        const RunMemory& memory) {
  port.reserve(tokens);
  port.begin(run, memory);
  port.send(token, message);
  port.recv(token, message);
  { port.test(token) } -> std::same_as<bool>;
  port.wait(token);
  { port.poll() } -> std::convertible_to<std::span<const Token>>;
  port.idle();
  { port.failed() } -> std::convertible_to<bool>;
  { port.take_error() } -> std::same_as<int>;
  port.end();
  port.abandon();
};

// All messages of one channel to this rank, one after the other, where their memory is free from the beginning of the
// run: they may land there as soon as their senders have them.
struct Opening {
  struct Landing {
    std::size_t offset = 0;  // bytes, in the output or in the scratch memory of the run
    std::size_t bytes = 0;
  };
  Rank peer = no_rank;
  Channel channel = 0;
  Path path = 0;
  bool in_scratch = false;
  std::vector<Landing> landings;
};

// How far messages reach into the buffers of a run, in bytes from where they begin.
struct Reach {
  std::size_t input = 0, output = 0, scratch = 0;
};

// A transport whose senders write into the receiver's memory (RDMA puts). begin() makes the memory known to the device
// and informs every sender of an opened channel once where its messages go; recv() then only asks for the next of them.
//
//   open(reach, openings)  set-up, after reserve(): what begin() does in every run from then on
template <class P>
concept OpeningPort = Port<P> && requires(P port, const Reach& reach, std::vector<Opening> openings) {
  port.open(reach, std::move(openings));
};

// A transport whose messages lie in memory of its own en route (mailboxes in shared memory, say) and can be read
// there: a receive that may stay completes without a copy. Its sender must not wait for the reader: that could be one
// of a circle of ranks, each of which waits for the next one.
//
//   lies_at(token)  where the message that has completed lies: its bytes are there until
//   release(token)  it was read; only then the token is free
template <class P>
concept LendingPort = Port<P> && requires(P port, Token token) {
  { port.lies_at(token) } -> std::convertible_to<const std::byte*>;
  port.release(token);
};

}  // namespace espalier
