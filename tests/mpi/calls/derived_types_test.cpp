// SPDX-License-Identifier: Apache-2.0
// Calls whose elements are of the application's datatypes, which only its own operations can add.
#include <gtest/gtest.h>

#include "calls/trial.hpp"

namespace espalier::derived_types_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr int count = 6;

// An int somewhere in each element.
struct Layout {
  const char* name;
  int stride, first;  // in ints
};
constexpr Layout layouts[] = {
    {"WithGaps", 3, 0},
    {"FarFromTheAddress", 8, 5},
    {"FartherThanTheirExtent", 1, 3},  // elements reach into each other's memory
};

MPI_Datatype make_type(const Layout& layout) {
  const Native mpi = fake::functions();
  const int length = 1;
  const auto distance = static_cast<MPI_Aint>(layout.first * sizeof(int));
  MPI_Datatype shifted = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  mpi.Type_create_hindexed(1, &length, &distance, MPI_INT, &shifted);
  mpi.Type_create_resized(shifted, 0, static_cast<MPI_Aint>(layout.stride * sizeof(int)), &type);
  mpi.Type_commit(&type);
  return type;
}

// The application knows how its elements lie.
Layout of_operation;
void add_elements(void* left, void* right, int* elements, MPI_Datatype*) {
  for (int k = 0; k < *elements; ++k) {
    const int place = k * of_operation.stride + of_operation.first;
    static_cast<int*>(right)[place] += static_cast<const int*>(left)[place];
  }
}

class DerivedTypeTest : public testing::TestWithParam<Layout> {
 protected:
  // Each form on three ranks, twice, in place and not, by our own means.
  static void expect_calls(const std::function<bool(const Form&)>& is_tested) {
    of_operation = GetParam();
    run_job(3, {.algorithms = some_algorithms()}, [&](RankOfJob& here) {
      const MPI_Op op = fake::make_operation(add_elements, true);
      const MPI_Datatype type = make_type(GetParam());
      for (const Form& form : blocking_forms()) {
        if (is_tested(form)) expect_form(form, here, {.type = type, .op = op});
      }
    });
  }

 private:
  static void expect_form(const Form& form, RankOfJob& here, Manner manner) {
    const Layout& layout = GetParam();
    manner.stride = layout.stride;
    manner.first = layout.first;
    const Task task{.collective = form.collective, .size = 3, .count = count, .is_uneven = form.is_uneven};
    const std::uint64_t own = here.calls(form.collective).own;
    for (const bool in_place : {false, false, true, true}) {
      SCOPED_TRACE(form.name);
      manner.in_place = in_place;
      expect_call(form, task, here.rank(), manner);
    }
    EXPECT_EQ(here.calls(form.collective).own, own + 4);
  }
};

TEST_P(DerivedTypeTest, are_packed_where_bytes_are_moved) {
  expect_calls([](const Form& form) {
    const Contract& contract = contract_of(form.collective);
    return contract.carries_data && !contract.reduces;
  });
}

TEST_P(DerivedTypeTest, are_added_by_the_applications_operation) {
  expect_calls([](const Form& form) { return contract_of(form.collective).reduces; });
}

INSTANTIATE_TEST_SUITE_P(Elements, DerivedTypeTest, testing::ValuesIn(layouts),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace espalier::derived_types_test
