// SPDX-License-Identifier: Apache-2.0
// A job from before MPI_Init on: its environment, and what its ranks say on standard error.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "fake/rank_of_job.hpp"

namespace espalier {

// Variables of the environment, until its end.
class Variables {
 public:
  using Variable = std::pair<std::string, std::string>;
  Variables(std::initializer_list<Variable> values) : values_(values) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  const std::vector<Variable> values_;
};

// What that work says.
[[nodiscard]] std::string said_during(const std::function<void()>& work);

// Runs this many ranks, each with a context in which nothing has begun. `on_turn`: what a rank does whenever its turn
// comes.
using OnTurn = std::function<void(Rank)>;
void launch(
    Rank size, const Native& mpi, const std::function<void(Context&)>& body, const OnTurn& on_turn = [](Rank) {});

// The same, each from MPI_Init to MPI_Finalize. Returns what was said.
[[nodiscard]] std::string said_by_job(
    Rank size, const Native& mpi, const std::function<void(Context&)>& body, const OnTurn& on_turn = [](Rank) {});

// How many times a text holds another one.
[[nodiscard]] int times(const std::string& text, const std::string& part);

}  // namespace espalier
