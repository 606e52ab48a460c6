// SPDX-License-Identifier: Apache-2.0
#include "calls/trial.hpp"

#include <algorithm>

namespace espalier {

namespace {

constexpr int untouched = -1;

// An element of what a rank gives in a block.
int given(Rank by, int label, int element) { return 1 + element + 1000 * label + 100000 * by; }

// Ints of a buffer for this many elements, with one more behind that nobody is to touch.
std::size_t room_for(int elements, const Manner& manner) {
  return static_cast<std::size_t>(manner.first + elements * manner.stride + 1);
}

// Calls work(index of an int, label, element) for all of a side's elements.
template <class Work>
void for_each_element(const Side& side, const Manner& manner, Work work) {
  for (std::size_t place = 0; place < side.counts.size(); ++place) {
    const int label = side.held.label_at(static_cast<int>(place));
    for (int k = 0; k < side.counts[place]; ++k) {
      work(static_cast<std::size_t>(manner.first + (side.displacements[place] + k) * manner.stride), label, k);
    }
  }
}

}  // namespace

Trial::Trial(const Task& task, Rank me, const Manner& manner)
    : task_(task),
      me_(me),
      manner_(manner),
      in_place_(is_in_place(task, me, manner.in_place)),
      sent_(input_side(task, me)),
      received_(output_side(task, me)),
      input_(room_for(sent_.elements(), manner), untouched),
      output_(room_for(std::max(sent_.elements(), received_.elements()), manner), untouched) {
  if (has_input()) put_input();
  input_before_ = input_;
  output_before_ = output_;
}

bool Trial::has_input() const { return task_.contract().carries_data && task_.contract().has_input(me_, task_.root); }

bool Trial::input_stays() const { return in_place_ && task_.contract().in_place == InPlace::stays; }

bool Trial::has_output() const {
  return task_.contract().carries_data && task_.contract().has_output(me_, task_.root) && !input_stays();
}

void Trial::put_input() {
  const bool in_output = in_place_ && !input_stays();
  for_each_element(
      in_output ? input_side_in_place(task_, me_) : sent_, manner_,
      [&](std::size_t at, int label, int element) { (in_output ? output_ : input_)[at] = given(me_, label, element); });
}

int Trial::start(const Form& form, MPI_Request* request) {
  const bool marks_in_place = in_place_ && task_.contract().in_place != InPlace::always;
  return form.call({.input = marks_in_place && !input_stays() ? MPI_IN_PLACE : input_.data(),
                    .output = input_stays() ? MPI_IN_PLACE : output_.data(),
                    .sent = sent_,
                    .received = received_,
                    .count = task_.count,
                    .element_bytes = manner_.stride * static_cast<int>(sizeof(int)),
                    .type = manner_.type,
                    .op = manner_.op,
                    .root = task_.root,
                    .comm = manner_.comm,
                    .request = request,
                    .kept = &kept_});
}

// Where there was input in place that no output comes to, anything may lie.
std::vector<int> Trial::expected_output() const {
  std::vector<int> all = output_before_;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] != untouched) all[at] = output_[at];
  }
  if (!has_output()) return all;
  for_each_element(received_, manner_, [&](std::size_t at, int label, int element) {
    all[at] = sum_of(task_, me_, label, element, given);
  });
  return all;
}

void Trial::expect_result() const {
  EXPECT_EQ(output_, expected_output());
  EXPECT_EQ(input_, input_before_);
}

void expect_call(const Form& form, const Task& task, Rank me, const Manner& manner) {
  Trial trial(task, me, manner);
  EXPECT_EQ(trial.start(form), MPI_SUCCESS);
  trial.expect_result();
}

}  // namespace espalier
