// SPDX-License-Identifier: Apache-2.0
#include "contest.hpp"

#include <algorithm>
#include <map>

#include "../collectives/named_variant.hpp"
#include "../harness/clock.hpp"
#include "algorithms/algorithm.hpp"
#include "limit/limit.hpp"

namespace bench {

namespace {

constexpr int root = 0;
constexpr double hopeless = 3;  // times as long as the best of its kind: one sample tells enough

// On one node, where the network is of no account, another algorithm does the very same, or it is not fit.
bool is_of_networks(const std::string& name, const Function& function) {
  return std::ranges::any_of(espalier::registry(), [&](const espalier::Algorithm& one) {
    return one.collective == function.contract.collective && name == "espalier:" + std::string(one.name) &&
           (one.differs_by_network || one.needs != espalier::Needs::nothing);
  });
}

std::vector<std::string> expand_all(const std::vector<std::string>& names, const Function& function, MPI_Comm comm) {
  std::vector<std::string> found;
  for (const std::string& name : expand(names, function, comm)) {
    if (name != "limit:*" && !is_of_networks(name, function)) found.push_back(name);
    if (name == "limit:*") std::ranges::copy(limits_of(function, comm), std::back_inserter(found));
  }
  return found;
}

std::unique_ptr<Variant> make_any(const std::string& name, const Function& function, MPI_Comm comm) {
  return is_limit(name) ? make_limit(name, function, comm) : make_variant(name, function, comm);
}

// Of all segments that leave a message whole, the shortest ones do.
bool is_same_as_shorter_segments(const std::string& name, std::size_t bytes) {
  constexpr std::size_t shortest = 8192;
  const std::size_t at = name.find(",segment=");
  if (!is_forced(name) || at == std::string::npos) return false;
  const std::size_t segment = std::stoul(name.substr(at + 9));
  return segment > shortest && segment / 2 >= bytes;
}

std::string kind_of(const std::string& name) { return name.substr(0, name.find(':')); }
bool chooses_by_itself(const std::string& name) { return name == "espalier"; }

volatile double sink;  // what was read is used

}  // namespace

Contest::Contest(const ContestOptions& options, const Function& function, Stage& stage, MPI_Comm comm)
    : options_(options), function_(function), stage_(stage), comm_(comm), position_(position_in(comm)) {
  for (const std::string& name : expand_all(options.variants, function, comm)) {
    contestants_.push_back({name, make_any(name, function, comm)});
  }
}

std::vector<ContestRow> Contest::run(std::size_t bytes) {
  Data data(function_, bytes, position_.rank, position_.ranks);
  std::vector<Contestant*> all = contestants_for(bytes);
  for (Contestant* one : all) warm_up(*one, data);
  std::erase_if(all, [](const Contestant* one) { return one->is_left_out; });
  find_hopeless(all);
  std::vector<ContestRow> rows;
  for (const Contestant* one : all) rows.push_back({one->name, {}});
  for (int repeat = 0; repeat < options_.repeats; ++repeat) {
    const double barrier_seconds = stage_.barrier_seconds();
    for (std::size_t k = 0; k < all.size(); ++k) {
      // Nobody always follows the same one.
      const std::size_t i = (k + static_cast<std::size_t>(repeat)) % all.size();
      if (repeat > 0 && all[i]->is_hopeless) continue;
      rows[i].samples.push_back({sample(*all[i], data, all[i]->calls), barrier_seconds});
    }
  }
  for (Contestant* one : all) check_once(*one, data);
  return rows;
}

std::vector<Contest::Contestant*> Contest::contestants_for(std::size_t bytes) {
  std::vector<Contestant*> found;
  for (Contestant& one : contestants_) {
    if (is_limit(one.name) && !is_limit_for(one.name, bytes)) continue;
    if (!is_same_as_shorter_segments(one.name, bytes)) found.push_back(&one);
  }
  return found;
}

void Contest::warm_up(Contestant& one, Data& data) {
  one.variant->select();
  check_once(one, data);
  one.variant->meet();
  one.is_left_out = one.variant->was_left_to_the_mpi();
  one.variant->leave();
  if (one.is_left_out) return;
  one.seconds = sample(one, data, 2);
  const double start = now();
  for (int i = 0; i < 3; ++i) one.seconds = std::min(one.seconds, sample(one, data, 2));
  const double each = std::max(stage_.largest((now() - start) / 6), 1e-7);  // with what lies between
  const auto calls_in = [&](double seconds) {
    return std::clamp(static_cast<int>(seconds / each), 1, Stage::most_calls);
  };
  for (double spent = 0; chooses_by_itself(one.name) && spent < options_.learning_seconds;) {
    const int calls = calls_in(options_.learning_seconds / 4);
    one.seconds = std::min(one.seconds, sample(one, data, calls));
    spent += each * calls;
  }
  one.calls = calls_in(options_.sample_seconds);
}

void Contest::find_hopeless(const std::vector<Contestant*>& all) const {
  std::map<std::string, double> best;
  for (const Contestant* one : all) {
    const auto found = best.try_emplace(kind_of(one->name), one->seconds).first;
    found->second = std::min(found->second, one->seconds);
  }
  for (Contestant* one : all) {
    one->is_hopeless = !chooses_by_itself(one->name) && one->seconds > hopeless * best[kind_of(one->name)];
  }
}

// On new data.
void Contest::check_once(Contestant& one, Data& data) {
  one.variant->select();
  data.prepare(++round_, root, one.variant->comm());
  one.variant->call(data.call());
  require_right(data.is_right(), function_.name + ":" + one.name, comm_);
  one.variant->leave();
}

double Contest::sample(Contestant& one, Data& data, int calls) {
  one.variant->select();
  data.call_on(one.variant->comm());
  one.variant->call(data.call());  // a variant's first call after another one's
  Times times{std::vector<double>(static_cast<std::size_t>(calls)),
              std::vector<double>(static_cast<std::size_t>(calls))};
  for (std::size_t i = 0; i < times.begins.size(); ++i) {
    data.write_input_again();
    stage_.barrier();
    times.begins[i] = now();
    one.variant->call(data.call());
    times.ends[i] = now();
    sink = data.read_output();
  }
  const double seconds = stage_.seconds_of_call(times);
  one.variant->meet();
  one.variant->leave();
  return seconds;
}

}  // namespace bench
