// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "../calls/native.hpp"
#include "data.hpp"
#include "stopwatch.hpp"
#include "variants.hpp"

namespace bench {

namespace {

// A forced algorithm that takes so many times as long as the best one is not tried on larger messages.
double hopeless(std::size_t bytes) {
  if (bytes < 65536) return 1e9;  // these times say nothing about larger ones
  return bytes < 1 << 20 ? 2 : 1.5;
}

constexpr int forced_to_repeat = 2;
constexpr std::size_t long_bytes = 4 << 20;  // from here on half as many repeats: one takes many seconds

class Comparison {
 public:
  Comparison(const Options& options, MPI_Comm comm, const std::function<void(const std::string&)>& progress)
      : options_(options), comm_(comm), progress_(progress), random_(options.seed) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    names_ = expand(options.variants, options.collective);
    for (const std::string& name : names_) variants_[name] = make_variant(name, options.collective, comm);
  }

  std::vector<Row> run() {
    for (const std::size_t bytes : options_.bytes) measure_size(bytes);
    return std::move(rows_);
  }

 private:
  void measure_size(std::size_t bytes) {
    Data data(bytes, rank_, ranks_);
    std::vector<Row> rows;
    for (const std::string& name : names_) {
      if (left_out_.contains(name)) continue;
      // The first calls make connections, and ours make a schedule for each size, which takes no time beside long
      // calls.
      const bool makes_schedule = name.starts_with("espalier") && bytes < long_bytes;
      if (bytes == options_.bytes.front() || makes_schedule) warm_up(name, data);
      rows.push_back({bytes, name, {}, 0});
      if (is_forced(name)) measure(rows.back(), data);
    }
    leave_out_hopeless(rows, bytes);
    const std::set<std::string> again = to_repeat(rows);
    const int repeats = bytes < long_bytes ? options_.repeats : (options_.repeats + 1) / 2;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        Row& row = rows[(k + static_cast<std::size_t>(repeat)) % rows.size()];  // nobody always follows the same one
        if (again.contains(row.variant)) measure(row, data);
      }
    }
    for (Row& row : rows) row.cpu_busy /= static_cast<double>(row.seconds.size());
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }

  void warm_up(const std::string& name, Data& data) {
    Row nowhere{.bytes = 0, .variant = name, .seconds = {}, .cpu_busy = 0};
    measure(nowhere, data);
  }

  void measure(Row& row, Data& data) {
    if (rank_ == 0) progress_(std::to_string(data.count() * 8) + " B: " + row.variant);
    Variant& variant = *variants_.at(row.variant);
    data.prepare(options_.collective, random_(), static_cast<int>(random_() % static_cast<unsigned>(ranks_)));
    variant.select();
    const Timing timing = time_together(comm_, 1, [&] { variant.call(data); });
    variant.leave();
    int wrong = data.is_right(options_.collective) ? 0 : 1;
    native().allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm_);
    if (wrong > 0) {
      throw std::runtime_error(row.variant + ": wrong result on " + std::to_string(wrong) + " ranks");
    }
    row.seconds.push_back(timing.seconds);
    row.cpu_busy += timing.cpu_busy;
  }

  [[nodiscard]] static double best_forced(const std::vector<Row>& rows) {
    double best = 0;
    for (const Row& row : rows) {
      if (is_forced(row.variant) && (best == 0 || row.seconds[0] < best)) best = row.seconds[0];
    }
    return best;
  }

  void leave_out_hopeless(const std::vector<Row>& rows, std::size_t bytes) {
    const double best = best_forced(rows);
    for (const Row& row : rows) {
      if (is_forced(row.variant) && row.seconds[0] > hopeless(bytes) * best) left_out_.insert(row.variant);
    }
  }

  [[nodiscard]] static std::set<std::string> to_repeat(const std::vector<Row>& rows) {
    std::vector<const Row*> forced;
    std::set<std::string> names;
    for (const Row& row : rows) {
      if (is_forced(row.variant)) {
        forced.push_back(&row);
      } else {
        names.insert(row.variant);
      }
    }
    std::ranges::sort(forced, {}, [](const Row* row) { return row->seconds[0]; });
    forced.resize(std::min<std::size_t>(forced.size(), forced_to_repeat));
    for (const Row* row : forced) names.insert(row->variant);
    return names;
  }

  const Options& options_;
  const MPI_Comm comm_;
  const std::function<void(const std::string&)>& progress_;
  std::mt19937_64 random_;  // in step on all ranks
  int rank_ = 0, ranks_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Variant>> variants_;
  std::set<std::string> left_out_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> compare(const Options& options, MPI_Comm comm,
                         const std::function<void(const std::string&)>& progress) {
  return Comparison(options, comm, progress).run();
}

}  // namespace bench
