// SPDX-License-Identifier: Apache-2.0
// Times variants of one collective against each other. They take turns within each repeat, so that all meet the same
// disturbances; every variant's result is checked, on new data.
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "../collectives/data.hpp"
#include "../harness/native.hpp"
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
Timing time_calls(Variant& variant, const Data& data, int calls) {
  native().Barrier(MPI_COMM_WORLD);
  const double cpu_before = cpu_seconds_of_this_process();
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; i++) variant.call(data.call());
  double mine[2] = {MPI_Wtime() - start, cpu_seconds_of_this_process() - cpu_before};
  double slowest = 0, cpu = 0;
  native().Allreduce(&mine[0], &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  native().Allreduce(&mine[1], &cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {slowest / calls, cpu / calls};
}

int calls_for(double seconds, double wanted) {
  const double calls = wanted / std::max(seconds, 1e-9);
  return static_cast<int>(std::min(100000.0, std::max(1.0, calls)));
}

class Measurement {
 public:
  Measurement(const Options& options, const Function& function, int rank, int ranks)
      : options_(options), function_(function), rank_(rank), ranks_(ranks) {
    for (const std::string& name : expand(options.variants, function, MPI_COMM_WORLD)) {
      contestants_.push_back({name, make_variant(name, function)});
    }
  }

  void measure(std::size_t bytes, std::vector<Row>& rows) {
    Data data(function_, bytes, rank_, ranks_);
    const std::size_t first_row = rows.size();
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < contestants_.size(); i++) {
      rows.push_back({bytes, contestants_[i].name, {}, 0});
      if (warm_up(contestants_[i], data)) measured.push_back(i);
    }
    for (int repeat = 0; repeat < options_.repeats; repeat++) {
      for (std::size_t k = 0; k < measured.size(); k++) {
        // Nobody always follows the same one.
        const std::size_t i = measured[(k + static_cast<std::size_t>(repeat)) % measured.size()];
        const Timing timing = measure_once(contestants_[i], data);
        rows[first_row + i].seconds.push_back(timing.seconds);
        rows[first_row + i].cpu_seconds += timing.cpu_seconds / options_.repeats;
      }
    }
  }

 private:
  struct Contestant {
    std::string name;
    std::unique_ptr<Variant> variant;
    int calls = 1;
  };

  // False if it is not done by this variant.
  bool warm_up(Contestant& one, Data& data) {
    one.variant->select();
    check_once(one, data);
    one.variant->meet();
    const bool is_done_so = !one.variant->was_left_to_the_mpi();
    if (is_done_so) {
      time_calls(*one.variant, data, 3);
      one.calls = calls_for(time_calls(*one.variant, data, 3).seconds, options_.seconds_per_measurement);
    }
    one.variant->leave();
    return is_done_so;
  }

  Timing measure_once(Contestant& one, Data& data) {
    one.variant->select();
    check_once(one, data);
    const Timing timing = time_calls(*one.variant, data, one.calls);
    one.variant->leave();
    return timing;
  }

  void check_once(Contestant& one, Data& data) {
    data.prepare(++round_, 0, one.variant->comm());
    one.variant->call(data.call());
    int wrong = data.is_right() ? 0 : 1;
    native().Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (wrong > 0) {
      throw std::runtime_error(function_.name + ":" + one.name + ": wrong result on " + std::to_string(wrong) +
                               " ranks");
    }
  }

  const Options& options_;
  const Function& function_;
  const int rank_, ranks_;
  std::vector<Contestant> contestants_;
  std::uint64_t round_ = 0;
};

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
  const Function& function = function_of(options.collective);
  Measurement measurement(options, function, rank, results.ranks);
  for (const std::size_t bytes : options.bytes) {
    measurement.measure(bytes, results.rows);
    if (!function.contract.carries_data) break;
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
  int rank = 0, provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int status = bench::main_on_rank(rank, argc, argv);
  MPI_T_finalize();
  MPI_Finalize();
  return status;
}
