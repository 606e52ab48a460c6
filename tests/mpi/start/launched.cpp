// SPDX-License-Identifier: Apache-2.0
#include "start/launched.hpp"

namespace espalier {

std::string said_during(const std::function<void()>& work) {
  testing::internal::CaptureStderr();
  work();
  return testing::internal::GetCapturedStderr();
}

void launch(Rank size, const Native& mpi, const std::function<void(Context&)>& body, const OnTurn& on_turn) {
  fake::start(size);
  fake::run_ranks(size, [&](Rank me) {
    Context its(fake::host, fake::functions_of(me, mpi));
    fake::on_resuming([&] {
      context = &its;
      on_turn(me);
    });
    body(its);
    fake::on_resuming([] {});
  });
}

std::string said_by_job(Rank size, const Native& mpi, const std::function<void(Context&)>& body,
                        const OnTurn& on_turn) {
  return said_during([&] {
    const auto whole_life = [&](Context& its) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Init)(nullptr, nullptr), MPI_SUCCESS);
      body(its);
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Finalize)(), MPI_SUCCESS);
      EXPECT_FALSE(its.active);
    };
    launch(size, mpi, whole_life, on_turn);
  });
}

int times(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace espalier
