// SPDX-License-Identifier: Apache-2.0
// Waiting for requests, and asking for them. Persistent ones are inactive when they are over; all others are gone.
#include <algorithm>
#include <span>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

constexpr MPI_Status empty_status{.MPI_SOURCE = MPI_ANY_SOURCE, .MPI_TAG = MPI_ANY_TAG, .MPI_ERROR = MPI_SUCCESS};

using Requests = std::span<MPI_Request>;
Requests among(int count, const MPI_Request requests[]) {
  return {const_cast<MPI_Request*>(requests), static_cast<std::size_t>(count)};
}

bool is_active(MPI_Request request) { return request != MPI_REQUEST_NULL && state().requests.at(request).is_active; }
bool is_over(MPI_Request request) { return !is_active(request) || state().requests.at(request).is_over; }
bool has_completed(MPI_Request request) { return is_active(request) && is_over(request); }
bool are_over(Requests requests) { return std::ranges::all_of(requests, is_over); }

void put(MPI_Status* status, const MPI_Status& said) {
  if (status != MPI_STATUS_IGNORE) *status = said;
}
MPI_Status* place_of(MPI_Status* statuses, int index) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

// Of a request that is over; returns its error.
int finish(MPI_Request& request, MPI_Status* status) {
  if (!is_active(request)) return put(status, empty_status), MPI_SUCCESS;
  Request over = state().requests.at(request);
  if (over.generalized) over.error = over.generalized->query(over.generalized->extra, &over.status);
  over.status.MPI_ERROR = over.error;
  put(status, over.status);
  if (over.start) {
    state().requests.at(request).is_active = false;
    return over.error;
  }
  state().requests.remove(request);
  request = MPI_REQUEST_NULL;
  if (over.generalized) over.generalized->on_free(over.generalized->extra);
  return over.error;
}

int error_class_of(int code) {
  int error_class = MPI_SUCCESS;
  functions().Error_class(code, &error_class);
  return error_class;
}

MPI_Comm comm_of(MPI_Request request) {
  return request == MPI_REQUEST_NULL ? MPI_COMM_WORLD : state().requests.at(request).comm;
}

int finish_and_raise(MPI_Request& request, MPI_Status* status) {
  const MPI_Comm comm = comm_of(request);
  const int error = finish(request, status);
  return error == MPI_SUCCESS ? error : raise(comm, error_class_of(error));
}

// Those that `wanted` says, which are over. `indices`: what they are among all, if somebody asks.
template <class Wanted>
int finish_several(Requests requests, Wanted wanted, int* count, int indices[], MPI_Status statuses[]) {
  bool has_error = false;
  MPI_Comm comm = MPI_COMM_WORLD;
  *count = 0;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (!wanted(requests[k])) continue;
    const MPI_Comm its = comm_of(requests[k]);
    const int error = finish(requests[k], place_of(statuses, *count));
    if (error != MPI_SUCCESS) comm = its;
    has_error = has_error || error != MPI_SUCCESS;
    if (indices != nullptr) indices[*count] = static_cast<int>(k);
    ++*count;
  }
  return has_error ? raise(comm, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  make_progress();
  *flag = is_over(*request) ? 1 : 0;
  if (*flag != 0) return finish_and_raise(*request, status);
  pass_on();
  return MPI_SUCCESS;
}

int test_all(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  make_progress();
  *flag = are_over(among(count, requests)) ? 1 : 0;
  if (*flag == 0) return pass_on(), MPI_SUCCESS;
  const auto each = [](MPI_Request) { return true; };
  return finish_several(among(count, requests), each, &count, nullptr, statuses);
}

int wait_all(int count, MPI_Request requests[], MPI_Status statuses[]) {
  for (int is_over = 0;;) {
    const int status = test_all(count, requests, &is_over, statuses);
    if (is_over != 0) return status;
  }
}

