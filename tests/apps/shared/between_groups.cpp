// SPDX-License-Identifier: Apache-2.0
#include "shared/between_groups.hpp"

#include <algorithm>
#include <string>

#include "shared/failures.hpp"
#include "shared/known_call.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

// A call in which every block has as many elements as fit everywhere.
class CallBetweenGroups {
 public:
  CallBetweenGroups(const Form& form, MPI_Comm both, int root) : function_(form.function), both_(both), root_(root) {
    int mine = 0;
    MPI_Comm_size(both, &mine);
    MPI_Comm_remote_size(both, &theirs_);
    const Contract& contract = *function_.contract;
    // What is scattered is as long in both groups.
    count_ = contract.reduces && contract.division == Division::by_rank ? theirs_ : 3;
    const int places = std::max(mine, theirs_);
    for (int place = 0; place < places; ++place) {
      blocks_.counts.push_back(count_);
      blocks_.displacements.push_back(place * count_);
    }
    input_.resize(static_cast<std::size_t>(places * std::max(count_, places)));
    for (std::size_t i = 0; i < input_.size(); ++i) input_[i] = scramble(i, mine, root);
  }

  // What this rank gets.
  [[nodiscard]] Values make(const Native& functions) const {
    MPI_Request request = MPI_REQUEST_NULL;
    Values output = input_;
    const SaidBlocks blocks(blocks_, function_, MPI_UINT64_T);
    function_.native(functions, {.function = &function_,
                                 .input = input_.data(),
                                 .output = output.data(),
                                 .sent = blocks.said(),
                                 .received = blocks.said(),
                                 .op = MPI_SUM,
                                 .root = root_,
                                 .comm = both_,
                                 .request = &request});
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return output;
  }

 private:
  const Function& function_;
  const MPI_Comm both_;
  const int root_;
  int theirs_ = 0, count_ = 0;
  Side blocks_;
  Values input_;
};

// There are no scans, as the ranks of two groups have no order. (Open MPI 5 crashes in them.)
bool is_known_between_groups(const Form& form) {
  const Sources sources = form.function.contract->sources;
  return sources != Sources::up_to_own && sources != Sources::before_own;
}

}  // namespace

void make_calls_between_groups(MPI_Comm both, int root) {
  const CallCounts before = all_calls();
  unsigned long long counted = 0;
  for (const Kind kind : {Kind::blocking, Kind::nonblocking}) {
    for (const Form& form : forms_of(kind)) {
      if (!form.is_in(native_mpi()) || !is_known_between_groups(form)) continue;
      const CallBetweenGroups call(form, both, root);
      if (call.make(called_mpi()) != call.make(native_mpi())) fail(std::string(form.function.name) + " between groups");
      counted += is_preloaded() ? 1 : 0;
    }
  }
  const CallCounts after = all_calls();
  if (after.own != before.own) fail("collectives between groups must be native");
  if (after.native != before.native + counted) fail("collectives between groups must be counted");
}

}  // namespace espalier::apps
