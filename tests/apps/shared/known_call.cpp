// SPDX-License-Identifier: Apache-2.0
#include "shared/known_call.hpp"

#include <algorithm>

#include "shared/failures.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr std::uint64_t untouched = 0x5a5a5a5a;

// Places for this many values, and one behind that nobody is to touch.
Values room_for(int elements, const Spread& spread) { return Values(spread.place_of(elements) + 1, untouched); }

// Calls work(place in memory, label, element) for all values of a side.
template <class Work>
void for_each_value(const Side& side, const Spread& spread, Work work) {
  for (std::size_t place = 0; place < side.counts.size(); ++place) {
    const int label = side.held.label_at(static_cast<int>(place));
    for (int k = 0; k < side.counts[place]; ++k) work(spread.place_of(side.displacements[place] + k), label, k);
  }
}

// What a rank decides for itself.
std::uint64_t own_random(const Member& member, std::uint64_t number, int which) {
  return scramble(number, 100 + member.rank, which);
}
// Reductions of predefined operations take predefined datatypes only.
std::uint64_t layout(const Member& member, const KnownCall::Wish& wish, int which) {
  const bool is_free = wish.derived_types && !wish.form.function.contract->reduces;
  return is_free ? own_random(member, wish.number, which) : 0;
}

Task task_of(const Member& member, const KnownCall::Wish& wish) {
  const Function& function = wish.form.function;
  return {.collective = function.contract->collective,
          .size = member.size,
          .count = wish.count,
          .is_uneven = function.is_uneven,
          .root = wish.root};
}

template <class Number>
std::vector<Number> as(const std::vector<int>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<int> units_of(std::vector<int> displacements, int unit) {
  for (int& displacement : displacements) displacement *= unit;
  return displacements;
}

int extent_of(MPI_Datatype type) {
  MPI_Aint lower_bound = 0, extent = 0;
  MPI_Type_get_extent(type, &lower_bound, &extent);
  return static_cast<int>(extent);
}

}  // namespace

SaidBlocks::SaidBlocks(const Side& side, const Function& function, MPI_Datatype type)
    : function_(function),
      type_(type),
      counts_(side.counts),
      displacements_(units_of(side.displacements, function.is_typed ? extent_of(type) : 1)),
      large_counts_(as<MPI_Count>(counts_)),
      large_displacements_(as<MPI_Aint>(displacements_)),
      types_(counts_.size(), type) {}

CallBlocks SaidBlocks::said() const {
  const void* const counts = function_.is_large ? static_cast<const void*>(large_counts_.data()) : counts_.data();
  const void* const displacements =
      function_.is_large ? static_cast<const void*>(large_displacements_.data()) : displacements_.data();
  return {.count = counts_[0],
          .type = type_,
          .counts = counts,
          .displacements = displacements,
          .types = function_.is_typed ? types_.data() : nullptr};
}

KnownCall::Wish KnownCall::wish(const Member& member, Kind kind, std::uint64_t number, int max_elements) {
  const std::span<const Form> forms = forms_of(kind);
  const Form& form = callable(forms[scramble(number, 11) % forms.size()]);
  const std::uint64_t random = scramble(number, 12), in_place = scramble(number, 13);
  const int longest = random % 16 == 0 ? max_elements : std::min(max_elements, 8);
  const bool is_rooted = form.function.contract->is_rooted();
  return {.form = form,
          .number = number,
          .root = static_cast<int>(scramble(number, 14) % static_cast<std::uint64_t>(member.size)),
          .count = static_cast<int>(random / 16 % static_cast<std::uint64_t>(longest + 1)),
          .in_place = (is_rooted ? own_random(member, number, 0) : in_place) % 2 == 0,
          .derived_types = scramble(number, 15) % 4 == 0};
}

