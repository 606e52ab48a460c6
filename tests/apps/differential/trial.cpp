// SPDX-License-Identifier: Apache-2.0
#include "differential/trial.hpp"

#include <ctime>
#include <numeric>

#include "differential/quirks.hpp"
#include "shared/failures.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

// All ranks run on one machine, so they share this clock.
double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Trial::Trial(const Case& one, const Group& group, Tally& tally, Oracle& oracle)
    : task_(one, group),
      tally_(tally),
      oracle_(oracle),
      native_can_(quirk_of(one) == nullptr),
      send_(make_blocks(task_.sent_unit(), task_.sent(), task_.contract().input)),
      receive_(make_blocks(task_.received_unit(), task_.received(), task_.contract().output)),
      input_(initial_input(seed_of(0))),
      output_(initial_output(seed_of(0))) {}

Trial::~Trial() {
  if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
}

void Trial::fail(const std::string& how) const {
  apps::fail("rank " + std::to_string(task_.group().rank) + " of " + std::to_string(task_.group().size) + " in " +
             text_of(made_of()) + ": " + how);
}

void Trial::check(int status, const char* what) const {
  if (status != MPI_SUCCESS) fail(std::string(what) + " returned an error: " + text_of_error(status));
}

// --- Blocks and values -----------------------------------------------------------------------------------------------

// A rank's own block has no displacement, nor have those that are reduced.
Order Trial::order_of(BufferPart part, std::uint64_t which) const {
  if (!made_of().form->function.is_uneven || part == BufferPart::own || task_.contract().reduces) return Order::tight;
  if (takes_bytes_for_elements(made_of().form->function, task_.group().size)) return Order::tight;
  return static_cast<Order>(scramble(made_of().seed, which) % 3);
}

std::unique_ptr<Blocks> Trial::make_blocks(const Side& unit, const Held& held, BufferPart part) const {
  if (task_.is_whole()) return std::make_unique<Blocks>(task_.whole(), std::vector<int>{1}, Order::tight);
  return std::make_unique<Blocks>(unit, task_.units_of(held), order_of(part, 13 + static_cast<std::uint64_t>(part)));
}

std::uint64_t Trial::seed_of(int call) const { return scramble(made_of().seed, 14, call / 2); }

// Only the blocks that are `known` have their values.
Buffer Trial::filled(const Blocks& blocks, const Held& places, const Held& known, std::uint64_t seed) const {
  Message all;
  for (int place = 0; place < places.count; ++place) {
    Message one = task_.message(places.label_at(place), seed);
    if (!known.holds(places.label_at(place))) std::ranges::fill(one, Buffer::background);
    all.insert(all.end(), one.begin(), one.end());
  }
  Buffer buffer = blocks.memory();
  buffer.unpack(all);
  return buffer;
}

// What a rank gives to a reduction.
Buffer Trial::contributed(Rank rank, const Held& blocks, std::uint64_t seed) const {
  const std::vector<int> counts = task_.units_of(blocks);
  Buffer buffer(task_.operand().type, std::accumulate(counts.begin(), counts.end(), 0));
  int next = 0;
  for (int place = 0; place < blocks.count; ++place) {
    const std::uint64_t whose = scramble(seed, rank, task_.group().is_receiving, blocks.label_at(place));
    for (int i = 0; i < counts[static_cast<std::size_t>(place)]; ++i) {
      task_.operand().fill(buffer.element(next++), scramble(whose, i));
    }
  }
  return buffer;
}

Buffer Trial::initial_input(std::uint64_t seed) const {
  if (!task_.has_input() || (task_.is_in_place() && !task_.input_stays())) return send_->memory();
  if (task_.contract().reduces) return contributed(task_.group().rank, task_.sent(), seed);
  return filled(*send_, task_.sent(), task_.sent(), seed);
}

