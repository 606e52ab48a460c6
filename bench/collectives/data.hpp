// SPDX-License-Identifier: Apache-2.0
// What a rank gives in a call, fresh each time, and whether it gets what the collective's contract says. Values are
// small whole numbers, so every order of summation gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "functions.hpp"

namespace bench {

// Of eight bytes each. Sums of whole numbers may be made in any order, and every MPI knows it.
enum class Numbers { real, whole };

class Data {
 public:
  // `bytes`, in whole doubles: of a message that stays whole, or is reduced and scattered; of the block that a rank
  // gives or gets, or that each of a pair gives the other. Where blocks have sizes of their own, every other one has
  // half as many elements, and the ones between make up for it.
  Data(const Function& function, std::size_t bytes, int rank, int ranks, Numbers numbers = Numbers::real);
  Data(const Data&) = delete;  // the call points here
  Data& operator=(const Data&) = delete;

  // `round` makes the data new each time.
  void prepare(std::uint64_t round, int root, MPI_Comm comm);
  // The same data, on another communicator.
  void call_on(MPI_Comm comm) { call_.comm = comm; }
  [[nodiscard]] const espalier::Call& call() const { return call_; }
  [[nodiscard]] bool is_right() const;
  // As a program does between calls: what this rank gives is written (with what is there), so that it lies in no other
  // core's cache; and the result is read, of which some number comes.
  void write_input_again();
  [[nodiscard]] double read_output() const;
  // Whether the others need anything of this rank's.
  [[nodiscard]] bool contributes() const { return contract_.has_input(rank_, call_.root); }

 private:
  // The blocks in a buffer, by place, one after the other.
  struct Side {
    espalier::Held held;
    std::vector<int> counts, displacements;  // in elements
    std::vector<int> given_displacements;    // in the unit that the function wants
    std::vector<MPI_Datatype> types;         // if it wants them

    [[nodiscard]] espalier::CallBlocks said(MPI_Datatype type) const {
      return {counts[0], type, counts.data(), given_displacements.data(), types.empty() ? nullptr : types.data()};
    }
    [[nodiscard]] std::size_t elements() const {
      return static_cast<std::size_t>(displacements.back() + counts.back());
    }
  };

  [[nodiscard]] Side side_of(espalier::BufferPart part, int count, bool is_typed) const;
  [[nodiscard]] MPI_Datatype type() const { return numbers_ == Numbers::real ? MPI_DOUBLE : MPI_INT64_T; }
  [[nodiscard]] int count_of(int label, int count) const;
  [[nodiscard]] double of_rank(int rank) const;
  [[nodiscard]] double of_label(int label) const;
  [[nodiscard]] double of_element(int element) const;
  void put_input(std::vector<double>& buffer) const;
  [[nodiscard]] std::vector<double>& buffer_of_input();
  // As it lies in a buffer, whatever its type is.
  [[nodiscard]] double stored(double value) const;

  const espalier::Contract& contract_;
  const Numbers numbers_;
  const bool is_uneven_;
  const int rank_, ranks_;
  const Side sent_, received_;
  std::vector<double> input_, output_;
  espalier::Call call_;
  std::uint64_t round_ = 0;
};

}  // namespace bench
