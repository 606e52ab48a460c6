// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

// More pieces are nothing for a fake.
constexpr int max_repetitions = 1 << 20;

Type predefined(MPI_Count bytes, MPI_Aint extent) { return {{{0, bytes}}, 0, extent, true}; }

// MPICH's handles of predefined datatypes say their size, but for some pairs.
const Type* find_predefined(MPI_Datatype type) {
  static std::map<MPI_Datatype, Type> known = {{MPI_FLOAT_INT, predefined(8, 8)}, {MPI_DOUBLE_INT, predefined(12, 16)}};
  if ((static_cast<unsigned>(type) & 0xffff0000) == 0x4c000000) {
    known.try_emplace(type, predefined((type >> 8) & 0xff, (type >> 8) & 0xff));
  }
  const auto found = known.find(type);
  return found == known.end() ? nullptr : &found->second;
}

void append(Type& to, const Piece& piece) {
  const bool is_next = !to.pieces.empty() && to.pieces.back().offset + to.pieces.back().bytes == piece.offset;
  is_next ? void(to.pieces.back().bytes += piece.bytes) : to.pieces.push_back(piece);
}

bool fills_its_extent(const Type& type) {
  return type.pieces.size() == 1 && type.pieces[0].offset == 0 && type.pieces[0].bytes == type.extent;
}

void append(Type& to, MPI_Aint offset, MPI_Count count, const Type& from) {
  if (fills_its_extent(from)) return append(to, {offset, count * from.extent});
  if (count > max_repetitions) fail("too many pieces");
  for (MPI_Count k = 0; k < count; ++k) {
    for (const Piece& piece : from.pieces) append(to, {offset + k * from.extent + piece.offset, piece.bytes});
  }
}

// Of `count` elements at an offset.
struct Part {
  MPI_Aint offset;
  MPI_Count count;
  MPI_Datatype type;
};

Type join(const std::vector<Part>& parts, int combiner) {
  Type joined{.combiner = combiner};
  MPI_Aint upper_bound = 0;
  for (const auto& [offset, count, handle] : parts) {
    const Type& type = *find_type(handle);
    append(joined, offset, count, type);
    joined.lower_bound = std::min(joined.lower_bound, offset + type.lower_bound);
    upper_bound = std::max<MPI_Aint>(upper_bound, offset + type.lower_bound + count * type.extent);
  }
  joined.extent = upper_bound - joined.lower_bound;
  return joined;
}

int make_contiguous(int count, MPI_Datatype type, MPI_Datatype* made) {
  if (find_type(type) == nullptr) return raise(MPI_COMM_WORLD, MPI_ERR_TYPE);
  Type joined = join({{0, count, type}}, MPI_COMBINER_CONTIGUOUS);
  joined.count = count;
  joined.inner = type;
  *made = state().types.add(std::move(joined));
  return MPI_SUCCESS;
}

int make_struct(int count, const int lengths[], const MPI_Aint offsets[], const MPI_Datatype types[],
                MPI_Datatype* made) {
  std::vector<Part> parts;
  for (int k = 0; k < count; ++k) parts.push_back({offsets[k], lengths[k], types[k]});
  *made = state().types.add(join(parts, MPI_COMBINER_STRUCT));
  return MPI_SUCCESS;
}

int make_hindexed(int count, const int lengths[], const MPI_Aint offsets[], MPI_Datatype type, MPI_Datatype* made) {
  const std::vector<MPI_Datatype> types(static_cast<std::size_t>(count), type);
  return make_struct(count, lengths, offsets, types.data(), made);
}

int make_resized(MPI_Datatype type, MPI_Aint lower_bound, MPI_Aint extent, MPI_Datatype* made) {
  *made = state().types.add({find_type(type)->pieces, lower_bound, extent, false, MPI_COMBINER_RESIZED});
  return MPI_SUCCESS;
}

int commit(MPI_Datatype* type) {
  state().types.at(*type).committed = true;
  return MPI_SUCCESS;
}