Buffer Trial::initial_output(std::uint64_t seed) const {
  const bool holds_input = task_.is_in_place() && !task_.input_stays() && task_.has_input();
  if (!holds_input) return receive_->memory();
  if (task_.contract().reduces) return contributed(task_.group().rank, task_.sent(), seed);
  // By the place of the rank that a block goes to, or where it will be.
  const bool as_sent = task_.contract().in_place == InPlace::other_place;
  return filled(*receive_, as_sent ? task_.sent() : task_.received(), task_.sent(), seed);
}

// --- The call --------------------------------------------------------------------------------------------------------

// What means nothing on this rank has no arrays.
CallBlocks Trial::said(const Blocks& blocks, bool means_something, bool is_large) const {
  CallBlocks all = blocks.said(made_of().form->function, is_large);
  if (means_something) return all;
  all.counts = all.displacements = nullptr;
  all.types = nullptr;
  return all;
}

// What a rank alone sees of a call, and no other one learns of: drawn on each for itself.
std::uint64_t Trial::oddity(std::uint64_t which) const {
  return scramble(made_of().seed, 15, which, 1 + static_cast<std::uint64_t>(task_.group().rank));
}

// Where it means nothing, a buffer may be anything; where blocks of their own sizes are all empty, it may be nowhere,
// or where the other one is.
Trial::Addresses Trial::addresses_of(Buffer& input, Buffer& output) const {
  const bool takes_input = task_.has_input(), gives_output = task_.has_output();
  Addresses all{input.origin(), output.origin()};
  if (!wants_all_buffers(task_.contract())) {
    // Reductions of Open MPI mind where both are one, even at the root between groups.
    void* const anything[] = {nullptr, input.origin(), output.origin()};
    if (!takes_input) all.from = anything[oddity(0) % (task_.contract().reduces ? 2 : 3)];
    if (!gives_output && !task_.is_in_place())
      all.to = task_.contract().reduces ? anything[oddity(1) % 2 * 2] : anything[oddity(1) % 3];
  }
  const bool may_be_empty = made_of().form->function.is_uneven && !task_.contract().reduces && !task_.is_in_place() &&
                            !task_.group().is_between_groups();
  if (!may_be_empty || (takes_input && send_->elements() > 0) || (gives_output && receive_->elements() > 0)) return all;
  switch (oddity(2) % 4) {
    case 0: return {nullptr, nullptr};
    case 1: return {all.from, all.from};
    case 2: return {nullptr, all.to};
    default: return all;
  }
}

// Both sides may be named by one array.
void Trial::share_arrays(Call& call) const {
  const bool are_shared = call.sent.counts != nullptr && call.received.counts != nullptr && oddity(3) % 2 == 0;
  if (are_shared && send_->counts() == receive_->counts() && call.input != call.output)
    call.received.counts = call.sent.counts;
}

// A rank may name its side otherwise than the others do, though what is sent is the same.
void Trial::name_by_rare_types(Call& call, const Buffer& input, const Buffer& output, bool is_large) {
  const Rare rare = rare_types_of(made_of());
  // Whether the buffer's address is a part of its datatype now.
  const auto name = [&](CallBlocks& said, const Blocks& blocks, const Buffer& buffer, std::uint64_t random) {
    if (random % 2 != 0 || (blocks.elements() == 0) != (rare == Rare::of_nothing)) return false;
    switch (rare) {
      case Rare::of_nothing: said = rare_types_.of_nothing(said, blocks.counts().size(), is_large); break;
      case Rare::block_by_block: said = rare_types_.block_by_block(said, blocks.counts(), is_large, random); break;
      default: said = rare_types_.from_bottom(said, blocks.counts().size(), buffer); break;
    }
    return rare == Rare::from_bottom;
  };
  if (rare == Rare::none) return;
  const bool names_twice = made_of().form->function.names_data_twice;
  const bool names_input = names_twice && task_.has_input() && call.input != MPI_IN_PLACE;
  const bool names_output = !names_twice || (task_.has_output() && call.output != MPI_IN_PLACE);
  if (names_input && name(call.sent, *send_, input, oddity(4))) call.input = MPI_BOTTOM;
  if (names_output && name(names_twice ? call.received : call.sent, *receive_, output, oddity(5)))
    call.output = MPI_BOTTOM;
}

