// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/link.hpp"

#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <algorithm>

#include "transport/fabric/fabric_port.hpp"
#include "transport/fabric/lanes/tcp_connections.hpp"

namespace espalier {

Link::Link(Lane& lane, Peer& peer, std::size_t max_bytes_under_way)
    : lane_(lane),
      peer_(peer),
      endpoint_(lane.open_endpoint()),
      name_(lane.name_of(*endpoint_)),
      max_bytes_under_way_(max_bytes_under_way) {
  for (Write& write : writes_) {
    write.kind = Work::Kind::write;
    write.link = this;
  }
}

bool Link::connect(const Greeting::Endpoint& remote) {
  remote_ = remote;
  address_ = lane_.insert(remote.name);
  return address_ != FI_ADDR_NOTAVAIL;
}

// A piece without bytes has to go somewhere, too.
bool Link::write(Outlet& outlet, const Granted& to, const FabricPiece& piece) {
  Write& write = *std::ranges::find(writes_, nullptr, &Write::outlet);
  const std::uint64_t address = to.has_bytes ? to.address : remote_.base;
  const std::uint64_t key = to.has_bytes ? to.keys[static_cast<std::size_t>(lane_.number())] : remote_.key;
  void* const descriptor = lane_.registers_sources() ? outlet.port.descriptor(piece.data, lane_) : nullptr;
  const ssize_t result = fi_writedata(endpoint_.get(), piece.data, piece.bytes, descriptor,
                                      Immediate::pack(to.inlet, piece.number), address_, address, key, &write.context);
  if (!note_result(result)) return false;
  write.outlet = &outlet;
  write.piece = piece;
  --writes_left_;
  ++under_way_;
  bytes_under_way_ += piece.bytes;
  lane_.note_write(piece.bytes);
  return true;
}

// Libfabric connects again by itself where a connection is gone, to whoever listens there by then: a new epoch asks
// first. And it lets whoever comes from the host of the other process take the place of that: so nobody may come any
// more once a connection is there.
bool Link::note_result(ssize_t result) {
  was_refused_ = result == -FI_EAGAIN;
  const bool is_lost = was_refused_ && is_connected_;
  is_broken_ = is_broken_ || is_lost || (result != FI_SUCCESS && !was_refused_);
  if (result != FI_SUCCESS) return false;
  if (!std::exchange(is_connected_, true)) admit_no_more(name_);
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

void Link::expect_records(const Seals& seals, std::uint64_t key) {
  records_ = std::make_unique<Records>(seals);
  if (lane_.registers_sources()) {
    records_->registered = lane_.register_memory(records_.get(), sizeof(Records), FI_SEND | FI_RECV, key);
  }
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

void Link::receive(RecordMessage& message) {
  void* const descriptor = records_->registered ? fi_mr_desc(records_->registered.get()) : nullptr;
  (void)fi_recv(endpoint_.get(), &message.sealed, sizeof message.sealed, descriptor, FI_ADDR_UNSPEC, &message.context);
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
  void* const descriptor = records_->registered ? fi_mr_desc(records_->registered.get()) : nullptr;
  const std::size_t bytes = offsetof(SealedRecords, records) + count * sizeof(FabricRecord);
  if (!note_result(fi_send(endpoint_.get(), &sealed, bytes, descriptor, address_, &free->context))) return 0;
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
  endpoint_.reset();
  if (address_ != FI_ADDR_NOTAVAIL) lane_.remove(address_);
}

}  // namespace espalier
