// SPDX-License-Identifier: Apache-2.0
// Numbers of variables, as tools see them: those of the MPI, and ours among them.
//
// A number once told must not change, and MPIs add variables while the program runs. So ours stand behind what the MPI
// had when the first tool was told of ours, and what it adds later stands behind ours.
#pragma once

#include <atomic>

namespace espalier {

class ShownNumbers {
 public:
  explicit constexpr ShownNumbers(int own) : own_(own) {}

  // How many there are, if the MPI has this many. From here on ours have their place.
  [[nodiscard]] int count(int native) {
    place(native);
    return native + own_;
  }
  void place(int native) {
    int nowhere = -1;
    first_.compare_exchange_strong(nowhere, native);
  }

  // Among ours; less than 0: it is the MPI's.
  [[nodiscard]] int own(int shown) const {
    const int first = first_.load();
    return first >= 0 && shown >= first && shown < first + own_ ? shown - first : -1;
  }
  // The MPI's number of one that is not ours, and back.
  [[nodiscard]] int native(int shown) const {
    const int first = first_.load();
    return first >= 0 && shown >= first + own_ ? shown - own_ : shown;
  }
  [[nodiscard]] int shown(int native) const {
    const int first = first_.load();
    return first >= 0 && native >= first ? native + own_ : native;
  }
  // Of one of ours, which have their place.
  [[nodiscard]] int shown_own(int own) const { return first_.load() + own; }

 private:
  const int own_;
  std::atomic<int> first_{-1};
};

}  // namespace espalier
