// SPDX-License-Identifier: Apache-2.0
#include "mpi/prepared.hpp"

#include <algorithm>

#include "core/hash.hpp"
#include "mpi/handles.hpp"

namespace espalier {

bool PreparedKey::operator==(const PreparedKey& other) const {
  const Problem& a = problem;
  const Problem& b = other.problem;
  return a.collective == b.collective && a.root == b.root && a.count == b.count && a.element_bytes == b.element_bytes &&
         a.arithmetic == b.arithmetic && a.in_place == b.in_place && type == other.type && op == other.op &&
         layout == other.layout;
}

std::size_t PreparedKey::Hash::operator()(const PreparedKey& key) const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t value) { hash = mix(hash + value); };
  add(static_cast<std::uint64_t>(key.problem.collective));
  add(static_cast<std::uint64_t>(key.problem.root));
  add(key.problem.count);
  add(number_of(key.type));
  add(number_of(key.op));
  return hash;
}

namespace {

BoundSchedule<MpiTransport> bind(const Prepared::Setup& setup, Schedule schedule, const Elements& elements,
                                 MpiTransport& transport) {
  Partition partition = partition_for(setup.choice, setup.key.problem, schedule);
  return {std::move(schedule), std::move(partition), setup.choice.cut.window, elements, transport};
}

// Around a run. An exception of the application's leaves messages under way: they are taken back, and the other ranks
// are told.
class Run {
 public:
  Run(MpiTransport& transport, CallWatch& watch, std::uint64_t call) : transport_(transport), watch_(watch) {
    transport_.begin(call);
  }
  ~Run() {
    if (over_) [[likely]]
      return;
    transport_.abandon();
    watch_.announce(MPI_ERR_OTHER);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  void end() {
    transport_.failed() ? transport_.abandon() : transport_.end();
    over_ = true;
  }

 private:
  MpiTransport& transport_;
  CallWatch& watch_;
  bool over_ = false;
};

}  // namespace

Prepared::Prepared(Setup setup, const MpiPeers& peers, CallWatch& watch)
    : Prepared(setup, peers, watch,
               build_schedule(*setup.choice.algorithm,
                              request_for(setup.choice, setup.key.problem, setup.shape, setup.me))) {}

Prepared::Prepared(Setup& setup, const MpiPeers& peers, CallWatch& watch, Schedule schedule)
    : arithmetic_(std::move(setup.arithmetic)),
      elements_(arithmetic_ ? arithmetic_->elements() : setup.elements),
      watch_(watch),
      transport_(peers, watch, setup.wire),
      bound_(bind(setup, std::move(schedule), elements_, transport_)) {}

int Prepared::run(std::uint64_t call, const Buffers& buffers) {
  Run run(transport_, watch_, call);
  (void)bound_.run(buffers);
  run.end();
  const int status = transport_.error();
  if (status != MPI_SUCCESS || failed()) [[unlikely]]
    watch_.mark_unclean();
  if (arithmetic_ == nullptr) [[likely]]
    return status;
  const int arithmetic_status = arithmetic_->take_error();
  return status != MPI_SUCCESS ? status : arithmetic_status;
}

std::size_t Prepared::scratch_bytes() const { return bound_.layout().scratch_elements() * elements_.stride_bytes; }

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
