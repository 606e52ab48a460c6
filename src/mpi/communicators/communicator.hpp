// SPDX-License-Identifier: Apache-2.0
// What we know of one of the application's communicators: who is in it, and how our messages on it are distinguished
// from others. It is made at the first call, locally; only when a call is to run on a schedule of ours do the ranks
// agree on a number (join()). As MPI has it, one thread at a time makes collective calls on a communicator.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "core/problem.hpp"
#include "halo/process_grid.hpp"
#include "memory/placement.hpp"
#include "mpi/communicators/agreement.hpp"
#include "mpi/communicators/epochs.hpp"
#include "mpi/communicators/id_pool.hpp"
#include "mpi/communicators/out_of_step.hpp"
#include "mpi/communicators/pairs.hpp"
#include "mpi/communicators/persistent_tags.hpp"
#include "mpi/job/job.hpp"
#include "mpi/job/measured_story.hpp"
#include "transport/mpi/mpi_endpoint.hpp"

namespace espalier {

inline const std::string no_name;

struct CallCount {
  std::uint64_t own = 0;
  std::uint64_t native = 0;
  CallCount& operator+=(const CallCount& other) {
    own += other.own;
    native += other.native;
    return *this;
  }
};

// Calls are made by the one thread that uses the communicator, persistent ones are started by any; read by any.
class CallCounter {
 public:
  void count_own() { increment(own_); }
  void count_start(bool by_many_threads) {
    by_many_threads ? (void)started_.fetch_add(1, std::memory_order_relaxed) : increment(started_);
  }
  void count_native() { increment(native_); }
  [[nodiscard]] CallCount read() const {
    return {own_.load(std::memory_order_relaxed) + started_.load(std::memory_order_relaxed),
            native_.load(std::memory_order_relaxed)};
  }

 private:
  [[gnu::always_inline]] static void increment(std::atomic<std::uint64_t>& number) {
    number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::atomic<std::uint64_t> own_{0}, native_{0}, started_{0};
};

// Shared by its runs under way: what they need of it stays until the last one is over, even if it is freed meanwhile.
class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  struct Facts {
    MPI_Comm handle = MPI_COMM_NULL;
    Rank rank = 0;
    Rank size = 1;
    bool is_between_groups = false;
    const char* unusual = nullptr;  // why all its calls go to the native MPI; null: they need not
  };

  // Job and ids must outlive it.
  Communicator(const Job& job, IdPool& ids, const Facts& facts);
  virtual ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] MPI_Comm handle() const { return facts_.handle; }
  [[nodiscard]] Rank rank() const { return facts_.rank; }
  [[nodiscard]] Rank size() const { return facts_.size; }
  [[nodiscard]] const char* unusual() const { return facts_.unusual; }
  [[nodiscard]] bool is_between_groups() const { return facts_.is_between_groups; }
  // On which its ranks lie, as far as that is known; found when it is made (process_grid.hpp).
  [[nodiscard]] const halo::ProcessGrid& grid() const { return grid_; }
  void set_grid(halo::ProcessGrid grid) { grid_ = std::move(grid); }
  // As the program named it, for the report: text that is kept permanently. Read and set by any thread.
  [[nodiscard]] std::string_view name() const { return *name_.load(std::memory_order_acquire); }
  void set_name(const std::string& name) { name_.store(&name, std::memory_order_release); }
  [[nodiscard]] MpiEndpoint& endpoint() { return endpoint_; }
  [[nodiscard]] const MpiPeers& peers() const { return endpoint_.peers; }
  // What is known of it: only its size before find_place().
  [[nodiscard]] Shape shape() const {
    return {.size = facts_.size,
            .network = network_.get(),
            .by_node = by_node_.get(),
            .placement = placement_.get(),
            .transports = job_.transports,
            .in_memory = is_in_memory_,
            .is_crowded = job_.crowded,
            .mpi_yields = job_.is_open_mpi,
            .fabric_network = fabric_network_.get()};
  }
  // The first time, finds out where the ranks run, as far as that is wanted, and recognises how they are joined, if the
  // machine is known. Local; all ranks arrive at the same result. Throws if it cannot be found out.
  void find_place();

  // Makes traffic of ours possible; if it is not, unusual() says why. Collective over the communicator at its first
  // call, of which all ranks get the same answer; local if the communicator holds processes of another world. Returns
  // an MPI code: that of the native call by which the ranks agree, if that failed; the communicator's error handler has
  // had its say then. `collective`: in a call of which; ranks that come from different ones are out of step, which is
  // an error. The calls are counted again from here on.
  [[nodiscard]] int join(std::string_view collective);
  [[nodiscard]] bool has_joined() const { return id_.has_value(); }

