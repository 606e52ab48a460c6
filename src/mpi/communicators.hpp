// SPDX-License-Identifier: Apache-2.0
// All communicators that we know. Each hangs at the application's communicator as an attribute, so that we hear when
// that is freed, before its handle can be used again.
#pragma once

#include <list>
#include <mutex>

#include "mpi/communicator.hpp"
#include "mpi/handle_table.hpp"

namespace espalier {

class Communicators {
 public:
  // At start; returns an MPI code.
  [[nodiscard]] int open(const Native& mpi);
  // At the end. What still hangs at communicators is left there, and ignored when they go.
  void close(const Native& mpi);

  [[nodiscard]] Communicator* find(MPI_Comm comm) const { return table_.find(number_of(comm)); }

  // Of a communicator that find() does not find. Null if this is no communicator that the MPI knows.
  [[nodiscard]] Communicator* find_or_add(const Native& mpi, MPI_Comm comm);

  void forget_decisions();

  // Totals over all communicators, also those that are gone.
  [[nodiscard]] CallCount calls(Collective collective) const;
  [[nodiscard]] Statistics statistics() const;

 private:
  static int on_delete(MPI_Comm comm, int keyval, void* value, void* communicators);
  void remove(Communicator* communicator);
  void retire(const Communicator& communicator);

  int keyval_ = MPI_KEYVAL_INVALID;
  HandleTable<Communicator> table_;
  std::atomic<bool> closed_{true};

  // Never held while an MPI function is called: the MPI calls back to delete attributes whenever it likes.
  mutable std::mutex mutex_;
  std::list<std::unique_ptr<Communicator>> all_;
  std::array<CallCount, std::size(all_collectives)> calls_of_gone_{};
  Statistics statistics_of_gone_;
};

}  // namespace espalier
