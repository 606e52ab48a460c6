// SPDX-License-Identifier: Apache-2.0
// Reduce and Allreduce, which differ in who has the result.
#include <memory>

#include "contract/contract.hpp"
#include "differential/buffer.hpp"
#include "differential/operands.hpp"
#include "differential/oracle.hpp"
#include "differential/trials.hpp"
#include "shared/native_mpi.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

class Reduction {
 public:
  Reduction(Tally& tally, Oracle& oracle, const Trial& trial, const Operand& operand, bool in_place)
      : tally_(tally), oracle_(oracle), trial_(trial), operand_(operand), in_place_(in_place) {}

  void run() {
    if (operand_.judge == Judge::fold && !trial_.is_ours()) return;
    Buffer native = empty();
    if (operand_.judge != Judge::fold) (void)make_call(native, native_mpi().reduce, native_mpi().allreduce);
    std::uint64_t bits = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
      Buffer output = empty();
      tally_.make(trial_, [&] { return make_call(output, MPI_Reduce, MPI_Allreduce); });
      if (!has_result()) {
        if (!output.untouched()) trial_.fail("a receive buffer was written that means nothing on this rank");
        continue;
      }
      judge(output, native);
      if (repeat == 1 && output.hash() != bits) trial_.fail("two equal calls have different bits");
      bits = output.hash();
    }
    if (!has_result()) return;
    if (!trial_.is_ours()) return;
    if (trial_.problem.collective == Collective::allreduce) tally_.add_common(trial_, bits);
    tally_.add_bits(trial_, bits);
  }

 private:
  using Judge = Operand::Judge;

  [[nodiscard]] bool is_reduce() const { return trial_.problem.collective == Collective::reduce; }
  [[nodiscard]] bool has_result() const { return !is_reduce() || trial_.group.rank == trial_.problem.root; }
  [[nodiscard]] int count() const { return static_cast<int>(trial_.problem.count); }
  [[nodiscard]] Buffer empty() const { return {operand_.type, count()}; }

  [[nodiscard]] Buffer input_of(Rank rank) const {
    Buffer buffer = empty();
    for (int i = 0; i < count(); ++i) operand_.fill(buffer.element(i), scramble(trial_.seed, rank, i));
    return buffer;
  }

  template <class Reduce, class Allreduce>
  int make_call(Buffer& output, Reduce reduce, Allreduce allreduce) {
    const bool in_place = in_place_ && has_result();
    const Buffer initial = input_of(trial_.group.rank);
    Buffer input = initial;
    if (in_place) output = initial;
    const void* const from = in_place ? MPI_IN_PLACE : input.origin();
    // Where it means nothing, the receive buffer may be anything.
    void* const to = in_place_ && !has_result() ? nullptr : output.origin();
    const int status =
        is_reduce() ? reduce(from, to, count(), operand_.type, operand_.op, trial_.problem.root, trial_.group.comm)
                    : allreduce(from, to, count(), operand_.type, operand_.op, trial_.group.comm);
    if (input != initial) trial_.fail("the send buffer was written");
    return status;
  }

  void judge(const Buffer& output, const Buffer& native) {
    if (const auto damage = output.damage()) trial_.fail(*damage);
    switch (operand_.judge) {
      case Judge::native: return judge_by(output, native, "");
      case Judge::fold: return judge_by(output, fold(), " by folding");
      case Judge::closeness: return judge_closeness(output, native);
      case Judge::expression: return judge_expression(output);
    }
  }

  void judge_by(const Buffer& output, const Buffer& expected, const char* note) {
    if (const auto difference = output.difference_from(expected)) trial_.fail(*difference + note);
  }

  void judge_closeness(const Buffer& output, const Buffer& native) {
    for (int i = 0; i < count(); ++i) {
      if (!operand_.is_close(output.element(i), native.element(i))) {
        return trial_.fail("element " + std::to_string(i) + " is far from the native result");
      }
    }
  }

  // All contributions, from the left to the right.
  [[nodiscard]] Buffer fold() const {
    Buffer sum = input_of(0);
    for (Rank rank = 1; rank < trial_.group.size; ++rank) {
      Buffer right = input_of(rank);
      for (int i = 0; i < count(); ++i) operand_.combine(sum.element(i), right.element(i));
      sum = std::move(right);
    }
    return sum;
  }

  void judge_expression(const Buffer& output) {
    if (!trial_.is_ours()) return;
    std::vector<Oracle::Bytes> inputs;
    for (Rank rank = 0; rank < trial_.group.size; ++rank) inputs.push_back(input_of(rank).values());
    Buffer expected = empty();
    expected.assign(oracle_.result(trial_.choice(), trial_.problem, trial_.group.size, inputs, operand_.combine));
    judge_by(output, expected, " by the verifier's expression");
    tally_.add_expression();
  }

  Tally& tally_;
  Oracle& oracle_;
  const Trial& trial_;
  const Operand& operand_;
  const bool in_place_;
};

// What distinguishes the rows of the two matrices.
struct Picked {
  int group, root, count, operand, in_place;
};

void run(Job& job, Oracle& oracle, const Variant& variant, Collective collective, const Picked& picked,
         std::uint64_t number) {
  const Group& group = job.groups[picked.group];
  if (!group.has_me()) return;
  const Operand& operand = operands()[picked.operand];
  const int count = job.counts[picked.count];
  const bool in_place = picked.in_place != 0;
  const Trial trial{.variant = variant,
                    .group = group,
                    .problem = {.collective = collective,
                                .root = contract_of(collective).is_rooted() ? picked.root % group.size : 0,
                                .count = static_cast<std::size_t>(count),
                                .element_bytes = packed_bytes(operand.type, 1),
                                .arithmetic = operand.commutes ? Arithmetic::commutative : Arithmetic::rank_order},
                    .what = std::to_string(count) + " elements, " + operand.name + (in_place ? ", in place" : ""),
                    .seed = number,
                    .number = number};
  trial.begin();
  Reduction(job.tally, oracle, trial, operand, in_place).run();
  job.tally.add_trial();
}

int size_of_list(const auto& list) { return static_cast<int>(list.size()); }

}  // namespace

Matrix reduce_matrix(const Job& job) {
  const auto oracle = std::make_shared<Oracle>();
  return {Collective::reduce,
          {size_of_list(job.groups), size_of_list(job.roots), size_of_list(job.counts), size_of_list(operands()), 2},
          [oracle](Job& here, const Variant& variant, const Row& row, std::uint64_t number) {
            const Picked picked{row[1], here.roots[row[2]], row[3], row[4], row[5]};
            run(here, *oracle, variant, Collective::reduce, picked, number);
          }};
}

Matrix allreduce_matrix(const Job& job) {
  const auto oracle = std::make_shared<Oracle>();
  return {Collective::allreduce,
          {size_of_list(job.groups), size_of_list(job.counts), size_of_list(operands()), 2},
          [oracle](Job& here, const Variant& variant, const Row& row, std::uint64_t number) {
            run(here, *oracle, variant, Collective::allreduce, {row[1], 0, row[2], row[3], row[4]}, number);
          }};
}

}  // namespace espalier::apps
