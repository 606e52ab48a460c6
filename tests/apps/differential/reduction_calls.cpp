// SPDX-License-Identifier: Apache-2.0
#include "differential/reduction_calls.hpp"

#include <stdexcept>
#include <string>

namespace espalier::apps {

namespace {

template <auto function>
int make_rooted(const MpiFunctions& mpi, const ReductionArguments& a) {
  return (mpi.*function)(a.input, a.output, a.count, a.type, a.op, a.root, a.comm);
}

template <auto function>
int make_unrooted(const MpiFunctions& mpi, const ReductionArguments& a) {
  return (mpi.*function)(a.input, a.output, a.count, a.type, a.op, a.comm);
}

using Mpi = MpiFunctions;

constexpr ReductionCall reduces[] = {
    {"MPI_Reduce", make_rooted<&Mpi::reduce>},
#if MPI_VERSION >= 4
    {"MPI_Reduce_c", make_rooted<&Mpi::reduce_c>},
#endif
};

constexpr ReductionCall allreduces[] = {
    {"MPI_Allreduce", make_unrooted<&Mpi::allreduce>},
#if MPI_VERSION >= 4
    {"MPI_Allreduce_c", make_unrooted<&Mpi::allreduce_c>},
#endif
};

constexpr ReductionCall reduce_scatters[] = {
    {"MPI_Reduce_scatter_block", make_unrooted<&Mpi::reduce_scatter_block>},
#if MPI_VERSION >= 4
    {"MPI_Reduce_scatter_block_c", make_unrooted<&Mpi::reduce_scatter_block_c>},
#endif
};

}  // namespace

std::span<const ReductionCall> reduction_calls(Collective collective) {
  switch (collective) {
    case Collective::reduce: return reduces;
    case Collective::allreduce: return allreduces;
    case Collective::reduce_scatter_block: return reduce_scatters;
    default: throw std::logic_error(std::string(name_of(collective)) + " does not reduce");
  }
}

}  // namespace espalier::apps
