// SPDX-License-Identifier: Apache-2.0
#include "preload/small_arguments.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <utility>

#include "preload/loader/lock.hpp"

namespace espalier {

namespace {

using SmallArrays = int* [max_words];

struct KeptArrays {
  Word request;
  SmallArrays arrays;
  KeptArrays* next;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
KeptArrays* all_kept = nullptr;

KeptArrays* kept_for(Word request) {
  for (KeptArrays* kept = all_kept; kept != nullptr; kept = kept->next) {
    if (kept->request == request) return kept;
  }
  auto* const fresh = static_cast<KeptArrays*>(std::calloc(1, sizeof(KeptArrays)));
  if (fresh == nullptr) return nullptr;
  fresh->request = request;
  fresh->next = all_kept;
  return all_kept = fresh;
}

}  // namespace

SmallArguments::SmallArguments(const Word (&words)[max_words]) { std::copy(words, words + max_words, words_); }

SmallArguments::~SmallArguments() {
  for (int* const array : arrays_) std::free(array);
}

void SmallArguments::narrow_number(std::size_t k) {
  if (words_[k] < 0 || words_[k] > INT_MAX) words_[k] = -1;
}

void SmallArguments::narrow_array(std::size_t k, int length) {
  const auto* const large = reinterpret_cast<const std::int64_t*>(words_[k]);
  if (large == nullptr) return;
  arrays_[k] = static_cast<int*>(std::malloc(sizeof(int) * (static_cast<std::size_t>(length) + 1)));
  for (int i = 0; arrays_[k] != nullptr && i < length; ++i) {
    arrays_[k][i] = static_cast<int>(large[i]);
    all_fit_ = all_fit_ && arrays_[k][i] == large[i];
  }
  words_[k] = reinterpret_cast<Word>(arrays_[k]);
}

int SmallArguments::pass_to(void* small) {
  for (int* const array : arrays_) {
    if (!all_fit_ && array != nullptr) array[0] = -1;
  }
  return [ this, small ]<std::size_t... k>(std::index_sequence<k...>) {
    using Untyped = int (*)(decltype((void)k, Word())...);
    return reinterpret_cast<Untyped>(small)(words_[k]...);
  }
  (std::make_index_sequence<max_words>{});
}

void SmallArguments::keep_arrays_for(Word request) {
  const Lock lock(mutex);
  KeptArrays* const kept = kept_for(request);
  if (kept != nullptr) {
    std::swap(kept->arrays, arrays_);
  } else {
    std::fill(arrays_, arrays_ + max_words, nullptr);  // rather lost than gone too early
  }
}

}  // namespace espalier
