// SPDX-License-Identifier: Apache-2.0
// What the driver of persistent calls makes of what a work says.
#include "mpi/deferred/persistent_call.hpp"

#include <gtest/gtest.h>

#include "fake/rank_of_job.hpp"

namespace espalier::persistent_call_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

int native_calls = 0;

const Function function = {.name = "MPI_Send_init",
                           .collective = "send",
                           .form = CallForm::persistent,
                           .kind = FunctionKind::message,
                           .native = [](const Native&, const Call&) -> int { return ++native_calls, MPI_SUCCESS; }};

class FakeWork final : public PersistentWork {
 public:
  FakeWork(RanAs ran_as, int status, int prepared) : ran_as_(std::move(ran_as)), status_(status), prepared_(prepared) {}

  [[nodiscard]] int agree(RanAs& ran_as) override {
    ++agreements;
    ran_as = ran_as_;
    return status_;
  }
  [[nodiscard]] int prepare(std::shared_ptr<PersistentRun>& /*run*/) override { return prepared_; }

  int agreements = 0;

 private:
  const RanAs ran_as_;
  const int status_, prepared_;
};

struct Outcome {
  int status = MPI_SUCCESS, natively = 0, agreements = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

const RanAs ours{.choice = {.reason = "as promised"}, .by = "paired"};

Outcome outcome_of(const RanAs& ran_as, int status, int prepared, bool hooks = true) {
  Outcome outcome;
  run_job(1, {.hooks = hooks}, [&](RankOfJob& here) {
    here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Request request = MPI_REQUEST_NULL;
    const Call call{.function = &function, .comm = MPI_COMM_WORLD, .request = &request};
    FakeWork work(ran_as, status, prepared);
    native_calls = 0;
    outcome.status = do_persistent_call(call, here.communicator(), work);
    outcome.natively = native_calls;
    outcome.agreements = work.agreements;
  });
  return outcome;
}

TEST(PersistentCall, is_native_without_an_agreement_if_there_are_no_requests_of_ours) {
  EXPECT_EQ(outcome_of(ours, MPI_SUCCESS, MPI_SUCCESS, false), (Outcome{MPI_SUCCESS, 1, 0}));
}

TEST(PersistentCall, is_native_if_the_ranks_have_agreed_on_that) {
  EXPECT_EQ(outcome_of(ran_natively("one NIC"), MPI_SUCCESS, MPI_SUCCESS), (Outcome{MPI_SUCCESS, 1, 1}));
}

TEST(PersistentCall, ends_with_the_error_of_the_agreement) {
  EXPECT_EQ(outcome_of(ours, MPI_ERR_INTERN, MPI_SUCCESS), (Outcome{MPI_ERR_INTERN, 0, 1}));
}

TEST(PersistentCall, ends_with_the_error_of_its_preparation) {
  EXPECT_EQ(outcome_of(ours, MPI_SUCCESS, MPI_ERR_TYPE), (Outcome{MPI_ERR_TYPE, 0, 1}));
}

}  // namespace
}  // namespace espalier::persistent_call_test
