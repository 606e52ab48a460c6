// SPDX-License-Identifier: Apache-2.0
// Which persistent messages are paired, and which are the native MPI's.
#include <gtest/gtest.h>

#include <climits>

#include "mpi/requests/requests.hpp"
#include "pairs/paired_job.hpp"

namespace espalier {
namespace {

struct Arguments {
  int count = 5;
  MPI_Datatype type = MPI_INT;
  Rank peer = 0;
  int tag = 7;
  MPI_Comm comm = MPI_COMM_WORLD;
};

class PairedRequestsTest : public testing::TestWithParam<PairSide> {
 protected:
  // Whether a message with these arguments becomes a request of ours. It is freed at once.
  static bool is_ours(const Arguments& said, int expected = MPI_SUCCESS) {
    static int memory[64];
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(class_of(init(memory, said, &request)), expected);
    const bool is_found = requests().persistent.find(request) != nullptr;
    if (request != MPI_REQUEST_NULL) {
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Request_free)(&request), MPI_SUCCESS);
    }
    return is_found;
  }
  static int init(int* memory, const Arguments& said, MPI_Request* request) {
    if (GetParam() == PairSide::sends) {
      return ESPALIER_ENTRY(MPI_Send_init)(memory, said.count, said.type, said.peer, said.tag, said.comm, request);
    }
    return ESPALIER_ENTRY(MPI_Recv_init)(memory, said.count, said.type, said.peer, said.tag, said.comm, request);
  }
};

TEST_P(PairedRequestsTest, a_message_to_another_host_is_paired) {
  run_paired(2, [](PairedRank& here) { EXPECT_TRUE(is_ours({.peer = here.next()})); });
}

TEST_P(PairedRequestsTest, messages_to_nobody_are_the_native_mpis) {
  run_paired(2, [](PairedRank&) { EXPECT_FALSE(is_ours({.peer = MPI_PROC_NULL})); });
}

TEST_P(PairedRequestsTest, messages_to_the_rank_itself_are_the_native_mpis) {
  run_paired(2, [](PairedRank& here) { EXPECT_FALSE(is_ours({.peer = here.rank()})); });
}

TEST_P(PairedRequestsTest, messages_without_bytes_are_the_native_mpis) {
  run_paired(2, [](PairedRank& here) { EXPECT_FALSE(is_ours({.count = 0, .peer = here.next()})); });
}

TEST_P(PairedRequestsTest, ranks_tags_and_counts_that_are_none_are_the_native_mpis_to_refuse) {
  run_paired(2, [](PairedRank& here) {
    EXPECT_FALSE(is_ours({.peer = here.size()}, MPI_ERR_RANK));
    EXPECT_FALSE(is_ours({.count = -1, .peer = here.next()}, MPI_ERR_COUNT));
    EXPECT_FALSE(is_ours({.type = MPI_DATATYPE_NULL, .peer = here.next()}, MPI_ERR_TYPE));
    EXPECT_FALSE(is_ours({.peer = here.next(), .tag = -5}));
    void* highest = nullptr;
    int is_known = 0;
    here.mpi().Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &highest, &is_known);
    ASSERT_NE(is_known, 0);
    EXPECT_TRUE(is_ours({.peer = here.next(), .tag = *static_cast<int*>(highest)}));
    if (*static_cast<int*>(highest) < INT_MAX) {
      EXPECT_FALSE(is_ours({.peer = here.next(), .tag = *static_cast<int*>(highest) + 1}));
    }
    (void)fake::take_raised();
  });
}

TEST_P(PairedRequestsTest, any_tag_is_high_enough_where_the_mpi_knows_no_highest) {
  Native mpi = fake::functions();
  mpi.Comm_get_attr = [](MPI_Comm comm, int key, void* value, int* is_there) {
    const int status = fake::functions().Comm_get_attr(comm, key, value, is_there);
    if (key == MPI_TAG_UB) *is_there = 0;
    return status;
  };
  run_paired(
      2, [](PairedRank& here) { EXPECT_TRUE(is_ours({.peer = here.next(), .tag = INT_MAX})); }, mpi);
}

