// SPDX-License-Identifier: Apache-2.0
#include "simulate/simgrid.hpp"

#include <algorithm>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

// clang-format off: it does not go before the others.
#include <simgrid/version.h>
// clang-format on

namespace espalier {

namespace {

namespace s4u = simgrid::s4u;
namespace routing = simgrid::kernel::routing;
using simgrid::kernel::timer::Timer;

constexpr bool is_simgrid_4 = SIMGRID_VERSION >= 40000;

// Its only route is the one that is asked for.
class ComputedZone : public routing::NetZoneImpl {
 public:
  ComputedZone(const std::string& name, const Wiring& wiring) : NetZoneImpl(name), wiring_(wiring) {
#if SIMGRID_VERSION >= 40000
    set_parent(s4u::Engine::get_instance()->get_netzone_root()->get_impl());
#endif
    for (std::size_t k = 0; k < wiring.links().size(); ++k) links_.push_back(add_link(k, wiring.links()[k]));
  }

  // Hosts are numbered in the order in which they are added.
  s4u::Host* add_host(int number) {
    const std::string name = "h" + std::to_string(number);
#if SIMGRID_VERSION >= 40000
    return get_iface()->add_host(name, 1e9);
#else
    return get_iface()->create_host(name, 1e9)->seal();
#endif
  }

  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* route,
                       double* /*latency*/) override {
    const auto ports = static_cast<unsigned long>(wiring_.ports());
    const auto at = [&](const routing::NetPoint* point) {
      return SimGrid::End{static_cast<int>(point->id() / ports), static_cast<int>(point->id() % ports)};
    };
    const SimGrid::End source = at(from), target = at(to);
    numbers_.clear();
    wiring_.route(source.node, source.port, target.node, target.port, numbers_);
    for (const int number : numbers_) route->link_list_.push_back(links_[static_cast<std::size_t>(number)]->get_impl());
  }

  void get_graph(const s_xbt_graph_t* /*graph*/, std::map<std::string, xbt_node_t, std::less<>>* /*nodes*/,
                 std::map<std::string, xbt_edge_t, std::less<>>* /*edges*/) override {}

 private:
  s4u::Link* add_link(std::size_t number, double rate) {
    const std::string name = "l" + std::to_string(number);
#if SIMGRID_VERSION >= 40000
    s4u::Link* link = get_iface()->add_link(name, rate);
#else
    s4u::Link* link = get_iface()->create_link(name, rate);
#endif
    link->set_latency(0);
    link->seal();
    return link;
  }

  const Wiring& wiring_;
  std::vector<s4u::Link*> links_;
  std::vector<int> numbers_;
};

// Links share their rate among the messages on them, exactly; no headers, no windows. Times are to picoseconds.
std::vector<std::string> arguments() {
  return {"espalier-simulate",         "--log=root.thres:warning",
          "--cfg=network/model:CM02",  "--cfg=network/crosstraffic:0",
          "--cfg=network/TCP-gamma:0", is_simgrid_4 ? "--cfg=precision/timing:1e-12" : "--cfg=surf/precision:1e-12"};
}

}  // namespace

struct SimGrid::Platform {
  explicit Platform(const Wiring& wiring) : wiring_ports(wiring.ports()) {
    std::vector<std::string> words = arguments();
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    int argc = static_cast<int>(argv.size());
    engine = std::make_unique<s4u::Engine>(&argc, argv.data());
    auto* zone = new ComputedZone("machine", wiring);  // which the engine destroys
    for (int k = 0; k < wiring.nodes() * wiring.ports(); ++k) hosts.push_back(zone->add_host(k));
    zone->get_iface()->seal();
    const auto completed = [this](const auto& activity) {
      listener.moved(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(activity.template get_data<void>())));
    };
#if SIMGRID_VERSION >= 33500
    s4u::Comm::on_completion_cb([completed](const s4u::Comm& comm) { completed(comm); });
#else
    s4u::Activity::on_completion_cb([completed](const s4u::Activity& activity) { completed(activity); });
#endif
  }

  [[nodiscard]] s4u::Host* host(End end) const {
    return hosts[static_cast<std::size_t>(end.node * wiring_ports + end.port)];
  }

  int wiring_ports;
  std::unique_ptr<s4u::Engine> engine;
  std::vector<s4u::Host*> hosts;
  std::vector<s4u::CommPtr> comms;  // by message: the last one
  MoveListener listener;
  Timer* alarm = nullptr;
  double began = 0;
};

SimGrid::SimGrid(const Wiring& wiring) : parts_(std::make_unique<Platform>(wiring)) {}
SimGrid::~SimGrid() = default;

void SimGrid::start(std::uint32_t message, End from, End to, double bytes, double max_bytes_per_second) {
  // 3.32 starts it as soon as it has both ends: what else there is comes before.
  s4u::CommPtr comm = s4u::Comm::sendto_init();
  if (max_bytes_per_second > 0) comm->set_rate(max_bytes_per_second);
  comm->set_payload_size(static_cast<std::uint64_t>(bytes));
  comm->set_data(reinterpret_cast<void*>(static_cast<std::uintptr_t>(message)));
  if (parts_->comms.size() <= message) parts_->comms.resize(message + 1);
  parts_->comms[message] = comm;
  comm->set_source(parts_->host(from))->set_destination(parts_->host(to));
  if (comm->get_state() != s4u::Activity::State::STARTED) comm->start();
}

void SimGrid::set_alarm(double seconds) {
  Platform& parts = *parts_;
  if (parts.alarm != nullptr) parts.alarm->remove();
  // What rounds to the past is now.
  parts.alarm = Timer::set(std::max(parts.began + seconds, s4u::Engine::get_clock()), [&parts] {
    parts.alarm = nullptr;
    parts.listener.alarm();
  });
}

double SimGrid::now() const { return s4u::Engine::get_clock() - parts_->began; }

void SimGrid::run(const MoveListener& listener, const std::function<void()>& begin) {
  parts_->listener = listener;
  parts_->began = s4u::Engine::get_clock();
  begin();
  parts_->engine->run();
}

const char* simgrid_version() {
  static const std::string version =
      std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
  return version.c_str();
}

}  // namespace espalier
