// SPDX-License-Identifier: Apache-2.0
// Requests of all kinds under way at once: nonblocking and persistent collectives, ours and native ones, and messages;
// on several communicators, in several threads. Each rank completes them by functions and in an order of its own, and
// computes in between. Datatypes are freed while they are in use.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 requests [rounds [threads [seed]]]
#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int counts[] = {0, 1, 3, 64, 3000};
constexpr std::uint64_t setting_number = 0;

// MPICH 5's Testall returns an error that is none if a persistent collective of its own is among the requests.
#if defined(MPICH_VERSION)
constexpr bool knows_persistent_collectives = false;
#else
constexpr bool knows_persistent_collectives = true;
#endif

void add(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) static_cast<std::uint64_t*>(inout)[i] += static_cast<std::uint64_t*>(in)[i];
}

// One operation and its request. It is started, perhaps again, completed wherever the request is, and checked.
class Exchange {
 public:
  Exchange() = default;
  virtual ~Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  virtual void start(std::uint64_t time) = 0;
  virtual void check() const = 0;

  MPI_Request request = MPI_REQUEST_NULL;
};

KnownCall::Wish wish_of(const Member& member, Kind kind, std::uint64_t number) {
  KnownCall::Wish wish = KnownCall::wish(member, kind, number, 1);
  wish.count = counts[scramble(number, 1) % std::size(counts)];
  return wish;
}

// What Espalier leaves to the native MPI, if it is there.
bool is_native(const Member& member, const KnownCall& call) {
  const Function& function = call.wish().form.function;
  const bool is_fit = !function.is_uneven || takes_uneven(setting_number, function.contract->collective);
  return !is_active() || member.size == 1 || call.is_empty() || !is_fit;
}

// Its datatypes are the MPI's as soon as it is under way.
class Nonblocking : public Exchange {
 public:
  Nonblocking(const Member& member, std::uint64_t number)
      : member_(member), wish_(wish_of(member, Kind::nonblocking, number)) {}

  void start(std::uint64_t time) override {
    KnownCall::Wish wish = wish_;
    wish.number = scramble(time, wish_.number);
    // With an operation of the application's it is the native MPI's.
    const bool has_own_op = wish.form.function.contract->reduces && scramble(wish_.number, 4) % 8 == 0;
    if (has_own_op) MPI_Op_create(add, 1, &wish.op);
    call_ = std::make_unique<KnownCall>(member_, wish);
    (void)call_->make(&request);
    call_->free_types();
    if (has_own_op) MPI_Op_free(&wish.op);
  }
  void check() const override { call_->check(); }

 private:
  const Member& member_;
  const KnownCall::Wish wish_;
  std::unique_ptr<KnownCall> call_;
};

class Persistent : public Exchange {
 public:
  Persistent(const Member& member, std::uint64_t number)
      : call_(member, wish_of(member, Kind::persistent, number)), is_native_(apps::is_native(member, call_)) {
    if (!is_possible()) return;
    (void)call_.make(&request);
    // Open MPI 5 itself loses the datatype if it is freed now.
    if (!is_native_) call_.free_types();
  }
  ~Persistent() override {
    if (is_possible()) MPI_Request_free(&request);
  }
  [[nodiscard]] bool is_possible() const { return knows_persistent_collectives || !is_native_; }
  void start(std::uint64_t time) override { call_.refill(scramble(time, call_.wish().root, call_.wish().count)); }
  void check() const override { call_.check(); }

 private:
  KnownCall call_;
  const bool is_native_;
};

// To the next rank, or from the one before.
class PointToPoint : public Exchange {
 public:
  PointToPoint(const Member& member, std::uint64_t number, bool sends)
      : member_(member),
        tag_(static_cast<int>(number % 1000)),
        sends_(sends),
        values_(static_cast<std::size_t>(counts[scramble(number, 1) % std::size(counts)])) {}

  void start(std::uint64_t time) override {
    const int before = (member_.rank + member_.size - 1) % member_.size, count = static_cast<int>(values_.size());
    expected_.resize(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) expected_[i] = scramble(time, sends_ ? member_.rank : before, i);
    if (sends_) {
      values_ = expected_;
      MPI_Isend(values_.data(), count, MPI_UINT64_T, (member_.rank + 1) % member_.size, tag_, member_.comm, &request);
    } else {
      MPI_Irecv(values_.data(), count, MPI_UINT64_T, before, tag_, member_.comm, &request);
    }
  }
  void check() const override {
    if (values_ != expected_) fail("message " + std::to_string(tag_) + ", rank " + std::to_string(member_.rank));
  }

