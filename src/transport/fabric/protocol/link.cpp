// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/link.hpp"

#include <algorithm>

namespace espalier {

Link::Link(LaneLoad& lane, Peer& peer, const EndpointName& name, std::size_t max_bytes_under_way)
    : lane_(lane), peer_(peer), name_(name), max_bytes_under_way_(max_bytes_under_way) {
  for (Write& write : writes_) {
    write.kind = Work::Kind::write;
    write.link = this;
  }
}

bool Link::connect(const Handshake::Endpoint& remote) {
  remote_ = remote;
  return join(remote.name);
}

// A piece without bytes has to go somewhere, too.
bool Link::write(Outlet& outlet, const Granted& to, const FabricPiece& piece) {
  Write& write = *std::ranges::find(writes_, nullptr, &Write::outlet);
  const WriteTarget target = {.address = to.has_bytes ? to.address : remote_.base,
                              .key = to.has_bytes ? to.keys[static_cast<std::size_t>(lane_.number())] : remote_.key,
                              .immediate = Immediate::pack(to.inlet, piece.number)};
  if (!note_result(post_write(write, outlet.run, piece, target))) return false;
  write.outlet = &outlet;
  write.piece = piece;
  --writes_left_;
  ++under_way_;
  bytes_under_way_ += piece.bytes;
  lane_.note_write(piece.bytes);
  return true;
}

// Libfabric connects again by itself where a connection is gone, to anyone who listens there by then: a new epoch asks
// first. And it lets all that comes from the host of the other process take the place of that: so nobody may arrive any
// more once a connection is there.
bool Link::note_result(PostResult result) {
  was_refused_ = result == PostResult::refused;
  const bool is_lost = was_refused_ && is_connected_;
  is_broken_ = is_broken_ || is_lost || result == PostResult::failed;
  if (result != PostResult::taken) return false;
  if (!std::exchange(is_connected_, true)) admit_no_more();
  return true;
}

void Link::finish(Write& write) {
  forget(write);
  ++writes_left_;
  bytes_under_way_ -= write.piece.bytes;
  note_end();
}

void Link::forget(Write& write) {
  write.outlet = nullptr;
  lane_.note_end_of_write(write.piece.bytes);
}

void Link::expect_records(const Seals& seals) {
  records_ = std::make_unique<Records>(seals);
  note_message_memory(records_.get(), sizeof(Records));
  for (RecordMessage& message : records_->sent) {
    message.kind = Work::Kind::record_sent;
    message.link = this;
  }
  for (RecordMessage& message : records_->received) {
    message.kind = Work::Kind::records_received;
    message.link = this;
    receive(message);
  }
}

std::span<const FabricRecord> Link::open(RecordMessage& received, std::size_t bytes) {
  SealedRecords& sealed = received.sealed;
  constexpr std::size_t head_bytes = offsetof(SealedRecords, records);
  if (bytes < head_bytes || bytes > sizeof sealed || (bytes - head_bytes) % sizeof(FabricRecord) != 0) return {};
  const std::size_t count = (bytes - head_bytes) / sizeof(FabricRecord);
  if (!records_->seals.in.open(sealed.head, sealed.text(count))) return {};
  if (sealed.head.number != records_->next_received) {
    has_lost_records_ = has_lost_records_ || sealed.head.number > records_->next_received;
    return {};
  }
  ++records_->next_received;
  return std::span(sealed.records).first(count);
}

std::size_t Link::send(std::span<const FabricRecord> records) {
  RecordMessage* const free = std::ranges::find(records_->sent, false, &RecordMessage::is_under_way);
  if (free == records_->sent.end()) return 0;
  SealedRecords& sealed = free->sealed;
  const std::size_t count = std::min(records.size(), sealed.records.size());
  std::ranges::copy(records.first(count), sealed.records.begin());
  sealed.head = records_->seals.out.close(records_->next_sent, sealed.text(count));
  if (!note_result(post_send(*free, offsetof(SealedRecords, records) + count * sizeof(FabricRecord)))) return 0;
  ++records_->next_sent;
  free->is_under_way = true;
  ++under_way_;
  return count;
}

void Link::finish(RecordMessage& sent) {
  sent.is_under_way = false;
  note_end();
}

void Link::close() {
  if (std::exchange(is_open_, false)) close_endpoint();
}

}  // namespace espalier
