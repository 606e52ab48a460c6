// SPDX-License-Identifier: Apache-2.0
#include "series.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "../collectives/data.hpp"
#include "../collectives/named_variant.hpp"
#include "../harness/native.hpp"
#include "../harness/program.hpp"

namespace bench {

namespace {

constexpr int warm_ups = 2;
constexpr int fewest = 5;  // calls, by which it is known how many the limit allows

// What a row's calls are made on: the communicator itself, or a copy on which nothing was called yet.
class Ground {
 public:
  Ground(MPI_Comm comm, bool is_fresh) : comm_(comm), is_fresh_(is_fresh) {
    if (is_fresh_) MPI_Comm_dup(comm, &comm_);
  }
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
  ~Ground() {
    if (is_fresh_) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_;
  const bool is_fresh_;
};

bool chooses(const std::string& variant) { return variant == "native" || variant == "espalier"; }

class Series {
 public:
  Series(const Options& options, MPI_Comm comm)
      : options_(options), function_(function_of(options.collective)), comm_(comm), position_(position_in(comm)) {}

  // Nothing if Espalier leaves the calls to the MPI.
  [[nodiscard]] std::optional<Row> measure(const std::string& name, std::size_t bytes) {
    const std::unique_ptr<Variant> variant = make_variant(name, function_, comm_);
    Data data(function_, bytes, position_.rank, position_.ranks, options_.numbers);
    data.prepare(options_.seed, 0, variant->comm());
    variant->select();
    // What is fixed is not to pay for its connections; what chooses is.
    if (!chooses(name)) {
      for (int i = 0; i < warm_ups; ++i) variant->call(data.call());
      if (variant->was_left_to_the_mpi()) return std::nullopt;
    }
    native().Barrier(comm_);
    Row row{bytes, name, {}, 0, {}};
    const double start = MPI_Wtime();
    call(*variant, data, row.each);
    const double seconds = of_all(MPI_Wtime() - start, MPI_MAX);
    row.seconds = {seconds / static_cast<double>(row.each.size())};
    variant->leave();
    require_right(data.is_right(), name, comm_);
    native().Allreduce(MPI_IN_PLACE, row.each.data(), static_cast<int>(row.each.size()), MPI_DOUBLE, MPI_SUM, comm_);
    for (double& one : row.each) one /= position_.ranks;
    return row;
  }

 private:
  // Adds the time that each call takes on this rank.
  void call(Variant& variant, const Data& data, std::vector<double>& each) {
    int calls = options_.series;
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
      const double begin = MPI_Wtime();
      variant.call(data.call());
      const double end = MPI_Wtime();
      each.push_back(end - begin);
      if (i == 0) variant.meet();
      if (i + 1 == fewest && options_.limit > 0) calls = calls_within_limit(of_all(end - start, MPI_MAX));
    }
  }

  [[nodiscard]] int calls_within_limit(double seconds_of_first) const {
    const double allowed = options_.limit / std::max(seconds_of_first / fewest, 1e-9);
    return static_cast<int>(std::clamp<double>(allowed, fewest, std::max(fewest, options_.series)));
  }

  [[nodiscard]] double of_all(double mine, MPI_Op op) const {
    native().Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, op, comm_);
    return mine;
  }

  const Options& options_;
  const Function& function_;
  const MPI_Comm comm_;
  const Position position_;
};

}  // namespace

std::vector<Row> run_series(const Options& options, MPI_Comm comm) {
  const int rank = position_in(comm).rank;
  std::vector<Row> rows;
  for (const std::size_t bytes : options.bytes) {
    for (const std::string& name : expand(options.variants, function_of(options.collective), comm)) {
      if (rank == 0) say(std::to_string(bytes) + " B: " + name);
      const Ground ground(comm, options.is_fresh);
      std::optional<Row> row = Series(options, ground.comm()).measure(name, bytes);
      if (row) rows.push_back(std::move(*row));
    }
  }
  return rows;
}

}  // namespace bench