 private:
  const Member& member_;
  const int tag_;
  const bool sends_;
  Values values_, expected_;
};

using Exchanges = std::vector<std::unique_ptr<Exchange>>;

void compute(std::uint64_t random) {
  volatile std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < random % 3000; ++i) sum = sum + i;
}

// Completes requests by one of the functions that there are. Persistent ones stay, inactive.
class Completion {
 public:
  Completion(std::vector<MPI_Request>& requests, std::uint64_t random) : requests_(requests), random_(random) {}

  void complete() {
    switch (random_ % 8) {
      case 0: return wait_for_all();
      case 1: return test_for_all();
      case 2: return wait_for_some();
      case 3: return test_for_some();
      case 4: return wait_for_any();
      case 5: return test_for_any();
      case 6: return wait_for_each();
      default: return ask_for_each();
    }
  }

 private:
  [[nodiscard]] int size() const { return static_cast<int>(requests_.size()); }

  void wait_for_all() { MPI_Waitall(size(), requests_.data(), MPI_STATUSES_IGNORE); }
  void test_for_all() {
    for (int done = 0; done == 0; compute(random_)) {
      MPI_Testall(size(), requests_.data(), &done, MPI_STATUSES_IGNORE);
    }
  }
  void wait_for_some() {
    std::vector<int> which(requests_.size());
    for (int count = 0; count != MPI_UNDEFINED; compute(random_)) {
      MPI_Waitsome(size(), requests_.data(), &count, which.data(), MPI_STATUSES_IGNORE);
    }
  }
  void test_for_some() {
    std::vector<int> which(requests_.size());
    for (int count = 0; count != MPI_UNDEFINED; compute(random_)) {
      MPI_Testsome(size(), requests_.data(), &count, which.data(), MPI_STATUSES_IGNORE);
    }
  }
  void wait_for_any() {
    for (int which = 0; which != MPI_UNDEFINED; compute(random_)) {
      MPI_Waitany(size(), requests_.data(), &which, MPI_STATUS_IGNORE);
    }
  }
  void test_for_any() {
    for (int which = 0, done = 0; done == 0 || which != MPI_UNDEFINED; compute(random_)) {
      MPI_Testany(size(), requests_.data(), &which, &done, MPI_STATUS_IGNORE);
    }
  }
  void wait_for_each() {
    for (MPI_Request& request : requests_) {
      compute(random_);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  void ask_for_each() {
    for (MPI_Request& request : requests_) {
      int done = 0;
      if (random_ % 16 < 8) {
        while (done == 0) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
      }
      for (done = 0; done == 0; compute(random_)) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
  }

  std::vector<MPI_Request>& requests_;
  const std::uint64_t random_;
};

template <class T>
void shuffle(std::vector<T>& all, std::uint64_t random) {
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[scramble(random, i) % i]);
}

// What one thread does, on communicators of its own.
class Worker {
 public:
  Worker(const std::vector<Member>& members, std::uint64_t seed) : members_(members), seed_(seed) {}

  // Returns how many requests there were.
  std::uint64_t run(int rounds) {
    for (int round = 0; round < rounds; ++round) run_round(scramble(seed_, round), round % 50 == 0);
    return requests_;
  }

 private:
  const Member& member(std::uint64_t random) const { return members_[random % members_.size()]; }

  void renew_persistent(std::uint64_t random) {
    persistent_.clear();
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t number = scramble(random, i);
      auto call = std::make_unique<Persistent>(member(number), number);
      if (call->is_possible()) persistent_.push_back(std::move(call));
    }
  }

  void start_nonblocking(std::uint64_t random) {
    const int count = static_cast<int>(random % 12);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t number = scramble(random, 20 + i);
      nonblocking_.push_back(std::make_unique<Nonblocking>(member(number), number));
    }
    for (const bool sends : {true, false}) {
      const std::uint64_t number = scramble(random, 50);
      nonblocking_.push_back(std::make_unique<PointToPoint>(member(number), number, sends));
    }
    for (const auto& exchange : nonblocking_) exchange->start(random);
  }

