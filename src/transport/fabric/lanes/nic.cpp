// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/nic.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "transport/fabric/lanes/no_fabric.hpp"

namespace espalier {

namespace {

// What container engines make: it joins no hosts.
constexpr std::array<std::string_view, 4> prefixes_of_containers = {"docker", "virbr", "veth", "br-"};

struct Interface {
  FabricNic nic;
  unsigned flags = 0;
};

std::vector<Interface> interfaces() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) throw NoFabric(std::string("getifaddrs: ") + std::strerror(errno));
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
  std::vector<Interface> found;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text.data(), text.size());
    const bool is_first = std::ranges::none_of(found, [&](const Interface& f) { return f.nic.name == one->ifa_name; });
    if (is_first) found.push_back({{one->ifa_name, text.data()}, one->ifa_flags});
  }
  return found;
}

bool joins_hosts(const Interface& interface) {
  constexpr unsigned wanted = IFF_UP | IFF_RUNNING;
  if ((interface.flags & wanted) != wanted || (interface.flags & IFF_LOOPBACK) != 0) return false;
  return std::ranges::none_of(prefixes_of_containers,
                              [&](std::string_view prefix) { return interface.nic.name.starts_with(prefix); });
}

FabricNic nic_named(std::string_view name, const std::vector<Interface>& all) {
  const auto found = std::ranges::find(all, name, [](const Interface& interface) { return interface.nic.name; });
  return found != all.end() ? found->nic : FabricNic{std::string(name), ""};
}

std::vector<std::string_view> split(std::string_view names) {
  std::vector<std::string_view> parts;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    if (comma > 0) parts.push_back(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return parts;
}

}  // namespace

std::vector<FabricNic> find_nics(std::string_view wanted) {
  const std::vector<Interface> all = interfaces();
  std::vector<FabricNic> nics;
  for (const std::string_view name : split(wanted)) {
    if (std::ranges::find(nics, name, &FabricNic::name) != nics.end()) {
      throw NoFabric("ESPALIER_NICS=" + std::string(wanted) + ": " + std::string(name) + " is there twice");
    }
    nics.push_back(nic_named(name, all));
  }
  if (!nics.empty()) return nics;
  for (const Interface& interface : all) {
    if (joins_hosts(interface)) nics.push_back(interface.nic);
  }
  return nics;
}

std::vector<FabricNic> loopback_nic() {
  for (const Interface& interface : interfaces()) {
    if ((interface.flags & IFF_LOOPBACK) != 0) return {interface.nic};
  }
  return {};
}

bool has_carrier(const FabricNic& nic) {
  const int any_socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any_socket < 0) return true;
  ifreq request{};
  nic.name.copy(request.ifr_name, sizeof request.ifr_name - 1);
  const bool is_known = ioctl(any_socket, SIOCGIFFLAGS, &request) == 0;
  close(any_socket);
  constexpr int needed = IFF_UP | IFF_RUNNING;
  return !is_known || (request.ifr_flags & needed) == needed;
}

}  // namespace espalier
