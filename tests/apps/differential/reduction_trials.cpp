// SPDX-License-Identifier: Apache-2.0
// Reduce, Allreduce and Reduce_scatter_block: their contract says who has which part of the result.
#include <memory>

#include "contract/contract.hpp"
#include "differential/buffer.hpp"
#include "differential/operands.hpp"
#include "differential/oracle.hpp"
#include "differential/reduction_calls.hpp"
#include "differential/trials.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

class Reduction {
 public:
  Reduction(Tally& tally, Oracle& oracle, const Trial& trial, const ReductionCall& call, const Operand& operand,
            bool in_place)
      : tally_(tally), oracle_(oracle), trial_(trial), call_(call), operand_(operand), in_place_(in_place) {}

  void run() {
    if (operand_.judge == Judge::fold && !trial_.is_ours()) return;
    Buffer native = initial_output();
    if (operand_.judge != Judge::fold) (void)make(native_mpi(), native);
    std::uint64_t bits = 0;
    for (int repeat = 0; repeat < 2; ++repeat) {
      Buffer output = initial_output();
      tally_.make(trial_, [&] { return make(called_mpi(), output); });
      if (!has_result()) {
        if (!output.untouched()) trial_.fail("a receive buffer was written that means nothing on this rank");
        continue;
      }
      if (const auto damage = output.damage()) trial_.fail(*damage);
      const Buffer result = result_in(output);
      judge(result, result_in(native));
      if (repeat == 1 && result.hash() != bits) trial_.fail("two equal calls have different bits");
      bits = result.hash();
    }
    if (!has_result()) return;
    if (!trial_.is_ours()) return;
    if (trial_.problem.collective == Collective::allreduce) tally_.add_common(trial_, bits);
    tally_.add_bits(trial_, bits);
  }

 private:
  using Judge = Operand::Judge;

  [[nodiscard]] const Contract& contract() const { return contract_of(trial_.problem.collective); }
  [[nodiscard]] bool has_result() const { return contract().has_output(trial_.group.rank, trial_.problem.root); }
  [[nodiscard]] bool is_in_place() const { return in_place_ && has_result(); }
  [[nodiscard]] int count() const { return static_cast<int>(trial_.problem.count); }

  [[nodiscard]] Held held(Part part) const {
    return held_by(contract(), part, trial_.group.rank, trial_.group.size, 1);
  }
  [[nodiscard]] int input_count() const { return held(contract().input).count * count(); }
  // Where in the input lies what the result combines.
  [[nodiscard]] int result_begin() const { return held(contract().output).first * count(); }

  // Some elements of a rank's contribution.
  [[nodiscard]] Buffer contribution(Rank rank, int first, int count) const {
    Buffer buffer(operand_.type, count);
    for (int i = 0; i < count; ++i) operand_.fill(buffer.element(i), scramble(trial_.seed, rank, first + i));
    return buffer;
  }
  [[nodiscard]] Buffer input_of(Rank rank) const { return contribution(rank, 0, input_count()); }

  [[nodiscard]] Buffer initial_output() const {
    return is_in_place() ? input_of(trial_.group.rank) : Buffer(operand_.type, count());
  }
  // In place there may be more behind it, which means nothing any more.
  [[nodiscard]] Buffer result_in(const Buffer& output) const {
    return output.count() == count() ? output : output.first(count());
  }

  int make(const MpiFunctions& mpi, Buffer& output) {
    const Buffer initial = input_of(trial_.group.rank);
    Buffer input = initial;
    const void* const from = is_in_place() ? MPI_IN_PLACE : input.origin();
    // Where it means nothing, the receive buffer may be anything.
    void* const to = in_place_ && !has_result() ? nullptr : output.origin();
    const int status =
        call_.make(mpi, {from, to, count(), operand_.type, operand_.op, trial_.problem.root, trial_.group.comm});
    if (input != initial) trial_.fail("the send buffer was written");
    return status;
  }

  void judge(const Buffer& result, const Buffer& native) {
    switch (operand_.judge) {
      case Judge::native: return judge_by(result, native, "");
      case Judge::fold: return judge_by(result, fold(), " by folding");
      case Judge::closeness: return judge_closeness(result, native);
      case Judge::expression: return judge_expression(result);
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
    Buffer sum = contribution(0, result_begin(), count());
    for (Rank rank = 1; rank < trial_.group.size; ++rank) {
      Buffer right = contribution(rank, result_begin(), count());
      for (int i = 0; i < count(); ++i) operand_.combine(sum.element(i), right.element(i));
      sum = std::move(right);
    }
    return sum;
  }

  void judge_expression(const Buffer& result) {
    if (!trial_.is_ours()) return;
    std::vector<Oracle::Bytes> inputs;
    for (Rank rank = 0; rank < trial_.group.size; ++rank) inputs.push_back(input_of(rank).values());
    Buffer expected(operand_.type, count());
    expected.assign(oracle_.result(trial_.choice(), trial_.problem, trial_.group.size, trial_.group.rank, inputs,
                                   operand_.combine));
    judge_by(result, expected, " by the verifier's expression");
    tally_.add_expression();
  }

  Tally& tally_;
  Oracle& oracle_;
  const Trial& trial_;
  const ReductionCall& call_;
  const Operand& operand_;
  const bool in_place_;
};

// Long messages are as long in all, however many blocks they have.
int count_of(const Contract& contract, int count, Rank size) {
  constexpr int few = 10;
  return contract.division == Division::by_algorithm || count < few ? count : count / size;
}

void run(Job& job, Oracle& oracle, const Variant& variant, Collective collective, const Row& row,
         std::uint64_t number) {
  const Group& group = job.groups[row[1]];
  if (!group.has_me()) return;
  const Contract& contract = contract_of(collective);
  const int count = count_of(contract, job.counts[row[2]], group.size);
  const Operand& operand = operands()[row[3]];
  const ReductionCall& call = reduction_calls(collective)[row[4]];
  const bool in_place = row[5] != 0;
  const Trial trial{.variant = variant,
                    .group = group,
                    .problem = {.collective = collective,
                                .root = contract.is_rooted() ? job.roots[row[6]] % group.size : 0,
                                .count = static_cast<std::size_t>(count),
                                .element_bytes = packed_bytes(operand.type, 1),
                                .arithmetic = operand.commutes ? Arithmetic::commutative : Arithmetic::rank_order},
                    .what = std::string(call.name) + ", " + std::to_string(count) + " elements, " + operand.name +
                            (in_place ? ", in place" : ""),
                    .seed = number,
                    .number = number};
  trial.begin();
  Reduction(job.tally, oracle, trial, call, operand, in_place).run();
  job.tally.add_trial();
}

}  // namespace

Matrix reduction_matrix(Collective collective, const Job& job) {
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  std::vector<int> sizes = {size(job.groups), size(job.counts), size(operands()), size(reduction_calls(collective)), 2};
  if (contract_of(collective).is_rooted()) sizes.push_back(size(job.roots));
  return {collective, sizes,
          [collective, oracle = std::make_shared<Oracle>()](Job& here, const Variant& variant, const Row& row,
                                                            std::uint64_t number) {
            run(here, *oracle, variant, collective, row, number);
          }};
}

}  // namespace espalier::apps
