// SPDX-License-Identifier: Apache-2.0
#include "calls/forms.hpp"

namespace espalier {

namespace {

using enum Collective;
using With = const Arguments&;

// An array of numbers as a function's large form wants them.
template <class Number>
std::vector<Number> wide(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

int do_allgatherv(With w) {
  return ESPALIER_ENTRY(MPI_Allgatherv)(w.input, w.sent.counts[0], w.type, w.output, w.received.counts.data(),
                                        w.received.displacements.data(), w.type, w.comm);
}

int do_allgatherv_c(With w) {
  return ESPALIER_ENTRY(MPI_Allgatherv_c)(w.input, w.sent.counts[0], w.type, w.output,
                                          wide<MPI_Count>(w.received.counts).data(),
                                          wide<MPI_Aint>(w.received.displacements).data(), w.type, w.comm);
}

int do_alltoallv(With w) {
  return ESPALIER_ENTRY(MPI_Alltoallv)(w.input, w.sent.counts.data(), w.sent.displacements.data(), w.type, w.output,
                                       w.received.counts.data(), w.received.displacements.data(), w.type, w.comm);
}

int do_alltoallv_c(With w) {
  return ESPALIER_ENTRY(MPI_Alltoallv_c)(
      w.input, wide<MPI_Count>(w.sent.counts).data(), wide<MPI_Aint>(w.sent.displacements).data(), w.type, w.output,
      wide<MPI_Count>(w.received.counts).data(), wide<MPI_Aint>(w.received.displacements).data(), w.type, w.comm);
}

// A function with these arguments, and also its large form.
#define FORM(collective, function, ...)                                                              \
  {                                                                                                  \
    "MPI_" #function, collective, [](With w) { return ESPALIER_ENTRY(MPI_##function)(__VA_ARGS__); } \
  }
#define FORMS(collective, function, ...) \
  FORM(collective, function, __VA_ARGS__), FORM(collective, function##_c, __VA_ARGS__)

const Form blocking[] = {
    FORM(barrier, Barrier, w.comm),
    FORMS(bcast, Bcast, w.output, w.count, w.type, w.root, w.comm),
    FORMS(reduce, Reduce, w.input, w.output, w.count, w.type, w.op, w.root, w.comm),
    FORMS(allreduce, Allreduce, w.input, w.output, w.count, w.type, w.op, w.comm),
    FORMS(reduce_scatter_block, Reduce_scatter_block, w.input, w.output, w.count, w.type, w.op, w.comm),
    FORMS(allgather, Allgather, w.input, w.count, w.type, w.output, w.count, w.type, w.comm),
    FORMS(alltoall, Alltoall, w.input, w.count, w.type, w.output, w.count, w.type, w.comm),
    {"MPI_Allgatherv", allgather, do_allgatherv, true},
    {"MPI_Allgatherv_c", allgather, do_allgatherv_c, true},
    {"MPI_Alltoallv", alltoall, do_alltoallv, true},
    {"MPI_Alltoallv_c", alltoall, do_alltoallv_c, true},
};

const Form nonblocking[] = {
    FORM(barrier, Ibarrier, w.comm, w.request),
    FORMS(bcast, Ibcast, w.output, w.count, w.type, w.root, w.comm, w.request),
    FORMS(reduce, Ireduce, w.input, w.output, w.count, w.type, w.op, w.root, w.comm, w.request),
    FORMS(allreduce, Iallreduce, w.input, w.output, w.count, w.type, w.op, w.comm, w.request),
};

const Form persistent[] = {
    FORMS(bcast, Bcast_init, w.output, w.count, w.type, w.root, w.comm, MPI_INFO_NULL, w.request),
    FORMS(allreduce, Allreduce_init, w.input, w.output, w.count, w.type, w.op, w.comm, MPI_INFO_NULL, w.request),
};

}  // namespace

void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

std::span<const Form> blocking_forms() { return blocking; }
std::span<const Form> nonblocking_forms() { return nonblocking; }
std::span<const Form> persistent_forms() { return persistent; }

}  // namespace espalier
