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
    if (!exists(name)) throw std::runtime_error("no variable " + name);
    MPI_T_cvar_get_index(name.c_str(), &index_);
    int name_length = 0, verbosity = 0, binding = 0, length = 0;
    MPI_T_cvar_get_info(index_, nullptr, &name_length, &verbosity, &type_, &values_, nullptr, &length, &binding,
                        &scope_);
    description_.resize(static_cast<std::size_t>(length) + 1);
    MPI_T_cvar_get_info(index_, nullptr, &name_length, &verbosity, &type_, &values_, description_.data(), &length,
                        &binding, &scope_);
  }

  [[nodiscard]] static bool exists(const std::string& name) {
    int index = 0;
    return MPI_T_cvar_get_index(name.c_str(), &index) == MPI_SUCCESS;
  }

  [[nodiscard]] bool can_be_set() const { return scope_ != MPI_T_SCOPE_CONSTANT && scope_ != MPI_T_SCOPE_READONLY; }

  void set(long value) const {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    MPI_T_cvar_handle_alloc(index_, nullptr, &handle, &count);
    unsigned long wide = static_cast<unsigned long>(value);  // long enough for every type that there is
    const int status = MPI_T_cvar_write(handle, &wide);
    MPI_T_cvar_handle_free(&handle);
    if (status != MPI_SUCCESS) throw std::runtime_error("the MPI does not let " + name_ + " be set");
  }

  [[nodiscard]] bool is_set() const {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    MPI_T_cvar_handle_alloc(index_, nullptr, &handle, &count);
    unsigned long wide = 0;
    MPI_T_cvar_read(handle, &wide);
    MPI_T_cvar_handle_free(&handle);
    return wide != 0;
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
  int index_ = 0, scope_ = MPI_T_SCOPE_CONSTANT;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_T_enum values_ = MPI_T_ENUM_NULL;
};

bool can_be_set(const std::string& name) { return Control::exists(name) && Control(name).can_be_set(); }

#ifdef OPEN_MPI

// Only with it do the others count. Open MPI 4 fixes it when the program starts: there they count if it was set then.
constexpr const char* first_of_all = "coll_tuned_use_dynamic_rules";

std::string variable(const Function& function) { return "coll_tuned_" + function.name + "_algorithm"; }
std::string segments_of(const Function& function) { return variable(function) + "_segmentsize"; }

bool takes_segments(const std::string& name) {
  for (const char* one : {"chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial", "binary",
                          "in-order_binary", "segmented_ring"}) {
    if (name == one) return true;
  }
  return false;
}

bool is_on_from_the_start() {
  return Control::exists(first_of_all) && !Control(first_of_all).can_be_set() && Control(first_of_all).is_set();
}

bool can_be_forced(const Function& function) {
  return (can_be_set(first_of_all) || is_on_from_the_start()) && can_be_set(variable(function));
}

// `ignore` is the MPI's own choice; among more ranks `two_proc` is an error.
bool is_usable(const std::string& name, const Function&, int ranks) {
  return name != "ignore" && (name != "two_proc" || ranks == 2);
}

#else

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string variable(const Function& function) { return "MPIR_CVAR_" + upper(function.name) + "_INTRA_ALGORITHM"; }
std::string segments_of(const Function& function) {
  return "MPIR_CVAR_" + upper(function.name) + "_TREE_PIPELINE_CHUNK_SIZE";
}

bool takes_segments(const std::string& name) { return name == "pipelined_tree" || name == "tree"; }

bool can_be_forced(const Function& function) { return can_be_set(variable(function)); }

// Not algorithms of their own: `smp` is for several ranks on a node, `ccl` for accelerators, what replaces is for calls
// in place; and `noncommutative` ends the program where blocks have sizes of their own.
bool is_usable(const std::string& name, const Function& function, int) {
  const bool is_choice = name == "auto" || name == "nb" || name == "smp" || name == "ccl";
  return !is_choice && !name.ends_with("_replace") && (name != "noncommutative" || !function.is_uneven);
}

#endif

}  // namespace

// Blocks stay whole.
std::vector<NativeAlgorithm> native_algorithms(const Function& function, int ranks) {
  std::vector<NativeAlgorithm> found;
  if (!can_be_forced(function)) return found;
  const bool can_be_cut =
      function.contract.division == espalier::Division::by_algorithm && Control::exists(segments_of(function));
  for (NativeAlgorithm& one : Control(variable(function)).values()) {
    if (!is_usable(one.name, function, ranks)) continue;
    one.takes_segments = can_be_cut && takes_segments(one.name);
    found.push_back(std::move(one));
  }
  return found;
}

#ifdef OPEN_MPI

bool forced_per_communicator() { return true; }

void force_native(const Function& function, const NativeAlgorithm& algorithm, std::size_t segment_bytes) {
  if (!is_on_from_the_start()) Control(first_of_all).set(1);
  Control(variable(function)).set(algorithm.number);
  if (algorithm.takes_segments) Control(segments_of(function)).set(static_cast<long>(segment_bytes));
}

void force_none(const Function& function, const NativeAlgorithm& algorithm) {
  Control(variable(function)).set(0);
  if (algorithm.takes_segments) Control(segments_of(function)).set(0);
  if (!is_on_from_the_start()) Control(first_of_all).set(0);
}

#else

bool forced_per_communicator() { return false; }

void force_native(const Function& function, const NativeAlgorithm& algorithm, std::size_t segment_bytes) {
  Control(variable(function)).set(algorithm.number);
  if (algorithm.takes_segments) Control(segments_of(function)).set(static_cast<long>(segment_bytes));
}

void force_none(const Function& function, const NativeAlgorithm&) { Control(variable(function)).set(0); }

#endif

}  // namespace bench
