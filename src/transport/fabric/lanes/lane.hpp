// SPDX-License-Identifier: Apache-2.0
// One NIC as libfabric offers it: what all endpoints of this process on it share. A user of it holds the fabric's
// lock.
#pragma once

#include <chrono>
#include <memory>

#include "transport/fabric/lanes/libfabric.hpp"
#include "transport/fabric/lanes/nic.hpp"
#include "transport/fabric/protocol/lane_load.hpp"
#include "transport/fabric/protocol/work.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

static_assert(sizeof(fi_context2) <= sizeof(Work::context) && alignof(fi_context2) <= alignof(Work));

struct FreeInfo {
  const Libfabric* library;
  void operator()(fi_info* info) const { library->freeinfo(info); }
};
using FabricInfo = std::unique_ptr<fi_info, FreeInfo>;

class Lane : public LaneLoad {
 public:
  // `bytes_per_second`: 0: not known. Throws NoFabric if no provider serves the NIC as is needed.
  Lane(const Libfabric& library, const FabricNic& nic, int number, double bytes_per_second);

  [[nodiscard]] const FabricNic& nic() const { return nic_; }
  [[nodiscard]] const char* provider() const { return info_->fabric_attr->prov_name; }
  // Whether also what is read from must be registered.
  [[nodiscard]] bool registers_sources() const { return (info_->domain_attr->mr_mode & FI_MR_LOCAL) != 0; }

  [[nodiscard]] Fid<fid_ep> open_endpoint() const;
  [[nodiscard]] EndpointName name_of(fid_ep& endpoint) const;
  // FI_ADDR_NOTAVAIL: libfabric does not take the name.
  [[nodiscard]] fi_addr_t insert(const EndpointName& name) const;
  void remove(fi_addr_t address) const { (void)fi_av_remove(addresses_.get(), &address, 1, 0); }

  // `access`: of libfabric's rights; `key` is used where the provider leaves the choice to us. Throws NoFabric.
  [[nodiscard]] Fid<fid_mr> register_memory(void* memory, std::size_t bytes, std::uint64_t access,
                                            std::uint64_t key) const;
  // What a writer elsewhere has to say for the first byte of registered memory.
  [[nodiscard]] std::uint64_t remote_base(const void* memory) const {
    const bool by_address = (info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
    return by_address ? reinterpret_cast<std::uintptr_t>(memory) : 0;
  }

  // All that is over by now: arrived(immediate) for a piece that was written to this process, done(work, bytes, error)
  // with 0 or an error of libfabric's for what it gave the NIC to do. False if there was nothing.
  template <class Arrived, class Done>
  bool poll(Arrived arrived, Done done) const;

  // A descriptor that becomes readable when poll() has something, and whether one may sleep on it now.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] bool may_sleep() const;

 private:
  static constexpr std::size_t entries_per_poll = 16;
  template <class Done>
  void take_error(Done done) const;

  const Libfabric& library_;
  const FabricNic nic_;
  const FabricInfo info_;
  Fid<fid_fabric> fabric_;
  Fid<fid_domain> domain_;
  Fid<fid_cq> queue_;
  Fid<fid_av> addresses_;
  int descriptor_ = -1;
};

template <class Arrived, class Done>
bool Lane::poll(Arrived arrived, Done done) const {
  std::array<fi_cq_data_entry, entries_per_poll> entries;
  for (bool any = false;; any = true) {
    const ssize_t count = fi_cq_read(queue_.get(), entries.data(), entries.size());
    if (count == -FI_EAVAIL) {
      take_error(done);
      continue;
    }
    if (count <= 0) return any;
    for (ssize_t k = 0; k < count; ++k) {
      const fi_cq_data_entry& entry = entries[static_cast<std::size_t>(k)];
      if ((entry.flags & FI_REMOTE_WRITE) != 0) {
        arrived(entry.data);
      } else if (entry.op_context != nullptr) {
        done(*reinterpret_cast<Work*>(entry.op_context), entry.len, 0);
      }
    }
    if (static_cast<std::size_t>(count) < entries.size()) return true;
  }
}

template <class Done>
void Lane::take_error(Done done) const {
  fi_cq_err_entry entry{};
  if (fi_cq_readerr(queue_.get(), &entry, 0) <= 0 || entry.op_context == nullptr) return;
  done(*reinterpret_cast<Work*>(entry.op_context), 0, entry.err != 0 ? entry.err : FI_EIO);
}

}  // namespace espalier