int test_any(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  make_progress();
  const Requests all = among(count, requests);
  const auto found = std::ranges::find_if(all, has_completed);
  *index = found == all.end() ? MPI_UNDEFINED : static_cast<int>(found - all.begin());
  *flag = found != all.end() || std::ranges::none_of(all, is_active) ? 1 : 0;
  if (found != all.end()) return finish_and_raise(*found, status);
  if (*flag == 0) return pass_on(), MPI_SUCCESS;
  return put(status, empty_status), MPI_SUCCESS;
}

int wait_any(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  for (int is_over = 0;;) {
    const int result = test_any(count, requests, index, &is_over, status);
    if (is_over != 0) return result;
  }
}

int test_some(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  make_progress();
  const Requests all = among(count, requests);
  const bool has_any = std::ranges::any_of(all, is_active);
  const int status = finish_several(all, has_completed, done, indices, statuses);
  if (*done == 0) pass_on();
  if (!has_any) *done = MPI_UNDEFINED;
  return status;
}

int wait_some(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  for (;;) {
    const int status = test_some(count, requests, done, indices, statuses);
    if (*done != 0) return status;
  }
}

MPI_Status status_of(MPI_Request request) {
  return is_active(request) ? state().requests.at(request).status : empty_status;
}

int get_status_all(int count, const MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  make_progress();
  *flag = are_over(among(count, requests)) ? 1 : 0;
  if (*flag == 0) return pass_on(), MPI_SUCCESS;
  for (int k = 0; k < count; ++k) put(place_of(statuses, k), status_of(requests[k]));
  return MPI_SUCCESS;
}

int get_status(MPI_Request request, int* flag, MPI_Status* status) { return get_status_all(1, &request, flag, status); }

// What is over stays so: a rank that asks again waits for the rest.
int get_status_some(int count, const MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  make_progress();
  pass_on();
  const bool has_any = std::ranges::any_of(among(count, requests), is_active);
  *done = 0;
  for (int k = 0; k < count; ++k) {
    if (!has_completed(requests[k])) continue;
    put(place_of(statuses, *done), status_of(requests[k]));
    indices[(*done)++] = k;
  }
  if (!has_any) *done = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int get_status_any(int count, const MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  int done = 0;
  (void)get_status_some(count, requests, &done, indices.data(), MPI_STATUSES_IGNORE);
  *flag = done != 0 ? 1 : 0;
  *index = done > 0 ? indices[0] : MPI_UNDEFINED;
  if (*flag != 0) put(status, done > 0 ? status_of(requests[*index]) : empty_status);
  return MPI_SUCCESS;
}

// Of a receive that no message has met yet. What was sent is not taken back.
int cancel(MPI_Request* request) {
  if (*request == MPI_REQUEST_NULL) return raise(MPI_COMM_WORLD, MPI_ERR_REQUEST);
  if (const auto& own = state().requests.at(*request).generalized) return own->cancel(own->extra, 0);
  if (state().receives.remove(*request) != 0) state().requests.at(*request).is_over = true;
  return MPI_SUCCESS;
}

int free_request(MPI_Request* request) {
  if (*request == MPI_REQUEST_NULL) return raise(MPI_COMM_WORLD, MPI_ERR_REQUEST);
  for (MessageUnderWay& message : state().messages) {
    if (message.waits == *request) message.waits = MPI_REQUEST_NULL;
  }
  state().requests.remove(*request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace

int wait(MPI_Request* request, MPI_Status* status) {
  wait_until([&] {
    make_progress();
    return is_over(*request);
  });
  return finish_and_raise(*request, status);
}

void add_completion(Native& table) {
  table.Wait = wait;
  table.Test = test;
  table.Waitall = wait_all;
  table.Testall = test_all;
  table.Waitany = wait_any;
  table.Testany = test_any;
  table.Waitsome = wait_some;
  table.Testsome = test_some;
  table.Request_get_status = get_status;
  table.Request_get_status_all = get_status_all;
  table.Request_get_status_any = get_status_any;
  table.Request_get_status_some = get_status_some;
  table.Cancel = cancel;
  table.Request_free = free_request;
  table.Request_is_complete = [](MPI_Request request) { return is_over(request) ? 1 : 0; };
}

}  // namespace espalier::fake
