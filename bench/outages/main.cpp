// SPDX-License-Identifier: Apache-2.0
// Makes broadcasts, all-reductions and exchanges with neighbours for some time and checks every byte that they give,
// also that nothing is written into their buffers after they have ended. Prints JSON: how many calls there were, and
// when the long ones began and how long they took. Meanwhile somebody else breaks the network.
//
//     espalier-bench-outages SECONDS BYTES LONG_SECONDS
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

struct LongCall {
  double began = 0, seconds = 0;
};

enum class Kind : std::uint8_t { broadcast, reduction, exchange };

struct Buffers {
  explicit Buffers(std::size_t count) : input(count), output(count) {}
  std::vector<std::int64_t> input, output;
  MPI_Request exchange = MPI_REQUEST_NULL;
};

class Outages {
 public:
  Outages(double seconds, std::size_t bytes, double long_seconds)
      : seconds_(seconds), long_seconds_(long_seconds), now_(bytes / 8), before_(bytes / 8) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    init_exchanges();
  }
  Outages(const Outages&) = delete;
  Outages& operator=(const Outages&) = delete;
  ~Outages() {
    for (Buffers* const buffers : {&now_, &before_}) MPI_Request_free(&buffers->exchange);
    MPI_Comm_free(&neighbours_);
  }

  void run() {
    start_ = MPI_Wtime();
    for (bool goes_on = true; goes_on && status_ == MPI_SUCCESS; ++calls_) {
      const double began = MPI_Wtime();
      make_call();
      const double took = MPI_Wtime() - began;
      if (took > long_seconds_) long_.push_back({began - start_, took});
      check();
      goes_on = status_ == MPI_SUCCESS && agree_to_go_on();
    }
  }

  void print() const {
    long long wrong = wrong_, all = 0;
    if (status_ == MPI_SUCCESS) MPI_Reduce(&wrong, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (status_ != MPI_SUCCESS) std::fprintf(stderr, "rank %d: error %d in call %lld\n", rank_, status_, calls_);
    if (rank_ != 0) return;
    std::printf("{\"calls\": %lld, \"wrong_bytes\": %lld, \"error\": %d, \"long\": [", calls_, all * 8, status_);
    const char* separator = "";
    for (const LongCall& call : long_) {
      std::printf("%s{\"began_s\": %.3f, \"seconds\": %.3f}", std::exchange(separator, ", "), call.began, call.seconds);
    }
    std::printf("]}\n");
  }

 private:
  [[nodiscard]] static Kind kind_of(long long call) { return static_cast<Kind>(call % 3); }
  [[nodiscard]] static int root_of(long long call, int size) { return static_cast<int>(call / 3 % size); }

  // The k-th block goes so far, and the k-th comes from as far behind.
  static constexpr std::array steps = {1, -1, 2, -2};
  [[nodiscard]] int at_distance(int step) const { return (rank_ + step + 2 * size_) % size_; }
  [[nodiscard]] std::size_t block() const { return now_.input.size() / steps.size(); }

  void init_exchanges() {
    std::array<int, steps.size()> to{}, from{};
    for (std::size_t k = 0; k < steps.size(); ++k) {
      to[k] = at_distance(steps[k]);
      from[k] = at_distance(-steps[k]);
    }
    constexpr std::array weights = {1, 1, 1, 1};
    constexpr auto count = static_cast<int>(steps.size());
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, from.data(), weights.data(), count, to.data(), weights.data(),
                                   MPI_INFO_NULL, 0, &neighbours_);
    MPI_Comm_set_errhandler(neighbours_, MPI_ERRORS_RETURN);
    const auto elements = static_cast<int>(block());
    for (Buffers* const buffers : {&now_, &before_}) {
      MPI_Neighbor_alltoall_init(buffers->input.data(), elements, MPI_INT64_T, buffers->output.data(), elements,
                                 MPI_INT64_T, neighbours_, MPI_INFO_NULL, &buffers->exchange);
    }
  }

  [[nodiscard]] std::int64_t given(int rank, std::size_t k, long long call) const {
    return rank + static_cast<std::int64_t>(k) + call;
  }
  [[nodiscard]] std::int64_t expected(std::size_t k, long long call) const {
    switch (kind_of(call)) {
      case Kind::broadcast: return given(root_of(call, size_), k, call);
      case Kind::reduction: return size_ * given(0, k, call) + std::int64_t{size_} * (size_ - 1) / 2;
      case Kind::exchange: break;
    }
    return k < steps.size() * block() ? given(at_distance(-steps[k / block()]), k, call) : -1;
  }

  // The buffers of two calls by turns: what is written late into those of the last call is found.
  void make_call() {
    std::swap(now_, before_);
    const Kind kind = kind_of(calls_);
    const bool gives = kind == Kind::broadcast && rank_ == root_of(calls_, size_);
    for (std::size_t k = 0; k < now_.input.size(); ++k) {
      now_.input[k] = given(rank_, k, calls_);
      now_.output[k] = gives ? now_.input[k] : -1;
    }
    status_ = make_call(kind, static_cast<int>(now_.input.size()));
  }
  [[nodiscard]] int make_call(Kind kind, int count) {
    switch (kind) {
      case Kind::broadcast:
        return MPI_Bcast(now_.output.data(), count, MPI_INT64_T, root_of(calls_, size_), MPI_COMM_WORLD);
      case Kind::reduction:
        return MPI_Allreduce(now_.input.data(), now_.output.data(), count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
      case Kind::exchange: break;
    }
    const int status = MPI_Start(&now_.exchange);
    return status == MPI_SUCCESS ? MPI_Wait(&now_.exchange, MPI_STATUS_IGNORE) : status;
  }

  void check() {
    if (status_ != MPI_SUCCESS) return;
    for (std::size_t k = 0; k < now_.output.size(); ++k) {
      wrong_ += now_.output[k] != expected(k, calls_) ? 1 : 0;
      wrong_ += calls_ > 0 && before_.output[k] != expected(k, calls_ - 1) ? 1 : 0;
    }
  }

  [[nodiscard]] bool agree_to_go_on() {
    std::int64_t mine = MPI_Wtime() - start_ < seconds_ ? 1 : 0, all = 0;
    status_ = MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
  }

  const double seconds_, long_seconds_;
  int rank_ = 0, size_ = 1, status_ = MPI_SUCCESS;
  double start_ = 0;
  long long calls_ = 0, wrong_ = 0;
  Buffers now_, before_;
  MPI_Comm neighbours_ = MPI_COMM_NULL;
  std::vector<LongCall> long_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SECONDS BYTES LONG_SECONDS\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  {
    Outages outages(std::atof(argv[1]), static_cast<std::size_t>(std::atoll(argv[2])), std::atof(argv[3]));
    outages.run();
    outages.print();
  }
  MPI_Finalize();
  return 0;
}
