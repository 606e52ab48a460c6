// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/circulant.hpp"

namespace espalier {

namespace {

// The base block of a virtual rank is the last skip on its canonical path from the root: largest skips first.
int base_block(Rank vrank, const std::vector<Rank>& skips) {
  for (int k = static_cast<int>(skips.size()) - 2; k >= 0; k--) {
    if (vrank < skips[k]) continue;
    vrank -= skips[k];
    if (vrank == 0) return k;
  }
  return static_cast<int>(skips.size()) - 1;
}

// Walks over the canonical paths, largest skips first, and finds one for each phase: the first whose end is at least
// skips[phase] before the vrank, nearer to the root than the end found before, and whose last skip is still unused.
// Virtual ranks are taken one turn of the ring higher, so that no remainder is needed. (Algorithm Allblocks of the
// paper.)
class PathSearch {
 public:
  PathSearch(Rank vrank, const std::vector<Rank>& skips)
      : skips_(skips), phases_(static_cast<int>(skips.size()) - 1), vrank_(std::int64_t{vrank} + skips.back()) {
    unused_ = (std::uint64_t{1} << (phases_ + 1)) - 1;
    use(base_block(vrank, skips));
    extend(0, 2 * std::int64_t{skips.back()}, phases_ + 1);
  }

  [[nodiscard]] const std::vector<int>& last_skips() const { return found_; }

 private:
  void use(int skip) { unused_ &= ~(std::uint64_t{1} << skip); }
  [[nodiscard]] int next_unused_below(int skip) const {
    while (--skip >= 0) {
      if (unused_ >> skip & 1) break;
    }
    return skip;
  }
  [[nodiscard]] bool complete() const { return static_cast<int>(found_.size()) == phases_; }
  // The highest end that the current phase accepts, and the one after it.
  [[nodiscard]] std::int64_t highest_end() const { return vrank_ - skips_[found_.size()]; }
  [[nodiscard]] std::int64_t next_highest_end() const { return vrank_ - skips_[found_.size() + 1]; }

  // Tries the paths that go on from `path` by one skip smaller than `last_skip`, and on from there.
  void extend(std::int64_t path, std::int64_t found_before, int last_skip) {
    for (int skip = next_unused_below(last_skip); skip >= 0; skip = next_unused_below(skip)) {
      const std::int64_t end = path + skips_[skip];
      if (end > highest_end() || end >= found_before) continue;
      if (end <= next_highest_end()) extend(end, found_before, skip);
      if (complete() || path > next_highest_end()) return;
      found_before = end;
      found_.push_back(skip);
      use(skip);
      if (complete()) return;
    }
  }

  const std::vector<Rank>& skips_;
  int phases_;
  std::int64_t vrank_;
  std::uint64_t unused_;
  std::vector<int> found_;
};

}  // namespace

Circulant::Circulant(Rank size) {
  for (Rank skip = size; skip > 1; skip = (skip + 1) / 2) skips_.insert(skips_.begin(), skip);
  skips_.insert(skips_.begin(), 1);
}

std::vector<int> Circulant::received_blocks(Rank vrank) const {
  const int base = base_block(vrank, skips_);
  std::vector<int> blocks = PathSearch(vrank, skips_).last_skips();
  for (int& block : blocks) block = block == phases() ? base : block - phases();
  return blocks;
}

}  // namespace espalier
