// SPDX-License-Identifier: Apache-2.0
#include "differential/quirks.hpp"

#include <mpi.h>

#include <string_view>

#include "differential/layouts.hpp"
#include "differential/operands.hpp"
#include "differential/rare_types.hpp"

namespace espalier::apps {

namespace {

struct Quirk {
  const char* mpi;  // how what MPI_Get_library_version says begins
  const char* what;
  bool (*meets)(const Case& one);
};

bool names_alike(const Case& one) {
  const Contract& contract = one.contract();
  if (contract.reduces || !contract.carries_data) return true;
  return layout_named(one.type).is_uniform() && rare_types_of(one) == Rare::none;
}

bool has_types_of_nothing(const Case& one) { return rare_types_of(one) == Rare::of_nothing; }

bool is_reduction_of(const Case& one, const char* type) { return one.contract().reduces && one.type == type; }

bool is_allgatherv_of_several_types(const Case& one) {
  return one.form->collective() == Collective::allgather && one.form->function.is_uneven && !names_alike(one);
}

constexpr const char* openmpi5 = "Open MPI v5";
constexpr const char* mpich5 = "MPICH Version:      5";

constexpr Quirk quirks[] = {
    {openmpi5, "ranks send and wait for blocks by their counts, though elements have no bytes", has_types_of_nothing},
    {mpich5, "ranks send and wait for blocks by their counts, though elements have no bytes", has_types_of_nothing},
    {openmpi5, "MPI_Bcast of several segments deadlocks if datatypes differ between ranks",
     [](const Case& one) { return one.form->collective() == Collective::bcast && !names_alike(one); }},
    {mpich5, "MPI_Bcast of nothing deadlocks if datatypes differ between ranks",
     [](const Case& one) { return one.form->collective() == Collective::bcast && !names_alike(one); }},
    {openmpi5, "MPI_Allgatherv hangs if datatypes differ between ranks: each chooses an algorithm",
     is_allgatherv_of_several_types},
    {mpich5, "MPI_Allgatherv is wrong if datatypes differ between ranks: each cuts messages differently",
     is_allgatherv_of_several_types},
    {openmpi5, "large messages of MPI_LONG_DOUBLE_INT corrupt the heap",
     [](const Case& one) { return is_reduction_of(one, "MPI_LONG_DOUBLE_INT"); }},
    {mpich5, "large messages of MPI_LONG_DOUBLE_INT corrupt the heap",
     [](const Case& one) { return is_reduction_of(one, "MPI_LONG_DOUBLE_INT"); }},
    {openmpi5, "rings take too little memory for a true lower bound above 0, and corrupt the heap",
     [](const Case& one) { return is_reduction_of(one, "shifted"); }},
    {openmpi5, "MPI_Ialltoallv and MPI_Alltoallv_init in place mix up blocks of different sizes, and may hang",
     [](const Case& one) {
       return one.form->collective() == Collective::alltoall && one.form->function.is_uneven &&
              one.form->kind != Kind::blocking && one.in_place != InPlaceWish::no && one.pattern != Pattern::equal;
     }},
    {mpich5, "MPI_Reduce frees a wrong address for elements with a true lower bound above 0",
     [](const Case& one) { return one.form->collective() == Collective::reduce && is_reduction_of(one, "shifted"); }},
    {mpich5, "MPI_Reduce_scatter_block takes too little memory for elements that end in a gap, and corrupts the heap",
     [](const Case& one) { return is_reduction_of(one, "ahead") || is_reduction_of(one, "gapped_matrix"); }},
    {openmpi5, "MPI_Gatherv and MPI_Scatterv between groups truncate messages if datatypes differ between ranks",
     [](const Case& one) {
       return one.comm == "between" && one.contract().is_rooted() && one.form->function.is_uneven && !names_alike(one);
     }},
    {mpich5, "MPI_Ibcast and MPI_Bcast_init between groups bring nothing if the root is not rank 0",
     [](const Case& one) {
       return one.form->collective() == Collective::bcast && one.form->kind != Kind::blocking && one.comm == "between";
     }},
    {mpich5, "MPI_Testall of a persistent collective that is not complete is an error",
     [](const Case& one) { return one.form->kind == Kind::persistent && one.finish == "Testall"; }},
};

std::string_view library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (text[0] == 0) MPI_Get_library_version(text, &length);
  return text;
}

}  // namespace

const char* quirk_of(const Case& one) {
  for (const Quirk& quirk : quirks) {
    if (library().starts_with(quirk.mpi) && quirk.meets(one)) return quirk.what;
  }
  return nullptr;
}

}  // namespace espalier::apps