Call Trial::call_with(Buffer& input, Buffer& output, bool is_large) {
  const bool marks_in_place = task_.is_in_place() && task_.contract().in_place != InPlace::always;
  const bool takes_input = task_.has_input(), gives_output = task_.has_output();
  const auto [from, to] = addresses_of(input, output);
  const bool names_once = !made_of().form->function.names_data_twice;
  Call call{.input = marks_in_place && !task_.input_stays() ? MPI_IN_PLACE : from,
            .output = task_.input_stays() ? MPI_IN_PLACE : to,
            .sent = said(*send_, takes_input || names_once, is_large),
            .received = said(*receive_, gives_output, is_large),
            .op = task_.contract().reduces ? task_.operand().op : MPI_OP_NULL,
            .root = task_.root(),
            .comm = task_.group().comm,
            .request = &request_};
  share_arrays(call);
  name_by_rare_types(call, input, output, is_large);
  return call;
}

void Trial::start(int call) {
  const Form& form = *made_of().form;
  input_.restore(initial_input(seed_of(call)));
  output_.restore(initial_output(seed_of(call)));
  arrived_ = seconds_now();
  if (form.kind == Kind::persistent && call == 0) {
    check(form.function.native(called_mpi(), call_with(input_, output_, form.function.is_large)), "the function");
  }
  const CallCounts before = calls(form.collective());
  if (form.kind == Kind::persistent) {
    enter(MPI_Start(&request_), before);
  } else {
    enter(form.function.native(called_mpi(), call_with(input_, output_, form.function.is_large)), before);
  }
}

void Trial::enter(int status, const CallCounts& before) {
  const CallCounts after = calls(made_of().form->collective());
  check(status, "the call");
  const CallCounts counted{after.own - before.own, after.native - before.native};
  is_own_ = counted.own > 0;
  tally_.add_call(task_, counted);
}

// --- The result ------------------------------------------------------------------------------------------------------

void Trial::judge(int call) {
  const std::uint64_t seed = seed_of(call);
  if (!task_.contract().carries_data) return compare_times();
  if (const auto change = input_.difference_from(initial_input(seed))) fail("the send buffer was written: " + *change);
  if (const auto damage = input_.damage()) fail("the send buffer: " + *damage);
  judge_result(call, seed);
}

void Trial::judge_result(int call, std::uint64_t seed) {
  std::optional<Buffer> native;
  if (native_can_) native = native_output(seed);
  if (!task_.has_output()) {
    if (!task_.is_in_place() && !output_.untouched()) fail("a buffer was written that means nothing on this rank");
    return compare_ranks(0);
  }
  if (const auto damage = output_.damage()) fail(*damage);
  const Buffer result = result_in(output_);
  const std::optional<Buffer> expected = native ? std::optional(result_in(*native)) : std::nullopt;
  judge_values(result, expected ? &*expected : nullptr, seed);
  const std::uint64_t hash = result.hash();
  if (call % 2 == 1 && hash != bits_ && is_own_) fail("two equal calls have different bits");
  bits_ = hash;
  if (is_own_ && !made_of().algorithm.empty()) tally_.add_bits(task_, hash);
  compare_ranks(hash);
}

// Where the schedule works on a copy, the native MPI combines, and chooses among zeros and what is no number.
bool Trial::order_is_ours() const {
  const bool is_copied =
      task_.is_in_place() && made_of().form->function.is_uneven && !task_.contract().may_be_uneven_in_place();
  // By time, the choice may be another one than that of the first call.
  return is_own_ && !made_of().algorithm.empty() && !(is_copied && made_of().op.starts_with("awkward"));
}

