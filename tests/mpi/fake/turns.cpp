// SPDX-License-Identifier: Apache-2.0
#include "fake/turns.hpp"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <random>
#include <thread>
#include <utility>

namespace espalier::fake {

namespace {

// More than the polls after which MpiPort looks whether its call was ended from outside.
constexpr int max_empty_turns = 300000;

// Not the C++ library's, which yields.
class Semaphore {
 public:
  Semaphore() { sem_init(&semaphore_, 0, 0); }
  ~Semaphore() { sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  void release() { sem_post(&semaphore_); }
  void acquire() {
    while (sem_wait(&semaphore_) != 0) continue;
  }

 private:
  sem_t semaphore_{};
};

struct Thread {
  Semaphore turn;
  bool is_running = true;
};

std::deque<Thread> threads;  // empty outside of run_threads()
std::size_t whose_turn = 0;
int empty_turns = 0;
std::optional<std::minstd_rand> shuffle;  // none: one after the other

thread_local std::size_t my_thread = 0;
thread_local Rank this_rank = 0;
thread_local std::function<void()> resume;

// Comes back to this thread if there is no other.
void give_to_next() {
  if (shuffle) whose_turn = (*shuffle)() % threads.size();
  for (std::size_t k = 0; k < threads.size(); ++k) {
    whose_turn = (whose_turn + 1) % threads.size();
    if (threads[whose_turn].is_running) return threads[whose_turn].turn.release();
  }
}

void run_thread(std::size_t number, const Body& body) {
  my_thread = number;
  this_rank = body.rank;
  threads[number].turn.acquire();
  body.run();
  threads[number].is_running = false;
  note_progress();
  give_to_next();
}

}  // namespace

void fail(const std::string& what) {
  std::fprintf(stderr, "fake MPI: rank %d: %s\n", this_rank, what.c_str());
  std::abort();
}

void run_threads(const std::vector<Body>& bodies) {
  for (std::size_t k = 0; k < bodies.size(); ++k) threads.emplace_back();
  empty_turns = 0;
  {
    std::vector<std::jthread> running;
    for (std::size_t k = 0; k < bodies.size(); ++k) running.emplace_back([&bodies, k] { run_thread(k, bodies[k]); });
    threads[whose_turn = 0].turn.release();
  }
  threads.clear();
}

void run_threads_shuffled(const std::vector<Body>& bodies, unsigned seed) {
  shuffle.emplace(seed);
  run_threads(bodies);
  shuffle.reset();
}

void run_ranks(Rank size, const std::function<void(Rank)>& body) {
  std::vector<Body> bodies;
  for (Rank rank = 0; rank < size; ++rank) bodies.push_back({rank, [&body, rank] { body(rank); }});
  run_threads(bodies);
}

Rank my_rank() { return this_rank; }

SpeakingFor::SpeakingFor(Rank rank) : before_(std::exchange(this_rank, rank)) {}
SpeakingFor::~SpeakingFor() { this_rank = before_; }

void on_resuming(std::function<void()> work) {
  resume = std::move(work);
  resume();
}

void note_progress() { empty_turns = 0; }

void pass_on() {
  if (++empty_turns > max_empty_turns) fail("waits endlessly");
  if (threads.empty()) return;
  give_to_next();
  threads[my_thread].turn.acquire();
  if (resume) resume();
}

}  // namespace espalier::fake

// In the place of the C library's. Outside of jobs there are no turns: a sanitizer yields, too, when the program ends.
extern "C" int sched_yield() noexcept {
  if (espalier::fake::threads.empty()) return static_cast<int>(syscall(SYS_sched_yield));
  espalier::fake::pass_on();
  return 0;
}
