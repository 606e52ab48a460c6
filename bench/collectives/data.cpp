// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>
#include <bit>

namespace bench {

namespace {

using espalier::Contract;
using espalier::Division;
using espalier::RankRange;

// The finaliser of splitmix64.
std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

double small(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(scramble(a * 0x9e3779b97f4a7c15 + b) % 1024);
}

// Elements of a block.
int block_count(const Contract& contract, std::size_t bytes, int ranks) {
  if (!contract.carries_data) return 0;
  const std::size_t elements = (bytes + sizeof(double) - 1) / sizeof(double);
  const bool is_whole = contract.reduces && contract.division == Division::by_rank;
  return static_cast<int>(is_whole ? std::max<std::size_t>(1, elements / static_cast<std::size_t>(ranks)) : elements);
}

}  // namespace

Data::Data(const Function& function, std::size_t bytes, int rank, int ranks, Numbers numbers)
    : contract_(function.contract),
      numbers_(numbers),
      is_uneven_(function.is_uneven),
      rank_(rank),
      ranks_(ranks),
      sent_(side_of(contract_.input, block_count(contract_, bytes, ranks), function.is_typed)),
      received_(side_of(contract_.output, block_count(contract_, bytes, ranks), function.is_typed)),
      input_(sent_.elements()),
      output_(received_.elements()),
      call_{.input = input_.data(),
            .output = output_.data(),
            .sent = sent_.said(type()),
            .received = received_.said(type()),
            .op = MPI_SUM} {}

Data::Side Data::side_of(espalier::BufferPart part, int count, bool is_typed) const {
  Side side;
  side.held = held_by(contract_, part, rank_, ranks_, 1);
  int next = 0;
  for (int place = 0; place < side.held.count; ++place) {
    side.counts.push_back(count_of(side.held.label_at(place), count));
    side.displacements.push_back(next);
    side.given_displacements.push_back(is_typed ? next * static_cast<int>(sizeof(double)) : next);
    if (is_typed) side.types.push_back(type());
    next += side.counts.back();
  }
  return side;
}

int Data::count_of(int label, int count) const {
  if (!is_uneven_) return count;
  const int number = contract_.division == Division::by_pair ? label / ranks_ + label % ranks_ : label;
  return number % 2 == 0 ? count - count / 2 : count + count / 2;
}

double Data::of_rank(int rank) const { return small(round_, 0x10000000000 + static_cast<std::uint64_t>(rank)); }
double Data::of_label(int label) const { return small(round_, 0x20000000000 + static_cast<std::uint64_t>(label)); }
double Data::of_element(int element) const { return small(round_, static_cast<std::uint64_t>(element)); }

void Data::prepare(std::uint64_t round, int root, MPI_Comm comm) {
  round_ = round;
  call_.root = root;
  call_.comm = comm;
  std::ranges::fill(output_, stored(-1));
  if (contract_.carries_data && contributes()) put_input(buffer_of_input());
}

std::vector<double>& Data::buffer_of_input() {
  return contract_.in_place == espalier::InPlace::always ? output_ : input_;
}

void Data::put_input(std::vector<double>& buffer) const {
  for (int place = 0; place < sent_.held.count; ++place) {
    const double base = of_rank(rank_) + of_label(sent_.held.label_at(place));
    for (int i = 0; i < sent_.counts[place]; ++i) {
      buffer[sent_.displacements[place] + i] = stored(base + of_element(i));
    }
  }
}

bool Data::is_right() const {
  if (!contract_.carries_data || !contract_.has_output(rank_, call_.root)) return true;
  for (int place = 0; place < received_.held.count; ++place) {
    const int label = received_.held.label_at(place);
    const RankRange sources = sources_of(contract_, label, rank_, call_.root, ranks_);
    double base = sources.count * of_label(label);
    for (int rank = sources.first; rank < sources.first + sources.count; ++rank) base += of_rank(rank);
    for (int i = 0; i < received_.counts[place]; ++i) {
      const double wanted = stored(base + sources.count * of_element(i));
      const double got = output_[received_.displacements[place] + i];
      if (std::bit_cast<std::uint64_t>(got) != std::bit_cast<std::uint64_t>(wanted)) return false;
    }
  }
  return true;
}

void Data::write_input_again() {
  if (!contract_.carries_data || !contributes()) return;
  for (double& each : buffer_of_input()) {
    volatile double& written = each;  // or the compiler sees that nothing changes
    written = each;
  }
}

double Data::read_output() const {
  double sum = 0;
  if (!contract_.carries_data || !contract_.has_output(rank_, call_.root)) return sum;
  for (const double& each : output_) sum += each;
  return sum;
}

double Data::stored(double value) const {
  return numbers_ == Numbers::real ? value : std::bit_cast<double>(static_cast<std::int64_t>(value));
}

}  // namespace bench
