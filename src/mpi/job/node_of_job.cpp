// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/node_of_job.hpp"

#include <sys/resource.h>

#include <optional>

#include "core/log.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/log_about.hpp"
#include "mpi/job/unanimous.hpp"
#include "transport/shm/segment.hpp"
#include "transport/shm/shm_node.hpp"

namespace espalier {

namespace {

// The ranks that the MPI takes to be on one host, until this dies.
class HostRanks {
 public:
  explicit HostRanks(const Job& job) : mpi_(job.mpi) {
    status_ = mpi_.Comm_split_type(job.traffic, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_);
    if (status_ != MPI_SUCCESS) return;
    mpi_.Comm_rank(comm_, &me_);
    mpi_.Comm_size(comm_, &size_);
  }
  ~HostRanks() {
    if (comm_ != MPI_COMM_NULL) mpi_.Comm_free(&comm_);
  }
  HostRanks(const HostRanks&) = delete;
  HostRanks& operator=(const HostRanks&) = delete;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int me() const { return me_; }
  [[nodiscard]] int size() const { return size_; }

 private:
  const Native& mpi_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int status_ = MPI_SUCCESS, me_ = 0, size_ = 1;
};

// How a segment may be made.
struct SegmentKind {
  std::optional<Segment> (*make)(std::size_t bytes);
  std::uint32_t spare_rings;  // of all processes together
};

constexpr std::uint32_t many_rings = 4096, few_rings = 64;

// The first one takes memory only where something is written, and no name. Where that, or so much, is forbidden,
// another one may do.
constexpr SegmentKind segment_kinds[] = {
    {Segment::make, many_rings}, {Segment::make, few_rings}, {Segment::make_named, few_rings}};

// Address space that is limited (ulimit -v) is the program's to use up, though most of ours holds no memory.
bool is_modest_enough(const SegmentKind& kind) {
  rlimit space{};
  return kind.spare_rings <= few_rings || getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY;
}

// A node's memory, before anybody is in it.
struct EmptyNode {
  Segment segment;
  std::uint32_t spare_rings;  // of each process
};

// The first of them makes it, and all others open it. Nothing, on all of them, unless all have it.
std::optional<EmptyNode> empty_node(const Job& job, const HostRanks& host, const SegmentKind& kind) {
  const std::uint32_t spare_rings = kind.spare_rings / static_cast<std::uint32_t>(host.size());
  std::optional<Segment> mine;
  SegmentAddress address;
  const bool may_have = is_modest_enough(kind);
  if (host.me() == 0 && may_have) mine = kind.make(ShmNode::bytes_for(host.size(), spare_rings));
  if (mine) address = mine->address();
  if (yielding_bcast(job.mpi, &address, sizeof address, MPI_BYTE, 0, host.comm()) != MPI_SUCCESS) return {};
  if (host.me() != 0 && may_have && address.bytes > 0) mine = Segment::open(address);
  if (!is_true_everywhere(job.mpi, host.comm(), mine.has_value())) return {};
  mine->close_to_others();
  return EmptyNode{std::move(*mine), spare_rings};
}

// Memory for what follows. False: there is none.
bool make_room(const HostRanks& host, std::vector<int>& world_ranks) try {
  world_ranks.resize(static_cast<std::size_t>(host.size()));
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// False: there is no memory for it.
bool know_ranks(Job& job, const std::vector<int>& world_ranks) try {
  job.processes = RanksInNode(world_ranks);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

bool introduce(Job& job, const HostRanks& host, EmptyNode empty) try {
  job.segment = std::make_unique<Segment>(std::move(empty.segment));
  job.node = std::make_unique<ShmNode>(ShmNode::NodePlace{
      .base = job.segment->data(), .processes = host.size(), .spare_rings = empty.spare_rings, .me = host.me()});
  return true;
} catch (const std::exception&) {
  return false;
}

bool meet(Job& job) try {
  job.node->meet({});
  int level = MPI_THREAD_SINGLE;
  job.mpi.Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) job.node->use_lock();
  return true;
} catch (const std::exception&) {
  return false;
}

// What the host's ranks do together, step by step: each is done by all of them or by none.
bool is_open(Job& job, const HostRanks& host) {
  std::optional<EmptyNode> empty;
  for (const SegmentKind& kind : segment_kinds) {
    if (!empty) empty = empty_node(job, host, kind);
  }
  if (!empty) return false;
  return is_true_everywhere(job.mpi, host.comm(), introduce(job, host, std::move(*empty))) &&
         is_true_everywhere(job.mpi, host.comm(), meet(job));
}

void log_unshared(const Job& job, const HostRanks& host) {
  if (host.me() != 0) return;
  log_line("ESPALIER_SHARED_MEMORY: rank %d and those of its host cannot share memory. %s", job.world_rank,
           "Continuing with the MPI's own messages.");
}

}  // namespace

int open_node(Job& job) {
  if (!job.settings.shared_memory || job.world_size < 2 || job.fault_tolerant) return MPI_SUCCESS;
  const HostRanks host(job);
  if (host.status() != MPI_SUCCESS || host.size() < 2) return host.status();
  std::vector<int> world_ranks;
  if (is_true_everywhere(job.mpi, host.comm(), make_room(host, world_ranks))) {
    // In the order of their numbers there: the MPI splits a communicator in the order of its ranks.
    const int status = job.mpi.Allgather(&job.world_rank, 1, MPI_INT, world_ranks.data(), 1, MPI_INT, host.comm());
    if (status != MPI_SUCCESS) return status;
    if (is_true_everywhere(job.mpi, host.comm(), know_ranks(job, world_ranks)) && is_open(job, host)) {
      job.is_one_node = host.size() == job.world_size;
      if (host.me() == 0) log_about_here(job, Topic::node, "%d ranks of one host share memory", host.size());
      log_about(job, Topic::node, Level::trace, "process %d of %d on its host", host.me(), host.size());
      return MPI_SUCCESS;
    }
  }
  job.node.reset();
  job.segment.reset();
  log_unshared(job, host);
  return MPI_SUCCESS;
}

}  // namespace espalier
