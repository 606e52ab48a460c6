// SPDX-License-Identifier: Apache-2.0
// Nonblocking runs that failed. A generalised request can say so to the MPI, but that would raise it on MPI_COMM_WORLD;
// so the MPI is told nothing, and the function that completes the request raises it on the run's own communicator.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace espalier {

class RequestRun;

class Failures {
 public:
  [[nodiscard]] bool any() const { return count_.load(std::memory_order_acquire) != 0; }
  // When this thread is told that the request is complete. On allocation failure the failure is not learnt of.
  void add(std::shared_ptr<RequestRun> run) noexcept;
  // One of those that this thread was told of; null: there is none.
  [[nodiscard]] std::shared_ptr<RequestRun> take();

 private:
  struct Failure {
    std::thread::id reported;
    std::shared_ptr<RequestRun> run;
  };
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::vector<Failure> failures_;
};

}  // namespace espalier
