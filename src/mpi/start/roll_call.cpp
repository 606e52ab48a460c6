// SPDX-License-Identifier: Apache-2.0
// The ranks are a binary tree with rank 0 on top. Each looks in the launcher's store for its parent and its children,
// and then exchanges messages only with those that it found there: these wait for them inside MPI_Init, before any
// receive of the application's could match. So each part of the tree that hangs together arrives at the same answer:
//
//          0            2 is missing: 0, 1, 3 and 4 exchange so,
//        1   2          5 and 6 find it out by themselves.
//       3 4 5 6
//
// Without a store, nothing that we send can be kept from a rank that is not under Espalier. What comes closest is a
// collective that has messages of its own kind in every MPI and that programs do not begin with, MPI_Exscan, with a
// length that none has: its messages match nothing else. The last rank gets there only if all are there, and then
// informs the others. If some are missing, those that are there wait permanently, and say so.
#include "mpi/start/roll_call.hpp"

#include <pthread.h>

#include <algorithm>
#include <ctime>
#include <mutex>

#include "core/log.hpp"
#include "mpi/start/launcher_store.hpp"

namespace espalier {

namespace {

constexpr int arity = 2;

// Of a tree with node 0 on top.
struct Family {
  Family(int me, int nodes) : parent(me == 0 ? -1 : (me - 1) / arity) {
    for (int child = arity * me + 1; child <= arity * me + arity && child < nodes; ++child) children[count++] = child;
  }
  int parent;  // -1: none
  int children[arity] = {};
  int count = 0;
};

// Point-to-point on MPI_COMM_WORLD, with the highest tag that there is.
class WorldMessages {
 public:
  explicit WorldMessages(const Native& mpi) : mpi_(mpi) {
    void* value = nullptr;
    int found = 0;
    mpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
    tag_ = found != 0 ? *static_cast<int*>(value) : 32767;  // MPI guarantees this many
  }
  void send(int to, int number) const { mpi_.Send(&number, 1, MPI_INT, to, tag_, MPI_COMM_WORLD); }
  [[nodiscard]] int receive(int from) const {
    int number = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_.Irecv(&number, 1, MPI_INT, from, tag_, MPI_COMM_WORLD, &request);
    mpi_.Wait(&request, MPI_STATUS_IGNORE);
    return number;
  }

 private:
  const Native& mpi_;
  int tag_ = 0;
};

void log_missing_ranks(int rank) {
  log_line(
      "rank %d is not running under Espalier (not preloaded, ESPALIER=off, or libespalier-*.so failed to open); "
      "disabled on all ranks. Start every rank with `espalier run`, or with the same LD_PRELOAD and settings.",
      rank);
}

void log_too_late() {
  log_line(
      "rank 0 could not announce itself through the launcher (MPI initialized before Espalier saw a call, or opened "
      "with RTLD_DEEPBIND); disabled on all ranks.");
}

// The top of each part learns of a rank that is missing; only the first one speaks.
void log_if_first(LauncherStore has, int me, int missing) {
  for (int rank = 0; rank < me; ++rank) {
    if (has(rank, Search::nearby)) return;
  }
  log_missing_ranks(missing);
}

// The lowest rank that anybody in this part of the tree misses; `ranks` if nobody misses one.
int find_missing(LauncherStore has, const WorldMessages& line, int me, int ranks) {
  if (!has(me, Search::nearby)) {  // the others do not find this rank either, and do not wait for it
    if (me == 0) log_too_late();
    return me;
  }
  const Family family(me, ranks);
  const bool has_parent = family.parent >= 0 && has(family.parent, Search::everywhere);
  int missing = family.parent >= 0 && !has_parent ? family.parent : ranks;
  bool is_there[arity] = {};
  for (int k = 0; k < family.count; ++k) {
    is_there[k] = has(family.children[k], Search::everywhere);
    if (!is_there[k]) missing = std::min(missing, family.children[k]);
  }
  for (int k = 0; k < family.count; ++k) {
    if (is_there[k]) missing = std::min(missing, line.receive(family.children[k]));
  }
  if (has_parent) {
    line.send(family.parent, missing);
    missing = line.receive(family.parent);
  } else if (missing < ranks) {
    log_if_first(has, me, missing);
  }
  for (int k = 0; k < family.count; ++k) {
    if (is_there[k]) line.send(family.children[k], missing);
  }
  return missing;
}

// Speaks up if its end does not come in time.
class Patience {
 public:
  Patience() : is_watched_(pthread_create(&watcher_, nullptr, watch, this) == 0) {}
  ~Patience() {
    pthread_mutex_lock(&mutex_);
    is_over_ = true;
    pthread_cond_signal(&over_);
    pthread_mutex_unlock(&mutex_);
    if (is_watched_) pthread_join(watcher_, nullptr);
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  static constexpr int seconds = 10;

  static void* watch(void* patience) {
    static_cast<Patience*>(patience)->wait();
    return nullptr;
  }
  void wait() {
    std::timespec end{};
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += seconds;
    pthread_mutex_lock(&mutex_);
    int status = 0;
    while (!is_over_ && status == 0) status = pthread_cond_timedwait(&over_, &mutex_, &end);
    if (!is_over_) {
      log_line(
          "waiting in MPI_Init for ranks that do not run under Espalier, it seems, and this launcher "
          "offers no means to find out which. Start all ranks alike: with `espalier run`, or with the same "
          "LD_PRELOAD and the same settings.");
    }
    pthread_mutex_unlock(&mutex_);
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t over_ = PTHREAD_COND_INITIALIZER;
  bool is_over_ = false;
  pthread_t watcher_{};
  const bool is_watched_;
};

void wait_for_all(const Native& mpi, const WorldMessages& line, int me, int ranks) {
  constexpr int length = 1009;
  const char mine[length] = {};
  char before[length];
  mpi.Exscan(mine, before, length, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  const int last = ranks - 1;
  const Family family(last - me, ranks);
  if (family.parent >= 0) (void)line.receive(last - family.parent);
  for (int k = 0; k < family.count; ++k) line.send(last - family.children[k], 1);
}

void wait_for_all_and_complain(const Native& mpi, const WorldMessages& line, int me, int ranks) {
  if (me != 0 && me != ranks - 1) return wait_for_all(mpi, line, me, ranks);
  const Patience patience;
  wait_for_all(mpi, line, me, ranks);
}

}  // namespace

void announce(const Native& mpi) {
  static std::once_flag once;
  std::call_once(once, leave_word_by_pmi1, mpi);
}

Attendance call_roll(const Native& mpi, void* mpi_library, int me, int ranks) noexcept {
  if (ranks == 1) return Attendance::all;
  LauncherStore has = pmix_store(mpi_library);
  if (has == nullptr) has = pmi1_store();
  const WorldMessages line(mpi);
  if (has != nullptr) return find_missing(has, line, me, ranks) == ranks ? Attendance::all : Attendance::some;
  wait_for_all_and_complain(mpi, line, me, ranks);
  return Attendance::all;
}

}  // namespace espalier
