// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared/prepared.hpp"

#include "core/hash.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

std::size_t PreparedKey::Hash::operator()(const PreparedKey& key) const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t value) { hash = mix(hash + value); };
  add(static_cast<std::uint64_t>(key.problem.collective));
  add(static_cast<std::uint64_t>(key.problem.root));
  add(key.problem.count);
  add(number_of(key.type));
  add(number_of(key.op));
  add(reinterpret_cast<std::uintptr_t>(key.choice.algorithm));
  add(key.choice.cut.segment_bytes);
  add(static_cast<std::uint64_t>(key.choice.transport));
  add(key.choice.arrangement != nullptr ? key.choice.arrangement->signature() : 0);
  for (const std::size_t number : key.blocks) add(number);
  return hash;
}

namespace {

Partition partition_of(Prepared::Setup& setup, const Schedule& schedule) {
  if (setup.partition) return *std::move(setup.partition);
  return partition_for(setup.key.choice, setup.key.problem, schedule);
}

// On all ranks alike, as what it depends on is; but who shares memory with whom, which is for the two of them.
PortKind port_for(const Prepared::Setup& setup, const MpiEndpoint& endpoint) {
  if (!setup.is_of_bytes) return PortKind::mpi;
  const bool is_forced = setup.shape.transports == Transports::fabric;
  const bool wants_fabric = is_forced || setup.key.choice.transport == Transport::fabric;
  const bool has_node = endpoint.peers.node != nullptr;
  if (wants_fabric && endpoint.peers.fabric != nullptr) return has_node ? PortKind::fabric_and_node : PortKind::fabric;
  return has_node ? PortKind::node : PortKind::mpi;
}

// Around a run. An exception of the application's leaves messages under way: they are taken back, and the other ranks
// are told.
template <Port P>
class LeftByException {
 public:
  LeftByException(P& port, CallWatch& watch, std::uint64_t call) : port_(port), watch_(watch), call_(call) {}
  ~LeftByException() {
    if (over_) [[likely]]
      return;
    port_.abandon();
    watch_.announce(call_, MPI_ERR_OTHER);
  }
  LeftByException(const LeftByException&) = delete;
  LeftByException& operator=(const LeftByException&) = delete;
  void not_so() { over_ = true; }

 private:
  P& port_;
  CallWatch& watch_;
  const std::uint64_t call_;
  bool over_ = false;
};

}  // namespace

Prepared::Prepared(Setup setup, MpiEndpoint& endpoint)
    : Prepared(setup, endpoint,
               build_schedule(*setup.key.choice.algorithm, request_for(setup.key.choice, setup.key.problem, setup.shape,
                                                                       setup.me, setup.key.in_place))) {}

Prepared::Prepared(Setup& setup, MpiEndpoint& endpoint, Schedule schedule)
    : key_(setup.key),
      arithmetic_(std::move(setup.arithmetic)),
      elements_(arithmetic_ ? arithmetic_->elements() : setup.elements),
      aside_(key_.aside_bytes),
      watch_(endpoint.watch),
      bound_(port_for(setup, endpoint), endpoint, setup.wire, schedule, partition_of(setup, schedule),
             setup.key.choice.cut.window, elements_) {}

int Prepared::run(std::uint64_t call, const Buffers& buffers) {
  watch_.forget_before(call);
  bound_.with([&](auto& bound) {
    LeftByException left(bound.port, watch_, call);
    (void)bound.schedule.run(call, with_input_aside(buffers));
    left.not_so();
  });
  return result();
}

int Prepared::run_shared(std::uint64_t call, const Buffers& buffers) {
  const auto mark = [&](bool is_shared) {
    bound_.with([&](auto& bound) {
      if constexpr (requires { bound.port.begin_shared(is_shared); }) bound.port.begin_shared(is_shared);
    });
  };
  mark(true);
  const int status = run(call, buffers);
  mark(false);
  return status;
}

int Prepared::result() {
  const int status = bound_.with([](auto& bound) { return bound.port.take_error(); });
  if (status != MPI_SUCCESS || failed()) [[unlikely]]
    watch_.mark_unclean();
  if (arithmetic_ == nullptr) [[likely]]
    return status;
  const int arithmetic_status = arithmetic_->take_error();
  return status != MPI_SUCCESS ? status : arithmetic_status;
}

std::size_t Prepared::scratch_bytes() const {
  const std::size_t elements =
      bound_.with([](const auto& bound) { return bound.schedule.layout().scratch_elements(); });
  return elements * elements_.stride_bytes + key_.aside_bytes;
}

Prepared* PreparedCache::find(const PreparedKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  touch(*found->second);
  return found->second.get();
}

PreparedCache::Map::iterator PreparedCache::oldest() {
  return std::min_element(by_key_.begin(), by_key_.end(),
                          [](const auto& a, const auto& b) { return a.second->last_used < b.second->last_used; });
}

}  // namespace espalier
