// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/circulant.hpp"

namespace espalier {

namespace {

// The base block of a place is the last skip on its canonical path from the root: largest skips first.
int base_block(Rank place, const std::vector<Rank>& skips) {
  for (int k = static_cast<int>(skips.size()) - 2; k >= 0; k--) {
    if (place < skips[k]) continue;
    place -= skips[k];
    if (place == 0) return k;
  }
  return static_cast<int>(skips.size()) - 1;
}

// Walks over the canonical paths, largest skips first. In phase k the block comes from the first path that ends between
// place - skips[k + 1] and place - skips[k] by a skip which no other phase has used yet. Places are taken one turn of
// the ring higher, so that no remainder is needed.
class PathSearch {
 public:
  PathSearch(Rank place, const std::vector<Rank>& skips)
      : skips_(skips), phases_(static_cast<int>(skips.size()) - 1), place_(std::int64_t{place} + skips.back()) {
    unused_ = (std::uint64_t{1} << (phases_ + 1)) - 1;
    use(base_block(place, skips));
    visit(skips.back(), phases_);
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

  void visit(std::int64_t end, int last_skip) {
    int next = last_skip;
    while (static_cast<int>(found_.size()) < phases_) {
      const auto phase = found_.size();
      if (end > place_ - skips_[phase]) return;
      next = next_unused_below(next);
      const std::int64_t low = place_ - skips_[phase + 1];
      if (end > low || (end == low && next < 0)) {
        use(last_skip);
        found_.push_back(last_skip);
        return;
      }
      if (next < 0) return;
      visit(end + skips_[next], next);
    }
  }

  const std::vector<Rank>& skips_;
  int phases_;
  std::int64_t place_;
  std::uint64_t unused_;
  std::vector<int> found_;
};

}  // namespace

Circulant::Circulant(Rank size) {
  for (Rank skip = size; skip > 1; skip = (skip + 1) / 2) skips_.insert(skips_.begin(), skip);
  skips_.insert(skips_.begin(), 1);
}

std::vector<int> Circulant::received_blocks(Rank place) const {
  const int base = base_block(place, skips_);
  std::vector<int> blocks = PathSearch(place, skips_).last_skips();
  for (int& block : blocks) block = block == phases() ? base : block - phases();
  return blocks;
}

}  // namespace espalier
