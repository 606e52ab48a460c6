// SPDX-License-Identifier: Apache-2.0
// Variants of one collective, timed in turns. Each call is alone: before it every rank writes what it gives, then all
// meet; after it every rank reads what it got. Only what lies between is timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../collectives/data.hpp"
#include "../collectives/variants.hpp"
#include "stage.hpp"

namespace bench {

struct ContestOptions {
  std::vector<std::string> collectives, variants;
  std::vector<std::size_t> bytes;
  bool is_crowded = false;  // ranks outnumber the cores
  int repeats = 5;
  double sample_seconds = 2e-3;   // of a sample's calls, with what lies between them
  double learning_seconds = 0.2;  // of what chooses by itself, before it is timed
};

struct Sample {
  double seconds = 0;          // of a call, mean
  double barrier_seconds = 0;  // of the hand-written barrier, just before
};

struct ContestRow {
  std::string variant;
  std::vector<Sample> samples;
};

class Contest {
 public:
  // Collective. Throws std::invalid_argument.
  Contest(const ContestOptions& options, const Function& function, Stage& stage, MPI_Comm comm);

  // Collective. Without variants that are left to the MPI. Throws std::runtime_error if a result is wrong.
  std::vector<ContestRow> run(std::size_t bytes);

 private:
  struct Contestant {
    std::string name;
    std::unique_ptr<Variant> variant;
    double seconds = 0;  // as it was before it was timed
    int calls = 1;       // of a sample
    bool is_left_out = false, is_hopeless = false;
  };

  [[nodiscard]] std::vector<Contestant*> contestants_for(std::size_t bytes);
  void warm_up(Contestant& one, Data& data);
  void find_hopeless(const std::vector<Contestant*>& all) const;
  void check_once(Contestant& one, Data& data);
  double sample(Contestant& one, Data& data, int calls);

  const ContestOptions& options_;
  const Function& function_;
  Stage& stage_;
  const MPI_Comm comm_;
  const Position position_;
  std::vector<Contestant> contestants_;
  std::uint64_t round_ = 0;
};

}  // namespace bench
