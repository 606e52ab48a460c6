// SPDX-License-Identifier: Apache-2.0
// All runs of this process that are under way behind a request: one progress over all of them.
#pragma once

#include <atomic>
#include <memory>

#include "core/linked.hpp"

namespace espalier {

class ActiveRun : public std::enable_shared_from_this<ActiveRun>, public Linked<ActiveRun> {
 public:
  ActiveRun() = default;
  ActiveRun(const ActiveRun&) = delete;
  ActiveRun& operator=(const ActiveRun&) = delete;
  virtual ~ActiveRun() = default;

  // Goes as far as it can without waiting. True once it is over; it is not asked again then.
  [[nodiscard]] virtual bool advance() noexcept = 0;

 private:
  friend class ActiveRuns;
  std::shared_ptr<ActiveRun> held_;  // this, while it is among the active ones
};

class ActiveRuns {
 public:
  ActiveRuns() = default;
  ActiveRuns(const ActiveRuns&) = delete;
  ActiveRuns& operator=(const ActiveRuns&) = delete;
  ~ActiveRuns();

  // From any thread, without memory: nothing can fail once the application has a handle.
  void add(std::shared_ptr<ActiveRun> run) noexcept;
  // The same for one that is likely to be taken out again soon. Somebody else holds it until it is over, or taken out,
  // or hold_latest() was called.
  void add_lightly(ActiveRun& run) noexcept;
  void hold_latest() noexcept;
  // Anyone who has taken a run out advances it alone. False if it is not there, or another thread is just at it.
  [[nodiscard]] bool take_out(ActiveRun& run) noexcept;

  // Advances one that is not among them, while none of them moves: what the MPI does for it en route would take
  // longer the more there are.
  [[nodiscard]] bool advance_alone(ActiveRun& run) noexcept;

  // Advances some of them in turn. True if one ended. From any thread; does nothing while another one, or a
  // caller of this one, is inside.
  bool poll() noexcept;

  [[nodiscard]] bool empty() const {
    return count_.load(std::memory_order_acquire) == 0 && latest_.load(std::memory_order_acquire) == nullptr;
  }

 private:
  // A poll may not take longer than the messages of one run can wait.
  static constexpr std::size_t max_runs_per_poll = 16;

  void take_new_ones() noexcept;
  [[nodiscard]] bool advance_next();

  std::atomic<ActiveRun*> latest_{nullptr};  // the last one that was added lightly, if it is not among the others
  std::atomic<std::size_t> count_{0};        // of the others
  std::atomic_flag polling_;
  Queue<ActiveRun> runs_;  // by whose turn it is; of a caller that polls
  Inbox<ActiveRun> new_;
};

}  // namespace espalier
