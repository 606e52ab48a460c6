// SPDX-License-Identifier: Apache-2.0
#include "halo/running_time.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace espalier::halo {

namespace {

// Whatever puts share, by number: engines that send and that receive, nodes in each direction, and links.
class Resources {
 public:
  Resources(const Exchange& exchange, const Engines& engines, const RateLimits& limits)
      : engines_(engines.count), nodes_(exchange.nodes) {
    for (int direction = 0; direction < 2; ++direction) {
      for (int node = 0; node < nodes_; ++node) {
        for (int engine = 0; engine < engines_; ++engine) rates_.push_back(engines.rate(engine));
      }
    }
    rates_.insert(rates_.end(), static_cast<std::size_t>(2 * nodes_), limits.node);
    rates_.insert(rates_.end(), static_cast<std::size_t>(exchange.links), limits.link);
  }

  [[nodiscard]] const std::vector<double>& rates() const { return rates_; }
  // Those that limit it.
  [[nodiscard]] std::vector<int> of(const Put& put, const PlacedPut& at) const {
    const int of_engines = nodes_ * engines_;
    std::vector<int> used = {put.from * engines_ + at.source_engine, of_engines + put.to * engines_ + at.target_engine,
                             2 * of_engines + put.from, 2 * of_engines + nodes_ + put.to};
    for (const int link : put.links) used.push_back(2 * of_engines + 2 * nodes_ + link);
    std::erase_if(used, [&](int one) { return rates_[static_cast<std::size_t>(one)] == RateLimits::none; });
    return used;
  }

 private:
  int engines_, nodes_;
  std::vector<double> rates_;
};

struct Active {
  int put = 0;
  double bytes_left = 0;
  std::vector<int> uses;  // of the resources
  double rate = 0;        // 0: not known yet
};

// Max-min: the resource that gives least to each of its users settles what these get, then the next one does.
class FairShares {
 public:
  explicit FairShares(const std::vector<double>& rates) : rates_(rates), users_(rates.size()) {}

  void settle(std::vector<Active>& active) {
    find_users(active);
    while (!queue_.empty()) {
      const auto [known, resource] = queue_.top();
      queue_.pop();
      Users& users = users_[resource];
      if (users.unsettled == 0) continue;
      // What others settled since it was queued leaves its users more.
      if (const double now = users.share(); now > known) {
        queue_.push({now, resource});
      } else {
        settle_users(users.of, now, active);
      }
    }
  }

 private:
  struct Users {
    std::vector<std::size_t> of;  // of which are active
    int unsettled = 0;
    double rate_left = 0;

    [[nodiscard]] double share() const { return rate_left / unsettled; }
  };
  using FairShare = std::pair<double, std::size_t>;  // of each user, and of which resource

  void find_users(std::vector<Active>& active) {
    for (Users& users : users_) users.of.clear();
    for (std::size_t k = 0; k < active.size(); ++k) {
      active[k].rate = 0;
      for (const int resource : active[k].uses) users_[static_cast<std::size_t>(resource)].of.push_back(k);
    }
    for (std::size_t resource = 0; resource < users_.size(); ++resource) {
      Users& users = users_[resource];
      users.unsettled = static_cast<int>(users.of.size());
      users.rate_left = rates_[resource];
      if (users.unsettled > 0) queue_.push({users.share(), resource});
    }
  }

  void settle_users(const std::vector<std::size_t>& of, double rate, std::vector<Active>& active) {
    for (const std::size_t k : of) {
      if (active[k].rate > 0) continue;
      active[k].rate = rate;
      for (const int used : active[k].uses) {
        users_[static_cast<std::size_t>(used)].rate_left -= rate;
        --users_[static_cast<std::size_t>(used)].unsettled;
      }
    }
  }

  const std::vector<double>& rates_;
  std::vector<Users> users_;  // by resource
  std::priority_queue<FairShare, std::vector<FairShare>, std::greater<>> queue_;
};

class HaloRun {
 public:
  HaloRun(const Packing& packing, const Exchange& exchange, const Engines& engines, const RateLimits& limits)
      : packing_(packing), exchange_(exchange), engines_(engines), resources_(exchange, engines, limits) {
    for (int node = 0; node < exchange.nodes; ++node) {
      for (std::vector<int>& queue : queues_of(packing, exchange, engines, node)) queues_.push_back(std::move(queue));
    }
    next_.resize(queues_.size());
  }

  Packing times() && {
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) begin_next(queue);
    while (!active_.empty() || !waiting_.empty()) step();
    return std::move(packing_);
  }

 private:
  // The engine's next put, at once or when it can begin at all.
  void begin_next(std::size_t queue) {
    if (next_[queue] == queues_[queue].size()) return;
    const double first = engines_.first_begin(static_cast<int>(queue) % engines_.count);
    if (first > now_) {
      waiting_.push_back({first, queue});
      return;
    }
    const auto put = static_cast<std::size_t>(queues_[queue][next_[queue]++]);
    const Put& it = exchange_.puts[put];
    packing_.placements[put].begins = now_;
    active_.push_back(
        {static_cast<int>(put), static_cast<double>(it.bytes), resources_.of(it, packing_.placements[put]), 0});
    queue_of_.push_back(queue);
  }

  // To when something ends or begins.
  void step() {
    shares_.settle(active_);
    double next = RateLimits::none;
    for (const Active& one : active_) next = std::min(next, now_ + one.bytes_left / one.rate);
    for (const WaitingPuts& one : waiting_) next = std::min(next, one.until);
    for (Active& one : active_) one.bytes_left -= one.rate * (next - now_);
    now_ = next;
    end_those_over();
    begin_those_waiting();
  }

  void end_those_over() {
    constexpr double nothing = 1e-6;  // of a byte: what sums leave
    std::vector<std::size_t> free;
    for (std::size_t k = active_.size(); k-- > 0;) {
      if (active_[k].bytes_left > nothing) continue;
      free.push_back(queue_of_[k]);
      packing_.placements[static_cast<std::size_t>(active_[k].put)].ends = now_;
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
      queue_of_.erase(queue_of_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (const std::size_t queue : free) begin_next(queue);
  }

  void begin_those_waiting() {
    std::vector<WaitingPuts> before;
    before.swap(waiting_);
    for (const WaitingPuts& one : before) begin_next(one.queue);
  }

  struct WaitingPuts {
    double until = 0;
    std::size_t queue = 0;
  };

  Packing packing_;  // at its own times, as far as these are known
  const Exchange& exchange_;
  const Engines& engines_;
  Resources resources_;
  FairShares shares_{resources_.rates()};
  std::vector<std::vector<int>> queues_;  // by node and engine
  std::vector<std::size_t> next_;         // of each
  std::vector<Active> active_;
  std::vector<std::size_t> queue_of_;  // of each active put
  std::vector<WaitingPuts> waiting_;
  double now_ = 0;
};

}  // namespace

Packing as_run(const Packing& packing, const Exchange& exchange, const Engines& engines, const RateLimits& limits) {
  return HaloRun(packing, exchange, engines, limits).times();
}

double running_time(const Packing& packing, const Exchange& exchange, const Engines& engines,
                    const RateLimits& limits) {
  return limits.overhead + as_run(packing, exchange, engines, limits).length();
}

Engines engines_of_k_computer() { return {.count = 4, .rates = {3.9e9, 3.9e9, 3.9e9, 3.9e9}, .stagger = 1e-6}; }

// Two engines need 18 us next to their puts, four about 20: of these two and four are the stagger.
RateLimits limits_of_k_computer() { return {.link = 4.8e9, .node = 14e9, .overhead = 16e-6}; }

}  // namespace espalier::halo
