// SPDX-License-Identifier: Apache-2.0
#include "differential/layouts.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <stdexcept>

#include "differential/buffer.hpp"

namespace espalier::apps {

namespace {

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype resized_and_committed(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype result;
  MPI_Type_create_resized(type, lower_bound, extent, &result);
  MPI_Type_free(&type);
  return committed(result);
}

MPI_Datatype contiguous(int count, MPI_Datatype of) {
  MPI_Datatype type;
  MPI_Type_contiguous(count, of, &type);
  return committed(type);
}

MPI_Datatype int_and_double(MPI_Aint second, MPI_Aint extent) {
  const int lengths[] = {1, 1};
  const MPI_Aint displacements[] = {0, second};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype type;
  MPI_Type_create_struct(2, lengths, displacements, types, &type);
  return resized_and_committed(type, 0, extent);
}

MPI_Datatype two_of_three_ints() {
  static const MPI_Datatype type = [] {
    MPI_Datatype vector;
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    return committed(vector);
  }();
  return type;
}

MPI_Datatype two_ints_backwards() {
  static const MPI_Datatype type = [] {
    const int displacements[] = {2, 0};
    MPI_Datatype indexed;
    MPI_Type_create_indexed_block(2, 1, displacements, MPI_INT, &indexed);
    return resized_and_committed(indexed, 0, 16);
  }();
  return type;
}

MPI_Datatype two_ints() {
  static const MPI_Datatype type = contiguous(2, MPI_INT);
  return type;
}

MPI_Datatype int_before_its_address() {
  static const MPI_Datatype type = [] {
    const MPI_Aint displacement = -12;
    MPI_Datatype block;
    MPI_Type_create_hindexed_block(1, 1, &displacement, MPI_INT, &block);
    return resized_and_committed(block, -12, 8);
  }();
  return type;
}

MPI_Datatype int_and_gap() {
  static const MPI_Datatype type = resized_and_committed(contiguous(1, MPI_INT), 0, 20);
  return type;
}

// All first halves of a buffer lie before all second ones.
MPI_Datatype two_ints_apart() {
  static const MPI_Datatype type = [] {
    constexpr MPI_Aint displacements[] = {0, 1 << 21};  // more than the first halves of any buffer here
    MPI_Datatype block;
    MPI_Type_create_hindexed_block(2, 1, displacements, MPI_INT, &block);
    return resized_and_committed(block, 0, sizeof(int));
  }();
  return type;
}

MPI_Datatype padded_struct() {
  static const MPI_Datatype type = int_and_double(8, 16);
  return type;
}
MPI_Datatype packed_struct() {
  static const MPI_Datatype type = int_and_double(4, 12);
  return type;
}
MPI_Datatype turned_struct() {  // the double lies first
  static const MPI_Datatype type = int_and_double(-8, 32);
  return type;
}
MPI_Datatype nothing() {
  static const MPI_Datatype type = contiguous(0, MPI_DOUBLE);
  return type;
}

// The column of a matrix of three: its elements lie between those of the next one.
MPI_Datatype column(int rows) {
  static std::map<int, MPI_Datatype> made;
  MPI_Datatype& type = made.try_emplace(rows, MPI_DATATYPE_NULL).first->second;
  if (type == MPI_DATATYPE_NULL) {
    MPI_Datatype vector;
    MPI_Type_vector(rows, 1, 3, MPI_INT, &vector);
    type = resized_and_committed(vector, 0, sizeof(int));
  }
  return type;
}

MPI_Datatype whole_message(int ints) {
  static std::map<int, MPI_Datatype> made;
  MPI_Datatype& type = made.try_emplace(ints, MPI_DATATYPE_NULL).first->second;
  if (type == MPI_DATATYPE_NULL) type = contiguous(ints, MPI_INT);
  return type;
}

Side as_one(int units, int place) { return place == 0 ? Side{whole_message(2 * units), 1} : Side{two_ints(), units}; }
Side as_columns(int units, int place) { return place % 2 == 1 ? Side{column(units), 3} : Side{MPI_INT, 3 * units}; }

std::vector<Layout> list_layouts() {
  return {
#define PREDEFINED(Type, T) {#Type, {{Type, 1}}},
#define INTEGER PREDEFINED
#define MULTI_LANGUAGE PREDEFINED
#define FLOATING PREDEFINED
#define COMPLEX PREDEFINED
#define LOGICAL PREDEFINED
#define BYTE PREDEFINED
#define LOCATED PREDEFINED
#define CHARACTER PREDEFINED
#include "differential/predefined.def"
      {"vector", {{two_of_three_ints(), 1}}},
      {"struct", {{padded_struct(), 1}}},
      {"before_address", {{int_before_its_address(), 1}}},
      {"nothing", {{nothing(), 1}}},
      {"pairs_of_ints", {{two_of_three_ints(), 1}, {MPI_INT, 2}, {two_ints_backwards(), 1}, {two_ints(), 1}}},
      {"three_structs", {{padded_struct(), 1}, {packed_struct(), 1}, {turned_struct(), 1}}},
      {"ints_far_between", {{MPI_INT, 1}, {int_and_gap(), 1}, {int_before_its_address(), 1}}},
      {"halves_apart", {{two_ints_apart(), 1}, {two_ints(), 1}}},
      {"one_for_all", {{MPI_INT, 2}, {two_ints(), 1}}, as_one},
      {"columns", {{MPI_INT, 3}}, as_columns},
  };
}

}  // namespace

std::size_t Layout::unit_bytes() const { return packed_bytes(units[0].type, units[0].count); }

std::span<const Layout> layouts() {
  static const std::vector<Layout> all = list_layouts();
  return all;
}

const Layout& layout_named(const std::string& name) {
  const auto found = std::ranges::find(layouts(), name, &Layout::name);
  if (found == layouts().end()) throw std::invalid_argument("no such type: " + name);
  return *found;
}

}  // namespace espalier::apps