  // Calls are numbered as they come, on all ranks alike: also those that go to the native MPI. What one rank called
  // alone before it joined, and its MPI refused, does not matter.
  void begin_call() {
    if (job_.tags.offset(++call_) == 0) [[unlikely]]
      begin_epoch();
  }
  [[nodiscard]] std::uint64_t call() const { return call_; }
  [[nodiscard]] std::uint64_t epoch() const { return call_ / static_cast<std::uint64_t>(job_.tags.calls); }
  // Of runs behind requests.
  [[nodiscard]] Epochs& epochs() { return epochs_; }

  // Before the application frees it, or its tags change: waits a little for what is still under way between the ranks.
  void settle();
  // At the end of the job: without waiting.
  void stop_listening() { endpoint_.notes.forget_expected(); }

  // Where the numbers of calls begin again: the ranks agree on tags again, since messages of a call that failed on some
  // rank may still lie at the old ones. Collective, as join() is, whatever this rank makes of the call.
  [[nodiscard]] int renew_tags(std::string_view collective);
  // A nonblocking call cannot agree on tags: it uses those of before. False if it must not, since something may lie
  // there.
  [[nodiscard]] bool may_keep_tags() const { return !needs_new_tags_ || endpoint_.watch.is_clean(); }

  // For the next persistent request: makes sure that there are tags. Collective, as join() is, and after it; all ranks
  // get the same answer. None (null): there are no tags left that they have in common.
  [[nodiscard]] int find_persistent_tags(std::string_view collective, std::shared_ptr<PersistentTags>& tags);

  // So that its persistent messages can be paired, if the ranks have tags for that; when it is made. Collective, as
  // join() is.
  [[nodiscard]] int make_pairs();
  // Null: they are not paired.
  [[nodiscard]] const std::shared_ptr<Pairs>& pairs() const { return pairs_; }

  // Informs the ranks that may be waiting for this one in the current call that its part of it failed.
  void announce_failure(int error_class);
  // Reports to all ranks that this one is no longer where they are, whatever call they are in.
  void announce_out_of_step();
  // This rank goes by itself here. Whether it does so for the first time.
  [[nodiscard]] bool begins_to_go_alone() { return !std::exchange(goes_alone_, true); }
  // Whether the MPI refuses collectives on it, because a process died or somebody revoked it.
  [[nodiscard]] bool is_broken() const { return job_.fault_tolerant && endpoint_.watch.is_broken(); }

  // The application has freed it, or is about to leave MPI.
  void leave() { is_gone_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_gone() const { return is_gone_.load(std::memory_order_relaxed); }

  // What another rank reported of a call.
  virtual void read(const Note&) noexcept {}
  // Sends what others expect of such reports, on all ranks.
  virtual void end_reports() noexcept {}
  // The ranks have met for the first time: what was kept of calls before does not hold, and calls are counted again.
  virtual void begin_together() {}
  // Drops all that was prepared for its calls; or all that was decided, too.
  virtual void forget_prepared() {}
  virtual void forget_decisions() {}
  // There will be no more calls: what was learnt from them is given to the memory.
  virtual void finish_decisions() noexcept {}
  // The same on all ranks of a joined one, and of all of them with these ranks; 0: it has not joined.
  [[nodiscard]] std::uint64_t members_hash() const;
  // What became of what was chosen by time.
  [[nodiscard]] virtual std::vector<MeasuredStory> stories() const { return {}; }

  CallCounter& counter(Collective collective) { return counters_[static_cast<std::size_t>(collective)]; }
  [[nodiscard]] CallCount calls(Collective collective) const {
    return counters_[static_cast<std::size_t>(collective)].read();
  }

 private:
  void look_for_place();
  void find_network(const WorldRanks& world_ranks);
  [[nodiscard]] bool shares_memory(const WorldRanks& world_ranks) const;
  [[nodiscard]] AgreedId agree(const Occasion& occasion, bool able);
  [[nodiscard]] int use(const AgreedId& agreed);
  [[nodiscard]] int agree_on_tags(const Occasion& occasion, PersistentTags* made, bool& agreed);
  void give_tags_back();
  void begin_epoch();
  void wait_for_runs() const;
  [[nodiscard]] bool is_clean() const;
  void leave_to_mpi(const char* reason) { facts_.unusual = reason; }

  const Job& job_;
  IdPool& ids_;
  Facts facts_;
  halo::ProcessGrid grid_;
  std::atomic<const std::string*> name_{&no_name};
  std::optional<int> id_;
  std::uint64_t call_ = 0;
  bool needs_new_tags_ = false;
  bool goes_alone_ = false;
  bool has_place_ = false;
  bool is_in_memory_ = false;
  std::atomic<bool> is_gone_{false};
  Epochs epochs_;
  std::shared_ptr<PersistentTags> persistent_tags_;
  std::shared_ptr<Pairs> pairs_;
  MpiEndpoint endpoint_;
  std::unique_ptr<const Network> network_, fabric_network_;
  std::unique_ptr<const RanksByNode> by_node_;  // where no network is known
  std::unique_ptr<const Placement> placement_;
  std::array<CallCounter, std::size(all_collectives)> counters_;

 public:
  Statistics statistics;
};

}  // namespace espalier
