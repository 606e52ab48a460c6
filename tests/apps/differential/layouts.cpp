// SPDX-License-Identifier: Apache-2.0
#include "differential/layouts.hpp"

#include <map>

#include "differential/buffer.hpp"

namespace espalier::apps {

namespace {

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent) {
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
  return resized(type, 0, extent);
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
    return resized(indexed, 0, 16);
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
    return resized(block, -12, 8);
  }();
  return type;
}

MPI_Datatype int_and_gap() {
  static const MPI_Datatype type = resized(contiguous(1, MPI_INT), 0, 20);
  return type;
}

// All first halves of a buffer lie before all second ones.
MPI_Datatype two_ints_apart() {
  static const MPI_Datatype type = [] {
    constexpr MPI_Aint displacements[] = {0, 1 << 21};  // more than the first halves of any buffer here
    MPI_Datatype block;
    MPI_Type_create_hindexed_block(2, 1, displacements, MPI_INT, &block);
    return resized(block, 0, sizeof(int));
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
    type = resized(vector, 0, sizeof(int));
  }
  return type;
}

MPI_Datatype whole_message(int ints) {
  static std::map<int, MPI_Datatype> made;
  MPI_Datatype& type = made.try_emplace(ints, MPI_DATATYPE_NULL).first->second;
  if (type == MPI_DATATYPE_NULL) type = contiguous(ints, MPI_INT);
  return type;
}

}  // namespace

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {
      {"bytes", true,
       [](int units, int) {
         return Side{MPI_BYTE, units};
       }},
      {"ints", true,
       [](int units, int) {
         return Side{MPI_INT, units};
       }},
      {"doubles", true,
       [](int units, int) {
         return Side{MPI_DOUBLE, units};
       }},
      {"pairs of int", true,
       [](int units, int) {
         return Side{MPI_2INT, units};
       }},
      {"complex doubles", true,
       [](int units, int) {
         return Side{MPI_C_DOUBLE_COMPLEX, units};
       }},
      {"vectors", true,
       [](int units, int) {
         return Side{two_of_three_ints(), units};
       }},
      {"structs", true,
       [](int units, int) {
         return Side{padded_struct(), units};
       }},
      {"true lower bound before the address", true,
       [](int units, int) {
         return Side{int_before_its_address(), units};
       }},
      {"nothing, many times", true,
       [](int units, int) {
         return Side{nothing(), units};
       }},
      {"vectors on the root, ints elsewhere", false,
       [](int units, int place) {
         return place == 0 ? Side{two_of_three_ints(), units} : Side{MPI_INT, 2 * units};
       }},
      {"ints on the root, vectors and indexed ints elsewhere", false,
       [](int units, int place) {
         if (place == 0) return Side{MPI_INT, 2 * units};
         return Side{place % 2 == 0 ? two_of_three_ints() : two_ints_backwards(), units};
       }},
      {"three layouts of one struct", false,
       [](int units, int place) {
         constexpr MPI_Datatype (*types[])() = {padded_struct, packed_struct, turned_struct};
         return Side{types[place % 3](), units};
       }},
      {"one type for all on the root, pairs elsewhere", false,
       [](int units, int place) {
         return place == 0 ? Side{whole_message(2 * units), 1} : Side{two_ints(), units};
       }},
      {"columns of a matrix on odd places, ints elsewhere", false,
       [](int units, int place) {
         return place % 2 == 1 ? Side{column(units), 3} : Side{MPI_INT, 3 * units};
       }},
  };
  return all;
}

std::size_t BlockLayout::unit_bytes() const { return packed_bytes(units[0].type, units[0].count); }

const std::vector<BlockLayout>& block_layouts() {
  static const std::vector<BlockLayout> all = {
      {"bytes", {{MPI_BYTE, 1}}},
      {"ints", {{MPI_INT, 1}}},
      {"complex doubles", {{MPI_C_DOUBLE_COMPLEX, 1}}},
      {"vectors", {{two_of_three_ints(), 1}}},
      {"true lower bound before the address", {{int_before_its_address(), 1}}},
      {"nothing, many times", {{nothing(), 1}}},
      {"vectors, ints, indexed ints and pairs",
       {{two_of_three_ints(), 1}, {MPI_INT, 2}, {two_ints_backwards(), 1}, {two_ints(), 1}}},
      {"three layouts of one struct", {{padded_struct(), 1}, {packed_struct(), 1}, {turned_struct(), 1}}},
      {"ints, and ints far between", {{MPI_INT, 1}, {int_and_gap(), 1}, {int_before_its_address(), 1}}},
      {"pairs whose halves lie apart, and pairs", {{two_ints_apart(), 1}, {two_ints(), 1}}},
  };
  return all;
}

}  // namespace espalier::apps
