// SPDX-License-Identifier: Apache-2.0
#include "differential/complete.hpp"

#include <stdexcept>
#include <vector>

namespace espalier::apps {

namespace {

using Requests = std::span<MPI_Request>;

// Calls work(), which sets a flag once nothing is left to wait for.
template <class Work>
int until_done(Work work) {
  int done = 0, status = MPI_SUCCESS;
  while (done == 0 && status == MPI_SUCCESS) status = work(done);
  return status;
}

int one_after_the_other(Requests requests, int (*complete_one)(MPI_Request*)) {
  int first = MPI_SUCCESS;
  for (MPI_Request& request : requests) {
    const int status = complete_one(&request);
    if (first == MPI_SUCCESS) first = status;
  }
  return first;
}

int wait(MPI_Request* request) { return MPI_Wait(request, MPI_STATUS_IGNORE); }
int test(MPI_Request* request) {
  return until_done([&](int& done) { return MPI_Test(request, &done, MPI_STATUS_IGNORE); });
}

int wait_any(Requests requests) {
  return until_done([&](int& done) {
    int index = 0;
    const int status = MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
    done = index == MPI_UNDEFINED ? 1 : 0;
    return status;
  });
}
int test_any(Requests requests) {
  return until_done([&](int& done) {
    int index = 0, found = 0;
    const int status =
        MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &found, MPI_STATUS_IGNORE);
    done = found != 0 && index == MPI_UNDEFINED ? 1 : 0;
    return status;
  });
}

template <auto function>
int some(Requests requests) {
  std::vector<int> indices(requests.size());
  return until_done([&](int& done) {
    int count = 0;
    const int status =
        function(static_cast<int>(requests.size()), requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    done = count == MPI_UNDEFINED ? 1 : 0;
    return status;
  });
}

int test_all(Requests requests) {
  return until_done([&](int& done) {
    return MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  });
}

}  // namespace

int complete(Requests requests, const std::string& by) {
  if (by == "Wait") return one_after_the_other(requests, wait);
  if (by == "Test") return one_after_the_other(requests, test);
  if (by == "Waitall") return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  if (by == "Testall") return test_all(requests);
  if (by == "Waitany") return wait_any(requests);
  if (by == "Testany") return test_any(requests);
  if (by == "Waitsome") return some<MPI_Waitsome>(requests);
  if (by == "Testsome") return some<MPI_Testsome>(requests);
  throw std::invalid_argument("finish=" + by);
}

}  // namespace espalier::apps
