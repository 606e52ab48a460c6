// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/lane.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace espalier {

namespace {

// Others have not been tried. Where a NIC acknowledges by itself, a sender may get further ahead than a receiver that
// does not ask can distinguish.
constexpr std::string_view tried_provider = "tcp";

// Whether an endpoint of this will really use that NIC: an MPI's own settings of a provider (FI_TCP_IFACE, say) may
// have it otherwise.
bool is_of(const fi_info& info, const FabricNic& nic) {
  if (nic.address.empty()) return nic.name == info.domain_attr->name;
  if (info.src_addr == nullptr || info.addr_format != FI_SOCKADDR_IN) return false;
  std::array<char, INET_ADDRSTRLEN> text{};
  inet_ntop(AF_INET, &static_cast<const sockaddr_in*>(info.src_addr)->sin_addr, text.data(), text.size());
  return nic.address == text.data();
}

constexpr std::size_t min_immediate_bytes = sizeof(std::uint64_t);

bool suits(const fi_info& info, const FabricNic& nic) {
  const std::string_view provider = info.fabric_attr->prov_name;
  constexpr std::uint64_t ordered = FI_ORDER_SAS;
  return provider == tried_provider && is_of(info, nic) && info.domain_attr->cq_data_size >= min_immediate_bytes &&
         (info.tx_attr->msg_order & ordered) == ordered && (info.domain_attr->mr_mode & FI_MR_ENDPOINT) == 0;
}

std::string restriction() {
  const char* const providers = std::getenv("FI_PROVIDER");
  return providers == nullptr ? "" : std::string(" (FI_PROVIDER=") + providers + ")";
}

FabricInfo wanted_of(const Libfabric& library, const FabricNic& nic) {
  FabricInfo wanted(library.dupinfo(nullptr), {&library});
  if (!wanted) throw std::bad_alloc();
  wanted->ep_attr->type = FI_EP_RDM;
  wanted->caps = FI_MSG | FI_RMA;
  wanted->mode = FI_CONTEXT | FI_CONTEXT2;
  wanted->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
  wanted->tx_attr->msg_order = FI_ORDER_SAS;
  wanted->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_PROV_KEY | FI_MR_ALLOCATED;
  wanted->domain_attr->threading = FI_THREAD_DOMAIN;
  wanted->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  wanted->domain_attr->control_progress = FI_PROGRESS_MANUAL;
  if (nic.address.empty()) {
    wanted->domain_attr->name = strdup(nic.name.c_str());
  } else {
    wanted->addr_format = FI_SOCKADDR_IN;
  }
  return wanted;
}

// The first provider that suits: libfabric names the fastest ones first.
FabricInfo offer_for(const Libfabric& library, const FabricNic& nic) {
  const bool by_address = !nic.address.empty();
  const FabricInfo wanted = wanted_of(library, nic);
  fi_info* offered = nullptr;
  const int status = library.getinfo(FI_VERSION(1, 18), by_address ? nic.address.c_str() : nullptr, nullptr,
                                     by_address ? FI_SOURCE : 0, wanted.get(), &offered);
  const FabricInfo all(status == FI_SUCCESS ? offered : nullptr, {&library});
  const fi_info* best = all.get();
  while (best != nullptr && !suits(*best, nic)) best = best->next;
  if (best == nullptr) {
    throw NoFabric("libfabric " + library.version() + " has no provider for remote writes over " + nic.name +
                   restriction());
  }
  FabricInfo info(library.dupinfo(best), {&library});
  if (!info) throw std::bad_alloc();
  return info;
}

}  // namespace

Lane::Lane(const Libfabric& library, const FabricNic& nic, int number, double bytes_per_second)
    : LaneLoad(number, nic.rate, bytes_per_second), library_(library), nic_(nic), info_(offer_for(library, nic)) {
  fid_fabric* fabric = nullptr;
  library.check(library.fabric(info_->fabric_attr, &fabric, nullptr), "fi_fabric");
  fabric_.reset(fabric);
  fid_domain* domain = nullptr;
  library.check(fi_domain(fabric, info_.get(), &domain, nullptr), "fi_domain");
  domain_.reset(domain);
  fi_cq_attr queue_wanted{};
  queue_wanted.format = FI_CQ_FORMAT_DATA;
  queue_wanted.size = 4096;
  queue_wanted.wait_obj = FI_WAIT_FD;
  fid_cq* queue = nullptr;
  library.check(fi_cq_open(domain, &queue_wanted, &queue, nullptr), "fi_cq_open");
  queue_.reset(queue);
  fi_av_attr addresses_wanted{};
  addresses_wanted.type = FI_AV_UNSPEC;
  fid_av* addresses = nullptr;
  library.check(fi_av_open(domain, &addresses_wanted, &addresses, nullptr), "fi_av_open");
  addresses_.reset(addresses);
  if (fi_control(&queue->fid, FI_GETWAIT, &descriptor_) != FI_SUCCESS) descriptor_ = -1;
}

Fid<fid_ep> Lane::open_endpoint() const {
  fid_ep* opened = nullptr;
  library_.check(fi_endpoint(domain_.get(), info_.get(), &opened, nullptr), "fi_endpoint");
  Fid<fid_ep> endpoint(opened);
  library_.check(fi_ep_bind(opened, &queue_->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  library_.check(fi_ep_bind(opened, &addresses_->fid, 0), "fi_ep_bind");
  library_.check(fi_enable(opened), "fi_enable");
  return endpoint;
}

EndpointName Lane::name_of(fid_ep& endpoint) const {
  EndpointName name{};
  std::size_t bytes = name.size();
  library_.check(fi_getname(&endpoint.fid, name.data(), &bytes), "fi_getname");
  return name;
}

fi_addr_t Lane::insert(const EndpointName& name) const {
  fi_addr_t address = FI_ADDR_NOTAVAIL;
  return fi_av_insert(addresses_.get(), name.data(), 1, &address, 0, nullptr) == 1 ? address : FI_ADDR_NOTAVAIL;
}

Fid<fid_mr> Lane::register_memory(void* memory, std::size_t bytes, std::uint64_t access, std::uint64_t key) const {
  fid_mr* registered = nullptr;
  library_.check(fi_mr_reg(domain_.get(), memory, bytes, access, 0, key, 0, &registered, nullptr), "fi_mr_reg");
  return Fid<fid_mr>(registered);
}

bool Lane::may_sleep() const {
  fid* queue = &queue_->fid;
  return descriptor_ >= 0 && fi_trywait(fabric_.get(), &queue, 1) == FI_SUCCESS;
}

}  // namespace espalier
