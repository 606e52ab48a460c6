// SPDX-License-Identifier: Apache-2.0
// The argument lists of the MPI's collective functions. In the small forms counts and displacements are int, in the
// large ones (MPI_X_c) MPI_Count and MPI_Aint. Nonblocking functions have a request as last argument, persistent ones
// an info and a request: `More`. (MPI standard 4.1, chapter 6.)
#pragma once

#include <mpi.h>

namespace espalier::arguments {

struct NoData {
  template <class Count, class Displacement, class... More>
  using Prototype = int(MPI_Comm, More...);
};

struct OneBuffer {
  template <class Count, class Displacement, class... More>
  using Prototype = int(void*, Count, MPI_Datatype, int root, MPI_Comm, More...);
};

struct EvenReduction {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm, More...);
};

struct RootedReduction {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, void*, Count, MPI_Datatype, MPI_Op, int root, MPI_Comm, More...);
};

struct UnevenReduction {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, void*, const Count*, MPI_Datatype, MPI_Op, MPI_Comm, More...);
};

struct EvenExchange {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, MPI_Comm, More...);
};

struct RootedExchange {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, int root, MPI_Comm, More...);
};

struct UnevenGather {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, Count, MPI_Datatype, void*, const Count*, const Displacement*, MPI_Datatype,
                        MPI_Comm, More...);
};

struct RootedUnevenGather {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, Count, MPI_Datatype, void*, const Count*, const Displacement*, MPI_Datatype,
                        int root, MPI_Comm, More...);
};

struct UnevenScatter {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, const Count*, const Displacement*, MPI_Datatype, void*, Count, MPI_Datatype,
                        int root, MPI_Comm, More...);
};

struct UnevenExchange {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, const Count*, const Displacement*, MPI_Datatype, void*, const Count*,
                        const Displacement*, MPI_Datatype, MPI_Comm, More...);
};

// Each block has a datatype of its own, and displacements are bytes.
struct TypedExchange {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, const Count*, const Displacement*, const MPI_Datatype*, void*, const Count*,
                        const Displacement*, const MPI_Datatype*, MPI_Comm, More...);
};

// Places are in bytes, in the small forms, too.
struct NeighbourTypes {
  template <class Count, class Displacement, class... More>
  using Prototype = int(const void*, const Count*, const MPI_Aint*, const MPI_Datatype*, void*, const Count*,
                        const MPI_Aint*, const MPI_Datatype*, MPI_Comm, More...);
};

}  // namespace espalier::arguments
