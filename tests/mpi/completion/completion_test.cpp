// SPDX-License-Identifier: Apache-2.0
// Persistent requests of ours are completed as those of the MPI are, alone and among others.
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "requests/repeated.hpp"

namespace espalier::completion_test {
namespace {

using fake::entry_of;
using fake::RankOfJob;
using fake::run_job;

constexpr Rank size = 2;
constexpr int all = 5;

// Two of ours, a persistent receive and a message of the application's, and nothing.
class Mixture {
 public:
  explicit Mixture(const RankOfJob& here) : other_(1 - here.rank()), mpi_(here.mpi()), one_(here, Kind::allreduce) {
    two_.emplace(here, Kind::bcast);
    EXPECT_EQ(mpi_.Recv_init(&received_[0], 1, MPI_INT, other_, 0, MPI_COMM_WORLD, &persistent_), MPI_SUCCESS);
  }
  ~Mixture() { EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&persistent_), MPI_SUCCESS); }
  Mixture(const Mixture&) = delete;
  Mixture& operator=(const Mixture&) = delete;

  void start(int round) {
    sent_ = round;
    one_.fill(round);
    two_->fill(round + 1);
    std::array starts = {one_.request, persistent_, two_->request};
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Startall)(3, starts.data()), MPI_SUCCESS);
    MPI_Request message = MPI_REQUEST_NULL;
    mpi_.Irecv(&received_[1], 1, MPI_INT, other_, 1, MPI_COMM_WORLD, &message);
    for (const int tag : {1, 0}) mpi_.Send(&sent_, 1, MPI_INT, other_, tag, MPI_COMM_WORLD);
    handles = {one_.request, message, MPI_REQUEST_NULL, persistent_, two_->request};
  }
  void expect_result() const {
    one_.expect_result();
    two_->expect_result();
    EXPECT_EQ(received_, (std::array{sent_, sent_}));
    EXPECT_EQ(handles, (std::array{one_.request, MPI_REQUEST_NULL, MPI_REQUEST_NULL, persistent_, two_->request}));
  }

  std::array<MPI_Request, all> handles;

 private:
  const Rank other_;
  const Native& mpi_;
  Repeated one_;
  std::optional<Repeated> two_;
  MPI_Request persistent_ = MPI_REQUEST_NULL;
  int sent_ = 0;
  std::array<int, 2> received_{};
};

void wait_each(MPI_Request* handles) {
  for (int k = all; k-- > 0;) EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&handles[k], MPI_STATUS_IGNORE), MPI_SUCCESS);
}

void test_each(MPI_Request* handles) {
  for (int k = 0; k < all; ++k) {
    for (int flag = 0; flag == 0;) EXPECT_EQ(ESPALIER_ENTRY(MPI_Test)(&handles[k], &flag, MPI_STATUS_IGNORE), 0);
  }
}

void wait_all(MPI_Request* handles) {
  EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitall)(all, handles, MPI_STATUSES_IGNORE), MPI_SUCCESS);
}

void test_all(MPI_Request* handles) {
  for (int flag = 0; flag == 0;) EXPECT_EQ(ESPALIER_ENTRY(MPI_Testall)(all, handles, &flag, MPI_STATUSES_IGNORE), 0);
}

void wait_any(MPI_Request* handles) {
  int completed = 0;
  for (int index = 0; index != MPI_UNDEFINED; ++completed) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitany)(all, handles, &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
  EXPECT_EQ(completed, all);  // the last time, none is left
}