int free_type(MPI_Datatype* type) {
  state().types.remove(*type);
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

template <class Answer>
int ask(MPI_Datatype type, Answer answer) {
  const Type* const found = find_type(type);
  if (found == nullptr) return raise(MPI_COMM_WORLD, MPI_ERR_TYPE);
  answer(*found);
  return MPI_SUCCESS;
}

int get_size(MPI_Datatype type, MPI_Count* size) {
  return ask(type, [&](const Type& it) { *size = it.size(); });
}

int get_extent(MPI_Datatype type, MPI_Aint* lower_bound, MPI_Aint* extent) {
  return ask(type, [&](const Type& it) { *lower_bound = it.lower_bound, *extent = it.extent; });
}

int get_true_extent(MPI_Datatype type, MPI_Aint* lower_bound, MPI_Aint* extent) {
  return ask(type, [&](const Type& it) {
    *lower_bound = it.true_lower_bound(), *extent = it.true_upper_bound() - it.true_lower_bound();
  });
}

int get_envelope(MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner) {
  return ask(type, [&](const Type& it) {
    *combiner = it.combiner;
    *integers = it.combiner == MPI_COMBINER_CONTIGUOUS ? 1 : 0;
    *types = *integers != 0 || it.combiner == MPI_COMBINER_DUP ? 1 : 0;
    *addresses = 0;
  });
}

// A derived datatype comes as a new handle, that the caller frees.
int get_contents(MPI_Datatype type, int, int, int, int integers[], MPI_Aint[], MPI_Datatype types[]) {
  const Type& it = state().types.at(type);
  if (it.inner == MPI_DATATYPE_NULL) fail("this datatype does not say what it consists of");
  if (it.combiner == MPI_COMBINER_CONTIGUOUS) integers[0] = it.count;
  types[0] = find_predefined(it.inner) != nullptr ? it.inner : state().types.add(state().types.at(it.inner));
  return MPI_SUCCESS;
}

int create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* on_delete, int* keyval,
                  void* extra) {
  *keyval = state().type_keyvals.add({copy, on_delete, extra});
  return MPI_SUCCESS;
}

int free_keyval(int* keyval) {
  state().type_keyvals.remove(*keyval);
  *keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int get_attribute(MPI_Datatype type, int keyval, void* value, int* is_there) {
  const Attributes& attributes = state().types.at(type).attributes[my_rank()];
  const auto found = attributes.find(keyval);
  *is_there = found != attributes.end() ? 1 : 0;
  if (*is_there != 0) std::memcpy(value, &found->second, sizeof(void*));
  return MPI_SUCCESS;
}

int set_attribute(MPI_Datatype type, int keyval, void* value) {
  state().types.at(type).attributes[my_rank()][keyval] = value;
  return MPI_SUCCESS;
}

}  // namespace

MPI_Count Type::size() const {
  MPI_Count all = 0;
  for (const Piece& piece : pieces) all += piece.bytes;
  return all;
}

MPI_Aint Type::true_lower_bound() const {
  return pieces.empty() ? 0 : std::ranges::min(pieces, {}, &Piece::offset).offset;
}

MPI_Aint Type::true_upper_bound() const {
  MPI_Aint highest = true_lower_bound();
  for (const Piece& piece : pieces) highest = std::max<MPI_Aint>(highest, piece.offset + piece.bytes);
  return highest;
}

const Type* find_type(MPI_Datatype type) {
  const Type* const derived = state().types.find(type);
  return derived != nullptr ? derived : find_predefined(type);
}

MPI_Datatype make_vector(int count, int block_length, int stride, MPI_Datatype type) {
  std::vector<Part> parts;
  for (int k = 0; k < count; ++k) parts.push_back({k * stride * find_type(type)->extent, block_length, type});
  return state().types.add(join(parts, MPI_COMBINER_VECTOR));
}

void add_types(Native& table) {
  table.Type_contiguous = make_contiguous;
  table.Type_create_struct = make_struct;
  table.Type_create_hindexed = make_hindexed;
  table.Type_create_resized = make_resized;
  table.Type_commit = commit;
  table.Type_free = free_type;
  table.Type_size_x = get_size;
  table.Type_get_extent = get_extent;
  table.Type_get_true_extent = get_true_extent;
  table.Type_get_envelope = get_envelope;
  table.Type_get_contents = get_contents;
  table.Type_create_keyval = create_keyval;
  table.Type_free_keyval = free_keyval;
  table.Type_get_attr = get_attribute;
  table.Type_set_attr = set_attribute;
}

}  // namespace espalier::fake
