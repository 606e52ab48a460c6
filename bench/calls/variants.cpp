// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "espalier/espalier.h"
#include "hand_written.hpp"
#include "native.hpp"

namespace bench {

Data::Data(std::size_t bytes, int my_rank, int ranks)
    : rank(my_rank),
      size(ranks),
      count(static_cast<int>((bytes + sizeof(double) - 1) / sizeof(double))),
      input(count),
      output(count),
      scratch(count) {}

void Data::prepare(int new_round) {
  round = new_round;
  for (int i = 0; i < count; i++) {
    input[i] = rank + round + i % 1000;
    output[i] = -1;
  }
}

bool Data::correct(const std::string& collective) const {
  if (collective == "barrier" || (collective == "reduce" && rank != 0)) return true;
  for (int i = 0; i < count; i++) {
    const double own = round + i % 1000;
    const double expected = collective == "bcast" ? own : size * own + size * (size - 1) / 2.0;
    if (output[i] != expected) return false;
  }
  return true;
}

namespace {

// The four collectives over some set of functions, native or intercepted. Which one is settled beforehand: looking it
// up would show in the time of a small call.
template <class Functions>
using Call = void (*)(const Functions&, Data&);

template <class Functions>
Call<Functions> call_of(const std::string& collective) {
  if (collective == "bcast") {
    return [](const Functions& mpi, Data& data) {
      mpi.bcast(data.output.data(), data.count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    };
  }
  if (collective == "reduce") {
    return [](const Functions& mpi, Data& data) {
      mpi.reduce(data.input.data(), data.output.data(), data.count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    };
  }
  if (collective == "allreduce") {
    return [](const Functions& mpi, Data& data) {
      mpi.allreduce(data.input.data(), data.output.data(), data.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
  }
  if (collective == "barrier") return [](const Functions& mpi, Data&) { mpi.barrier(MPI_COMM_WORLD); };
  throw std::invalid_argument("--collective " + collective + ": unknown; allowed: bcast, reduce, allreduce, barrier");
}

struct Intercepted {
  static constexpr auto bcast = MPI_Bcast;
  static constexpr auto reduce = MPI_Reduce;
  static constexpr auto allreduce = MPI_Allreduce;
  static constexpr auto barrier = MPI_Barrier;
};

// Past Espalier.
class Direct : public Variant {
 public:
  explicit Direct(const std::string& collective) : call_(call_of<Native>(collective)) {}
  void select() override {}
  void call(Data& data) override { call_(mpi_, data); }

 private:
  const Native& mpi_ = native();
  Call<Native> call_;
};

// Through Espalier, which is told what to do.
class Forced : public Variant {
 public:
  Forced(const std::string& collective, const std::string& algorithm)
      : call_(call_of<Intercepted>(collective)), setting_(collective + ":" + algorithm) {}

  void select() override {
    const auto force = reinterpret_cast<decltype(&espalier_force)>(dlsym(RTLD_DEFAULT, "espalier_force"));
    const auto error = reinterpret_cast<decltype(&espalier_error)>(dlsym(RTLD_DEFAULT, "espalier_error"));
    if (force == nullptr || error == nullptr) {
      throw std::runtime_error("Espalier is not preloaded; start this by `./espalier bench`");
    }
    if (force(setting_.c_str()) != 0) throw std::runtime_error(setting_ + ": " + error());
  }
  void call(Data& data) override { call_(Intercepted{}, data); }

 private:
  Call<Intercepted> call_;
  std::string setting_;
};

class HandWritten : public Variant {
 public:
  HandWritten() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~HandWritten() override { MPI_Comm_free(&comm_); }
  void select() override {}
  void call(Data& data) override {
    hand_written_allreduce(data.input.data(), data.output.data(), data.scratch.data(), data.count, comm_, data.rank,
                           data.size);
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

bool power_of_two_ranks() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return (size & (size - 1)) == 0;
}

}  // namespace

std::unique_ptr<Variant> make_variant(const std::string& name, const std::string& collective) {
  if (name == "direct") return std::make_unique<Direct>(collective);
  if (name != "hand_written") return std::make_unique<Forced>(collective, name);
  if (collective != "allreduce" || !power_of_two_ranks()) {
    throw std::runtime_error("hand_written: there is one for allreduce on a power of two of ranks only");
  }
  return std::make_unique<HandWritten>();
}

}  // namespace bench
