// SPDX-License-Identifier: Apache-2.0
#include "variants.hpp"

#include <dlfcn.h>

#include <stdexcept>

#include "../harness/native.hpp"
#include "algorithms/algorithm.hpp"
#include "espalier/espalier.h"
#include "native_algorithms.hpp"

namespace bench {

namespace {

constexpr const char* forced_prefix = "forced:";
constexpr std::size_t segments[] = {8192, 16384, 65536};

class Direct : public Variant {
 public:
  Direct(const Function& function, MPI_Comm comm) : Variant(comm), caller_(function.direct) {}
  void call(const espalier::Call& call) override { caller_(mpi_, call); }

 private:
  const espalier::Native& mpi_ = native();
  const Function::Caller caller_;
};

class Forced : public Direct {
 public:
  Forced(const Function& function, MPI_Comm comm, NativeAlgorithm algorithm, std::size_t segment)
      : Direct(function, comm), function_(function), algorithm_(std::move(algorithm)), segment_(segment) {
    if (!forced_per_communicator()) return;
    force_native(function_, algorithm_, segment_);
    MPI_Comm_dup(comm, &comm_);
    force_none(function_, algorithm_);
  }
  ~Forced() override {
    if (forced_per_communicator()) MPI_Comm_free(&comm_);
  }
  void select() override {
    if (!forced_per_communicator()) force_native(function_, algorithm_, segment_);
  }
  void leave() override {
    if (!forced_per_communicator()) force_none(function_, algorithm_);
  }

 private:
  const Function& function_;
  const NativeAlgorithm algorithm_;
  const std::size_t segment_;
};

// A function of Espalier's public interface.
template <class Function>
Function* of_espalier(const char* name, Function*) {
  const auto found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  if (found == nullptr) throw std::runtime_error("Espalier is not preloaded; start this by `./espalier bench`");
  return found;
}

class Intercepted : public Variant {
 public:
  Intercepted(const Function& function, MPI_Comm comm, const std::string& algorithm)
      : Variant(comm),
        caller_(function.intercepted),
        collective_(function.collective()),
        setting_(algorithm.empty() ? "" : collective_ + ":" + algorithm),
        is_own_(!algorithm.empty() && algorithm != "native") {}

  // Forcing is for all of the world: members of a smaller communicator can only use what Espalier chooses by itself.
  void select() override {
    static bool is_free = true;
    if (is_free && setting_.empty()) return;
    is_free = setting_.empty();
    if (of_espalier("espalier_force", &espalier_force)(setting_.c_str()) != 0) {
      throw std::runtime_error(setting_ + ": " + of_espalier("espalier_error", &espalier_error)());
    }
    native_calls_before_ = native_calls();
  }
  void call(const espalier::Call& call) override { caller_(mpi_, call); }
  void meet() override { MPI_Barrier(comm_); }
  [[nodiscard]] bool was_left_to_the_mpi() const override { return is_own_ && native_calls() > native_calls_before_; }

 private:
  [[nodiscard]] unsigned long long native_calls() const {
    unsigned long long count = 0;
    of_espalier("espalier_calls", &espalier_calls)(collective_.c_str(), nullptr, &count);
    return count;
  }

  const espalier::Native& mpi_ = native();
  const Function::Caller caller_;
  const std::string collective_, setting_;
  const bool is_own_;
  unsigned long long native_calls_before_ = 0;
};

std::vector<NativeAlgorithm> algorithms_among(const Function& function, MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return native_algorithms(function, ranks);
}

void add_forced(std::vector<std::string>& names, const Function& function, MPI_Comm comm) {
  for (const NativeAlgorithm& one : algorithms_among(function, comm)) {
    if (!one.takes_segments) names.push_back(forced_prefix + one.name);
    for (const std::size_t segment : segments) {
      if (one.takes_segments) names.push_back(forced_prefix + one.name + ",segment=" + std::to_string(segment));
    }
  }
}

void add_own(std::vector<std::string>& names, const Function& function) {
  for (const espalier::Algorithm& one : espalier::registry()) {
    if (one.collective != function.contract.collective || (function.is_uneven && !one.takes_uneven)) continue;
    names.push_back("espalier:" + std::string(one.name));
  }
}

}  // namespace

std::unique_ptr<Variant> make_direct(const Function& function, MPI_Comm comm) {
  return std::make_unique<Direct>(function, comm);
}

std::unique_ptr<Variant> make_intercepted(const Function& function, MPI_Comm comm, const std::string& algorithm) {
  return std::make_unique<Intercepted>(function, comm, algorithm);
}

bool is_forced(const std::string& name) { return name.starts_with(forced_prefix); }

std::unique_ptr<Variant> make_forced(const Function& function, MPI_Comm comm, const std::string& name) {
  const std::string text = name.substr(std::string(forced_prefix).size());
  const std::size_t comma = text.find(",segment=");
  const std::size_t segment = comma == text.npos ? 0 : std::stoul(text.substr(comma + 9));
  for (const NativeAlgorithm& one : algorithms_among(function, comm)) {
    if (one.name == text.substr(0, comma)) return std::make_unique<Forced>(function, comm, one, segment);
  }
  throw std::runtime_error(name + ": the MPI has no such algorithm");
}

std::vector<std::string> expand(const std::vector<std::string>& names, const Function& function, MPI_Comm comm) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    if (name == "forced:*") {
      add_forced(all, function, comm);
    } else if (name == "espalier:*") {
      add_own(all, function);
    } else {
      all.push_back(name);
    }
  }
  return all;
}

}  // namespace bench
