// SPDX-License-Identifier: Apache-2.0
#include "native_algorithms.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

// A control variable of the MPI.
class Control {
 public:
  explicit Control(const std::string& name) : name_(name) {
    if (MPI_T_cvar_get_index(name.c_str(), &index_) != MPI_SUCCESS) throw std::runtime_error("no variable " + name);
    int name_length = 0, verbosity = 0, binding = 0, scope = 0, length = 0;
    MPI_T_cvar_get_info(index_, nullptr, &name_length, &verbosity, &type_, &values_, nullptr, &length, &binding,
                        &scope);
    description_.resize(static_cast<std::size_t>(length) + 1);
    MPI_T_cvar_get_info(index_, nullptr, &name_length, &verbosity, &type_, &values_, description_.data(), &length,
                        &binding, &scope);
  }

  void set(long value) const {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    MPI_T_cvar_handle_alloc(index_, nullptr, &handle, &count);
    unsigned long wide = static_cast<unsigned long>(value);  // long enough for every type that there is
    const int status = MPI_T_cvar_write(handle, &wide);
    MPI_T_cvar_handle_free(&handle);
    if (status != MPI_SUCCESS) throw std::runtime_error("the MPI does not let " + name_ + " be set");
  }

  // Of an enumeration; empty if it is none.
  [[nodiscard]] std::vector<NativeAlgorithm> values() const {
    std::vector<NativeAlgorithm> found;
    if (values_ == MPI_T_ENUM_NULL) return described_values();
    int count = 0, no_length = 0;
    MPI_T_enum_get_info(values_, &count, nullptr, &no_length);
    for (int i = 0; i < count; ++i) {
      char name[128] = {};
      int length = sizeof name, number = 0;
      MPI_T_enum_get_item(values_, i, &number, name, &length);
      found.push_back({name, number});
    }
    return found;
  }

 private:
  // MPICH numbers the values in the order in which its description lists them: "name - Force ..." lines.
  [[nodiscard]] std::vector<NativeAlgorithm> described_values() const {
    std::vector<NativeAlgorithm> found;
    std::istringstream lines(description_);
    for (std::string line; std::getline(lines, line);) {
      std::string name, dash;
      std::istringstream(line) >> name >> dash;
      if (dash == "-") found.push_back({name, static_cast<int>(found.size())});
    }
    return found;
  }

  std::string name_, description_;
  int index_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_T_enum values_ = MPI_T_ENUM_NULL;
};

#ifdef OPEN_MPI

std::string variable(const std::string& collective) { return "coll_tuned_" + collective + "_algorithm"; }

bool takes_segments(const std::string& name) {
  for (const char* one : {"chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial", "binary",
                          "in-order_binary", "segmented_ring"}) {
    if (name == one) return true;
  }
  return false;
}

bool is_choice(const std::string& name) { return name == "ignore"; }

#else

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string variable(const std::string& collective) { return "MPIR_CVAR_" + upper(collective) + "_INTRA_ALGORITHM"; }
std::string segments_of(const std::string& collective) {
  return "MPIR_CVAR_" + upper(collective) + "_TREE_PIPELINE_CHUNK_SIZE";
}

bool takes_segments(const std::string& name) { return name == "pipelined_tree" || name == "tree"; }

// Not algorithms of their own: `smp` is for several ranks on a node, `ccl` for accelerators.
bool is_choice(const std::string& name) { return name == "auto" || name == "nb" || name == "smp" || name == "ccl"; }

#endif

}  // namespace

std::vector<NativeAlgorithm> native_algorithms(const std::string& collective) {
  std::vector<NativeAlgorithm> found;
  for (NativeAlgorithm& one : Control(variable(collective)).values()) {
    if (is_choice(one.name)) continue;
    one.takes_segments = takes_segments(one.name);
    found.push_back(std::move(one));
  }
  return found;
}

#ifdef OPEN_MPI

bool forced_per_communicator() { return true; }

void force_native(const std::string& collective, const NativeAlgorithm& algorithm, std::size_t segment_bytes) {
  Control("coll_tuned_use_dynamic_rules").set(1);
  Control(variable(collective)).set(algorithm.number);
  Control(variable(collective) + "_segmentsize").set(static_cast<long>(segment_bytes));
}

void force_none(const std::string& collective) {
  Control(variable(collective)).set(0);
  Control(variable(collective) + "_segmentsize").set(0);
  Control("coll_tuned_use_dynamic_rules").set(0);
}

#else

bool forced_per_communicator() { return false; }

void force_native(const std::string& collective, const NativeAlgorithm& algorithm, std::size_t segment_bytes) {
  Control(variable(collective)).set(algorithm.number);
  if (algorithm.takes_segments) Control(segments_of(collective)).set(static_cast<long>(segment_bytes));
}

void force_none(const std::string& collective) { Control(variable(collective)).set(0); }

#endif

}  // namespace bench
