// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/hwloc_reader.hpp"

#include <hwloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace espalier {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 26;  // of a description
constexpr unsigned max_seconds = 20;                     // to read it
constexpr int max_ports = 4;                             // of an InfiniBand device

class Topology {
 public:
  Topology() {
    if (hwloc_topology_init(&handle_) != 0) throw std::runtime_error("hwloc does not start");
    // Devices on buses, without those that only software makes.
    hwloc_topology_set_io_types_filter(handle_, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  }
  ~Topology() { hwloc_topology_destroy(handle_); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  [[nodiscard]] hwloc_topology_t get() const { return handle_; }

 private:
  hwloc_topology_t handle_ = nullptr;
};

hwloc_obj_t pci_device_of(hwloc_obj_t object) {
  while (object != nullptr && object->type != HWLOC_OBJ_PCI_DEVICE) object = object->parent;
  return object;
}

std::string bus_text(const hwloc_obj_attr_u::hwloc_pcidev_attr_s& pci) {
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", static_cast<unsigned>(pci.domain), pci.bus, pci.dev, pci.func);
  return text;
}

int numa_node_near(hwloc_topology_t topology, hwloc_obj_t device) {
  const hwloc_const_bitmap_t near = hwloc_get_non_io_ancestor_obj(topology, device)->nodeset;
  return near != nullptr && hwloc_bitmap_weight(near) == 1 ? hwloc_bitmap_first(near) : several_numa_nodes;
}

// Of a link of this node, from a file that holds a number of megabits per second (or -1), or "100 Gb/sec (...)".
double rate_in(const std::string& file, double unit) {
  double value = 0;
  std::ifstream stream(file);
  return stream >> value && value > 0 ? value * unit / 8 : 0;
}

// Of the fastest port: one that is down says its slowest rate.
double rate_of_ports(const std::string& device) {
  double fastest = 0;
  for (int port = 1; port <= max_ports; ++port) {
    fastest = std::max(fastest, rate_in(device + "/ports/" + std::to_string(port) + "/rate", 1e9));
  }
  return fastest;
}

double rate_here(const Nic& nic) {
  if (nic.kind == "network") return rate_in("/sys/class/net/" + nic.name + "/speed", 1e6);
  return rate_of_ports("/sys/class/infiniband/" + nic.name);
}

// From hwloc 3 on a device may be of several types: InfiniBand is a network, too.
bool has_type(hwloc_obj_t device, unsigned long type) {
#if HWLOC_API_VERSION >= 0x00030000
  return (device->attr->osdev.types & type) != 0;
#else
  return device->attr->osdev.type == type;
#endif
}

// Empty for devices of other kinds.
std::string kind_of(hwloc_obj_t device) {
  if (has_type(device, HWLOC_OBJ_OSDEV_OPENFABRICS)) return "openfabrics";
  return has_type(device, HWLOC_OBJ_OSDEV_NETWORK) ? "network" : "";
}

std::vector<Nic> nics_of(hwloc_topology_t topology) {
  std::vector<Nic> nics;
  for (hwloc_obj_t device = nullptr; (device = hwloc_get_next_osdev(topology, device)) != nullptr;) {
    const std::string kind = kind_of(device);
    const hwloc_obj_t pci = pci_device_of(device);
    if (kind.empty() || pci == nullptr || device->name == nullptr) continue;
    nics.push_back({device->name, kind, bus_text(pci->attr->pcidev), numa_node_near(topology, device)});
    if (hwloc_topology_is_thissystem(topology) != 0) nics.back().bytes_per_second = rate_here(nics.back());
  }
  return nics;
}

NodeParts parts_of(hwloc_topology_t topology) {
  const auto count = [&](hwloc_obj_type_t type) { return std::max(hwloc_get_nbobjs_by_type(topology, type), 0); };
  return {.packages = count(HWLOC_OBJ_PACKAGE),
          .numa_nodes = count(HWLOC_OBJ_NUMANODE),
          .cores = count(HWLOC_OBJ_CORE),
          .processing_units = count(HWLOC_OBJ_PU),
          .nics = nics_of(topology)};
}

// The 3 of <topology version="3.0">; 0 where there is none.
unsigned format_of(const std::string& text) {
  const std::size_t begin = text.find("<topology");
  const std::size_t end = std::min(text.find('>', begin), text.size());
  constexpr std::string_view key = "version=\"";
  const std::size_t version = text.find(key, begin);
  unsigned format = 0;
  if (begin != text.npos && version < end) std::from_chars(&text[version + key.size()], &text[end], format);
  return format;
}

// hwloc does not read what newer ones export, unless these are told to write as it does.
void check_format(const std::string& text, const std::string& file) {
  const unsigned theirs = format_of(text), ours = hwloc_get_api_version() >> 16;
  if (theirs <= ours) return;
  const std::string here = std::to_string(ours);
  throw BadDescription(file, 1,
                       "an export of hwloc " + std::to_string(theirs) + ", which hwloc " + here +
                           ", the one here, does not read; allowed: what `lstopo --export-xml-flags v" + here +
                           " FILE.xml` writes on that node");
}

// Nothing if hwloc refuses it.
std::optional<NodeParts> imported(const std::string& text) {
  const Topology topology;
  if (hwloc_topology_set_xmlbuffer(topology.get(), text.c_str(), static_cast<int>(text.size()) + 1) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    return std::nullopt;
  }
  return parts_of(topology.get());
}

// This process may end by it, without a word.
[[noreturn]] void rehearse(const std::string& text) {
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) std::signal(number, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  alarm(max_seconds);
  _exit(imported(text) ? 0 : 1);
}

// hwloc trusts what it imports: some texts, such as an object without a set of its processors, crash it (its pull
// requests 783, 800 and 816 of 2026 mend some of this). So another process reads it first.
bool is_survived(const std::string& text) {
  const pid_t child = fork();
  if (child == 0) rehearse(text);
  if (child < 0) throw std::runtime_error(std::string("no process to read it in: ") + std::strerror(errno));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int NodeParts::nic_devices() const {
  std::set<std::string> buses;
  for (const Nic& nic : nics) buses.insert(nic.bus);
  return static_cast<int>(buses.size());
}

NodeParts node_from_hwloc(const std::string& text, const std::string& file) {
  check_format(text, file);
  std::optional<NodeParts> parts;
  if (text.size() < max_bytes && is_survived(text)) parts = imported(text);
  if (parts) return *std::move(parts);
  throw BadDescription(file, 1,
                       "hwloc does not understand it; allowed: a node's export, as `lstopo FILE.xml` writes it");
}

NodeParts this_node() {
  const Topology topology;
  if (hwloc_topology_load(topology.get()) != 0) {
    throw std::runtime_error(std::string("hwloc does not find out what this node is: ") + std::strerror(errno));
  }
  return parts_of(topology.get());
}

}  // namespace espalier