TEST_P(PairedRequestsTest, datatypes_that_are_not_committed_are_the_native_mpis_to_refuse) {
  run_paired(2, [](PairedRank& here) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    here.mpi().Type_contiguous(2, MPI_INT, &pair);
    EXPECT_FALSE(is_ours({.type = pair, .peer = here.next()}, MPI_ERR_TYPE));
    here.mpi().Type_commit(&pair);
    EXPECT_TRUE(is_ours({.type = pair, .peer = here.next()}));
    here.mpi().Type_free(&pair);
    (void)fake::take_raised();
  });
}

TEST_P(PairedRequestsTest, messages_within_a_host_are_the_native_mpis) {
  run_paired(3, [](PairedRank& here) {
    here.job().job().hosts_talk_by_mpi = true;
    here.job().job().host_of = {0, 0, 1};
    for (Rank peer = 0; peer < here.size(); ++peer) {
      if (peer != here.rank()) {
        EXPECT_EQ(is_ours({.peer = peer}), (peer == 2) != (here.rank() == 2));
      }
    }
    here.job().job().host_of.clear();  // each is alone
    EXPECT_TRUE(is_ours({.peer = here.next()}));
  });
}

TEST_P(PairedRequestsTest, all_are_the_native_mpis_where_its_packer_is_asked_for) {
  run_paired(2, [](PairedRank& here) {
    here.job().job().settings.packer = "native";
    EXPECT_FALSE(is_ours({.peer = here.next()}));
  });
}

TEST_P(PairedRequestsTest, where_nics_are_not_forced_two_of_them_must_gain_by_the_length) {
  run_paired(2, [](PairedRank& here) {
    here.job().job().transports = Transports::either;
    const Arguments short_one = {.peer = here.next()};
    Arguments long_one = short_one;
    long_one.count = 1 << 20;
    EXPECT_FALSE(is_ours(short_one));
    EXPECT_TRUE(is_ours(long_one));
    here.fabric().lanes = 1;
    EXPECT_FALSE(is_ours(long_one));
  });
}

TEST_P(PairedRequestsTest, a_communicator_without_pairs_has_none) {
  run_paired(2, [](PairedRank& here) {
    MPI_Comm copy = MPI_COMM_NULL;
    here.mpi().Comm_dup(MPI_COMM_WORLD, &copy);
    EXPECT_FALSE(is_ours({.peer = here.next(), .comm = copy}));  // nor is it known
    (void)here.job().communicator(copy);
    EXPECT_FALSE(is_ours({.peer = here.next(), .comm = copy}));
    ESPALIER_ENTRY(MPI_Comm_free)(&copy);
  });
}

TEST_P(PairedRequestsTest, nothing_is_paired_that_was_not_promised_or_is_outside_of_the_job) {
  run_paired(2, [](PairedRank& here) {
    here.job().job().settings.paired = false;
    EXPECT_FALSE(is_ours({.peer = here.next()}));
    here.job().job().settings.paired = true;
    here.job().context().active = false;
    EXPECT_FALSE(is_ours({.peer = here.next()}));
    here.job().context().active = true;
  });
}

TEST_P(PairedRequestsTest, one_that_the_mpi_cannot_make_is_an_error_of_the_communicator) {
  static bool is_full = false;
  Native mpi = fake::functions();
  mpi.Recv_init = [](void* memory, int n, MPI_Datatype type, int from, int its_tag, MPI_Comm comm,
                     MPI_Request* request) {
    if (is_full) return MPI_ERR_NO_MEM;
    return fake::functions().Recv_init(memory, n, type, from, its_tag, comm, request);
  };
  run_paired(
      2,
      [](PairedRank& here) {
        is_full = true;
        (void)fake::take_raised();
        EXPECT_FALSE(is_ours({.peer = here.next()}, MPI_ERR_NO_MEM));
        EXPECT_EQ(fake::take_raised(), std::vector<int>{MPI_ERR_NO_MEM});
        here.barrier();
        is_full = false;
        here.barrier();
        EXPECT_TRUE(is_ours({.peer = here.next()}));
      },
      mpi);
}

