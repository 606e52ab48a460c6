// SPDX-License-Identifier: Apache-2.0
// Very many mixed collectives back to back, with random pauses, on two communicators, while receives from anybody with
// any tag are outstanding on both, and while large messages are under way that make progress only if waiting in a
// collective progresses the native MPI.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 storm [collectives [seed]]
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr std::uint64_t calls_per_round = 500;
constexpr int large_elements = 1 << 20;  // 8 MiB: no MPI sends that eagerly
constexpr int max_elements = 4000;

// Another one in each round; first what is chosen without any.
std::string setting_of(std::uint64_t round) {
  const std::uint64_t turn = round % (1 + static_cast<std::uint64_t>(settings_with_all()));
  return turn == 0 ? "" : own_algorithms(round);
}

// A receive from anybody with any tag, which nothing but the application's own message may meet.
class Trap {
 public:
  explicit Trap(const Member& member) : member_(member) { set(); }

  // The ranks send each other something in a ring; then the traps are set again.
  void spring(std::uint64_t round) {
    const std::uint64_t message = scramble(round, member_.rank);
    const int to = (member_.rank + 1) % member_.size, from = (member_.rank + member_.size - 1) % member_.size;
    const int tag = static_cast<int>(round % 1000);
    MPI_Send(&message, 1, MPI_UINT64_T, to, tag, member_.comm);
    MPI_Status status;
    MPI_Wait(&request_, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (status.MPI_SOURCE != from || status.MPI_TAG != tag || bytes != sizeof message ||
        received_[0] != scramble(round, from)) {
      fail("round " + std::to_string(round) + ": a receive from anybody got something else than the message sent");
    }
    set();
  }

  ~Trap() {
    MPI_Cancel(&request_);
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

 private:
  void set() { MPI_Irecv(received_, sizeof received_, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, member_.comm, &request_); }

  const Member& member_;
  std::uint64_t received_[512];
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// A message to the next rank that is under way while collectives run.
class LargeMessage {
 public:
  explicit LargeMessage(const Member& member) : member_(member), sent_(large_elements), received_(large_elements) {}

  void start(std::uint64_t round) {
    round_ = round;
    std::ranges::fill(sent_, scramble(round, member_.rank));
    MPI_Irecv(received_.data(), large_elements, MPI_UINT64_T, from(), 0, member_.comm, &requests_[0]);
    MPI_Isend(sent_.data(), large_elements, MPI_UINT64_T, (member_.rank + 1) % member_.size, 0, member_.comm,
              &requests_[1]);
  }
  void finish() {
    MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE);
    const std::uint64_t expected = scramble(round_, from());
    if (std::ranges::any_of(received_, [&](std::uint64_t value) { return value != expected; })) {
      fail("round " + std::to_string(round_) + ": a large message arrived damaged");
    }
  }

 private:
  [[nodiscard]] int from() const { return (member_.rank + member_.size - 1) % member_.size; }

  const Member& member_;
  std::vector<std::uint64_t> sent_, received_;
  MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::uint64_t round_ = 0;
};

// One rank sits in our barrier while another one is in a blocking call for a large message to or from it, and comes to
// the barrier only then.
void meet_after_large_message(const Member& member, const Member& messages, bool sender_waits_in_barrier) {
  std::vector<std::uint64_t> values(large_elements, static_cast<std::uint64_t>(messages.rank));
  MPI_Request request = MPI_REQUEST_NULL;
  if (messages.size < 2) return;
  if (messages.rank == 0 && sender_waits_in_barrier) {
    MPI_Isend(values.data(), large_elements, MPI_UINT64_T, 1, 1, messages.comm, &request);
  }
  if (messages.rank == 0 && !sender_waits_in_barrier) {
    MPI_Irecv(values.data(), large_elements, MPI_UINT64_T, 1, 1, messages.comm, &request);
  }
  if (messages.rank == 1 && sender_waits_in_barrier) {
    MPI_Recv(values.data(), large_elements, MPI_UINT64_T, 0, 1, messages.comm, MPI_STATUS_IGNORE);
  }
  if (messages.rank == 1 && !sender_waits_in_barrier) {
    MPI_Send(values.data(), large_elements, MPI_UINT64_T, 0, 1, messages.comm);
  }
  MPI_Barrier(member.comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void pause_at_random(std::uint64_t number, int rank) {
  const std::uint64_t random = scramble(number, rank, 4);
  if (random % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random / 64 % 300));
}

void run_round(const Member (&members)[2], const Member& messages, std::uint64_t first, std::uint64_t round) {
  for (std::uint64_t number = first; number < first + calls_per_round; ++number) {
    pause_at_random(number, members[0].rank);
    make_known_call(members[scramble(number, 5) % 2], number, max_elements);
  }
  meet_after_large_message(members[round % 2], messages, round / 2 % 2 == 0);
}

int run(const Arguments& arguments) {
  const std::uint64_t collectives = arguments.number(1, 100000), seed = arguments.number(2, 20260507);
  const Member world(MPI_COMM_WORLD);
  MPI_Comm backwards, others;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &backwards);
  MPI_Comm_dup(MPI_COMM_WORLD, &others);
  const Member messages(others);  // where no receive from anybody waits
  const Member members[] = {world, Member(backwards)};
  {
    Trap traps[] = {Trap(members[0]), Trap(members[1])};
    LargeMessage large(messages);
    const std::uint64_t rounds = (collectives + calls_per_round - 1) / calls_per_round;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::string setting = setting_of(round);
      now_doing("storm, seed " + std::to_string(seed) + ", round " + std::to_string(round) + ", \"" + setting + "\"");
      if (const std::string error = force(setting); !error.empty()) fail(error);
      const bool is_large_round = round % 4 == 0;
      if (is_large_round) large.start(round);
      run_round(members, messages, seed + round * calls_per_round, round);
      if (is_large_round) large.finish();
      traps[round % 2].spring(round);
    }
  }
  MPI_Comm_free(&backwards);
  MPI_Comm_free(&others);
  const CallCounts counted = all_calls();
  return conclude("\"collectives\": " + std::to_string(collectives) + ", \"seed\": " + std::to_string(seed) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
