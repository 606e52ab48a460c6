// SPDX-License-Identifier: Apache-2.0
// MPI_T_category_X: ours is one among the MPI's, and has all our variables. What the MPI says of its own is said in
// numbers as tools see them.
#include <span>

#include "mpi/calls/context.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/tools/joined.hpp"
#include "mpi/tools/tool_text.hpp"

namespace espalier {

namespace {

bool is_own(int shown) { return shown_numbers().category.own(shown) >= 0; }
int native_category(int shown) { return shown_numbers().category.native(shown); }

int entry_category_get_num(int* number) {
  const int status = native_tools().category_get_num(number);
  if (status == MPI_SUCCESS && are_joined(__builtin_return_address(0)))
    *number = shown_numbers().category.count(*number);
  return status;
}

int entry_category_get_info(int index, char* name, int* name_length, char* description, int* description_length,
                            int* controls, int* performances, int* categories) {
  const bool joined = are_joined(__builtin_return_address(0));
  if (!joined || !is_own(index)) {
    return native_tools().category_get_info(joined ? native_category(index) : index, name, name_length, description,
                                            description_length, controls, performances, categories);
  }
  give_text(OwnVariables::category, name, name_length);
  give_text("Collectives by Espalier, and its settings", description, description_length);
  give(controls, static_cast<int>(own_variables().control.size()));
  give(performances, static_cast<int>(own_variables().performance.size()));
  give(categories, 0);
  return MPI_SUCCESS;
}

int entry_category_get_index(const char* name, int* index) {
  const int status = native_tools().category_get_index(name, index);
  if (!are_joined(__builtin_return_address(0))) return status;
  if (status == MPI_SUCCESS) *index = shown_numbers().category.shown(*index);
  const bool is_asked_for = name != nullptr && index != nullptr && std::string_view(name) == OwnVariables::category;
  if (status != MPI_T_ERR_INVALID_NAME || !is_asked_for) return status;
  int native = 0;
  if (const int counted = native_tools().category_get_num(&native); counted != MPI_SUCCESS) return counted;
  shown_numbers().category.place(native);
  *index = shown_numbers().category.shown_own(0);
  return MPI_SUCCESS;
}

struct CategoryCounts {
  int controls = 0, performances = 0, categories = 0;
};

// One kind of what categories hold.
struct MemberKind {
  ShownNumbers& numbers;
  std::size_t own;  // in our category
  int (*native_count)(int*);
  int (*native_members)(int, int, int*);
  int CategoryCounts::*count;
};

// As many of ours as there is room for.
int give_own(const MemberKind& kind, std::span<int> indices) {
  int native = 0;
  if (const int status = kind.native_count(&native); status != MPI_SUCCESS) return status;
  kind.numbers.place(native);
  const std::size_t given = std::min(kind.own, indices.size());
  for (std::size_t i = 0; i < given; ++i) indices[i] = kind.numbers.shown_own(static_cast<int>(i));
  return MPI_SUCCESS;
}

// Of a category of the MPI's: its members, whose numbers are translated. The rest of the array is not touched.
int give_native(const MemberKind& kind, int category, int length, int indices[]) {
  const int status = kind.native_members(category, length, indices);
  if (status != MPI_SUCCESS) return status;
  CategoryCounts counts;
  const int counted = native_tools().category_get_info(category, nullptr, nullptr, nullptr, nullptr, &counts.controls,
                                                       &counts.performances, &counts.categories);
  if (counted != MPI_SUCCESS) return status;
  const int members = indices != nullptr ? std::min(length, counts.*kind.count) : 0;
  for (int i = 0; i < members; ++i) indices[i] = kind.numbers.shown(indices[i]);
  return status;
}

int give_members(const MemberKind& kind, int index, int length, int indices[]) {
  if (!is_own(index)) return give_native(kind, native_category(index), length, indices);
  return give_own(kind, {indices, indices != nullptr ? static_cast<std::size_t>(std::max(length, 0)) : 0});
}

int entry_category_get_cvars(int index, int length, int indices[]) {
  const ToolFunctions& native = native_tools();
  if (!are_joined(__builtin_return_address(0))) return native.category_get_cvars(index, length, indices);
  return give_members({shown_numbers().control, own_variables().control.size(), native.cvar_get_num,
                       native.category_get_cvars, &CategoryCounts::controls},
                      index, length, indices);
}

int entry_category_get_pvars(int index, int length, int indices[]) {
  const ToolFunctions& native = native_tools();
  if (!are_joined(__builtin_return_address(0))) return native.category_get_pvars(index, length, indices);
  return give_members({shown_numbers().performance, own_variables().performance.size(), native.pvar_get_num,
                       native.category_get_pvars, &CategoryCounts::performances},
                      index, length, indices);
}

// Ours holds none.
int entry_category_get_categories(int index, int length, int indices[]) {
  const ToolFunctions& native = native_tools();
  if (!are_joined(__builtin_return_address(0))) return native.category_get_categories(index, length, indices);
  return give_members({shown_numbers().category, 0, native.category_get_num, native.category_get_categories,
                       &CategoryCounts::categories},
                      index, length, indices);
}

int entry_category_get_num_events(int index, int* number) {
  const bool joined = are_joined(__builtin_return_address(0));
  if (!joined || !is_own(index)) {
    return native_tools().category_get_num_events(joined ? native_category(index) : index, number);
  }
  give(number, 0);
  return MPI_SUCCESS;
}

int entry_category_get_events(int index, int length, int indices[]) {
  const bool joined = are_joined(__builtin_return_address(0));
  if (joined && is_own(index)) return MPI_SUCCESS;
  return native_tools().category_get_events(joined ? native_category(index) : index, length, indices);
}

#define ESPALIER_ENTRY(name) entry("MPI_T_" #name, entry_##name)

const Entries category_entries({ESPALIER_ENTRY(category_get_num), ESPALIER_ENTRY(category_get_info),
                                ESPALIER_ENTRY(category_get_index), ESPALIER_ENTRY(category_get_cvars),
                                ESPALIER_ENTRY(category_get_pvars), ESPALIER_ENTRY(category_get_categories),
                                ESPALIER_ENTRY(category_get_num_events), ESPALIER_ENTRY(category_get_events)});

#undef ESPALIER_ENTRY

}  // namespace

}  // namespace espalier
