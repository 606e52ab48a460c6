// SPDX-License-Identifier: Apache-2.0
// Calls that were made before: nothing is asked of the MPI again, and little is kept.
#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier {
namespace {

using fake::RankOfJob;
using fake::run_job;

// Questions about datatypes, by all ranks: a call that is classified asks some.
int questions = 0;
Native counting_questions() {
  Native mpi = fake::functions();
  mpi.Type_size_x = [](MPI_Datatype type, MPI_Count* size) {
    ++questions;
    return fake::functions().Type_size_x(type, size);
  };
  return mpi;
}

const Form& form_of(const char* name) {
  return *std::ranges::find(blocking_forms(), std::string_view(name),
                            [](const Form& form) { return std::string_view(form.name); });
}

class RepeatedCallTest : public testing::Test {
 protected:
  void add(RankOfJob& here, int count, MPI_Comm comm = MPI_COMM_WORLD) const {
    expect_call(allreduce, {.collective = Collective::allreduce, .size = 3, .count = count}, here.rank(),
                {.comm = comm});
  }
  // Asked by this rank for that work.
  static int asked(const std::function<void()>& work) {
    const int before = questions;
    work();
    return questions - before;
  }

  const Form& allreduce = form_of("MPI_Allreduce");
};

TEST_F(RepeatedCallTest, are_not_classified_again) {
  run_job(3, {.native = counting_questions(), .algorithms = "allreduce:ring"}, [&](RankOfJob& here) {
    add(here, 5);
    here.mpi().Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(asked([&] {
                for (int k = 0; k < 5; ++k) add(here, 5);
              }),
              0);
    here.mpi().Barrier(MPI_COMM_WORLD);
    EXPECT_GT(asked([&] { add(here, 6); }), 0);
  });
}

TEST_F(RepeatedCallTest, are_not_classified_again_where_they_go_to_the_native_mpi) {
  run_job(3, {.native = counting_questions(), .algorithms = "allreduce:native"}, [&](RankOfJob& here) {
    add(here, 5);
    here.mpi().Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(asked([&] { add(here, 5); }), 0);
    EXPECT_EQ(here.calls(Collective::allreduce).native, 2u);
  });
}

TEST_F(RepeatedCallTest, have_their_own_memory_on_each_communicator) {
  run_job(3, {.algorithms = "allreduce:ring"}, [&](RankOfJob& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    for (int k = 0; k < 3; ++k) {
      add(here, 5);
      add(here, 5, copy);
    }
  });
}

// Each blocking function, by ours and by the native MPI.
class RepeatedFormTest : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] static Task task(int count) {
    return {.collective = GetParam().collective, .size = 3, .count = count, .is_uneven = GetParam().is_uneven};
  }
  // What all ranks together ask the MPI about datatypes in calls of these lengths.
  static int asked_by_all(RankOfJob& here, const std::vector<int>& counts, bool in_place) {
    here.mpi().Barrier(MPI_COMM_WORLD);
    const int before = questions;
    for (const int count : counts) expect_call(GetParam(), task(count), here.rank(), {.in_place = in_place});
    here.mpi().Barrier(MPI_COMM_WORLD);
    return questions - before;
  }
  // The input is copied each time, by what the call was prepared for.
  [[nodiscard]] static bool is_covered_in_place() {
    return GetParam().is_uneven && !contract_of(GetParam().collective).may_be_uneven_in_place();
  }
};

TEST_P(RepeatedFormTest, is_not_classified_again) {
  for (const std::string& algorithms : {some_algorithms(), std::string()}) {
    run_job(3, {.native = counting_questions(), .algorithms = algorithms}, [&](RankOfJob& here) {
      for (const bool in_place : {false, true}) {
        (void)asked_by_all(here, {5}, in_place);
        if (!in_place || algorithms.empty() || !is_covered_in_place()) {
          EXPECT_EQ(asked_by_all(here, {5, 5, 5}, in_place), 0);
        }
      }
    });
  }
}

TEST_P(RepeatedFormTest, is_right_where_the_blocks_are_others_now) {
  run_job(3, {.algorithms = some_algorithms()}, [&](RankOfJob& here) {
    for (const bool in_place : {false, true}) (void)asked_by_all(here, {5, 6, 5, 7, 7, 6, 5, 0, 5}, in_place);
  });
}

INSTANTIATE_TEST_SUITE_P(Each, RepeatedFormTest, testing::ValuesIn(blocking_forms()),
                         [](const auto& form) { return std::string(form.param.name); });

TEST_F(RepeatedCallTest, go_on_right_where_only_one_of_them_is_kept) {
  run_job(3, {.algorithms = "allreduce:ring", .cache = 1}, [&](RankOfJob& here) {
    for (const int count : {5, 6, 5, 6, 7, 5}) add(here, count);
    EXPECT_EQ(here.calls(Collective::allreduce).own, 6u);
  });
}

TEST_F(RepeatedCallTest, that_lack_a_buffer_are_refused_by_the_mpi) {
  Native mpi = fake::functions();
  mpi.Allreduce = [](const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return output == nullptr ? MPI_ERR_BUFFER : fake::functions().Allreduce(input, output, count, type, op, comm);
  };
  for (const char* report : {"", "report.json"}) {
    run_job(3, {.native = mpi, .algorithms = "allreduce:ring", .report = report}, [&](RankOfJob& here) {
      for (int k = 0; k < 2; ++k) add(here, 1);
      const int mine = 1;
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Allreduce)(&mine, nullptr, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    });
  }
}

TEST_F(RepeatedCallTest, are_decided_again_when_decisions_are_forgotten) {
  run_job(3, {.algorithms = "allreduce:ring"}, [&](RankOfJob& here) {
    add(here, 5);
    Settings settings;
    EXPECT_EQ(force("allreduce:native", settings), "");
    here.context().selector = std::make_unique<Selector>(settings);
    add(here, 5);
    EXPECT_EQ(here.calls(Collective::allreduce).own, 2u);
    here.context().communicators.forget_decisions();
    add(here, 5);
    EXPECT_EQ(here.calls(Collective::allreduce).native, 1u);
  });
}

}  // namespace
}  // namespace espalier