TEST_P(PairedRequestsTest, the_report_says_what_became_of_a_message_and_why) {
  run_paired(2, [](PairedRank& here) {
    here.job().job().settings.report = "-";
    EXPECT_TRUE(is_ours({.peer = here.next()}));
    EXPECT_FALSE(is_ours({.peer = MPI_PROC_NULL}));
    here.job().job().settings.report = "";
  });
}

INSTANTIATE_TEST_SUITE_P(BothSides, PairedRequestsTest, testing::Values(PairSide::sends, PairSide::receives),
                         [](const auto& tested) { return tested.param == PairSide::sends ? "sends" : "receives"; });

// All functions, with a message each from rank 0 to rank 1.
using SendInit = int(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
using LargeSendInit = int(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
using LargeRecvInit = int(void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

TEST(PairedFunctions, synchronous_ready_and_large_ones_are_paired_alike) {
  run_paired(2, [](PairedRank& here) {
    std::vector<int> memory(paired_count);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto round = [&](int value) {
      EXPECT_NE(requests().persistent.find(request), nullptr);
      if (here.rank() == 0) memory.assign(paired_count, value);
      if (here.rank() == 0) here.barrier();  // a ready send wants the receive to be there
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Start)(&request), MPI_SUCCESS);
      if (here.rank() == 1) here.barrier();
      EXPECT_EQ(ESPALIER_ENTRY(MPI_Wait)(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(memory, std::vector<int>(paired_count, value));
      ESPALIER_ENTRY(MPI_Request_free)(&request);
    };
    const char* const sends[] = {"MPI_Send_init", "MPI_Ssend_init", "MPI_Rsend_init"};
    for (int k = 0; k < 3; ++k) {
      here.rank() == 0 ? fake::entry_of<SendInit>(sends[k])(memory.data(), paired_count, MPI_INT, 1, paired_tag,
                                                            MPI_COMM_WORLD, &request)
                       : ESPALIER_ENTRY(MPI_Recv_init)(memory.data(), paired_count, MPI_INT, 0, paired_tag,
                                                       MPI_COMM_WORLD, &request);
      round(k + 1);
      here.rank() == 0 ? fake::entry_of<LargeSendInit>((std::string(sends[k]) + "_c").c_str())(
                             memory.data(), paired_count, MPI_INT, 1, paired_tag, MPI_COMM_WORLD, &request)
                       : fake::entry_of<LargeRecvInit>("MPI_Recv_init_c")(memory.data(), paired_count, MPI_INT, 0,
                                                                          paired_tag, MPI_COMM_WORLD, &request);
      round(k + 10);
    }
  });
}

TEST(PairedFunctions, large_counts_of_native_messages_go_where_the_mpi_has_them) {
  static int large_calls = 0;
  for (const bool has_large : {false, true}) {
    Native mpi = fake::functions();
    if (has_large) {
      mpi.Send_init_c = [](const void* memory, MPI_Count n, MPI_Datatype type, int to, int its_tag, MPI_Comm comm,
                           MPI_Request* request) {
        ++large_calls;
        return fake::functions().Send_init(memory, static_cast<int>(n), type, to, its_tag, comm, request);
      };
    }
    large_calls = 0;
    run_paired(
        2,
        [&](PairedRank&) {
          int memory = 0;
          MPI_Request request = MPI_REQUEST_NULL;
          const auto init = [&](MPI_Count n) {
            return fake::entry_of<LargeSendInit>("MPI_Send_init_c")(&memory, n, MPI_INT, MPI_PROC_NULL, paired_tag,
                                                                    MPI_COMM_WORLD, &request);
          };
          EXPECT_EQ(init(1), MPI_SUCCESS);
          ESPALIER_ENTRY(MPI_Request_free)(&request);
          if (!has_large) {
            EXPECT_NE(init(MPI_Count{INT_MAX} + 1), MPI_SUCCESS);
          }
          (void)fake::take_raised();
        },
        mpi);
    EXPECT_EQ(large_calls, has_large ? 2 : 0);
  }
}

}  // namespace
}  // namespace espalier