  // Either all at once, or one after the other.
  void start_persistent(std::uint64_t random) {
    std::vector<MPI_Request> requests;
    for (const auto& exchange : persistent_) {
      exchange->start(random);
      requests.push_back(exchange->request);
    }
    if (own_random(random) % 2 == 0) {
      MPI_Startall(static_cast<int>(requests.size()), requests.data());
    } else {
      for (MPI_Request& request : requests) MPI_Start(&request);
    }
  }

  [[nodiscard]] std::uint64_t own_random(std::uint64_t random) const { return scramble(random, members_[0].rank); }

  void complete_all(std::uint64_t random) {
    std::vector<MPI_Request> requests;
    for (const auto& exchange : persistent_) requests.push_back(exchange->request);
    for (const auto& exchange : nonblocking_) requests.push_back(exchange->request);
    shuffle(requests, own_random(random));
    Completion(requests, own_random(random)).complete();
    requests_ += requests.size();
  }

  void run_round(std::uint64_t random, bool renews) {
    if (renews) renew_persistent(random);
    const bool persistent_first = random % 2 == 0;
    if (persistent_first) start_persistent(random);
    start_nonblocking(random);
    if (random % 3 == 0) make_known_call(member(random), random, 100);  // a blocking one in between
    if (!persistent_first) start_persistent(random);
    compute(own_random(random));
    complete_all(random);
    for (const auto& exchange : persistent_) exchange->check();
    for (const auto& exchange : nonblocking_) exchange->check();
    nonblocking_.clear();
  }

  const std::vector<Member>& members_;
  const std::uint64_t seed_;
  Exchanges persistent_, nonblocking_;
  std::uint64_t requests_ = 0;
};

std::vector<Member> make_members(const Member& world) {
  MPI_Comm same, backwards, row;
  MPI_Comm_dup(MPI_COMM_WORLD, &same);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &backwards);
  MPI_Comm_split(MPI_COMM_WORLD, world.rank / 2, world.rank, &row);
  return {Member(same), Member(backwards), Member(row)};
}

// Native until the ranks have agreed on tags, by a blocking call.
void use_once(const std::vector<Member>& members) {
  for (const Member& member : members) make_known_call(member, 1, 100);
  for (const Member& member : members) MPI_Barrier(member.comm);
}

// Returns how many requests this rank had.
std::uint64_t run_threads(const std::vector<std::vector<Member>>& members, int rounds, std::uint64_t seed) {
  std::vector<std::uint64_t> requests(members.size());
  std::vector<std::thread> threads;
  const auto work = [&](std::size_t i) { requests[i] = Worker(members[i], scramble(seed, i)).run(rounds); };
  for (std::size_t i = 1; i < members.size(); ++i) threads.emplace_back(work, i);
  work(0);
  for (std::thread& thread : threads) thread.join();
  std::uint64_t all = 0;
  for (const std::uint64_t one : requests) all += one;
  return all;
}

int run(const Arguments& arguments) {
  const auto rounds = static_cast<int>(arguments.number(1, 1000)), threads = static_cast<int>(arguments.number(2, 1));
  const std::uint64_t seed = arguments.number(3, 20261122);
  const Member world(MPI_COMM_WORLD);
  if (const std::string error = force(own_algorithms(setting_number)); !error.empty()) fail(error);
  std::vector<std::vector<Member>> members;
  for (int i = 0; i < threads; ++i) members.push_back(make_members(world));
  for (const std::vector<Member>& its : members) use_once(its);
  std::uint64_t requests = 0;
  std::size_t early_bytes = 0;
  constexpr int parts = 10;
  for (int part = 0; part < parts; ++part) {
    now_doing("requests, seed " + std::to_string(seed) + ", part " + std::to_string(part), 600);
    requests += run_threads(members, rounds / parts, scramble(seed, part));
    if (part == 1) early_bytes = resident_bytes();
  }
  const std::size_t late_bytes = resident_bytes();
  for (std::vector<Member>& its : members) {
    for (Member& member : its) MPI_Comm_free(&member.comm);
  }
  const CallCounts counted = all_calls();
  return conclude("\"requests\": " + std::to_string(requests) + ", \"seed\": " + std::to_string(seed) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native) +
                  ", \"growth_bytes\": " + std::to_string(late_bytes > early_bytes ? late_bytes - early_bytes : 0));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  const bool has_threads = espalier::apps::Arguments(argc, argv).number(2, 1) > 1;
  return espalier::apps::run_program(argc, argv, espalier::apps::run,
                                     has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
}
