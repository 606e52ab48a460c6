// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/fabric_of_job.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>

#include "core/log.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/log_about.hpp"
#include "mpi/job/pair_fabric.hpp"
#include "mpi/job/unanimous.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/fabric/lanes/descriptors.hpp"
#include "transport/fabric/lanes/no_fabric.hpp"

namespace espalier {

namespace {

constexpr const char* then_by_mpi = "Continuing with the MPI's own messages.";

bool is_forced_somewhere(const Settings& settings) {
  return std::ranges::any_of(settings.algorithms,
                             [](const ForcedChoice& forced) { return forced.over == Transport::fabric; });
}

bool is_on_one_host(const Job& job) { return job.host_of.are_all_equal(); }

// As described, where they differ.
std::vector<FabricNic> with_rates(std::vector<FabricNic> nics, const Job& job) {
  const bool are_known = job.machine && job.machine->nic_rates.size() == nics.size();
  for (std::size_t k = 0; are_known && k < nics.size(); ++k) nics[k].rate = job.machine->nic_rates[k];
  return nics;
}

// Unless they are named, there must be as many as the description says: one that is for something else, and slow, would
// hold up the others.
std::vector<FabricNic> nics_for(const Job& job) {
  std::vector<FabricNic> nics = find_nics(job.settings.nics);
  if (!job.settings.nics.empty()) return nics;
  if (is_on_one_host(job)) return loopback_nic();
  const std::size_t described = job.machine ? job.machine->nodes[job.node_of[job.world_rank]].nics : nics.size();
  if (nics.size() == described) return nics;
  throw NoFabric("this host has " + std::to_string(nics.size()) + " network interfaces, where " +
                 std::to_string(described) + " are described; ESPALIER_NICS says which are meant");
}

// Equal on all ranks, once the machine and the hosts are known.
bool gains_nothing(const Job& job) {
  const bool is_asked_for = job.settings.transport == TransportWanted::fabric || is_forced_somewhere(job.settings);
  return !is_asked_for && (!job.machine || is_on_one_host(job));
}

// The most that a socket's buffer grows to, by the kernel's own settings: "least, at first, most".
double buffer_limit(const char* file) {
  std::ifstream text(file);
  double least = 0, at_first = 0, most = 0;
  return text >> least >> at_first >> most ? most : HUGE_VAL;
}

double socket_buffer() {
  return std::min(buffer_limit("/proc/sys/net/ipv4/tcp_wmem"), buffer_limit("/proc/sys/net/ipv4/tcp_rmem"));
}

// What its NIC has in flight over the WAN until an answer is back; and what holds it at each end.
Distance distance_over_wan(const Job& job, int lanes, double smallest_buffer) {
  const Machine& machine = *job.machine;
  const double rate = machine.nic_rates.empty() ? machine.nic_bytes_per_second : std::ranges::max(machine.nic_rates);
  return far_away(rate * 2 * machine.wan_seconds, smallest_buffer, job.settings.connections, lanes);
}

bool is_at_another_site(const Job& job, std::size_t rank) {
  const auto site_of = [&](std::size_t one) {
    return job.machine->nodes[static_cast<std::size_t>(job.node_of[one])].site;
  };
  return site_of(rank) != site_of(static_cast<std::size_t>(job.world_rank));
}

// `found`: of each rank of the world.
void find_distances(const Job& job, double smallest_buffer, std::vector<Distance>& found) {
  const auto lanes = static_cast<int>(job.fabric->lanes().size());
  const Distance over_wan = distance_over_wan(job, lanes, smallest_buffer);
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    if (is_at_another_site(job, rank)) found[rank] = over_wan;
  }
}

// What stays inside of a host goes by the MPI's shared memory, unless all is to go over the fabric.
bool talk_by_mpi_in_hosts(const Job& job) {
  return job.settings.transport != TransportWanted::fabric && !is_on_one_host(job);
}

// If this process has to do with all others. How many links lead to another site depends on what others' sockets hold,
// too, of which nobody knows yet.
std::size_t descriptors_for(const Job& job, std::size_t nics) {
  const std::size_t lanes = std::min<std::size_t>(nics, max_lanes);
  const bool has_sites = job.machine && job.machine->sites() > 1;
  const Distance over_wan = has_sites ? distance_over_wan(job, static_cast<int>(lanes), socket_buffer()) : Distance{};
  const auto me = static_cast<std::size_t>(job.world_rank);
  std::size_t wanted = lanes * descriptors_of_lane;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(job.world_size); ++rank) {
    const bool is_near = talk_by_mpi_in_hosts(job) && job.host_of[rank] == job.host_of[me];
    if (rank == me || is_near) continue;
    const Distance distance = has_sites && is_at_another_site(job, rank) ? over_wan : Distance{};
    wanted += descriptors_to_process(lanes, static_cast<std::size_t>(distance.links));
  }
  return wanted;
}

