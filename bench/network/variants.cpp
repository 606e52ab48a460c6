// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "../calls/native.hpp"
#include "espalier/espalier.h"
#include "native_algorithms.hpp"

namespace bench {

namespace {

constexpr const char* forced_prefix = "forced:";
constexpr const char* espalier_prefix = "espalier:";
constexpr std::size_t segments[] = {8192, 16384, 65536};

template <class Functions>
void call_collective(const Functions& mpi, const std::string& collective, Data& data, MPI_Comm comm) {
  if (collective == "bcast") {
    mpi.bcast(data.output.data(), data.count(), MPI_DOUBLE, data.root(), comm);
  } else if (collective == "reduce") {
    mpi.reduce(data.input.data(), data.output.data(), data.count(), MPI_DOUBLE, MPI_SUM, data.root(), comm);
  } else {
    mpi.allreduce(data.input.data(), data.output.data(), data.count(), MPI_DOUBLE, MPI_SUM, comm);
  }
}

struct Intercepted {
  static constexpr auto bcast = MPI_Bcast;
  static constexpr auto reduce = MPI_Reduce;
  static constexpr auto allreduce = MPI_Allreduce;
};

class OfTheMpi : public Variant {
 public:
  OfTheMpi(std::string collective, MPI_Comm comm) : collective_(std::move(collective)), comm_(comm) {}
  void call(Data& data) override { call_collective(native(), collective_, data, comm_); }

 protected:
  const std::string collective_;
  MPI_Comm comm_;
};

class Forced : public OfTheMpi {
 public:
  Forced(const std::string& collective, MPI_Comm comm, NativeAlgorithm algorithm, std::size_t segment)
      : OfTheMpi(collective, comm), algorithm_(std::move(algorithm)), segment_(segment) {
    if (!forced_per_communicator()) return;
    force_native(collective_, algorithm_, segment_);
    MPI_Comm_dup(comm, &comm_);
    force_none(collective_);
  }
  ~Forced() override {
    if (forced_per_communicator()) MPI_Comm_free(&comm_);
  }
  void select() override {
    if (!forced_per_communicator()) force_native(collective_, algorithm_, segment_);
  }
  void leave() override {
    if (!forced_per_communicator()) force_none(collective_);
  }

 private:
  const NativeAlgorithm algorithm_;
  const std::size_t segment_;
};

class ByEspalier : public Variant {
 public:
  ByEspalier(std::string collective, MPI_Comm comm, std::string setting)
      : collective_(std::move(collective)), comm_(comm), setting_(std::move(setting)) {}

  // Forcing is for all of the world: members of a smaller communicator can only use what Espalier chooses by itself.
  void select() override {
    static bool is_free = true;
    if (is_free && setting_.empty()) return;
    is_free = setting_.empty();
    const auto force = reinterpret_cast<decltype(&espalier_force)>(dlsym(RTLD_DEFAULT, "espalier_force"));
    const auto error = reinterpret_cast<decltype(&espalier_error)>(dlsym(RTLD_DEFAULT, "espalier_error"));
    if (force == nullptr || error == nullptr) throw std::runtime_error("Espalier is not preloaded");
    if (force(setting_.c_str()) != 0) throw std::runtime_error(setting_ + ": " + error());
  }
  void call(Data& data) override { call_collective(Intercepted{}, collective_, data, comm_); }

 private:
  const std::string collective_;
  const MPI_Comm comm_;
  const std::string setting_;
};

std::unique_ptr<Variant> make_forced(const std::string& name, const std::string& collective, MPI_Comm comm) {
  const std::string text = name.substr(std::string(forced_prefix).size());
  const std::size_t comma = text.find(",segment=");
  const std::size_t segment = comma == text.npos ? 0 : std::stoul(text.substr(comma + 9));
  for (const NativeAlgorithm& one : native_algorithms(collective)) {
    if (one.name == text.substr(0, comma)) return std::make_unique<Forced>(collective, comm, one, segment);
  }
  throw std::runtime_error(name + ": the MPI has no such algorithm");
}

}  // namespace

bool is_forced(const std::string& name) { return name.starts_with(forced_prefix); }

std::vector<std::string> expand(const std::vector<std::string>& names, const std::string& collective) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (name != "forced:*") {
      all.push_back(name);
      continue;
    }
    for (const NativeAlgorithm& one : native_algorithms(collective)) {
      if (!one.takes_segments) all.push_back(forced_prefix + one.name);
      for (const std::size_t segment : segments) {
        if (one.takes_segments) all.push_back(forced_prefix + one.name + ",segment=" + std::to_string(segment));
      }
    }
  }
  return all;
}

std::unique_ptr<Variant> make_variant(const std::string& name, const std::string& collective, MPI_Comm comm) {
  if (name == "native") return std::make_unique<OfTheMpi>(collective, comm);
  if (is_forced(name)) return make_forced(name, collective, comm);
  if (name == "espalier") return std::make_unique<ByEspalier>(collective, comm, "");
  if (name.starts_with(espalier_prefix)) {
    const std::string algorithm = name.substr(std::string(espalier_prefix).size());
    return std::make_unique<ByEspalier>(collective, comm, collective + ":" + algorithm);
  }
  throw std::invalid_argument(name + ": unknown; allowed: native, forced:NAME, forced:*, espalier, espalier:NAME");
}

}  // namespace bench
