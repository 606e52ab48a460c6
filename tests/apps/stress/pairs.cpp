// SPDX-License-Identifier: Apache-2.0
// Persistent sends and receives that meet each other, drawn at random: several between two ranks with one tag, of equal
// and of different lengths, to the rank itself and to nobody, derived datatypes that are freed at once; on several
// communicators, some of which are freed before the last start. Some of a set are started, together or one by one, and
// completed by all functions; requests are made again on one side alone, and sends are freed while they are under way.
// What comes, and what the statuses say, is compared with what was sent.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -x ESPALIER_PERSISTENT=paired -n 4 pairs [rounds [seed]]
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

int of(std::uint64_t random, int count) { return static_cast<int>(random % static_cast<std::uint64_t>(count)); }

// As all ranks draw it.
struct Message {
  int from = 0, to = 0, tag = 0, count = 0;
  bool has_gaps = false;  // at the receiver
  bool is_synchronous = false;
};

// A number of pairs of numbers; with gaps, of 4 numbers' length.
struct Type {
  explicit Type(bool has_gaps) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, static_cast<MPI_Aint>(sizeof(int)) * (has_gaps ? 4 : 2), &handle);
    MPI_Type_commit(&handle);
    MPI_Type_free(&pair);
  }
  ~Type() { MPI_Type_free(&handle); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  MPI_Datatype handle = MPI_DATATYPE_NULL;
};

constexpr int untouched = -7;

int number(int message, int start, int place) {
  return static_cast<int>(scramble(static_cast<std::uint64_t>(message), start, place) >> 34);
}

// One rank's end of a message.
struct End {
  int message = 0;
  bool is_send = false, is_started = false;
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<int> memory;
};

// How requests are completed.
enum class Completion : std::uint8_t { waitall, wait, waitany, waitsome, test, testall, testany, testsome };
constexpr int completions = 8;

