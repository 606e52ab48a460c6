// SPDX-License-Identifier: Apache-2.0
// Times variants of one collective against each other. They take turns within each repeat, so that all meet the same
// disturbances; every variant's result is checked, on new data.
#include <mpi.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <string>

#include "native.hpp"
#include "options.hpp"
#include "results.hpp"
#include "variants.hpp"

namespace bench {

namespace {

struct Timing {
  double seconds, cpu_seconds;
};

double cpu_seconds_of_this_process() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * time.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of one call, out of `calls`: the slowest rank's time, all ranks' processor time.
Timing time_calls(Variant& variant, Data& data, int calls) {
  native().barrier(MPI_COMM_WORLD);
  const double cpu_before = cpu_seconds_of_this_process();
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; i++) variant.call(data);
  double mine[2] = {MPI_Wtime() - start, cpu_seconds_of_this_process() - cpu_before};
  double slowest = 0, cpu = 0;
  native().allreduce(&mine[0], &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  native().allreduce(&mine[1], &cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {slowest / calls, cpu / calls};
}

void check_once(Variant& variant, Data& data, const std::string& name, const std::string& collective, int round) {
  data.prepare(round);
  const bool has_data = collective == "bcast" && data.rank == 0;
  if (has_data) data.output = data.input;
  variant.call(data);
  int wrong = data.correct(collective) ? 0 : 1;
  native().allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (wrong > 0) {
    throw std::runtime_error(collective + ":" + name + ": wrong result on " + std::to_string(wrong) + " ranks");
  }
}

int calls_for(double seconds, double wanted) {
  const double calls = wanted / std::max(seconds, 1e-9);
  return static_cast<int>(std::min(100000.0, std::max(1.0, calls)));
}

void measure(const Options& options, std::size_t bytes, Data& data, Results& results) {
  std::vector<std::unique_ptr<Variant>> variants;
  std::vector<int> calls;
  const std::size_t first_row = results.rows.size();
  for (const std::string& name : options.variants) {
    variants.push_back(make_variant(name, options.collective));
    variants.back()->select();
    check_once(*variants.back(), data, name, options.collective, 0);
    time_calls(*variants.back(), data, 3);
    calls.push_back(calls_for(time_calls(*variants.back(), data, 3).seconds, options.seconds_per_measurement));
    results.rows.push_back({bytes, name, {}, 0});
  }
  for (int repeat = 0; repeat < options.repeats; repeat++) {
    for (std::size_t k = 0; k < variants.size(); k++) {
      const std::size_t i = (k + repeat) % variants.size();  // nobody always comes after the same one
      variants[i]->select();
      check_once(*variants[i], data, options.variants[i], options.collective, repeat + 1);
      const Timing timing = time_calls(*variants[i], data, calls[i]);
      results.rows[first_row + i].seconds.push_back(timing.seconds);
      results.rows[first_row + i].cpu_seconds += timing.cpu_seconds / options.repeats;
    }
  }
}

Results run(const Options& options) {
  Results results;
  results.collective = options.collective;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &results.ranks);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  results.mpi = std::string(version).substr(0, std::string(version).find_first_of(",\n"));
  for (char& c : results.mpi) {
    if (c == '\t' || c == '"') c = ' ';
  }
  for (const std::size_t bytes : options.bytes) {
    Data data(options.collective == "barrier" ? 0 : bytes, rank, results.ranks);
    measure(options, bytes, data, results);
    if (options.collective == "barrier") break;
  }
  return results;
}

int main_on_rank(int rank, int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    const Results results = run(options);
    if (rank != 0) return 0;
    if (options.json.empty()) print_table(results);
    return options.json.empty() || write_json(results, options.json) ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    if (rank == 0) std::fprintf(stderr, "espalier-bench: %s\n%s", error.what(), usage);
    return 2;
  } catch (const std::exception& error) {
    if (rank == 0) std::fprintf(stderr, "espalier-bench: %s\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int status = bench::main_on_rank(rank, argc, argv);
  MPI_Finalize();
  return status;
}