// Room for what is learnt of others, made before anything is sent.
struct Learnt {
  explicit Learnt(const Job& job) : address_records(static_cast<std::size_t>(job.world_size)) {
    if (!job.machine) return;
    machine = std::make_unique<Machine>(*job.machine);
    if (machine->sites() > 1) distances.resize(address_records.size());
  }
  std::vector<AddressRecord> address_records;
  std::vector<Distance> distances;
  std::unique_ptr<Machine> machine;
};

// What keeps a rank from it. The others are told in any case, so this cannot fail itself.
class Reason {
 public:
  void set(const char* text) noexcept { std::snprintf(text_, sizeof text_, "%s", text); }
  [[nodiscard]] bool is_none() const { return text_[0] == '\0'; }
  [[nodiscard]] const char* text() const { return text_; }

 private:
  char text_[512] = "";
};

// All that this rank needs for it.
void open_lanes(Job& job, std::optional<Learnt>& learnt, Reason& why_not) try {
  learnt.emplace(job);
  std::vector<FabricNic> nics = with_rates(nics_for(job), job);
  make_room_for_descriptors(descriptors_for(job, nics.size()));
  job.fabric = std::make_unique<Fabric>(
      Fabric::Options{.nics = std::move(nics),
                      .me = job.world_rank,
                      .nic_bytes_per_second = job.machine ? job.machine->nic_bytes_per_second : 0,
                      .lane_timeout = std::chrono::seconds(job.settings.lane_timeout)});
  if (job.settings.paired) job.pair_fabric = make_pair_fabric(*job.fabric);
} catch (const std::exception& error) {
  why_not.set(error.what());
}

// The lowest rank that has a reason, if they were asked for it.
int log_why_not(const Job& job, const Reason& reason) {
  const int mine = reason.is_none() ? job.world_size : job.world_rank;
  int first = mine;
  const int status = yielding_allreduce(job.mpi, &mine, &first, 1, MPI_INT, MPI_MIN, job.traffic);
  const bool is_wanted = job.settings.transport == TransportWanted::fabric || is_forced_somewhere(job.settings) ||
                         job.settings.verbose.wants(Topic::fabric, Level::info);
  if (status == MPI_SUCCESS && is_wanted && first == job.world_rank) {
    log_line("ESPALIER_TRANSPORT: %s (rank %d). %s", reason.text(), job.world_rank, then_by_mpi);
  }
  return status;
}

// What one connection carries over a WAN is for all to agree on: by the smallest buffer of all.
void learn_of_connections(Job& job, Learnt learnt) {
  if (!learnt.machine) return;
  const AddressRecord& smallest = *std::ranges::min_element(learnt.address_records, {}, &AddressRecord::socket_buffer);
  learnt.machine->connection_bytes = smallest.socket_buffer * share_under_way;
  job.machine = std::move(learnt.machine);
  if (learnt.distances.empty()) return;
  find_distances(job, smallest.socket_buffer, learnt.distances);
  job.fabric->set_distances(std::move(learnt.distances));
}

int learn_of_others(Job& job, Learnt learnt) {
  AddressRecord mine = job.fabric->address_record();
  mine.socket_buffer = static_cast<std::uint32_t>(std::min(socket_buffer(), double{UINT32_MAX}));
  const int status = job.mpi.Allgather(&mine, sizeof mine, MPI_BYTE, learnt.address_records.data(), sizeof mine,
                                       MPI_BYTE, job.traffic);
  if (status != MPI_SUCCESS) return status;
  job.fabric->meet(learnt.address_records);
  learn_of_connections(job, std::move(learnt));
  return status;
}

}  // namespace

bool may_have_fabric(const Job& job) {
  if (job.world_size < 2 || job.fault_tolerant) return false;
  const TransportWanted wanted = job.settings.transport;
  return wanted == TransportWanted::fabric || (wanted == TransportWanted::automatic &&
                                               (!job.settings.topology.empty() || is_forced_somewhere(job.settings)));
}

int open_fabric(Job& job) {
  if (!may_have_fabric(job) || gains_nothing(job)) {
    log_about(job, Topic::fabric, Level::info, "not used: nobody asks for it, or nothing is known of the network");
    return MPI_SUCCESS;
  }
  std::optional<Learnt> learnt;
  Reason why_not;
  open_lanes(job, learnt, why_not);
  if (!is_true_everywhere(job.mpi, job.traffic, why_not.is_none())) {
    job.pair_fabric.reset();
    job.fabric.reset();
    return log_why_not(job, why_not);
  }
  const int status = learn_of_others(job, std::move(*learnt));
  const bool is_forced = job.settings.transport == TransportWanted::fabric;
  job.transports = is_forced ? Transports::fabric : Transports::either;
  if (is_forced) job.nic_use = NicUse::striped;
  job.hosts_talk_by_mpi = talk_by_mpi_in_hosts(job);
  log_about(job, Topic::fabric, Level::info, "%zu network interfaces of each host are used",
            job.fabric->lanes().size());
  return status;
}

}  // namespace espalier