void Trial::judge_values(const Buffer& result, const Buffer* native, std::uint64_t seed) {
  if (!task_.contract().reduces) {
    if (native != nullptr) judge_by(result, *native, " by the native MPI");
    if (task_.group().is_between_groups()) return;
    return judge_by(result, filled(*receive_, task_.received(), task_.received(), seed), " by the contract");
  }
  if (task_.operand().rounds()) {
    if (order_is_ours()) judge_by(result, by_expression(seed), " by the verifier's expression");
    return;
  }
  if (native != nullptr) return judge_by(result, *native, " by the native MPI");
  judge_by(result, fold(seed), " by the contract");
}

void Trial::judge_by(const Buffer& result, const Buffer& expected, const char* note) const {
  if (const auto difference = result.difference_from(expected)) fail(*difference + note);
}

Buffer Trial::native_output(std::uint64_t seed) {
  Buffer input = initial_input(seed), output = initial_output(seed);
  check(made_of().form->call_plainly(native_mpi(), call_with(input, output, false)), "the native function");
  return output;
}

// In place there may be more behind it, which means nothing any more.
Buffer Trial::result_in(const Buffer& output) const {
  const bool has_more = task_.contract().reduces && output.count() > receive_->elements();
  return has_more ? output.first(receive_->elements()) : output;
}

// All contributions, from the left to the right.
Buffer Trial::fold(std::uint64_t seed) const {
  const Held blocks = task_.received();
  const RankRange ranks =
      sources_of(task_.contract(), blocks.first, task_.group().rank, task_.root(), task_.group().size);
  Buffer sum = contributed(ranks.first, blocks, seed);
  for (Rank rank = ranks.first + 1; rank < ranks.first + ranks.count; ++rank) {
    Buffer right = contributed(rank, blocks, seed);
    native_mpi().Reduce_local(sum.origin(), right.origin(), right.count(), right.type(), task_.operand().op);
    sum = std::move(right);
  }
  return sum;
}

Buffer Trial::by_expression(std::uint64_t seed) const {
  std::vector<Oracle::Bytes> inputs;
  for (Rank rank = 0; rank < task_.group().size; ++rank) {
    inputs.push_back(contributed(rank, task_.sent(), seed).values());
  }
  Buffer expected(task_.operand().type, receive_->elements());
  expected.assign(oracle_.result({.choice = task_.choice(),
                                  .problem = task_.problem(),
                                  .size = task_.group().size,
                                  .sizes = [&](int label) { return task_.units(label); }},
                                 task_.group().rank, inputs, task_.operand().combine));
  tally_.add_expression();
  return expected;
}

// Where all ranks have one result, they have the same bits.
void Trial::compare_ranks(std::uint64_t hash) const {
  const Contract& contract = task_.contract();
  if (contract.sources != Sources::all || contract.division != Division::by_algorithm || contract.is_rooted()) return;
  const bool is_any = task_.contract().reduces && task_.operand().rounds() && !is_own_;
  if (task_.group().is_between_groups() || is_any) return;
  const std::uint64_t both[] = {hash, ~hash};
  std::uint64_t most[2] = {};
  native_mpi().Allreduce(both, most, 2, MPI_UINT64_T, MPI_MAX, task_.group().comm);
  if (most[0] != ~most[1]) fail("ranks have different bits of one result");
}

// Nobody leaves before the last one has arrived.
void Trial::compare_times() const {
  if (task_.group().is_between_groups()) return;
  const double left = seconds_now();
  double last_come = 0, first_left = 0;
  native_mpi().Allreduce(&arrived_, &last_come, 1, MPI_DOUBLE, MPI_MAX, task_.group().comm);
  native_mpi().Allreduce(&left, &first_left, 1, MPI_DOUBLE, MPI_MIN, task_.group().comm);
  if (first_left < last_come) fail("a rank left before the last one had arrived");
}

}  // namespace espalier::apps
