// SPDX-License-Identifier: Apache-2.0
#include "schedule/walks.hpp"

#include <unordered_map>

namespace espalier {

namespace {

bool goes_round(const Walk& walk, int blocks) {
  const std::int64_t last = walk.first + std::int64_t{walk.step} * (blocks - 1);
  return walk.modulus > 0 && (last < 0 || last >= walk.modulus);
}

bool are_alike(const Walk& a, const Walk& b) {
  return a.list == nullptr && b.list == nullptr && a.step == b.step && a.base == b.base && a.scale == b.scale &&
         a.modulus == b.modulus;
}

// A walk of one block goes like any other.
Walk as_part_of(const Walk& one, const Walk& other) {
  const bool has_its_numbers = one.list == nullptr && one.base == other.base && one.scale == other.scale;
  return has_its_numbers ? Walk{one.from(0).first, other.step, other.modulus, one.base, one.scale} : one;
}

class WalkMeetings {
 public:
  WalkMeetings(int later_blocks, int earlier_blocks) : later_blocks_(later_blocks), earlier_blocks_(earlier_blocks) {}

  // Index k of the later walk meets index k + shift of the earlier one, wherever both exist.
  void add(int shift) {
    const int low = std::max(0, -shift);
    const int high = std::min(later_blocks_, earlier_blocks_ - shift);
    if (high > low) add(shift, high - low);
  }
  void add(int shift, int blocks) {
    if (!result_) result_ = WalkMeeting{0, shift};
    result_->blocks += blocks;
    result_->shift = std::max(result_->shift, shift);
  }
  [[nodiscard]] std::optional<WalkMeeting> result() const { return result_; }

 private:
  int later_blocks_, earlier_blocks_;
  std::optional<WalkMeeting> result_;
};

std::optional<WalkMeeting> meet_one_by_one(const Walk& later, int later_blocks, const Walk& earlier,
                                           int earlier_blocks) {
  std::unordered_map<int, int> index;
  for (int k = 0; k < earlier_blocks; k++) index[earlier.at(k)] = k;
  WalkMeetings meetings(later_blocks, earlier_blocks);
  for (int k = 0; k < later_blocks; k++) {
    if (const auto found = index.find(later.at(k)); found != index.end()) meetings.add(found->second - k, 1);
  }
  return meetings.result();
}

}  // namespace

std::optional<WalkMeeting> meet(Walk later, int later_blocks, Walk earlier, int earlier_blocks) {
  if (later_blocks == 1 && earlier_blocks == 1) {
    return later.at(0) == earlier.at(0) ? std::optional(WalkMeeting{1, 0}) : std::nullopt;
  }
  if (later_blocks == 1) later = as_part_of(later, earlier);
  if (earlier_blocks == 1) earlier = as_part_of(earlier, later);
  if (!are_alike(later, earlier)) return meet_one_by_one(later, later_blocks, earlier, earlier_blocks);

  const std::int64_t distance = std::int64_t{later.from(0).first} - earlier.from(0).first;
  WalkMeetings meetings(later_blocks, earlier_blocks);
  if (later.step == 1 || later.step == -1) {
    const auto shift = static_cast<int>(distance * later.step);
    meetings.add(shift);
    if (later.modulus > 0) {
      meetings.add(shift - later.modulus);
      meetings.add(shift + later.modulus);
    }
    return meetings.result();
  }
  if (goes_round({later.from(0).first, later.step, later.modulus}, later_blocks) ||
      goes_round({earlier.from(0).first, earlier.step, earlier.modulus}, earlier_blocks)) {
    return meet_one_by_one(later, later_blocks, earlier, earlier_blocks);
  }
  if (distance % later.step == 0) meetings.add(static_cast<int>(distance / later.step));
  return meetings.result();
}

}  // namespace espalier
