// SPDX-License-Identifier: Apache-2.0
// Collectives that move blocks without combining them: their contract says which block comes from whom and goes where,
// so one trial serves them all.
#include "contract/contract.hpp"
#include "differential/block_calls.hpp"
#include "differential/trials.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

using Message = std::vector<std::byte>;

// The sizes and values of all blocks, by label: every rank knows those of all.
class Labelled {
 public:
  Labelled(int units, bool uneven, bool symmetric, Rank size, std::uint64_t seed)
      : units_(units), uneven_(uneven), symmetric_(symmetric), size_(size), seed_(seed) {}

  // A third of uneven blocks are empty.
  [[nodiscard]] int units(int label) const {
    if (!uneven_ || units_ == 0) return units_;
    const std::uint64_t random = scramble(seed_, symmetric_ ? smaller_of_pair(label) : label);
    return random % 3 == 0 ? 0 : 1 + static_cast<int>(random / 3 % static_cast<std::uint64_t>(units_));
  }

  [[nodiscard]] Message message(int label, std::size_t unit_bytes) const {
    return make_message(unit_bytes * static_cast<std::size_t>(units(label)), scramble(seed_, label));
  }

 private:
  // Both blocks between two ranks have the same.
  [[nodiscard]] int smaller_of_pair(int label) const {
    const int from = label / size_, to = label % size_;
    return std::min(from, to) * size_ + std::max(from, to);
  }

  int units_;
  bool uneven_, symmetric_;
  Rank size_;
  std::uint64_t seed_;
};

class BlockTrial {
 public:
  BlockTrial(Tally& tally, const Trial& trial, const BlockCall& call, const BlockLayout& layout,
             const Labelled& labelled, bool in_place)
      : tally_(tally),
        trial_(trial),
        call_(call),
        labelled_(labelled),
        in_place_(in_place),
        native_can_(layout.is_uniform() || !call.needs_one_layout),
        unit_bytes_(layout.unit_bytes()),
        send_(layout.unit(me()), units_of(sent()), order_of(contract().input)),
        receive_(layout.unit(me() + 1), units_of(received()), order_of(contract().output)),
        input_(filled(send_, sent(), sent())),
        expected_(filled(receive_, received(), received())) {}

  void run() {
    if (native_can_) judge(make_native(), "the native result: ");
    if (!native_can_ && !trial_.is_ours()) return;
    for (int repeat = 0; repeat < 2; ++repeat) {
      Buffer output = initial_output();
      tally_.make(trial_, [&] { return make(called_mpi(), output); });
      judge(output, "");
    }
  }

 private:
  [[nodiscard]] const Contract& contract() const { return contract_of(trial_.problem.collective); }
  [[nodiscard]] Rank me() const { return trial_.group.rank; }
  [[nodiscard]] Held held(Part part) const { return held_by(contract(), part, me(), trial_.group.size, 1); }
  [[nodiscard]] Held sent() const { return held(contract().input); }
  [[nodiscard]] Held received() const { return held(contract().output); }

  [[nodiscard]] std::vector<int> units_of(const Held& blocks) const {
    std::vector<int> units;
    for (int place = 0; place < blocks.count; ++place) units.push_back(labelled_.units(blocks.label_at(place)));
    return units;
  }

  // A rank's own block has no displacement.
  [[nodiscard]] Order order_of(Part part) const {
    if (!call_.uneven || part == Part::own) return Order::tight;
    return static_cast<Order>(scramble(trial_.seed, 1) % 3);
  }

  // Only the blocks that are `known` have their values.
  [[nodiscard]] Buffer filled(const Blocks& blocks, const Held& places, const Held& known) const {
    Message all;
    for (int place = 0; place < places.count; ++place) {
      const int label = places.label_at(place);
      Message one = labelled_.message(label, unit_bytes_);
      if (!known.holds(label)) std::ranges::fill(one, Buffer::background);
      all.insert(all.end(), one.begin(), one.end());
    }
    Buffer buffer = blocks.memory();
    buffer.unpack(all);
    return buffer;
  }

  [[nodiscard]] Buffer initial_output() const {
    if (!in_place_) return receive_.memory();
    const bool as_sent = contract().in_place == InPlace::other_place;
    return filled(receive_, as_sent ? sent() : received(), sent());
  }

  [[nodiscard]] Buffer make_native() {
    Buffer output = initial_output();
    if (make(native_mpi(), output) != MPI_SUCCESS) trial_.fail("the native call returned an error");
    return output;
  }

  int make(const MpiFunctions& mpi, Buffer& output) {
    Buffer input = input_;
    const int status = call_.make(
        mpi, {in_place_ ? MPI_IN_PLACE : input.origin(), send_, output.origin(), receive_, trial_.group.comm});
    if (input != input_) trial_.fail("the send buffer was written");
    return status;
  }

  void judge(const Buffer& output, const std::string& whose) const {
    if (const auto difference = output.difference_from(expected_)) trial_.fail(whose + *difference);
    if (const auto damage = output.damage()) trial_.fail(whose + *damage);
  }

  Tally& tally_;
  const Trial& trial_;
  const BlockCall& call_;
  const Labelled& labelled_;
  const bool in_place_, native_can_;
  const std::size_t unit_bytes_;
  const Blocks send_, receive_;
  const Buffer input_, expected_;
};

std::size_t units_of_all(const Labelled& labelled, int labels) {
  std::size_t sum = 0;
  for (int label = 0; label < labels; ++label) sum += static_cast<std::size_t>(labelled.units(label));
  return sum;
}

void run(Job& job, const Variant& variant, Collective collective, const Row& row, std::uint64_t number) {
  const Group& group = job.groups[row[1]];
  if (!group.has_me()) return;
  const int units = job.counts[row[2]];
  const BlockLayout& layout = block_layouts()[row[3]];
  const BlockCall& call = block_calls(collective)[row[4]];
  const bool in_place = row[5] != 0;
  const Labelled labelled(units, call.uneven, in_place, group.size, number);
  const int labels = label_count(contract_of(collective), group.size, 1);
  const std::size_t count = call.uneven ? units_of_all(labelled, labels) : static_cast<std::size_t>(units);
  const Trial trial{.variant = variant,
                    .group = group,
                    .problem = {.collective = collective,
                                .count = count * layout.unit_bytes(),
                                .is_uneven = call.uneven,
                                .in_place = in_place},
                    .what = std::string(call.name) + ", blocks of " + std::to_string(units) + " units, " + layout.name +
                            (in_place ? ", in place" : ""),
                    .seed = number,
                    .number = number};
  trial.begin();
  BlockTrial(job.tally, trial, call, layout, labelled, in_place).run();
  job.tally.add_trial();
}

}  // namespace

Matrix block_matrix(Collective collective, const Job& job) {
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  return {collective,
          {size(job.groups), size(job.counts), size(block_layouts()), size(block_calls(collective)), 2},
          [collective](Job& here, const Variant& variant, const Row& row, std::uint64_t number) {
            run(here, variant, collective, row, number);
          }};
}

}  // namespace espalier::apps
