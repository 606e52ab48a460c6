// SPDX-License-Identifier: Apache-2.0
// The requests of the application's collective calls, ours and the native MPI's, if a report is wanted: from their
// handles to the rows of the report.
#pragma once

#include <list>
#include <optional>
#include <vector>

#include "mpi/requests/request_table.hpp"
#include "report/call_sums.hpp"
#include "report/statistics.hpp"

namespace espalier {

struct CountedRequest {
  StatisticsRow* row = nullptr;  // permanently, as the account
  CallAccount account;
  std::size_t bytes = 0;
  bool is_persistent = false;
  std::uint64_t number = 0;  // which of those that had this handle
};

// From any thread. An MPI may give several requests that are complete already the same handle: the last one counts.
class CountedRequests {
 public:
  [[nodiscard]] bool empty() const { return table_.empty(); }
  [[nodiscard]] std::optional<CountedRequest> find(MPI_Request handle) const {
    const RequestCount* const record = table_.find(handle);
    if (record == nullptr) return std::nullopt;
    return CountedRequest{
        record->row, {record->of_collective, record->of_site}, record->bytes, record->is_persistent, record->number};
  }

  // Throws on allocation failure.
  void insert(MPI_Request handle, const CountedRequest& request) {
    const std::lock_guard lock(mutex_);
    remove_any(handle);
    RequestCount& record = free_.empty() ? records_.emplace_back() : *free_.back();
    free_.reserve(records_.size());
    record.row = request.row;
    record.of_collective = request.account.collective;
    record.of_site = request.account.site;
    record.bytes = request.bytes;
    record.is_persistent = request.is_persistent;
    record.number = ++numbers_;
    table_.insert(handle, &record);
    if (!free_.empty()) free_.pop_back();
  }

  // When its request is gone; the handle may have become another one's meanwhile, which stays.
  void remove(MPI_Request handle, std::uint64_t number) noexcept {
    const std::lock_guard lock(mutex_);
    const RequestCount* const record = table_.find(handle);
    if (record != nullptr && record->number == number) remove_any(handle);
  }

 private:
  // Never freed: anyone who looks a shared handle up may still read it.
  struct RequestCount {
    std::atomic<StatisticsRow*> row{nullptr};
    std::atomic<CallSums*> of_collective{nullptr}, of_site{nullptr};
    std::atomic<std::size_t> bytes{0};
    std::atomic<bool> is_persistent{false};
    std::atomic<std::uint64_t> number{0};
  };

  void remove_any(MPI_Request handle) noexcept {
    if (RequestCount* const record = table_.remove(handle)) free_.push_back(record);
  }

  RequestTable<RequestCount*> table_;
  std::mutex mutex_;
  std::list<RequestCount> records_;  // a deque would ask for memory before there is any
  std::vector<RequestCount*> free_;
  std::uint64_t numbers_ = 0;
};

}  // namespace espalier
