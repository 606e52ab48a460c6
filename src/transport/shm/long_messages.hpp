// SPDX-License-Identifier: Apache-2.0
// Messages that are too long for a frame, between this process and another one. The sender announces each. Where the
// system allows that and it is faster, both ends copy it, slice by slice (message_slices.hpp). Elsewhere the receiver
// asks for pieces, which the sender writes into the stream as fast as the receiver takes them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "transport/shm/frames_out.hpp"
#include "transport/shm/other_process.hpp"
#include "transport/shm/posted_receive.hpp"
#include "transport/shm/transfers.hpp"

namespace espalier {

class LongMessages {
 public:
  struct LongLimits {
    std::size_t piece_bytes = 16 << 10;       // if a frame takes that much
    std::size_t sliced_bytes = 12 << 10;      // the shortest one of which both ends copy slices
    std::size_t max_slice_bytes = 256 << 10;  // small ones make the two disturb each other
  };

  // Streams must outlive this.
  LongMessages(FramesOut& to, StreamReader& from, const OtherProcess& memory, const LongLimits& limits);

  // As ShmPeer::send(). Throws std::bad_alloc.
  void announce(const MessageKey& key, const std::byte* data, std::size_t bytes, Completions& whose, Token token);
  // Of a message that is announced. Throws std::bad_alloc.
  void receive(const PostedReceive& to, const ShmFrame& announcement);
  // What the other process says of one. False: it is not about one.
  [[nodiscard]] bool take(const ShmFrame& frame, const std::byte* payload);
  // True if anything was copied.
  bool make_progress();
  [[nodiscard]] bool is_busy() const { return !outgoing_.empty() || !incoming_.empty(); }
  // From then on nobody reads or writes in their memory.
  void forget(const Completions& whose);

 private:
  struct OutgoingTransfer {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    TransferName answer = 0;  // what the receiver calls it; not 0: it goes in pieces
    std::size_t written = 0;  // in pieces
    std::uint64_t into = 0;   // where the receiver wants slices of it, `wanted` bytes in all
    std::size_t wanted = 0;
    Completions* whose = nullptr;
    Token token = 0;
  };
  struct IncomingTransfer {
    PostedReceive into;
    std::size_t bytes = 0;      // of the message
    TransferName source = 0;    // what its sender calls it
    std::uint64_t address = 0;  // there
    std::size_t received = 0;   // in pieces
    std::uint32_t slices_taken = 0, slices_read = 0;
    bool is_alone = false;  // the sender cannot write: no slices are taken, but all are read

    [[nodiscard]] std::size_t wanted() const { return std::min(into.bytes, bytes); }
  };
  struct SliceRange {
    std::size_t offset = 0, bytes = 0;
  };
  enum class Reading : std::uint8_t { waits, goes_on, is_over, has_failed };

  [[nodiscard]] std::size_t slice_bytes(std::size_t bytes) const;
  [[nodiscard]] std::uint32_t slices_in(std::size_t bytes) const;
  [[nodiscard]] SliceRange range_of(const MessageSlices::Slices& slices, std::size_t bytes) const;

  void write_slices_for(const ShmFrame& request);
  bool write_slices();
  [[nodiscard]] bool write_slice(TransferName name);
  void write_pieces_for(const ShmFrame& grant);
  bool write_pieces();
  [[nodiscard]] bool write_piece(OutgoingTransfer& transfer);
  void end_outgoing(TransferName name);

  [[nodiscard]] bool can_be_read(const ShmFrame& announcement) const;
  bool read_slices();
  [[nodiscard]] Reading read_slice(IncomingTransfer& transfer);
  [[nodiscard]] MessageSlices::Slices next_slices(IncomingTransfer& transfer);
  [[nodiscard]] bool has_all(const IncomingTransfer& transfer);
  void finish_reading(TransferName name, Reading found);
  void end_reading(TransferName name);
  void stop_writer(const IncomingTransfer& transfer);
  void ask_for_pieces(TransferName name);
  void take_piece(const ShmFrame& frame, const std::byte* payload);

  [[nodiscard]] MessageSlices& slices_of(const IncomingTransfer& transfer) {
    return from_.slices(decltype(outgoing_)::slot_of(transfer.source) % max_announced);
  }

  FramesOut& to_;
  StreamReader& from_;
  const OtherProcess memory_;
  const LongLimits limits_;
  Transfers<OutgoingTransfer> outgoing_;
  Transfers<IncomingTransfer> incoming_;
  std::vector<TransferName> in_pieces_, in_slices_;  // of the outgoing ones: what is wanted of them
  std::vector<TransferName> read_;                   // of the incoming ones: those that go in slices
};

}  // namespace espalier
