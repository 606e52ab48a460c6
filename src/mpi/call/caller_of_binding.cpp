// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/caller_of_binding.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "core/hash.hpp"

namespace espalier {

namespace {

// What is known of an address that calls return to.
constexpr std::ptrdiff_t not_known = 0, of_program = -1, differs = -2;  // all others: see KnownAddress

struct KnownAddress {
  std::atomic<const void*> address{nullptr};
  // Of a binding's: how far above its frame's end the address stands that the binding itself returns to.
  std::atomic<std::ptrdiff_t> distance{not_known};
};

// Never emptied. What finds no room is looked for each time.
class KnownAddresses {
 public:
  // Null: there is no room.
  [[nodiscard]] KnownAddress* at(const void* address) noexcept {
    std::size_t place = mix(std::bit_cast<std::uintptr_t>(address));
    for (int tries = 0; tries < max_tries; ++tries, ++place) {
      KnownAddress& one = all_[place % all_.size()];
      const void* known = one.address.load(std::memory_order_acquire);
      if (known == nullptr && one.address.compare_exchange_strong(known, address)) return &one;
      if (known == address) return &one;
    }
    return nullptr;
  }

  // Null: it has not been there.
  [[nodiscard]] const KnownAddress* find(const void* address) const noexcept {
    std::size_t place = mix(std::bit_cast<std::uintptr_t>(address));
    for (int tries = 0; tries < max_tries; ++tries, ++place) {
      const KnownAddress& one = all_[place % all_.size()];
      const void* known = one.address.load(std::memory_order_acquire);
      if (known == address) return &one;
      if (known == nullptr) return nullptr;
    }
    return nullptr;
  }

 private:
  static constexpr int max_tries = 32;
  std::array<KnownAddress, 4096> all_;
};

constinit KnownAddresses known_addresses;

bool lies_in_a_binding(const void* address) {
  Dl_info found{};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return false;
  const std::string_view path = found.dli_fname;
  return is_binding(path.substr(path.rfind('/') + 1));
}

// What unwinding the stack found.
struct CallerSearch {
  const void* from = nullptr;  // in the binding
  bool is_inside = false;      // of the binding's frames
  const void* found = nullptr;
  const void* stack_there = nullptr;  // the stack's end in the frame that was found
};

_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* data) {
  auto& search = *static_cast<CallerSearch*>(data);
  const auto* const address = std::bit_cast<const void*>(_Unwind_GetIP(frame));
  if (!search.is_inside) {
    search.is_inside = address == search.from;
    return _URC_NO_REASON;
  }
  if (lies_in_a_binding(address)) return _URC_NO_REASON;
  search.found = address;
  search.stack_there = std::bit_cast<const void*>(_Unwind_GetCFA(frame));
  return _URC_END_OF_STACK;
}

// The address stands just below the frame that was found, or a little lower where frames begin with other registers.
std::ptrdiff_t distance_to(const CallerSearch& search, const void* frame) {
  constexpr std::ptrdiff_t most = 1 << 12;  // words of the stack
  const auto* const first = static_cast<const void* const*>(frame);
  const auto* const last = static_cast<const void* const*>(search.stack_there);
  if (last <= first || last - first > most) return differs;
  for (const void* const* place = last - 1; place >= first; --place) {
    if (*place == search.found) return (place - first + 1) * static_cast<std::ptrdiff_t>(sizeof *place);
  }
  return differs;
}

const void* unwound(const CallSite& site, KnownAddress& known) noexcept {
  CallerSearch search{.from = site.address};
  _Unwind_Backtrace(look_at, &search);
  if (search.found == nullptr) {  // the binding has no unwinding tables: its own address must do
    known.distance.store(of_program, std::memory_order_relaxed);
    return site.address;
  }
  const std::ptrdiff_t distance = distance_to(search, site.frame);
  const std::ptrdiff_t before = known.distance.exchange(distance, std::memory_order_relaxed);
  if (before != not_known && before != distance) known.distance.store(differs, std::memory_order_relaxed);
  if (KnownAddress* const program = known_addresses.at(search.found); program != nullptr)
    program->distance.store(of_program, std::memory_order_relaxed);
  return search.found;
}

bool is_known_of_program(const void* address) noexcept {
  const KnownAddress* const known = address != nullptr ? known_addresses.find(address) : nullptr;
  return known != nullptr && known->distance.load(std::memory_order_relaxed) == of_program;
}

}  // namespace

bool is_binding(std::string_view file_name) {
  constexpr std::string_view libraries[] = {"libmpi_mpifh", "libmpi_usempi", "libmpifort", "libmpichfort",
                                            "libmpi_cxx",   "libmpicxx",     "libmpichcxx"};
  return std::ranges::any_of(libraries, [&](std::string_view name) { return file_name.starts_with(name); });
}

const void* address_in_program(const CallSite& site) noexcept {
  KnownAddress* const known = known_addresses.at(site.address);
  if (known == nullptr) return site.address;
  std::ptrdiff_t distance = known->distance.load(std::memory_order_relaxed);
  if (distance == not_known && !lies_in_a_binding(site.address)) {
    known->distance.store(of_program, std::memory_order_relaxed);
    return site.address;
  }
  if (distance == of_program) return site.address;
  if (distance > 0) {
    const auto* const place = static_cast<const std::byte*>(site.frame) + distance - sizeof(void*);
    const void* const address = *std::bit_cast<const void* const*>(place);
    if (is_known_of_program(address)) return address;
  }
  return unwound(site, *known);
}

}  // namespace espalier