void test_any(MPI_Request* handles) {
  for (int flag = 0, index = 0; flag == 0 || index != MPI_UNDEFINED;) {
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Testany)(all, handles, &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
}

template <class Some>
void complete_some(MPI_Request* handles, Some function) {
  std::array<int, all> indices;
  int completed = 0;
  for (int count = 0; count != MPI_UNDEFINED;) {
    EXPECT_EQ(function(all, handles, &count, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    if (count != MPI_UNDEFINED) completed += count;
  }
  EXPECT_EQ(completed, all - 1);
}
void wait_some(MPI_Request* handles) { complete_some(handles, ESPALIER_ENTRY(MPI_Waitsome)); }
void test_some(MPI_Request* handles) { complete_some(handles, ESPALIER_ENTRY(MPI_Testsome)); }

void get_each_status(MPI_Request* handles) {
  for (int k = 0; k < all; ++k) {
    for (int flag = 0; flag == 0;) ESPALIER_ENTRY(MPI_Request_get_status)(handles[k], &flag, MPI_STATUS_IGNORE);
  }
  wait_all(handles);
}

void get_all_statuses(MPI_Request* handles) {
  using Function = std::remove_pointer_t<decltype(Native::Request_get_status_all)>;
  for (int flag = 0; flag == 0;) {
    entry_of<Function>("MPI_Request_get_status_all")(all, handles, &flag, MPI_STATUSES_IGNORE);
  }
  wait_all(handles);
}

void get_any_status(MPI_Request* handles) {
  using Function = std::remove_pointer_t<decltype(Native::Request_get_status_any)>;
  for (int flag = 0, index = 0; flag == 0;) {
    entry_of<Function>("MPI_Request_get_status_any")(all, handles, &index, &flag, MPI_STATUS_IGNORE);
  }
  wait_each(handles);
}

void get_some_statuses(MPI_Request* handles) {
  using Function = std::remove_pointer_t<decltype(Native::Request_get_status_some)>;
  std::array<int, all> indices;
  for (int count = 0; count < all - 1;) {
    entry_of<Function>("MPI_Request_get_status_some")(all, handles, &count, indices.data(), MPI_STATUSES_IGNORE);
  }
  test_all(handles);
}

struct Completer {
  const char* name;
  void (*complete)(MPI_Request* handles);
};
void PrintTo(const Completer& completer, std::ostream* out) { *out << completer.name; }

const Completer completers[] = {
    {"Wait", wait_each},
    {"Test", test_each},
    {"Waitall", wait_all},
    {"Testall", test_all},
    {"Waitany", wait_any},
    {"Testany", test_any},
    {"Waitsome", wait_some},
    {"Testsome", test_some},
    {"GetStatus", get_each_status},
    {"GetStatusAll", get_all_statuses},
    {"GetStatusAny", get_any_status},
    {"GetStatusSome", get_some_statuses},
};

class CompletionTest : public testing::TestWithParam<Completer> {
 protected:
  static void run(const std::function<void(RankOfJob&)>& body) {
    run_job(size, {.algorithms = own_algorithms, .hooks = true}, body);
    EXPECT_EQ(fake::remains(), fake::Remains{});
  }
};

TEST_P(CompletionTest, is_that_of_all_kinds_of_requests) {
  run([](const RankOfJob& here) {
    Mixture mixture(here);
    for (int round = 0; round < 3; ++round) {
      mixture.start(round);
      GetParam().complete(mixture.handles.data());
      mixture.expect_result();
    }
    EXPECT_EQ(here.calls(Collective::allreduce).own, 3u);
  });
}

TEST_P(CompletionTest, may_be_another_one_each_time) {
  run([](const RankOfJob& here) {
    Mixture mixture(here);
    int round = 0;
    for (const Completer& completer : completers) {
      for (const Completer& which : {completer, GetParam()}) {
        mixture.start(++round);
        which.complete(mixture.handles.data());
        mixture.expect_result();
      }
    }
  });
}

TEST_P(CompletionTest, of_what_is_inactive_is_there_at_once) {
  run([](const RankOfJob& here) {
    std::deque<Repeated> two;
    for (const Kind kind : {Kind::allreduce, Kind::bcast}) two.emplace_back(here, kind);
    for (const auto complete :
         {wait_each, test_each, wait_all, test_all, test_any, get_each_status, get_all_statuses}) {
      std::array handles = {two[0].request, MPI_REQUEST_NULL, two[1].request, two[0].request, two[1].request};
      complete(handles.data());
    }
    int index = 0;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Waitany)(1, &two[0].request, &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    int count = 0;
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Testsome)(1, &two[0].request, &count, &index, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(count, MPI_UNDEFINED);
  });
}

INSTANTIATE_TEST_SUITE_P(All, CompletionTest, testing::ValuesIn(completers),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace espalier::completion_test