class Round {
 public:
  // `is_freed`: the communicator is, before the last start.
  Round(std::uint64_t random, MPI_Comm comm, bool is_freed) : random_(random), comm_(comm), is_freed_(is_freed) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    const int count = 1 + of(scramble(random, 1), 3 * size_);
    for (int k = 0; k < count; ++k) messages_.push_back(draw(k));
    for (int k = 0; k < count; ++k) {
      const Message& message = messages_[static_cast<std::size_t>(k)];
      if (message.from == rank_) ends_.push_back({.message = k, .is_send = true, .memory = {}});
      if (message.to == rank_) ends_.push_back({.message = k, .is_send = false, .memory = {}});
    }
    for (End& end : ends_) init(end);
    statuses_.resize(ends_.size());
  }
  ~Round() {
    for (End& end : ends_) {
      if (end.request != MPI_REQUEST_NULL) MPI_Request_free(&end.request);
    }
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  void run() {
    const int starts = 2 + of(scramble(random_, 2), 5);
    for (int start = 0; start < starts; ++start) {
      if (start == starts - 1 && is_freed_) MPI_Comm_free(&comm_);
      run(start);
    }
  }

 private:
  // Messages to nobody, and from there, have one end.
  [[nodiscard]] Message draw(int k) const {
    const auto drawn = [&](int what) { return scramble(random_, 3, k, what); };
    constexpr std::array lengths = {0, 1, 100, 511, 512, 513, 3000, 20000};
    Message message{.from = of(drawn(0), size_), .to = of(drawn(1), size_), .tag = of(drawn(2), 3)};
    if (of(drawn(3), 20) == 0) message.from = MPI_PROC_NULL;
    if (of(drawn(3), 20) == 1) message.to = MPI_PROC_NULL;
    message.count = lengths[static_cast<std::size_t>(of(drawn(4), lengths.size()))];
    message.has_gaps = of(drawn(5), 4) == 0;
    message.is_synchronous = of(drawn(6), 3) == 0;
    return message;
  }
  [[nodiscard]] const Message& message_of(const End& end) const {
    return messages_[static_cast<std::size_t>(end.message)];
  }
  [[nodiscard]] bool has_gaps(const End& end) const { return message_of(end).has_gaps && !end.is_send; }

  void init(End& end) const {
    const Message& message = message_of(end);
    const Type type(has_gaps(end));
    end.memory = std::vector<int>(static_cast<std::size_t>(message.count) * 4 + 1, untouched);
    int* const data = end.memory.data();
    if (!end.is_send) {
      MPI_Recv_init(data, message.count, type.handle, message.from, message.tag, comm_, &end.request);
    } else {
      (message.is_synchronous ? MPI_Ssend_init : MPI_Send_init)(data, message.count, type.handle, message.to,
                                                                message.tag, comm_, &end.request);
    }
  }

  void run(int start) {
    const auto drawn = [&](int what) { return scramble(random_, 5, rank_, start, what); };
    for (End& end : ends_) {
      end.is_started = of(scramble(random_, 4, end.message, start), 4) > 0;
      if (end.is_started) fill(end, start);
    }
    start_drawn(of(drawn(0), 3));
    free_some(start);
    complete(static_cast<Completion>(of(drawn(1), completions)), drawn(2));
    for (const End& end : ends_) {
      if (end.is_started && !end.is_send) check_memory(end, start);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // the sends that were freed are over, too
    if (comm_ != MPI_COMM_NULL) make_some_again(start);
  }
  [[nodiscard]] bool was_freed(int message) const { return std::ranges::count(freed_, message) > 0; }

  void fill(End& end, int start) const {
    std::ranges::fill(end.memory, untouched);
    for (int k = 0; k < 2 * message_of(end).count && end.is_send; ++k) {
      end.memory[static_cast<std::size_t>(k)] = number(end.message, start, k);
    }
  }

  // Together; one by one; or receives and sends apart.
  void start_drawn(int kind) {
    std::vector<MPI_Request> handles;
    const auto start_all = [&] {
      MPI_Startall(static_cast<int>(handles.size()), handles.data());
      handles.clear();
    };
    for (const bool is_send : {false, true}) {
      for (End& end : ends_) {
        if (!end.is_started || (kind == 2 ? end.is_send != is_send : is_send)) continue;
        kind == 1 ? (void)MPI_Start(&end.request) : handles.push_back(end.request);
      }
      if (!handles.empty()) start_all();
    }
  }

  // What was sent comes all the same.
  void free_some(int start) {
    freed_.clear();
    for (int k = 0; k < static_cast<int>(messages_.size()); ++k) {
      if (of(scramble(random_, 6, k, start), 16) == 0) freed_.push_back(k);
    }
    for (End& end : ends_) {
      if (end.is_send && end.is_started && was_freed(end.message)) MPI_Request_free(&end.request);
    }
  }

  // On this side alone, with other memory.
  void make_some_again(int start) {
    for (End& end : ends_) {
      const bool is_drawn = of(scramble(random_, 7, end.message, start, end.is_send), 6) == 0;
      if (!is_drawn && end.request != MPI_REQUEST_NULL) continue;
      if (end.request != MPI_REQUEST_NULL) MPI_Request_free(&end.request);
      init(end);
    }
  }

  void complete(Completion completion, std::uint64_t random) {
    completion_ = completion;
    switch (completion) {
      case Completion::waitall:
        complete_all([](int n, MPI_Request* all, MPI_Status* told) {
          MPI_Waitall(n, all, told);
          return true;
        });
        break;
      case Completion::testall:
        complete_all([](int n, MPI_Request* all, MPI_Status* told) {
          int flag = 0;
          MPI_Testall(n, all, &flag, told);
          return flag != 0;
        });
        break;
      case Completion::wait:
        complete_each(random, [](MPI_Request* one, MPI_Status* told) {
          MPI_Wait(one, told);
          return true;
        });
        break;
      case Completion::test:
        complete_each(random, [](MPI_Request* one, MPI_Status* told) {
          int flag = 0;
          MPI_Test(one, &flag, told);
          return flag != 0;
        });
        break;
      case Completion::waitany:
        complete_any([](int n, MPI_Request* all, int* index, MPI_Status* told) {
          MPI_Waitany(n, all, index, told);
          return true;
        });
        break;
      case Completion::testany:
        complete_any([](int n, MPI_Request* all, int* index, MPI_Status* told) {
          int flag = 0;
          MPI_Testany(n, all, index, &flag, told);
          return flag != 0;
        });
        break;
      case Completion::waitsome: complete_some(MPI_Waitsome); break;
      case Completion::testsome: complete_some(MPI_Testsome); break;
    }
  }

  [[nodiscard]] std::vector<MPI_Request> handles() const {
    std::vector<MPI_Request> all;
    for (const End& end : ends_) all.push_back(end.request);
    return all;
  }

  // Those that were not started, too.
  template <class Ask>
  void complete_all(Ask ask) {
    std::vector<MPI_Request> all = handles();
    const auto count = static_cast<int>(all.size());
    while (!ask(count, all.data(), statuses_.data())) continue;
    for (std::size_t k = 0; k < ends_.size(); ++k) check_status(ends_[k], statuses_[k]);
  }

  template <class Ask>
  void complete_each(std::uint64_t random, Ask ask) {
    std::vector<std::size_t> order(ends_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t k) { return scramble(random, k); });
    for (const std::size_t k : order) {
      while (!ask(&ends_[k].request, &statuses_[k])) continue;
      check_status(ends_[k], statuses_[k]);
    }
  }

  template <class Ask>
  void complete_any(Ask ask) {
    std::vector<MPI_Request> all = handles();
    for (;;) {
      int index = MPI_UNDEFINED;
      MPI_Status status;
      if (!ask(static_cast<int>(all.size()), all.data(), &index, &status)) continue;
      if (index == MPI_UNDEFINED) return;
      check_status(ends_[static_cast<std::size_t>(index)], status);
    }
  }

  void complete_some(int (*ask)(int, MPI_Request*, int*, int*, MPI_Status*)) {
    std::vector<MPI_Request> all = handles();
    std::vector<int> indices(all.size());
    for (int count = 0; count != MPI_UNDEFINED;) {
      ask(static_cast<int>(all.size()), all.data(), &count, indices.data(), statuses_.data());
      for (int k = 0; k < count && count != MPI_UNDEFINED; ++k) {
        const auto which = static_cast<std::size_t>(indices[static_cast<std::size_t>(k)]);
        check_status(ends_[which], statuses_[static_cast<std::size_t>(k)]);
      }
    }
  }

  void check_status(const End& end, const MPI_Status& status) const {
    if (end.is_send || end.request == MPI_REQUEST_NULL) return;
    const Message& message = message_of(end);
    const bool is_empty = !end.is_started, is_from_nobody = message.from == MPI_PROC_NULL;
    const int source = is_empty ? MPI_ANY_SOURCE : message.from;
    const int tag = is_empty || is_from_nobody ? MPI_ANY_TAG : message.tag;
    const int numbers = is_empty || is_from_nobody ? 0 : 2 * message.count;
    int got = -1;
    MPI_Get_count(&status, MPI_INT, &got);
    int was_cancelled = 1;
    MPI_Test_cancelled(&status, &was_cancelled);
    if (is_from_nobody && status.MPI_SOURCE == MPI_ANY_SOURCE) return;  // of a persistent one MPICH says nothing
    if (status.MPI_SOURCE == source && status.MPI_TAG == tag && got == numbers && was_cancelled == 0) return;
    fail("function " + std::to_string(static_cast<int>(completion_)) + ": status of message " +
         std::to_string(end.message) + ": source " + std::to_string(status.MPI_SOURCE) + " not " +
         std::to_string(source) + ", tag " + std::to_string(status.MPI_TAG) + " not " + std::to_string(tag) + ", " +
         std::to_string(got) + " numbers, not " + std::to_string(numbers));
  }

  void check_memory(const End& end, int start) const {
    const Message& message = message_of(end);
    const int pairs = message.from == MPI_PROC_NULL ? 0 : message.count;
    const int step = has_gaps(end) ? 4 : 2;
    for (int k = 0; k < static_cast<int>(end.memory.size()); ++k) {
      const bool is_number = k / step < pairs && k % step < 2;
      const int expected = is_number ? number(end.message, start, k / step * 2 + k % step) : untouched;
      if (end.memory[static_cast<std::size_t>(k)] == expected) continue;
      return fail("message " + std::to_string(end.message) + " of " + std::to_string(pairs) + " pairs, start " +
                  std::to_string(start) + ", place " + std::to_string(k));
    }
  }

  const std::uint64_t random_;
  MPI_Comm comm_;
  const bool is_freed_;
  int rank_ = 0, size_ = 1;
  std::vector<Message> messages_;
  std::vector<End> ends_;
  std::vector<MPI_Status> statuses_;
  Completion completion_ = Completion::waitall;
  std::vector<int> freed_;  // messages whose sends were freed in the last start
};

MPI_Comm make_communicator(std::uint64_t random) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm made = MPI_COMM_NULL;
  constexpr int is_periodic = 1;
  switch (of(random, 4)) {
    case 0: MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made); break;
    case 1: MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &made); break;
    case 2: MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &made); break;
    default: MPI_Comm_dup(MPI_COMM_WORLD, &made); break;
  }
  return made;
}

int run(const Arguments& arguments) {
  const std::uint64_t rounds = arguments.number(1, 20), seed = arguments.number(2, 1);
  std::size_t before = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    now_doing("round " + std::to_string(round) + " of seed " + std::to_string(seed), 30);
    const std::uint64_t random = scramble(seed, round);
    {
      Round one(scramble(random, 1), make_communicator(random), of(scramble(random, 2), 3) == 0);
      one.run();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (round == rounds / 2) before = resident_bytes();
  }
  const std::size_t after = resident_bytes();
  return conclude("\"rounds\": " + std::to_string(rounds) +
                  ", \"growth_bytes\": " + std::to_string(after > before ? after - before : 0));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  return espalier::apps::run_program(argc, argv, espalier::apps::run, MPI_THREAD_SINGLE);
}
