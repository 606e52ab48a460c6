// SPDX-License-Identifier: Apache-2.0
// Compares the collectives of an MPI program under Espalier with those of the native MPI: every function with every
// algorithm, for datatypes, operations, counts, roots and communicators of all kinds, drawn from a seed. An ordinary
// MPI program: it is told nothing but what is preloaded.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 5 differential [--seed N] [--first N] [--decks N] [--calls N] [--by-default yes]
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 5 differential --case 'MPI_Ibcast type=MPI_INT counts=equal:5 ...'
//
// A deck is every function with every algorithm once. Prints a line for each failure and ends with a JSON object.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <string_view>

#include "differential/complete.hpp"
#include "differential/draw.hpp"
#include "differential/trial.hpp"
#include "shared/failures.hpp"

namespace espalier::apps {

namespace {

struct Options {
  std::uint64_t seed = 20260507;
  std::uint64_t first = 0;  // number of a case
  std::uint64_t decks = 1;
  std::uint64_t calls = 0;  // how many, at least: as many decks as it takes
  bool by_default = false;  // nothing is forced, so that what is fastest is sought in long cases
  int patience = 60;        // seconds that a case may take
  std::string text;
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string_view name = argv[k];
    const char* const value = argv[k + 1];
    if (name == "--case") options.text = value;
    if (name == "--seed") options.seed = std::strtoull(value, nullptr, 10);
    if (name == "--first") options.first = std::strtoull(value, nullptr, 10);
    if (name == "--decks") options.decks = std::strtoull(value, nullptr, 10);
    if (name == "--calls") options.calls = std::strtoull(value, nullptr, 10);
    if (name == "--by-default") options.by_default = std::string_view(value) == "yes";
    if (name == "--patience") options.patience = std::atoi(value);
  }
  return options;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (is_active()) let_ranks_meet();
  }

  void make(const Batch& batch) {
    const std::string text = text_of(batch) + " ranks=" + std::to_string(size_);
    now_doing(text, options_.patience);
    force_for(batch);
    const std::uint64_t failures = failures_here();
    std::deque<Trial> trials;
    int calls = 0;
    for (const Case& one : batch) {
      calls = std::max(calls, one.calls);
      calls_ += static_cast<std::uint64_t>(one.calls);
      const Group& group = groups_.named(one.comm);
      if (group.has_me()) trials.emplace_back(one, group, tally_, oracle_);
    }
    for (int call = 0; call < calls; ++call) make_calls(trials, call, batch.front().finish);
    if (failures_here() > failures) std::fprintf(stderr, "case: %s\n", text.c_str());
  }

  void make_all() {
    const Deck deck(options_.seed, size_, options_.by_default);
    const std::uint64_t end = options_.first + options_.decks * deck.size();
    std::uint64_t number = options_.first;
    for (; options_.calls > 0 ? calls_ < options_.calls : number < end; ++number) make(deck.draw(number));
    cases_ = number - options_.first;
    wanted_pairs_ = deck.meetings();
  }

  [[nodiscard]] std::string facts() const {
    return "\"ranks\": " + std::to_string(size_) + ", \"seed\": " + std::to_string(options_.seed) +
           ", \"active\": " + (is_active() ? "true" : "false") + ", \"cases\": " + std::to_string(cases_) +
           ", \"calls\": " + std::to_string(calls_) + ", " + tally_.facts(wanted_pairs_);
  }

 private:
  // After a call on an algorithm of ours the ranks of a communicator may have nonblocking ones, too.
  void let_ranks_meet() {
    forced_ = "barrier:dissemination";
    if (const std::string error = force(forced_); !error.empty()) fail(error);
    for (const Group& group : groups_.all()) {
      if (group.has_me() && !group.is_between_groups()) MPI_Barrier(group.comm);
    }
  }

  void force_for(const Batch& batch) {
    const std::string setting = setting_for(batch);
    if (setting == forced_) return;
    if (const std::string error = force(setting); !error.empty()) fail(error);
    forced_ = setting;
  }

  // All of them at once, and then all of them are judged.
  static void make_calls(std::deque<Trial>& trials, int call, const std::string& finish) {
    std::vector<Trial*> made;
    std::vector<MPI_Request> requests;
    for (Trial& trial : trials) {
      if (call >= trial.made_of().calls) continue;
      trial.start(call);
      made.push_back(&trial);
      requests.push_back(trial.request());
    }
    const int status = complete(requests, finish);
    if (status != MPI_SUCCESS) fail("completion: " + text_of_error(status));
    for (std::size_t k = 0; k < made.size(); ++k) {
      made[k]->request() = requests[k];
      made[k]->judge(call);
    }
  }

  const Options options_;
  int size_ = 0;
  Groups groups_;
  Tally tally_;
  Oracle oracle_;
  std::string forced_;
  std::uint64_t calls_ = 0, cases_ = 0;
  std::vector<std::string> wanted_pairs_;
};

int run(const Options& options) try {
  Run all(options);
  if (options.text.empty()) {
    all.make_all();
  } else {
    all.make(read_batch(options.text));
  }
  if (wrong_datatypes() > 0) fail("a user operation was called with another datatype than the call's");
  return conclude(all.facts());
} catch (const std::exception& error) {
  fail(error.what());
  std::abort();
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = espalier::apps::run(espalier::apps::options_of(argc, argv));
  MPI_Finalize();
  return status;
}
