// SPDX-License-Identifier: Apache-2.0
// espalier-bench-kernels: the reduction kernels in GB/s, per operation and type, next to a plain copy.
//
// GB/s counts what is read and written: three bytes per byte of result for a reduction, in both forms (two operands:
// B = A o B; three operands: C = A o B), two for a copy. The best of several rounds is shown, since on a shared machine
// everything slower is somebody else's doing.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"

namespace espalier {
namespace {

constexpr int rounds = 5;
constexpr double shortest_round_s = 2e-3;
constexpr std::size_t in_cache_bytes = 16 << 10, in_memory_bytes = 32 << 20;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds_per_call(const std::function<void()>& work) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double start = seconds_now();
    int calls = 0;
    double elapsed = 0;
    for (; elapsed < shortest_round_s; elapsed = seconds_now() - start, ++calls) work();
    best = std::min(best, elapsed / calls);
  }
  return best;
}

// All zeros: results stay finite and normal however often they are combined.
struct Operands {
  explicit Operands(std::size_t bytes) : left(bytes, std::byte{0}), right(left), target(left) {}
  std::vector<std::byte> left, right, target;
};

struct Result {
  std::string operation, type;
  std::size_t bytes;
  double two_operands, three_operands, copy;  // GB/s
};

double copy_speed(Operands& on, std::size_t bytes) {
  const auto work = [&] { std::memcpy(on.target.data(), on.left.data(), bytes); };
  return 2e-9 * static_cast<double>(bytes) / seconds_per_call(work);
}

double speed(Reduction::Kernel kernel, ElementType type, Operands& on, std::vector<std::byte>& target) {
  const std::size_t elements = on.left.size() / size_of(type);
  const auto work = [&] { kernel(target.data(), on.left.data(), on.right.data(), elements, nullptr); };
  return 3e-9 * static_cast<double>(elements * size_of(type)) / seconds_per_call(work);
}

std::vector<Result> measure(std::size_t bytes) {
  std::vector<Result> results;
  Operands on(bytes);
  const double copy = copy_speed(on, bytes);
  for (std::size_t t = 0; t < element_type_count; ++t) {
    for (std::size_t o = 0; o < operator_count; ++o) {
      const auto operation = static_cast<Operator>(o);
      const auto type = static_cast<ElementType>(t);
      const Reduction::Kernel kernel = find_kernel(operation, type);
      if (kernel == nullptr) continue;
      results.push_back({std::string(name_of(operation)), std::string(name_of(type)), bytes,
                         speed(kernel, type, on, on.right), speed(kernel, type, on, on.target), copy});
    }
  }
  return results;
}

void print_text(const std::vector<Result>& results) {
  std::size_t bytes = 0;
  for (const Result& r : results) {
    if (r.bytes != bytes) {
      bytes = r.bytes;
      std::printf("\n%zu KiB per buffer; a plain copy moves %.1f GB/s\n", bytes >> 10, r.copy);
      std::printf("  %-20s %-5s %14s %16s\n", "type", "op", "two operands", "three operands");
    }
    std::printf("  %-20s %-5s %9.1f GB/s %11.1f GB/s\n", r.type.c_str(), r.operation.c_str(), r.two_operands,
                r.three_operands);
  }
}

void print_json(const std::vector<Result>& results) {
  std::printf("{\"instructions\": \"%s\", \"kernels\": [", std::string(name_of(supported_isas().back())).c_str());
  const char* separator = "\n";
  for (const Result& r : results) {
    std::printf(
        "%s{\"type\": \"%s\", \"operation\": \"%s\", \"bytes\": %zu, \"two_operands_gb_s\": %.2f, "
        "\"three_operands_gb_s\": %.2f, \"copy_gb_s\": %.2f}",
        separator, r.type.c_str(), r.operation.c_str(), r.bytes, r.two_operands, r.three_operands, r.copy);
    separator = ",\n";
  }
  std::printf("\n]}\n");
}

struct Options {
  bool json = false;
  std::vector<std::size_t> sizes{in_cache_bytes, in_memory_bytes};
};

// False on anything that is not understood.
bool parse(int argc, char** argv, Options& options) {
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--json") {
      options.json = true;
    } else if (word == "--bytes" && k + 1 < argc) {
      const std::string_view text = argv[++k];
      std::size_t bytes = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
      if (error != std::errc() || end != text.data() + text.size() || bytes < 64) return false;
      options.sizes = {bytes};
    } else {
      return false;
    }
  }
  return true;
}

int run(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "usage: espalier-bench-kernels [--json] [--bytes N]   (N: bytes per buffer, at least 64)\n");
    return 2;
  }
  std::vector<Result> results;
  for (const std::size_t bytes : options.sizes) {
    const std::vector<Result> measured = measure(bytes);
    results.insert(results.end(), measured.begin(), measured.end());
  }
  options.json ? print_json(results) : print_text(results);
  return 0;
}

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) { return espalier::run(argc, argv); }
