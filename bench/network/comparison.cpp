// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>

#include "../collectives/data.hpp"
#include "../collectives/named_variant.hpp"
#include "../harness/program.hpp"
#include "../harness/stopwatch.hpp"

namespace bench {

namespace {

// A forced algorithm that takes several times as long as the best one is not tried on larger messages.
double hopeless(std::size_t bytes) {
  if (bytes < 65536) return 1e9;  // these times say nothing about larger ones
  return bytes < 1 << 20 ? 2 : 1.5;
}

constexpr int forced_to_repeat = 2;
constexpr std::size_t long_bytes = 4 << 20;  // one call takes many seconds

constexpr std::size_t short_bytes = 4 << 10;

constexpr std::size_t few_bytes = 1 << 19;  // from here on few calls tell enough

// Short messages are not limited by links, and what bursts let pass is little against long ones.
Train train_for(std::size_t bytes) {
  if (bytes < short_bytes || bytes >= long_bytes) return {};
  if (bytes >= few_bytes) return {.before = 1, .timed = 2, .behind = 1};
  return {.before = 3, .timed = 8, .behind = 1};
}

// Those of the calls in a train, at random where none is given: the same for all variants, as blocks may depend on
// them. Never the last one again: it need not wait for anybody before it begins again.
class Roots {
 public:
  Roots(std::uint64_t seed, int ranks, int fixed) : random_(seed), ranks_(ranks), fixed_(fixed) {}
  int next() {
    if (fixed_ >= 0) return fixed_;
    const int others = std::max(1, ranks_ - 1);
    root_ = (root_ + 1 + static_cast<int>(random_() % static_cast<unsigned>(others))) % ranks_;
    return root_;
  }

 private:
  std::mt19937_64 random_;
  const int ranks_, fixed_;
  int root_ = 0;
};

class Comparison {
 public:
  Comparison(const Options& options, MPI_Comm comm)
      : options_(options),
        function_(function_of(options.collective)),
        comm_(comm),
        position_(position_in(comm)),
        random_(options.seed) {
    names_ = expand(options.variants, function_, comm);
    for (const std::string& name : names_) variants_[name] = make_variant(name, function_, comm);
  }

  std::vector<Row> run() {
    for (const std::size_t bytes : options_.bytes) measure_size(bytes);
    return std::move(rows_);
  }

 private:
  void measure_size(std::size_t bytes) {
    const Train train = options_.trains ? train_for(bytes) : Train{};
    Calls calls = calls_in(train, bytes), one_call = calls_in({}, bytes);
    std::vector<Row> rows;
    for (const std::string& name : names_) {
      if (left_out_.contains(name)) continue;
      // The first calls make connections, and ours make a schedule for each size, which takes no time against long
      // calls.
      const bool makes_schedule = name.starts_with("espalier") && bytes < long_bytes;
      if (bytes == options_.bytes.front() || makes_schedule) warm_up(name, one_call);
      if (left_out_.contains(name)) continue;
      rows.push_back({bytes, name, {}, 0});
      if (is_forced(name)) measure(rows.back(), one_call);
    }
    leave_out_hopeless(rows, bytes);
    const std::set<std::string> again = to_repeat(rows);
    for (Row& row : rows) {
      if (again.contains(row.variant)) row = {bytes, row.variant, {}, 0};
    }
    const int repeats = bytes < few_bytes ? options_.repeats : (options_.repeats + 1) / 2;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        Row& row = rows[(k + static_cast<std::size_t>(repeat)) % rows.size()];  // nobody always follows the same one
        if (again.contains(row.variant)) measure(row, calls, repeat);
      }
    }
    for (Row& row : rows) row.cpu_busy /= static_cast<double>(row.seconds.size());
    rows_.insert(rows_.end(), rows.begin(), rows.end());
  }

  // Each call has its own data.
  struct Calls {
    std::size_t bytes = 0;
    Train train;
    std::deque<Data> data;
  };

  [[nodiscard]] Calls calls_in(const Train& train, std::size_t bytes) const {
    Calls calls{bytes, train, {}};
    for (int i = 0; i < train.calls(); ++i) calls.data.emplace_back(function_, bytes, position_.rank, position_.ranks);
    return calls;
  }

  void warm_up(const std::string& name, Calls& calls) {
    Row nowhere{.bytes = 0, .variant = name, .seconds = {}, .cpu_busy = 0};
    measure(nowhere, calls);
    variants_.at(name)->meet();
    if (!variants_.at(name)->was_left_to_the_mpi()) return;
    left_out_.insert(name);
    if (position_.rank == 0) say(name + ": left out, Espalier leaves this call to the MPI");
  }

  void measure(Row& row, Calls& calls, int repeat = 0) {
    Roots roots(options_.seed + static_cast<std::uint64_t>(repeat), position_.ranks, options_.root);
    if (position_.rank == 0) say(std::to_string(calls.bytes) + " B: " + row.variant);
    Variant& variant = *variants_.at(row.variant);
    for (Data& data : calls.data) data.prepare(random_(), roots.next(), variant.comm());
    variant.select();
    const auto run = [&](int i) { variant.call(calls.data[static_cast<std::size_t>(i)].call()); };
    const auto contributes = [&](int i) { return calls.data[static_cast<std::size_t>(i)].contributes(); };
    const Timing timing = time_together(comm_, calls.train, {run, contributes});
    variant.leave();
    require_right(std::ranges::all_of(calls.data, &Data::is_right), row.variant, comm_);
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
  const Function& function_;
  const MPI_Comm comm_;
  const Position position_;
  std::mt19937_64 random_;  // in step on all ranks
  std::vector<std::string> names_;
  std::map<std::string, std::unique_ptr<Variant>> variants_;
  std::set<std::string> left_out_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> compare(const Options& options, MPI_Comm comm) { return Comparison(options, comm).run(); }

}  // namespace bench
