// SPDX-License-Identifier: Apache-2.0
// All communicators that we know. Each hangs at the application's communicator as an attribute, so that we learn when
// that is freed, before its handle can be used again.
#pragma once

#include <list>
#include <map>
#include <mutex>
#include <set>

#include "mpi/communicators/communicator.hpp"
#include "mpi/communicators/handle_table.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

class Communicators {
 public:
  explicit Communicators(const Job& job) : job_(job) {}

  // What is kept for a communicator is up to anyone who opens this.
  using Make = std::shared_ptr<Communicator> (*)(const Job& job, IdPool& ids, const Communicator::Facts& facts);
  // At start; returns an MPI code.
  [[nodiscard]] int open(Make make);
  // At the end. What still hangs at communicators is left there, and ignored when they go.
  void close();

  // Numbers by which the ranks report communicators apart.
  [[nodiscard]] IdPool& ids() { return ids_; }

  [[nodiscard]] Communicator* find(MPI_Comm comm) const { return table_.find(number_of(comm)); }

  // The same of one that the table has no room for, too; takes longer.
  [[nodiscard]] Communicator* find_known(MPI_Comm comm) const;
  struct Found {
    Communicator* communicator = nullptr;
    int raised = MPI_SUCCESS;  // the MPI's code for an error that it has raised already
  };
  // By its attribute, of any handle that find() does not find. The application's may be wrong: then the MPI raises the
  // error here, once, as it would in the call. Nothing may catch what its handler throws.
  [[nodiscard]] Found find_attached(MPI_Comm comm) const;
  // Of a communicator that find_attached() does not find, and that there is. Without one its calls are the native
  // MPI's: it is being freed, or the MPI does not know it.
  [[nodiscard]] Found add(MPI_Comm comm);
  // Both.
  [[nodiscard]] Found find_or_add(MPI_Comm comm) {
    const Found found = find_attached(comm);
    return found.communicator != nullptr || found.raised != MPI_SUCCESS ? found : add(comm);
  }

  // For Freeing: find() does not find it from here on; it is freed; or it could not be freed after all. `detached`: if
  // our attribute has been deleted meanwhile.
  void hide(MPI_Comm comm);
  void remove(Communicator* communicator);
  void show_again(MPI_Comm comm, Communicator* detached);

  void forget_decisions();

  // What the report calls one that the program has named so: its bytes made fit to print, kept permanently. Empty for
  // the names that the MPI itself gives, and the same for all beyond the first `max_names`.
  [[nodiscard]] const std::string& reported_name(std::string_view name);
  // Where a report is wanted: asks the MPI. Throws on allocation failure.
  void note_name(Communicator& communicator);

  // Totals over all communicators, also those that are gone.
  [[nodiscard]] CallCount calls(Collective collective) const;
  [[nodiscard]] Statistics statistics() const;
  [[nodiscard]] std::vector<RankContext> contexts() const;
  // Of calls that may outlive their communicator, or have none. From any thread; throws on allocation failure.
  [[nodiscard]] StatisticsRow& lasting_row(const RowKeyView& key);

 private:
  static int on_delete(MPI_Comm comm, int keyval, void* value, void* communicators);
  [[nodiscard]] Found add(const Communicator::Facts& facts);
  void show(Communicator* communicator);
  void note_late_freeing(MPI_Comm comm);
  void retire(Communicator& communicator);
  // How many communicators came before: of those that this rank leads, and of those with the same ranks.
  struct Before {
    int led = 0;
    std::map<std::uint64_t, std::uint64_t> with_members;
  };
  void add_contexts(const Communicator& communicator, Before& before, std::vector<RankContext>& contexts) const;

  const Job& job_;
  Make make_ = nullptr;
  IdPool ids_;
  int keyval_ = MPI_KEYVAL_INVALID;
  HandleTable<Communicator> table_;
  std::atomic<bool> closed_{true};

  // Never held while an MPI function is called: the MPI calls back to delete attributes whenever it likes.
  static constexpr std::size_t max_names = 64;  // programs make communicators without end, and rows of each name
  std::set<std::string, std::less<>> names_;
  mutable std::mutex mutex_;
  std::list<std::shared_ptr<Communicator>> all_;
  // Handles of communicators that the MPI freed later than it was told to. As nobody can say when the last of their
  // callbacks has run, later communicators with such a handle are known by their attribute only.
  std::vector<MPI_Comm> freed_late_;
  std::array<CallCount, std::size(all_collectives)> calls_of_gone_{};
  Statistics lasting_;                                       // of communicators that are gone, too
  static constexpr std::size_t max_contexts_of_gone = 4096;  // programs make communicators without end
  std::vector<RankContext> contexts_of_gone_;
  Before gone_;
};

}  // namespace espalier
