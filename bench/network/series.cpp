// SPDX-License-Identifier: Apache-2.0
#include "series.hpp"

#include <algorithm>
#include <stdexcept>

#include "../collectives/data.hpp"
#include "../collectives/native.hpp"
#include "stopwatch.hpp"
#include "variants.hpp"

namespace bench {

namespace {

constexpr int warm_ups = 2, min_calls = 5;
constexpr std::size_t long_bytes = 1 << 20;  // one call takes seconds: a tenth of the calls has to do

bool chooses(const std::string& variant) { return variant == "native" || variant == "espalier"; }

class Series {
 public:
  Series(const Options& options, MPI_Comm comm)
      : options_(options), function_(function_of(options.collective)), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
  }

  [[nodiscard]] Row measure(const std::string& name, std::size_t bytes) {
    const std::unique_ptr<Variant> variant = make_variant(name, function_, comm_);
    Data data(function_, bytes, rank_, ranks_);
    data.prepare(options_.seed, 0, variant->comm());
    variant->select();
    const int calls = calls_of(name, bytes);
    // What is fixed is not to pay for its connections; what chooses is.
    if (!chooses(name)) call(*variant, data, warm_ups);
    const double seconds = call(*variant, data, calls) / calls;
    variant->leave();
    check(name, data);
    return {bytes, name, {seconds}, 0};
  }

 private:
  [[nodiscard]] int calls_of(const std::string& name, std::size_t bytes) const {
    const int calls = options_.series / (bytes < long_bytes ? 1 : 10);
    return std::max(min_calls, chooses(name) ? calls : calls / 10);
  }

  // Returns how long that takes from when the last rank begins until the last one is done.
  double call(Variant& variant, const Data& data, int calls) {
    native().Barrier(comm_);
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; ++i) variant.call(data.call());
    double taken = MPI_Wtime() - start;
    native().Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, comm_);
    return taken;
  }

  void check(const std::string& name, const Data& data) {
    int wrong = data.is_right() ? 0 : 1;
    native().Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm_);
    if (wrong > 0) throw std::runtime_error(name + ": wrong result on " + std::to_string(wrong) + " ranks");
  }

  const Options& options_;
  const Function& function_;
  const MPI_Comm comm_;
  int rank_ = 0, ranks_ = 0;
};

}  // namespace

std::vector<Row> run_series(const Options& options, MPI_Comm comm,
                            const std::function<void(const std::string&)>& progress) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  Series series(options, comm);
  std::vector<Row> rows;
  for (const std::size_t bytes : options.bytes) {
    for (const std::string& name : expand(options.variants, function_of(options.collective), comm)) {
      if (rank == 0) progress(std::to_string(bytes) + " B: " + name);
      rows.push_back(series.measure(name, bytes));
    }
  }
  return rows;
}

}  // namespace bench
