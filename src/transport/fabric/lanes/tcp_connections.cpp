// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/lanes/tcp_connections.hpp"

#include <linux/filter.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "transport/fabric/lanes/descriptors.hpp"

namespace espalier {

namespace {

// Sent again once at least, and then nothing for so long: far longer than a network delays packets that it delivers.
constexpr std::uint32_t silent_ms = 700;
constexpr int max_empty_tries = 2;   // to connect
constexpr int max_empty_probes = 2;  // a second apart, and a second after the last word

// States, from a header that does not get on with this one: TCP_ESTABLISHED and so on.
constexpr int established = 1, syn_sent = 2, syn_received = 3, close_wait = 8;

using Address = sockaddr_in;

Address address_in(const EndpointName& name) {
  Address address{};
  std::memcpy(&address, name.data(), sizeof address);
  return address;
}

bool is_same(const Address& a, const Address& b) {
  return a.sin_addr.s_addr == b.sin_addr.s_addr && a.sin_port == b.sin_port;
}

std::optional<Address> asked(int descriptor, decltype(&getsockname) ask) {
  Address address{};
  socklen_t bytes = sizeof address;
  if (ask(descriptor, reinterpret_cast<sockaddr*>(&address), &bytes) != 0 || address.sin_family != AF_INET) return {};
  return address;
}

enum class Relation : std::uint8_t { other, joined, connecting };

// The side that connected has a port that nobody knows; the other one has that of its endpoint.
Relation relation_of(int descriptor, const Address& here, const Address& there) {
  const std::optional<Address> near = asked(descriptor, getsockname), far = asked(descriptor, getpeername);
  if (!near || near->sin_addr.s_addr != here.sin_addr.s_addr) return Relation::other;
  if (!far) return Relation::connecting;  // to whom, nobody says
  const bool goes_there = is_same(*far, there);
  const bool arrived_here = is_same(*near, here) && far->sin_addr.s_addr == there.sin_addr.s_addr;
  return goes_there || arrived_here ? Relation::joined : Relation::other;
}

std::optional<tcp_info> info_of(int descriptor) {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &bytes) != 0) return {};
  return info;
}

// Where nothing is under way nothing is acknowledged: then the kernel asks the other one, which answers although its
// process is busy.
void ask_when_silent(int descriptor) {
  constexpr int yes = 1, seconds = 1, many = 127;  // tries until the connection would be ended
  (void)setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds);
  (void)setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &seconds, sizeof seconds);
  (void)setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &many, sizeof many);
  (void)setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
}

Pulse pulse_of(int descriptor, Relation relation) {
  const std::optional<tcp_info> info = info_of(descriptor);
  if (!info) return Pulse::none;
  if (relation == Relation::connecting) {
    return info->tcpi_state == syn_sent && info->tcpi_retransmits >= max_empty_tries ? Pulse::dead : Pulse::none;
  }
  const bool is_silent = info->tcpi_unacked > 0 && info->tcpi_retransmits > 0 && info->tcpi_last_ack_recv >= silent_ms;
  const bool gives_no_answer = info->tcpi_unacked == 0 && info->tcpi_probes >= max_empty_probes;
  if (!is_silent && !gives_no_answer) ask_when_silent(descriptor);
  return is_silent || gives_no_answer ? Pulse::dead : Pulse::alive;
}

bool is_listening(int descriptor) {
  int listens = 0;
  socklen_t bytes = sizeof listens;
  return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes) == 0 && listens != 0;
}

bool is_open(int descriptor) {
  const std::optional<tcp_info> info = info_of(descriptor);
  if (!info) return false;
  return info->tcpi_state == established || info->tcpi_state == syn_received || info->tcpi_state == close_wait;
}

}  // namespace

Pulse pulse_between(const EndpointName& here, const EndpointName& there) {
  const Address near = address_in(here), far = address_in(there);
  if (near.sin_family != AF_INET || far.sin_family != AF_INET) return Pulse::none;
  Pulse joined = Pulse::none, connecting = Pulse::none;
  for_each_descriptor([&](int descriptor) {
    const Relation relation = relation_of(descriptor, near, far);
    if (relation == Relation::joined) joined = std::max(joined, pulse_of(descriptor, relation));
    if (relation == Relation::connecting) connecting = std::max(connecting, pulse_of(descriptor, relation));
  });
  return joined != Pulse::none ? joined : connecting;
}

bool end_connections_to(const EndpointName& here) {
  const Address mine = address_in(here);
  if (mine.sin_family != AF_INET) return false;
  bool any = false;
  for_each_descriptor([&](int descriptor) {
    const std::optional<Address> near = asked(descriptor, getsockname);
    if (!near || !is_same(*near, mine) || !is_open(descriptor)) return;
    any = shutdown(descriptor, SHUT_RDWR) == 0 || any;
  });
  return any;
}

// The kernel asks a program whether a listening socket is to see a packet: this one always says no.
void admit_no_more(const EndpointName& here) {
  const Address mine = address_in(here);
  if (mine.sin_family != AF_INET) return;
  sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
  const sock_fprog program = {.len = 1, .filter = &drop_all};
  for_each_descriptor([&](int descriptor) {
    const std::optional<Address> near = asked(descriptor, getsockname);
    if (!near || !is_same(*near, mine) || !is_listening(descriptor)) return;
    (void)setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
  });
}

}  // namespace espalier
