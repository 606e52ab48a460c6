// SPDX-License-Identifier: Apache-2.0
#include "limit.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "by_kernel.hpp"
#include "in_lines.hpp"
#include "in_slots.hpp"

namespace bench {

namespace {

using espalier::Collective;

constexpr const char* prefix = "limit:";

template <class Form>
class Limit : public Variant {
 public:
  Limit(const Function& function, MPI_Comm comm)
      : Variant(comm), work_of_(work_of(function)), rank_(position_in(comm).rank), form_(comm) {}
  void call(const espalier::Call& call) override { form_.run(work_of_(call, rank_)); }

 private:
  const WorkOf work_of_;
  const int rank_;
  Form form_;
};

template <class Form>
std::unique_ptr<Variant> make(const Function& function, MPI_Comm comm) {
  return std::make_unique<Limit<Form>>(function, comm);
}

// For messages of these sizes: beyond them others are several times as fast.
struct Listed {
  const char* name;
  std::size_t least_bytes, most_bytes;
  std::unique_ptr<Variant> (*make)(const Function& function, MPI_Comm comm);
  bool is_by_kernel = false;
};

constexpr std::size_t kib = 1024;

constexpr Listed forms[] = {
    {"flags", 0, 0, make<InFlags>},
    {"line", 1, 7 * sizeof(double), make<InLines<FewLines>>},
    {"lines", 1, 4 * kib, make<InLines<ManyLines>>},
    {"slots,piece=2KiB", 256, 16 * kib, make<InSlots<2 * kib>>},
    {"slots,piece=4KiB", 256, 32 * kib, make<InSlots<4 * kib>>},
    {"slots,piece=16KiB", 4 * kib + 1, 256 * kib, make<InSlots<16 * kib>>},
    {"slots,piece=32KiB", 16 * kib + 1, SIZE_MAX, make<InSlots<32 * kib>>},
    {"slots,piece=64KiB", 32 * kib + 1, SIZE_MAX, make<InSlots<64 * kib>>},
    {"reading", 4 * kib, SIZE_MAX, make<ByReading>, true},
    {"halves", 8 * kib, SIZE_MAX, make<ByHalves>, true},
};

const Listed& form_of(const std::string& name) {
  const auto* const found =
      std::ranges::find_if(forms, [&](const Listed& form) { return prefix + std::string(form.name) == name; });
  if (found == std::end(forms)) throw std::invalid_argument(name + ": unknown");
  return *found;
}

// Where both get something of their own, each has its half anyway.
bool has_halves(const Function& function) {
  switch (function.contract.collective) {
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::reduce_scatter: return false;
    default: return true;
  }
}

bool is_for(const Listed& form, const Function& function) {
  if (function.contract.carries_data == (form.most_bytes == 0)) return false;
  return std::string(form.name) != "halves" || has_halves(function);
}

}  // namespace

bool is_limit(const std::string& name) { return name.starts_with(prefix); }

std::vector<std::string> limits_of(const Function& function, MPI_Comm comm) {
  std::vector<std::string> names;
  if (position_in(comm).ranks != 2) return names;
  const bool is_open = OtherProcess::is_open(comm);
  for (const Listed& form : forms) {
    if (is_for(form, function) && (is_open || !form.is_by_kernel)) names.push_back(std::string(prefix) + form.name);
  }
  return names;
}

bool is_limit_for(const std::string& name, std::size_t bytes) {
  const Listed& form = form_of(name);
  return form.most_bytes == 0 || (form.least_bytes <= bytes && bytes <= form.most_bytes);
}

std::unique_ptr<Variant> make_limit(const std::string& name, const Function& function, MPI_Comm comm) {
  if (position_in(comm).ranks != 2) throw std::invalid_argument(name + ": is for two ranks");
  return form_of(name).make(function, comm);
}

}  // namespace bench
