// SPDX-License-Identifier: Apache-2.0
// The large forms of functions where they go to the native MPI: to its large form if it has one, otherwise by means of
// the small one.
#include <gtest/gtest.h>

#include <climits>

#include "fake/rank_of_job.hpp"

namespace espalier::large_counts_test {
namespace {

using fake::RankOfJob;
using fake::run_job;

constexpr MPI_Count many = (MPI_Count{1} << 31) + 5;

// What came to the native MPI: counts, and sizes of the datatypes.
struct Seen {
  MPI_Count count, size;
  friend bool operator==(const Seen&, const Seen&) = default;
};
std::vector<Seen> seen;

int note(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) fake::functions().Type_size_x(type, &size);
  seen.push_back({count, size});
  return MPI_SUCCESS;
}

// Nothing is moved: no memory is so large.
Native noting() {
  Native mpi = fake::functions();
  mpi.Bcast = [](void*, int count, MPI_Datatype type, int, MPI_Comm) { return note(count, type); };
  mpi.Reduce = [](const void*, void*, int count, MPI_Datatype type, MPI_Op, int, MPI_Comm) {
    return note(count, type);
  };
  mpi.Allreduce = [](const void*, void*, int count, MPI_Datatype type, MPI_Op, MPI_Comm) { return note(count, type); };
  mpi.Reduce_scatter_block = mpi.Allreduce;
  mpi.Allgather = [](const void*, int, MPI_Datatype, void*, int count, MPI_Datatype type, MPI_Comm) {
    return note(count, type);
  };
  mpi.Alltoall = mpi.Allgather;
  mpi.Ibcast = [](void*, int count, MPI_Datatype type, int, MPI_Comm, MPI_Request*) { return note(count, type); };
  mpi.Ireduce = [](const void*, void*, int count, MPI_Datatype type, MPI_Op, int, MPI_Comm, MPI_Request*) {
    return note(count, type);
  };
  mpi.Iallreduce = [](const void*, void*, int count, MPI_Datatype type, MPI_Op, MPI_Comm, MPI_Request*) {
    return note(count, type);
  };
  return mpi;
}

Native with_large_forms() {
  Native mpi = noting();
  mpi.Ibcast_c = [](void*, MPI_Count count, MPI_Datatype type, int, MPI_Comm, MPI_Request*) {
    return note(count, type);
  };
  mpi.Ireduce_c = [](const void*, void*, MPI_Count count, MPI_Datatype type, MPI_Op, int, MPI_Comm, MPI_Request*) {
    return note(count, type);
  };
  mpi.Iallreduce_c = [](const void*, void*, MPI_Count count, MPI_Datatype type, MPI_Op, MPI_Comm, MPI_Request*) {
    return note(count, type);
  };
  mpi.Bcast_c = [](void*, MPI_Count count, MPI_Datatype type, int, MPI_Comm) { return note(count, type); };
  mpi.Reduce_c = [](const void*, void*, MPI_Count count, MPI_Datatype type, MPI_Op, int, MPI_Comm) {
    return note(count, type);
  };
  mpi.Allreduce_c = [](const void*, void*, MPI_Count count, MPI_Datatype type, MPI_Op, MPI_Comm) {
    return note(count, type);
  };
  mpi.Reduce_scatter_block_c = mpi.Allreduce_c;
  mpi.Allgather_c = [](const void*, MPI_Count, MPI_Datatype, void*, MPI_Count count, MPI_Datatype type, MPI_Comm) {
    return note(count, type);
  };
  mpi.Alltoall_c = mpi.Allgather_c;
  mpi.Allgatherv_c = [](const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count counts[], const MPI_Aint[],
                        MPI_Datatype type, MPI_Comm) { return note(counts[0], type); };
  mpi.Alltoallv_c = [](const void*, const MPI_Count[], const MPI_Aint[], MPI_Datatype, void*, const MPI_Count counts[],
                       const MPI_Aint[], MPI_Datatype type, MPI_Comm) { return note(counts[0], type); };
  return mpi;
}

class LargeCountsTest : public testing::Test {
 protected:
  // One rank, outside of the job, so that all calls are native.
  void run(const Native& mpi, const std::function<void()>& calls) {
    seen.clear();
    run_job(1, {.native = mpi}, [&](RankOfJob& here) {
      here.mpi().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
      here.context().active = false;
      calls();
    });
  }
  static int gather(MPI_Count count, MPI_Datatype type = MPI_BYTE) {
    char nothing = 0;
    return ESPALIER_ENTRY(MPI_Allgather_c)(MPI_IN_PLACE, count, type, &nothing, count, type, MPI_COMM_WORLD);
  }
  static int exchange(MPI_Count count, MPI_Datatype type = MPI_BYTE) {
    char nothing = 0;
    return ESPALIER_ENTRY(MPI_Alltoall_c)(&nothing, count, type, &nothing, count, type, MPI_COMM_WORLD);
  }
  static int gather_v(MPI_Count count, MPI_Aint displacement = 0) {
    char nothing = 0;
    return ESPALIER_ENTRY(MPI_Allgatherv_c)(&nothing, count, MPI_BYTE, &nothing, &count, &displacement, MPI_BYTE,
                                            MPI_COMM_WORLD);
  }
  static int exchange_v(MPI_Count count, MPI_Aint displacement = 0) {
    char nothing = 0;
    return ESPALIER_ENTRY(MPI_Alltoallv_c)(&nothing, &count, &displacement, MPI_BYTE, &nothing, &count, &displacement,
                                           MPI_BYTE, MPI_COMM_WORLD);
  }
  static int reduce(MPI_Count count) {
    return ESPALIER_ENTRY(MPI_Reduce_c)(nullptr, nullptr, count, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
  }
  static int allreduce(MPI_Count count) {
    return ESPALIER_ENTRY(MPI_Allreduce_c)(MPI_IN_PLACE, nullptr, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  }
  static int reduce_scatter(MPI_Count count) {
    return ESPALIER_ENTRY(MPI_Reduce_scatter_block_c)(nullptr, nullptr, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  }
  static int ibcast(MPI_Count count) {
    MPI_Request request = MPI_REQUEST_NULL;
    return ESPALIER_ENTRY(MPI_Ibcast_c)(nullptr, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  }
  static int ireduce(MPI_Count count) {
    MPI_Request request = MPI_REQUEST_NULL;
    return ESPALIER_ENTRY(MPI_Ireduce_c)(nullptr, nullptr, count, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD, &request);
  }
  static int iallreduce(MPI_Count count) {
    MPI_Request request = MPI_REQUEST_NULL;
    return ESPALIER_ENTRY(MPI_Iallreduce_c)(nullptr, nullptr, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD, &request);
  }
  static int bcast(MPI_Count count) { return ESPALIER_ENTRY(MPI_Bcast_c)(nullptr, count, MPI_BYTE, 0, MPI_COMM_WORLD); }
};

TEST_F(LargeCountsTest, go_to_the_large_forms_of_an_mpi_that_has_them) {
  run(with_large_forms(), [] {
    for (auto* call : {bcast, reduce, allreduce, reduce_scatter}) EXPECT_EQ(call(many), MPI_SUCCESS);
    EXPECT_EQ(gather(many), MPI_SUCCESS);
    EXPECT_EQ(exchange(many), MPI_SUCCESS);
    EXPECT_EQ(gather_v(many), MPI_SUCCESS);
    EXPECT_EQ(exchange_v(many), MPI_SUCCESS);
    EXPECT_EQ(seen, std::vector<Seen>(8, {many, 1}));
  });
}

TEST_F(LargeCountsTest, of_nonblocking_reductions_go_only_to_large_forms) {
  for (auto* call : {ireduce, iallreduce}) {
    run(with_large_forms(), [&] {
      EXPECT_EQ(call(many), MPI_SUCCESS);
      EXPECT_EQ(seen, std::vector<Seen>(1, {many, 1}));
    });
    run(noting(), [&] {
      EXPECT_EQ(call(many), MPI_ERR_COUNT);
      EXPECT_EQ(call(3), MPI_SUCCESS);
      EXPECT_EQ(call(-many), MPI_SUCCESS);
      EXPECT_EQ(seen, (std::vector<Seen>{{3, 1}, {-1, 1}}));
    });
  }
}

TEST_F(LargeCountsTest, go_as_one_large_element_elsewhere) {
  run(noting(), [] {
    EXPECT_EQ(bcast(many), MPI_SUCCESS);
    EXPECT_EQ(gather(many), MPI_SUCCESS);
    EXPECT_EQ(exchange(many), MPI_SUCCESS);
    EXPECT_EQ(ibcast(many), MPI_SUCCESS);
    EXPECT_EQ(seen, std::vector<Seen>(4, {1, many}));
  });
}

TEST_F(LargeCountsTest, are_reduced_in_parts_elsewhere) {
  run(noting(), [] {
    for (auto* call : {reduce, allreduce}) {
      seen.clear();
      EXPECT_EQ(call(many), MPI_SUCCESS);
      EXPECT_EQ(seen, (std::vector<Seen>{{INT_MAX, 1}, {many - INT_MAX, 1}}));
    }
  });
}

TEST_F(LargeCountsTest, are_refused_where_nothing_else_is_possible) {
  run(noting(), [] {
    EXPECT_EQ(reduce_scatter(many), MPI_ERR_COUNT);
    EXPECT_EQ(gather_v(many), MPI_ERR_COUNT);
    EXPECT_EQ(exchange_v(1, many), MPI_ERR_COUNT);
    EXPECT_EQ(fake::take_raised(), std::vector<int>(3, MPI_ERR_COUNT));
    EXPECT_TRUE(seen.empty());
  });
}

// A group distributes its result among its own ranks, however many the other one has.
TEST_F(LargeCountsTest, of_a_result_distributed_between_groups_are_those_of_the_own_group) {
  static std::vector<int> counts;
  Native mpi = noting();
  mpi.Reduce_scatter = [](const void*, void*, const int given[], MPI_Datatype, MPI_Op, MPI_Comm) {
    counts.assign(given, given + 2);
    return MPI_SUCCESS;
  };
  run_job(3, {.native = mpi}, [&](RankOfJob& here) {
    if (here.rank() > 1) return;
    const MPI_Comm between = fake::make_intercommunicator({0, 1}, {2});
    const MPI_Count large[] = {3, 4};
    EXPECT_EQ(ESPALIER_ENTRY(MPI_Reduce_scatter_c)(nullptr, nullptr, large, MPI_BYTE, MPI_BOR, between), MPI_SUCCESS);
    EXPECT_EQ(counts, (std::vector<int>{3, 4}));
  });
}

TEST_F(LargeCountsTest, that_are_wrong_stay_wrong) {
  run(noting(), [] {
    for (auto* call : {bcast, reduce, allreduce, reduce_scatter}) EXPECT_EQ(call(-many), MPI_SUCCESS);
    EXPECT_EQ(gather(-many), MPI_SUCCESS);
    EXPECT_EQ(seen, std::vector<Seen>(5, {-1, 1}));
    seen.clear();
    EXPECT_EQ(exchange(many, MPI_DATATYPE_NULL), MPI_SUCCESS);
    EXPECT_EQ(seen, std::vector<Seen>(1, {INT_MAX, 0}));
  });
}

TEST_F(LargeCountsTest, fail_where_the_mpi_fails) {
  Native mpi = noting();
  mpi.Type_contiguous = [](int, MPI_Datatype, MPI_Datatype*) { return MPI_ERR_NO_MEM; };
  mpi.Type_get_extent = [](MPI_Datatype, MPI_Aint*, MPI_Aint*) { return MPI_ERR_TYPE; };
  run(mpi, [] {
    EXPECT_NE(gather(many), MPI_SUCCESS);
    EXPECT_NE(exchange(many), MPI_SUCCESS);
    EXPECT_NE(bcast(many), MPI_SUCCESS);
    EXPECT_NE(allreduce(many), MPI_SUCCESS);
    EXPECT_TRUE(seen.empty());
  });
}

}  // namespace
}  // namespace espalier::large_counts_test