KnownCall::KnownCall(const Member& member, const Wish& wish)
    : member_(member),
      wish_(wish),
      task_(task_of(member, wish)),
      in_place_(is_in_place(task_, member.rank, wish.in_place)),
      stays_(in_place_ && task_.contract().in_place == InPlace::stays),
      sent_(input_side(task_, member.rank)),
      received_(output_side(task_, member.rank)),
      sent_spread_(layout(member, wish, 1)),
      received_spread_(task_.contract().in_place == InPlace::always ? layout(member, wish, 1)
                                                                    : layout(member, wish, 2)),
      says_sent_(sent_, wish.form.function, sent_spread_.type()),
      says_received_(received_, wish.form.function, received_spread_.type()),
      input_(room_for(sent_.elements(), sent_spread_)),
      output_(room_for(std::max(sent_.elements(), received_.elements()), received_spread_)) {
  put_input();
}

bool KnownCall::gives_in_output() const { return in_place_ && !stays_; }
bool KnownCall::gets_output() const {
  const Contract& contract = task_.contract();
  return contract.carries_data && contract.has_output(member_.rank, task_.root) && !stays_;
}

bool KnownCall::is_empty() const {
  const Contract& contract = task_.contract();
  if (!task_.is_uneven) return contract.carries_data && task_.count == 0;
  const Side& all = contract.input == BufferPart::all ? sent_ : received_;
  return contract.sizes_are_common() && std::ranges::all_of(all.counts, [](int count) { return count == 0; });
}

void KnownCall::put_input() {
  const Contract& contract = task_.contract();
  std::ranges::fill(input_, untouched);
  std::ranges::fill(output_, untouched);
  if (contract.carries_data && contract.has_input(member_.rank, task_.root)) {
    const bool in_output = gives_in_output();
    for_each_value(in_output ? input_side_in_place(task_, member_.rank) : sent_,
                   in_output ? received_spread_ : sent_spread_, [&](std::size_t at, int label, int element) {
                     (in_output ? output_ : input_)[at] = scramble(wish_.number, member_.rank, label, element);
                   });
  }
  input_before_ = input_;
  output_before_ = output_;
}

void KnownCall::refill(std::uint64_t number) {
  wish_.number = number;
  put_input();
}

void KnownCall::free_types() {
  sent_spread_.free_type();
  received_spread_.free_type();
}

Call KnownCall::call(MPI_Request* request) {
  const bool has_one_buffer = task_.contract().in_place == InPlace::always;
  return {.function = &wish_.form.function,
          .input = gives_in_output() && !has_one_buffer ? MPI_IN_PLACE : input_.data(),
          .output = stays_ ? MPI_IN_PLACE : output_.data(),
          .sent = says_sent_.said(),
          .received = says_received_.said(),
          .op = wish_.op,
          .root = wish_.root,
          .comm = member_.comm,
          .request = request};
}

int KnownCall::make(MPI_Request* request, const Native& functions) {
  return wish_.form.function.native(functions, call(request));
}

// Where input lay in place that no output comes to, anything may lie.
Values KnownCall::expected_output() const {
  Values all = output_before_;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] != untouched) all[at] = output_[at];
  }
  if (!gets_output()) return all;
  for_each_value(received_, received_spread_, [&](std::size_t at, int label, int element) {
    all[at] = sum_of(task_, member_.rank, label, element, [&](Rank by, int its_label, int its_element) {
      return scramble(wish_.number, by, its_label, its_element);
    });
  });
  return all;
}

void KnownCall::check() const {
  if (output_ != expected_output()) fail(describe() + ": wrong result");
  if (input_ != input_before_) fail(describe() + ": the input was changed");
}

std::string KnownCall::describe() const {
  return "call " + std::to_string(wish_.number) + ", " + wish_.form.function.name + ", rank " +
         std::to_string(member_.rank) + " of " + std::to_string(member_.size) + ", root " + std::to_string(wish_.root) +
         ", " + std::to_string(wish_.count) + " elements" + (in_place_ ? ", in place" : "") +
         (wish_.derived_types ? ", derived datatypes" : "");
}

}  // namespace espalier::apps
