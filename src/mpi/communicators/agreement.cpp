// SPDX-License-Identifier: Apache-2.0
// As MPICH agrees on context numbers: each rank says which numbers it has free, and all take the lowest one that is
// free everywhere. Between question and answer no other thread of a rank may take a number, so only one thread of each
// rank has the turn. Threads never wait for their turn: of two ranks with two threads each, both threads that wait
// could belong to the communicators whose other ranks are inside the native call. Who has no turn takes part all the
// same, and then all ranks of that communicator try again. A rank that cannot use any number has none that is free.
#include "mpi/communicators/agreement.hpp"

#include <sched.h>

namespace espalier {

namespace {

// Enough for threads that meet by chance; a communicator that fails stays with the native MPI.
constexpr int attempts = 10000;

// What no call of the application's is likely to have at its beginning.
constexpr std::uint64_t mark_of_offers = 0x6573'7061'6c69'6572;

struct TurnOffer {
  std::uint64_t mark = mark_of_offers;
  // Where all bits of both stay, all ranks said the same.
  std::uint64_t occasion = 0, complement = 0;
  FreeIds ids{};
  std::uint64_t has_turn = 0;  // all bits, or none
};
constexpr int offer_words = sizeof(TurnOffer) / sizeof(std::uint64_t);

class Turn {
 public:
  explicit Turn(IdPool& pool) : pool_(pool), taken_(pool.try_take_turn()) {}
  ~Turn() {
    if (taken_) pool_.end_turn();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  IdPool& pool_;
  const bool taken_;
};

Encounter encounter_at(const TurnOffer& common) {
  if (common.mark != mark_of_offers) return Encounter::not_even_here;
  const bool is_one = (common.occasion | common.complement) == ~std::uint64_t{0};
  return is_one ? Encounter::as_one : Encounter::from_several;
}

enum class Outcome : std::uint8_t { agreed, none_free, failed, try_again };

Outcome try_to_agree(const Native& mpi, MPI_Comm comm, IdPool& pool, bool able, std::uint64_t occasion,
                     AgreedId& agreed) {
  const Turn turn(pool);
  TurnOffer mine{.occasion = occasion, .complement = ~occasion};
  if (turn.taken() && able) mine.ids = pool.free_ids();
  if (turn.taken()) mine.has_turn = ~std::uint64_t{0};
  TurnOffer common;
  agreed.status = mpi.Allreduce(&mine, &common, offer_words, MPI_UINT64_T, MPI_BAND, comm);
  if (agreed.status != MPI_SUCCESS) return Outcome::failed;
  agreed.encounter = encounter_at(common);
  if (agreed.encounter != Encounter::as_one) return Outcome::failed;
  if (common.has_turn == 0) return Outcome::try_again;
  const std::optional<int> lowest = lowest_of(common.ids);
  if (!lowest) return Outcome::none_free;
  pool.reserve(*lowest);
  agreed.id = lowest;
  return Outcome::agreed;
}

}  // namespace

AgreedId agree_on_id(const Native& mpi, MPI_Comm comm, IdPool& pool, bool able, std::uint64_t occasion) {
  AgreedId agreed;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (try_to_agree(mpi, comm, pool, able, occasion, agreed) != Outcome::try_again) break;
    sched_yield();
  }
  return agreed;
}

}  // namespace espalier
