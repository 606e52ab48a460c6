// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.hpp"

#include <array>
#include <complex>

#include "kernels/table.hpp"

namespace espalier {

namespace {

constexpr std::array<std::string_view, operator_count> operator_names{"max",  "min", "sum", "prod", "land",
                                                                      "band", "lor", "bor", "lxor", "bxor"};

struct CTypeFacts {
  std::string_view name;
  std::size_t size;
};
constexpr std::array<CTypeFacts, element_type_count> types{{
    {"int8", 1},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"uint8", 1},
    {"uint16", 2},
    {"uint32", 4},
    {"uint64", 8},
    {"float32", 4},
    {"float64", 8},
    {"long_double", sizeof(long double)},
    {"complex64", 8},
    {"complex128", 16},
    {"complex_long_double", sizeof(std::complex<long double>)},
    {"logical8", 1},
    {"logical16", 2},
    {"logical32", 4},
    {"logical64", 8},
    {"byte", 1},
}};

constexpr std::array<std::string_view, 3> isa_names{"baseline", "avx2", "avx512"};
constexpr std::array all_isas{Isa::baseline, Isa::avx2, Isa::avx512};

std::size_t count_supported_isas() {
#ifdef ESPALIER_X86_KERNELS
  if (!__builtin_cpu_supports("avx2")) return 1;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? 3 : 2;
#else
  return 1;
#endif
}

const KernelTable& table_of([[maybe_unused]] Isa isa) {
#ifdef ESPALIER_X86_KERNELS
  if (isa == Isa::avx512) return avx512_kernels;
  if (isa == Isa::avx2) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace

std::string_view name_of(Operator operation) { return operator_names[static_cast<std::size_t>(operation)]; }
std::string_view name_of(ElementType type) { return types[static_cast<std::size_t>(type)].name; }
std::string_view name_of(Isa isa) { return isa_names[static_cast<std::size_t>(isa)]; }
std::size_t size_of(ElementType type) { return types[static_cast<std::size_t>(type)].size; }

std::span<const Isa> supported_isas() {
  static const std::size_t count = count_supported_isas();
  return std::span(all_isas).first(count);
}

// A kernel that a set lacks is taken from the next lower one.
Reduction::Kernel find_kernel(Operator operation, ElementType type, Isa isa) {
  const auto row = static_cast<std::size_t>(operation), column = static_cast<std::size_t>(type);
  Reduction::Kernel found = nullptr;
  for (auto level = static_cast<int>(isa); found == nullptr && level >= 0; --level) {
    found = table_of(static_cast<Isa>(level)).functions[row][column];
  }
  return found;
}

Reduction::Kernel find_kernel(Operator operation, ElementType type) {
  return find_kernel(operation, type, supported_isas().back());
}

}  // namespace espalier
