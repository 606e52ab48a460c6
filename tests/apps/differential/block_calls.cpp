// SPDX-License-Identifier: Apache-2.0
#include "differential/block_calls.hpp"

#include <stdexcept>
#include <string>

namespace espalier::apps {

namespace {

// What is sent, as the MPI is told of it.
template <class Count, class Displacement>
class Sent {
 public:
  explicit Sent(const BlockArguments& arguments) : means_something_(arguments.input != MPI_IN_PLACE) {
    if (!means_something_) return;
    type = arguments.send.type();
    count = arguments.send.count();
    counts_ = arguments.send.counts<Count>();
    displacements_ = arguments.send.displacements<Displacement>();
  }

  [[nodiscard]] const Count* counts() const { return means_something_ ? counts_.data() : nullptr; }
  [[nodiscard]] const Displacement* displacements() const { return means_something_ ? displacements_.data() : nullptr; }

  MPI_Datatype type = MPI_DATATYPE_NULL;
  Count count = -1;

 private:
  bool means_something_;
  std::vector<Count> counts_;
  std::vector<Displacement> displacements_;
};

template <auto function>
int make_even(const MpiFunctions& mpi, const BlockArguments& a) {
  const Sent<int, int> sent(a);
  return (mpi.*function)(a.input, sent.count, sent.type, a.output, a.receive.count(), a.receive.type(), a.comm);
}

template <auto function, class Count, class Displacement>
int make_allgatherv(const MpiFunctions& mpi, const BlockArguments& a) {
  const Sent<Count, Displacement> sent(a);
  const auto counts = a.receive.counts<Count>();
  const auto displacements = a.receive.displacements<Displacement>();
  return (mpi.*function)(a.input, sent.count, sent.type, a.output, counts.data(), displacements.data(),
                         a.receive.type(), a.comm);
}

template <auto function, class Count, class Displacement>
int make_alltoallv(const MpiFunctions& mpi, const BlockArguments& a) {
  const Sent<Count, Displacement> sent(a);
  const auto counts = a.receive.counts<Count>();
  const auto displacements = a.receive.displacements<Displacement>();
  return (mpi.*function)(a.input, sent.counts(), sent.displacements(), sent.type, a.output, counts.data(),
                         displacements.data(), a.receive.type(), a.comm);
}

using Mpi = MpiFunctions;

// Longer messages of MPI_Allgatherv natively need one datatype on all ranks. By its own datatypes each rank of MPICH 5
// cuts them, and each rank of Open MPI 5 chooses an algorithm: where ranks disagree there are errors, wrong results or
// hangs.
constexpr bool needs_one_layout = true;

constexpr BlockCall allgathers[] = {
    {"MPI_Allgather", false, make_even<&Mpi::allgather>},
    {"MPI_Allgatherv", true, make_allgatherv<&Mpi::allgatherv, int, int>, needs_one_layout},
#if MPI_VERSION >= 4
    {"MPI_Allgather_c", false, make_even<&Mpi::allgather_c>},
    {"MPI_Allgatherv_c", true, make_allgatherv<&Mpi::allgatherv_c, MPI_Count, MPI_Aint>, needs_one_layout},
#endif
};

constexpr BlockCall alltoalls[] = {
    {"MPI_Alltoall", false, make_even<&Mpi::alltoall>},
    {"MPI_Alltoallv", true, make_alltoallv<&Mpi::alltoallv, int, int>},
#if MPI_VERSION >= 4
    {"MPI_Alltoall_c", false, make_even<&Mpi::alltoall_c>},
    {"MPI_Alltoallv_c", true, make_alltoallv<&Mpi::alltoallv_c, MPI_Count, MPI_Aint>},
#endif
};

}  // namespace

std::span<const BlockCall> block_calls(Collective collective) {
  switch (collective) {
    case Collective::allgather: return allgathers;
    case Collective::alltoall: return alltoalls;
    default: throw std::logic_error(std::string(name_of(collective)) + " moves no blocks");
  }
}

}  // namespace espalier::apps
