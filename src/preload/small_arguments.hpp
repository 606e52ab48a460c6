// SPDX-License-Identifier: Apache-2.0
// The arguments of a large form (MPI_X_c) made into those of the small one (MPI_X).
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

// Every argument of these functions is an integer or a pointer, so it travels in one register or stack slot. MPI_Count
// and MPI_Aint are as long as a word.
using Word = std::intptr_t;
inline constexpr std::size_t max_words = 11;
static_assert(sizeof(Word) == sizeof(std::int64_t));

// On allocation failure an array is missing, which the MPI refuses. Where a number does not fit, a count is -1, which
// it refuses as well.
class SmallArguments {
 public:
  explicit SmallArguments(const Word (&words)[max_words]);
  ~SmallArguments();
  SmallArguments(const SmallArguments&) = delete;
  SmallArguments& operator=(const SmallArguments&) = delete;

  [[nodiscard]] Word operator[](std::size_t k) const { return words_[k]; }

  void narrow_number(std::size_t k);
  // An array that is not there stays so.
  void narrow_array(std::size_t k, int length);
  void leave_out(std::size_t k) { words_[k] = 0; }

  // Calls the function with them; returns what it returns.
  int pass_to(void* small);
  // The MPI may read the arrays as long as the request lives: until it gives out the same handle again. From any
  // thread.
  void keep_arrays_for(Word request);

 private:
  Word words_[max_words];
  int* arrays_[max_words] = {};
  bool all_fit_ = true;
};

}  // namespace espalier
