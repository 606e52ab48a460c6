// SPDX-License-Identifier: Apache-2.0
#include "fake/rank_of_job.hpp"

#include <numeric>

#include "mpi/requests/requests.hpp"

namespace espalier::fake {

const EspalierHost host = {.version = ESPALIER_BACKEND_VERSION,
                           .mpi_handle = nullptr,
                           .is_internal = [](const void*) { return 0; },
                           .mpi_path = "the fake MPI"};

namespace {

Settings settings_for(const JobOptions& options) {
  Settings settings;
  settings.report = options.report;
  settings.cache = options.cache;
  settings.policy = options.policy;
  settings.budget_percent = 100;
  const std::string error = options.algorithms.empty() ? "" : force(options.algorithms, settings);
  if (!error.empty()) fail(error);
  return settings;
}

MPI_Comm make_traffic(Rank size) {
  std::vector<int> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return make_communicator(all);
}

}  // namespace

RankOfJob::RankOfJob(MPI_Comm traffic, const JobOptions& options)
    : context_(host, functions_of(my_rank(), options.native)), hooks_(options.hooks) {
  Job& job = context_.job;
  job.settings = settings_for(options);
  job.mpi.Comm_rank(MPI_COMM_WORLD, &job.world_rank);
  job.mpi.Comm_size(MPI_COMM_WORLD, &job.world_size);
  job.traffic = traffic;
  job.mpi.Comm_set_errhandler(traffic, MPI_ERRORS_RETURN);
  job.mpi.Comm_group(traffic, &job.world_group);
  job.tags = TagLayout::within(options.highest_tag, id_limit);
  for (int id = job.tags.ids; id < id_limit; ++id) context_.communicators.ids().reserve(id);
  job.fault_tolerant = options.fault_tolerant;
  job.crowded = true;  // so that those who wait look soon whether they wait for nothing
  EXPECT_EQ(context_.communicators.open(make_prepared_communicator), MPI_SUCCESS);
  EXPECT_EQ(job.contiguity.open(), MPI_SUCCESS);
  context_.selector = std::make_unique<Selector>(job.settings);
  if (hooks_) open_requests(job);
  context_.active = true;
  on_resuming([this] { espalier::context = &context_; });
}

RankOfJob::~RankOfJob() {
  context_.active = false;
  if (hooks_) close_requests(context_.job);
  context_.communicators.close();
  context_.job.contiguity.close();
  context_.job.mpi.Group_free(&context_.job.world_group);
  on_resuming([] {});
}

PreparedCommunicator& RankOfJob::communicator(MPI_Comm comm) {
  return static_cast<PreparedCommunicator&>(*context_.communicators.find_or_add(comm).communicator);
}

void run_job(Rank size, const JobOptions& options, const std::function<void(RankOfJob&)>& body) {
  start(size);
  const MPI_Comm traffic = make_traffic(size);
  Rank through = 0;
  run_ranks(size, [&](Rank) {
    RankOfJob rank(traffic, options);
    body(rank);
    ++through;
    wait_until([&] { return through == size; });
  });
}

}  // namespace espalier::fake
