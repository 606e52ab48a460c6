// SPDX-License-Identifier: Apache-2.0
// Starting, completing and freeing requests. Those that are none of ours pass through; so do handles of nonblocking
// calls, which the MPI completes by itself, but for their errors.
#include <algorithm>
#include <span>

#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/deferred/persistent_run.hpp"
#include "mpi/pairs/paired_start.hpp"
#include "mpi/requests/request_stopwatch.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

const Native& native() { return context->job.mpi; }

// Of what the calls behind the requests take, for the report.
RequestStopwatch stopwatch(int count, const MPI_Request handles[]) { return {requests().counted, count, handles}; }
RequestStopwatch starting(int count, const MPI_Request handles[]) { return {requests().counted, count, handles, true}; }

void forget(const MPI_Request* request) {
  CountedRequests& all = requests().counted;
  const auto counted = request == nullptr ? std::nullopt : all.find(*request);
  if (counted) all.remove(*request, counted->number);
}

PersistentRun* find(const MPI_Request* request) {
  return request == nullptr ? nullptr : requests().persistent.find(*request);
}

// Does the work with each run of ours among them; the first MPI code that is no success ends it.
template <class Work>
int for_each_run(int count, const MPI_Request handles[], Work work) {
  if (requests().persistent.empty() || count <= 0 || handles == nullptr) return MPI_SUCCESS;
  for (const MPI_Request& handle : std::span(handles, static_cast<std::size_t>(count))) {
    PersistentRun* const run = requests().persistent.find(handle);
    const int status = run == nullptr ? MPI_SUCCESS : work(*run);
    if (status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

int show_all(int count, const MPI_Request handles[]) {
  return for_each_run(count, handles, [](PersistentRun& run) { return run.show(); });
}

void wait_for_all(int count, const MPI_Request handles[]) {
  (void)for_each_run(count, handles, [](PersistentRun& run) { return run.wait(), MPI_SUCCESS; });
}

void settle(int count, const MPI_Request handles[], int result) {
  (void)for_each_run(count, handles,
                     [&](PersistentRun& run) { return run.settle(result == MPI_SUCCESS), MPI_SUCCESS; });
}

int raised_by_nonblocking(int result) {
  int code = result;
  while (const std::shared_ptr<RequestRun> failed = requests().failures.take()) code = failed->raise(failed->status());
  return code;
}

// Of a call that may have completed runs of ours: the application's error handler learns of theirs, too.
int raised(int result, int count, const MPI_Request handles[]) {
  int code = requests().failures.any() ? raised_by_nonblocking(result) : result;
  (void)for_each_run(count, handles, [&](PersistentRun& run) {
    if (run.take_failure(result != MPI_SUCCESS)) code = run.raise(result != MPI_SUCCESS ? result : run.failure());
    return MPI_SUCCESS;
  });
  return code;
}

// The same of a call that completes all of them: what went wrong with each stands in its status.
int raised_by_all(int result, int count, const MPI_Request handles[], MPI_Status statuses[]) {
  const int code = raised(result, 0, nullptr);
  PersistentRun* failed = nullptr;
  if (handles == nullptr || requests().persistent.empty()) return code;
  for (int i = 0; i < count; ++i) {
    PersistentRun* const run = requests().persistent.find(handles[i]);
    if (run == nullptr || !run->take_failure(result != MPI_SUCCESS)) continue;
    const bool has_statuses = statuses != MPI_STATUSES_IGNORE;
    const bool is_first = failed == nullptr && result == MPI_SUCCESS;
    for (int k = 0; k < count && is_first && has_statuses; ++k) statuses[k].MPI_ERROR = MPI_SUCCESS;
    if (has_statuses) statuses[i].MPI_ERROR = run->failure();
    failed = run;
  }
  return failed == nullptr ? code : failed->raise(MPI_ERR_IN_STATUS);
}

// MPICH ends the job where MPI_Waitall meets a null handle and a generalised request that is not complete yet. (Its
// MPI_Request_get_status would take the status of a persistent receive away.)
void wait_with_null([[maybe_unused]] std::span<const MPI_Request> handles) {
#if defined(MPICH_VERSION)
  if (requests().runs.empty() || native().Request_is_complete == nullptr) return;
  if (std::ranges::find(handles, MPI_REQUEST_NULL) == handles.end()) return;
  for (const MPI_Request& handle : handles) {
    while (handle != MPI_REQUEST_NULL && native().Request_is_complete(handle) == 0) context->job.make_progress();
  }
#endif
}

// Lets the runs that are not the MPI's to tell get on. Whether all that are left are its own.
bool all_may_be_tested(int count, const MPI_Request handles[]) {
  bool has_hidden = false;
  const auto look = [&](PersistentRun& run) { return has_hidden = has_hidden || !run.may_be_tested(), MPI_SUCCESS; };
  (void)for_each_run(count, handles, look);
  if (!has_hidden) return true;
  context->job.make_progress();
  has_hidden = false;
  (void)for_each_run(count, handles, look);
  return !has_hidden;
}

int start_one(MPI_Request* request) {
  PersistentRun* const run = find(request);
  return run == nullptr ? native().Start(request) : run->start();
}

int entry_Start(MPI_Request* request) {
  const RequestStopwatch timed = starting(1, request);
  return start_one(request);
}

int start_in_order(int count, MPI_Request handles[]) {
  for (MPI_Request& handle : std::span(handles, static_cast<std::size_t>(count))) {
    if (const int status = start_one(&handle); status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

int entry_Startall(int count, MPI_Request handles[]) {
  const RequestStopwatch timed = starting(count, handles);
  bool has_own = false, has_paired = false;
  (void)for_each_run(count, handles, [&](PersistentRun& run) {
    has_own = true;
    has_paired = has_paired || run.paired() != nullptr;
    return MPI_SUCCESS;
  });
  const bool is_refused = has_own && std::ranges::count(std::span(handles, static_cast<std::size_t>(count)),
                                                        MPI_REQUEST_NULL) > 0;  // as a whole
  if (!has_own || is_refused) return native().Startall(count, handles);
  if (!has_paired) return start_in_order(count, handles);
  return start_with_pairs(context->job, {handles, static_cast<std::size_t>(count)}, start_one);
}

// What the runs of ours that the MPI calls complete have to say of their messages. `takes`: they are inactive now.
void report(MPI_Request handle, MPI_Status* status, bool takes = true) {
  if (PersistentRun* const run = requests().persistent.find(handle)) run->report(status, takes);
}
void report_all(int count, const MPI_Request handles[], MPI_Status statuses[], bool takes = true) {
  if (requests().persistent.empty()) return;
  for (int k = 0; k < count; ++k) {
    report(handles[k], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[k], takes);
  }
}
void report_any(const MPI_Request handles[], int index, MPI_Status* status, bool takes = true) {
  if (index != MPI_UNDEFINED && !requests().persistent.empty()) report(handles[index], status, takes);
}
void report_some(const MPI_Request handles[], int count, const int indices[], MPI_Status statuses[],
                 bool takes = true) {
  if (count == MPI_UNDEFINED || requests().persistent.empty()) return;
  for (int k = 0; k < count; ++k) {
    report(handles[indices[k]], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[k], takes);
  }
}

int entry_Wait(MPI_Request* request, MPI_Status* status) {
  const RequestStopwatch timed = stopwatch(1, request);
  PersistentRun* const run = find(request);
  if (run == nullptr) return raised(native().Wait(request, status), 0, nullptr);
  run->wait();
  const int result = native().Wait(request, status);
  run->settle(result == MPI_SUCCESS);
  run->report(status, true);
  if (result == MPI_SUCCESS && run->failure() == MPI_SUCCESS && !requests().failures.any()) [[likely]]
    return result;
  return raised(result, 1, request);
}

int entry_Waitall(int count, MPI_Request handles[], MPI_Status statuses[]) {
  const RequestStopwatch timed = stopwatch(count, handles);
  if (count > 0 && handles != nullptr) wait_with_null({handles, static_cast<std::size_t>(count)});
  wait_for_all(count, handles);
  const int result = native().Waitall(count, handles, statuses);
  settle(count, handles, result);
  if (result == MPI_SUCCESS) report_all(count, handles, statuses);
  return raised_by_all(result, count, handles, statuses);
}

int entry_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const RequestStopwatch timed = stopwatch(1, request);
  PersistentRun* const run = find(request);
  if (run == nullptr || flag == nullptr) return raised(native().Test(request, flag, status), 0, nullptr);
  if (!all_may_be_tested(1, request)) return *flag = 0, MPI_SUCCESS;
  run->wait();
  const int result = native().Test(request, flag, status);
  if (result != MPI_SUCCESS || *flag != 0) run->settle(result == MPI_SUCCESS);
  if (*flag != 0) run->report(status, true);
  return raised(result, 1, request);
}

int entry_Testall(int count, MPI_Request handles[], int* flag, MPI_Status statuses[]) {
  const RequestStopwatch timed = stopwatch(count, handles);
  if (requests().persistent.empty() || flag == nullptr) {
    return raised(native().Testall(count, handles, flag, statuses), 0, nullptr);
  }
  if (!all_may_be_tested(count, handles)) return *flag = 0, MPI_SUCCESS;
  wait_for_all(count, handles);
  const int result = native().Testall(count, handles, flag, statuses);
  if (result != MPI_SUCCESS || *flag != 0) settle(count, handles, result);
  if (result == MPI_SUCCESS && *flag != 0) report_all(count, handles, statuses);
  return raised_by_all(result, count, handles, statuses);
}

// Of several, the MPI says which: so it has to know them all. `tell`: after an answer without error.
template <class Ask, class Tell>
int ask_the_mpi(int count, const MPI_Request handles[], Ask ask, Tell report) {
  const RequestStopwatch timed = stopwatch(count, handles);
  if (const int shown = show_all(count, handles); shown != MPI_SUCCESS) return shown;
  const int result = ask();
  if (result == MPI_SUCCESS) report();
  return raised(result, count, handles);
}

int entry_Waitany(int count, MPI_Request handles[], int* index, MPI_Status* status) {
  return ask_the_mpi(
      count, handles, [&] { return native().Waitany(count, handles, index, status); },
      [&] { report_any(handles, *index, status); });
}

int entry_Testany(int count, MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
  return ask_the_mpi(
      count, handles, [&] { return native().Testany(count, handles, index, flag, status); },
      [&] { report_any(handles, *flag != 0 ? *index : MPI_UNDEFINED, status); });
}

int entry_Waitsome(int count, MPI_Request handles[], int* completed, int indices[], MPI_Status statuses[]) {
  return ask_the_mpi(
      count, handles, [&] { return native().Waitsome(count, handles, completed, indices, statuses); },
      [&] { report_some(handles, *completed, indices, statuses); });
}

int entry_Testsome(int count, MPI_Request handles[], int* completed, int indices[], MPI_Status statuses[]) {
  return ask_the_mpi(
      count, handles, [&] { return native().Testsome(count, handles, completed, indices, statuses); },
      [&] { report_some(handles, *completed, indices, statuses); });
}

int entry_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return ask_the_mpi(
      1, &request, [&] { return native().Request_get_status(request, flag, status); },
      [&] { report_all(*flag != 0 ? 1 : 0, &request, status, false); });
}

// MPI-4.1 has these; an older MPI raises that it has them not.
int raise_missing() {
  native().Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_UNSUPPORTED_OPERATION);
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

int entry_Request_get_status_all(int count, const MPI_Request handles[], int* flag, MPI_Status statuses[]) {
  if (native().Request_get_status_all == nullptr) return raise_missing();
  return ask_the_mpi(
      count, handles, [&] { return native().Request_get_status_all(count, handles, flag, statuses); },
      [&] { report_all(*flag != 0 ? count : 0, handles, statuses, false); });
}

int entry_Request_get_status_any(int count, const MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
  if (native().Request_get_status_any == nullptr) return raise_missing();
  return ask_the_mpi(
      count, handles, [&] { return native().Request_get_status_any(count, handles, index, flag, status); },
      [&] { report_any(handles, *flag != 0 ? *index : MPI_UNDEFINED, status, false); });
}

int entry_Request_get_status_some(int count, const MPI_Request handles[], int* completed, int indices[],
                                  MPI_Status statuses[]) {
  if (native().Request_get_status_some == nullptr) return raise_missing();
  return ask_the_mpi(
      count, handles, [&] { return native().Request_get_status_some(count, handles, completed, indices, statuses); },
      [&] { report_some(handles, *completed, indices, statuses, false); });
}

// MPICH's own; a question that makes no progress.
int entry_Request_is_complete(MPI_Request request) {
  const PersistentRun* const run = find(&request);
  if (run != nullptr && run->is_under_way()) return 0;
  return native().Request_is_complete == nullptr ? 0 : native().Request_is_complete(request);
}

// As the MPI refuses what must not be done with a collective's request.
int refuse(int (*function)(MPI_Request*)) {
  MPI_Request none = MPI_REQUEST_NULL;
  return function(&none);
}

// Of an active collective this is an error. MPICH lets it end all the same.
int entry_Request_free(MPI_Request* request) {
  forget(request);
  PersistentRun* const run = find(request);
  if (run == nullptr) return native().Request_free(request);
#if defined(OPEN_MPI)
  if (run->is_under_way() && !run->may_be_freed_under_way()) return refuse(native().Request_free);
#endif
  requests().runs.hold_latest();
  const std::shared_ptr<PersistentRun> last = requests().persistent.remove(*request);
  return native().Request_free(request);
}

// Collectives cannot be cancelled; the message that their handle waits for could be.
int entry_Cancel(MPI_Request* request) {
  return find(request) != nullptr ? refuse(native().Cancel) : native().Cancel(request);
}

const Entries entries({
    entry("MPI_Start", entry_Start),
    entry("MPI_Startall", entry_Startall),
    entry("MPI_Wait", entry_Wait),
    entry("MPI_Test", entry_Test),
    entry("MPI_Waitall", entry_Waitall),
    entry("MPI_Testall", entry_Testall),
    entry("MPI_Waitany", entry_Waitany),
    entry("MPI_Testany", entry_Testany),
    entry("MPI_Waitsome", entry_Waitsome),
    entry("MPI_Testsome", entry_Testsome),
    entry("MPI_Request_get_status", entry_Request_get_status),
    entry("MPI_Request_get_status_all", entry_Request_get_status_all),
    entry("MPI_Request_get_status_any", entry_Request_get_status_any),
    entry("MPI_Request_get_status_some", entry_Request_get_status_some),
    entry("MPIX_Request_is_complete", entry_Request_is_complete),
    entry("MPI_Request_free", entry_Request_free),
    entry("MPI_Cancel", entry_Cancel),
});

}  // namespace

}  // namespace espalier
