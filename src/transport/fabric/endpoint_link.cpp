// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/endpoint_link.hpp"

#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include "transport/fabric/lanes/tcp_connections.hpp"

namespace espalier {

namespace {

template <class PostResult>
PostResult posted(ssize_t result) {
  if (result == FI_SUCCESS) [[likely]]
    return PostResult::taken;
  return result == -FI_EAGAIN ? PostResult::refused : PostResult::failed;
}

void* descriptor_of(const Fid<fid_mr>& memory) { return memory ? fi_mr_desc(memory.get()) : nullptr; }

}  // namespace

bool EndpointLink::join(const EndpointName& remote) {
  address_ = nic_.insert(remote);
  return address_ != FI_ADDR_NOTAVAIL;
}

Link::PostResult EndpointLink::post_write(Write& write, const FabricRun& run, const FabricPiece& piece,
                                          const WriteTarget& target) {
  void* const descriptor = nic_.registers_sources() ? run.descriptor(piece.data, nic_.number()) : nullptr;
  return posted<PostResult>(fi_writedata(endpoint_.get(), piece.data, piece.bytes, descriptor, target.immediate,
                                         address_, target.address, target.key, &write.context));
}

Link::PostResult EndpointLink::post_send(RecordMessage& message, std::size_t bytes) {
  return posted<PostResult>(
      fi_send(endpoint_.get(), &message.sealed, bytes, descriptor_of(message_memory_), address_, &message.context));
}

void EndpointLink::post_receive(RecordMessage& message) {
  (void)fi_recv(endpoint_.get(), &message.sealed, sizeof message.sealed, descriptor_of(message_memory_), FI_ADDR_UNSPEC,
                &message.context);
}

void EndpointLink::note_message_memory(void* memory, std::size_t bytes) {
  const std::uint64_t key = keys_.next();
  if (nic_.registers_sources()) message_memory_ = nic_.register_memory(memory, bytes, FI_SEND | FI_RECV, key);
}

void EndpointLink::close_endpoint() {
  endpoint_.reset();
  if (address_ != FI_ADDR_NOTAVAIL) nic_.remove(address_);
}

void EndpointLink::admit_no_more() { espalier::admit_no_more(name()); }
Pulse EndpointLink::pulse() const { return pulse_between(name(), remote_name()); }
bool EndpointLink::has_carrier() const { return espalier::has_carrier(nic_.nic()); }
bool EndpointLink::end_connections() { return end_connections_to(name()); }

}  // namespace espalier
