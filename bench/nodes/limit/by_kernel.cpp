// SPDX-License-Identifier: Apache-2.0
#include "by_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "../../harness/program.hpp"
#include "sum.hpp"

namespace bench {

namespace {

// A call of the kernel's is worth it, and what was fetched is still in the cache when it is added: a quarter faster
// than 16 KiB at 1 MiB, and 256 KiB are no faster.
constexpr std::size_t piece = (std::size_t{128} << 10) / sizeof(double);

// The receiver's part when both do half.
std::size_t half_of(std::size_t count) { return count / 2; }

}  // namespace

KernelCopies::KernelCopies(MPI_Comm comm)
    : rank_(position_in(comm).rank),
      other_(comm),
      shared_(comm),
      writer_(shared_->from[rank_]),
      reader_(shared_->from[1 - rank_]),
      scratch_(piece) {}

void KernelCopies::say(const Places& places) {
  double words[3];
  static_assert(sizeof words == sizeof places);
  std::memcpy(words, &places, sizeof places);
  writer_.put(words, 3);
}

Places KernelCopies::hear() {
  Places places{};
  std::memcpy(&places, reader_.next(), sizeof places);
  reader_.release();
  return places;
}

void KernelCopies::keep(const Work& work) {
  if (work.kept_count > 0) std::memcpy(work.kept_at, work.kept, work.kept_count * sizeof(double));
}

template <class Visit>
void KernelCopies::each_piece(std::size_t count, Visit visit) {
  for (std::size_t at = 0; at < count; at += piece) visit(at, std::min(piece, count - at));
}

void KernelCopies::fetch(double* result, const double* mine, const double* there, std::size_t count) {
  if (mine == nullptr) return other_.read(result, there, count * sizeof(double));
  each_piece(count, [&](std::size_t at, std::size_t some) {
    other_.read(scratch_.data(), there + at, some * sizeof(double));
    add(result + at, mine + at, scratch_.data(), some);
  });
}

void KernelCopies::fetch_and_write(double* result, double* here, const double* mine, const double* there,
                                   std::size_t count) {
  each_piece(count, [&](std::size_t at, std::size_t some) {
    other_.read(scratch_.data(), there + at, some * sizeof(double));
    double* const sum = here == nullptr ? scratch_.data() : here + at;
    add(sum, mine + at, scratch_.data(), some);
    other_.write(result + at, sum, some * sizeof(double));
  });
}

void ByReading::run(const Work& work) {
  if (work.sent_count > 0) say({work.sent, nullptr, nullptr});
  keep(work);  // not last, or piece by piece: at 64 KiB and 1 MiB a call is a seventh shorter so
  if (work.received_count > 0) {
    fetch(work.received, work.mine, hear().sent, work.received_count);
    say_done();
  }
  if (work.sent_count > 0) await_done();
}

void ByHalves::run(const Work& work) {
  say({work.sent, work.received, work.mine});
  keep(work);
  const Places theirs = hear();
  if (work.sent_count > 0 && work.received_count > 0) {
    share_the_sum(work, theirs);
  } else if (work.received_count > 0) {
    receive(work, theirs);
  } else {
    send(work, theirs);
  }
  say_done();
  await_done();
}

// Each rank makes one half of the sum, for both.
void ByHalves::share_the_sum(const Work& work, const Places& theirs) {
  const std::size_t half = half_of(work.received_count);
  const std::size_t first = rank_ == 0 ? 0 : half;
  const std::size_t count = rank_ == 0 ? half : work.received_count - half;
  fetch_and_write(theirs.received + first, work.received + first, work.mine + first, theirs.sent + first, count);
}

void ByHalves::receive(const Work& work, const Places& theirs) {
  fetch(work.received, work.mine, theirs.sent, half_of(work.received_count));
}

void ByHalves::send(const Work& work, const Places& theirs) {
  const std::size_t half = half_of(work.sent_count), rest = work.sent_count - half;
  if (theirs.mine == nullptr) return other_.write(theirs.received + half, work.sent + half, rest * sizeof(double));
  fetch_and_write(theirs.received + half, nullptr, work.sent + half, theirs.mine + half, rest);
}

}  // namespace bench
