// SPDX-License-Identifier: Apache-2.0
// Between the arguments of a collective function and a Call, for each list of native/prototypes.hpp:
//
//   call(...)  what they ask for
//   pass(...)  hands that to a native function with counts and displacements of these types; `more` are the arguments
//              that nonblocking and persistent functions have on top
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

template <class List>
struct Arguments;

// A count of each block of a buffer; v-forms have arrays of them, and w-forms also of datatypes.
struct EvenBlocks {
  static constexpr bool is_uneven = false, is_typed = false;
};
struct UnevenBlocks {
  static constexpr bool is_uneven = true, is_typed = false;
  template <class Number>
  [[nodiscard]] static const Number* array(const void* numbers) {
    return static_cast<const Number*>(numbers);
  }
};

struct TypedBlocks : UnevenBlocks {
  static constexpr bool is_typed = true;
};

template <>
struct Arguments<arguments::NoData> : EvenBlocks {
  static constexpr bool has_counts = false, names_data_twice = false;
  static Call call(MPI_Comm comm) { return {.comm = comm}; }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.comm, more...);
  }
};

template <>
struct Arguments<arguments::OneBuffer> : EvenBlocks {
  static constexpr bool has_counts = true, names_data_twice = false;
  static Call call(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return {.output = buffer, .sent = {count, type}, .root = root, .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.output, static_cast<Count>(c.sent.count), c.sent.type, c.root, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::EvenReduction> : EvenBlocks {
  static constexpr bool has_counts = true, names_data_twice = false;
  static Call call(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return {.input = input, .output = output, .sent = {count, type}, .op = op, .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, c.output, static_cast<Count>(c.sent.count), c.sent.type, c.op, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::RootedReduction> : EvenBlocks {
  static constexpr bool has_counts = true, names_data_twice = false;
  static Call call(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm) {
    return {.input = input, .output = output, .sent = {count, type}, .op = op, .root = root, .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, c.output, static_cast<Count>(c.sent.count), c.sent.type, c.op, c.root, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::UnevenReduction> : UnevenBlocks {
  static constexpr bool has_counts = true, names_data_twice = false;
  static Call call(const void* input, void* output, const void* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return {.input = input, .output = output, .sent = {.type = type, .counts = counts}, .op = op, .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, c.output, array<Count>(c.sent.counts), c.sent.type, c.op, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::EvenExchange> : EvenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, MPI_Count input_count, MPI_Datatype input_type, void* output,
                   MPI_Count output_count, MPI_Datatype output_type, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {input_count, input_type},
            .received = {output_count, output_type},
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, static_cast<Count>(c.sent.count), c.sent.type, c.output,
                  static_cast<Count>(c.received.count), c.received.type, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::RootedExchange> : EvenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, MPI_Count input_count, MPI_Datatype input_type, void* output,
                   MPI_Count output_count, MPI_Datatype output_type, int root, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {input_count, input_type},
            .received = {output_count, output_type},
            .root = root,
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, static_cast<Count>(c.sent.count), c.sent.type, c.output,
                  static_cast<Count>(c.received.count), c.received.type, c.root, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::UnevenGather> : UnevenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, MPI_Count input_count, MPI_Datatype input_type, void* output, const void* counts,
                   const void* displacements, MPI_Datatype output_type, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {input_count, input_type},
            .received = {.type = output_type, .counts = counts, .displacements = displacements},
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, static_cast<Count>(c.sent.count), c.sent.type, c.output, array<Count>(c.received.counts),
                  array<Displacement>(c.received.displacements), c.received.type, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::RootedUnevenGather> : UnevenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, MPI_Count input_count, MPI_Datatype input_type, void* output, const void* counts,
                   const void* displacements, MPI_Datatype output_type, int root, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {input_count, input_type},
            .received = {.type = output_type, .counts = counts, .displacements = displacements},
            .root = root,
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, static_cast<Count>(c.sent.count), c.sent.type, c.output, array<Count>(c.received.counts),
                  array<Displacement>(c.received.displacements), c.received.type, c.root, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::UnevenScatter> : UnevenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, const void* counts, const void* displacements, MPI_Datatype input_type,
                   void* output, MPI_Count output_count, MPI_Datatype output_type, int root, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {.type = input_type, .counts = counts, .displacements = displacements},
            .received = {output_count, output_type},
            .root = root,
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, array<Count>(c.sent.counts), array<Displacement>(c.sent.displacements), c.sent.type,
                  c.output, static_cast<Count>(c.received.count), c.received.type, c.root, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::UnevenExchange> : UnevenBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, const void* input_counts, const void* input_displacements,
                   MPI_Datatype input_type, void* output, const void* output_counts, const void* output_displacements,
                   MPI_Datatype output_type, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {.type = input_type, .counts = input_counts, .displacements = input_displacements},
            .received = {.type = output_type, .counts = output_counts, .displacements = output_displacements},
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, array<Count>(c.sent.counts), array<Displacement>(c.sent.displacements), c.sent.type,
                  c.output, array<Count>(c.received.counts), array<Displacement>(c.received.displacements),
                  c.received.type, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::TypedExchange> : TypedBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, const void* input_counts, const void* input_displacements,
                   const MPI_Datatype* input_types, void* output, const void* output_counts,
                   const void* output_displacements, const MPI_Datatype* output_types, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {.counts = input_counts, .displacements = input_displacements, .types = input_types},
            .received = {.counts = output_counts, .displacements = output_displacements, .types = output_types},
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, array<Count>(c.sent.counts), array<Displacement>(c.sent.displacements), c.sent.types,
                  c.output, array<Count>(c.received.counts), array<Displacement>(c.received.displacements),
                  c.received.types, c.comm, more...);
  }
};

template <>
struct Arguments<arguments::NeighbourTypes> : TypedBlocks {
  static constexpr bool has_counts = true, names_data_twice = true;
  static Call call(const void* input, const void* input_counts, const MPI_Aint* input_places,
                   const MPI_Datatype* input_types, void* output, const void* output_counts,
                   const MPI_Aint* output_places, const MPI_Datatype* output_types, MPI_Comm comm) {
    return {.input = input,
            .output = output,
            .sent = {.counts = input_counts, .types = input_types, .places = input_places},
            .received = {.counts = output_counts, .types = output_types, .places = output_places},
            .comm = comm};
  }
  template <class Count, class Displacement, class Native, class... More>
  static int pass(Native native, const Call& c, More... more) {
    return native(c.input, array<Count>(c.sent.counts), c.sent.places, c.sent.types, c.output,
                  array<Count>(c.received.counts), c.received.places, c.received.types, c.comm, more...);
  }
};

}  // namespace espalier
