// SPDX-License-Identifier: Apache-2.0
// espalier-delay DEVICE DEVICE MILLISECONDS: holds every frame between two devices of a network namespace back for so
// long, in both directions. It stands in for the kernel's netem where that is missing. A frame leaves so long after the
// kernel received it, whatever this process did meanwhile; headers for large frames pass through (PACKET_VNET_HDR).
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <vector>

namespace {

using Nanoseconds = long long;

constexpr std::size_t max_frame_bytes = 66000;
constexpr std::size_t max_frames = 8192;
constexpr Nanoseconds second = 1'000'000'000;

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * second + time.tv_nsec;
}

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "espalier-delay: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

void set(int socket, int level, int name, int value) { setsockopt(socket, level, name, &value, sizeof value); }

int open_device(const char* name) {
  const int socket = ::socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
  if (socket < 0) fail("socket");
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(if_nametoindex(name));
  if (address.sll_ifindex == 0 || bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail(name);
  set(socket, SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20);
  set(socket, SOL_SOCKET, SO_SNDBUFFORCE, 16 << 20);
  set(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1);
  set(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
  set(socket, SOL_PACKET, PACKET_QDISC_BYPASS, 1);
  set(socket, SOL_PACKET, PACKET_VNET_HDR, 1);
  packet_mreq all{};
  all.mr_ifindex = address.sll_ifindex;
  all.mr_type = PACKET_MR_PROMISC;
  setsockopt(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all);
  return socket;
}

// Frames in flight in one direction.
class DelayLine {
 public:
  DelayLine(int from, int to, Nanoseconds delay) : from_(from), to_(to), delay_(delay) {}

  void send_due() {
    while (!waiting_.empty() && waiting_.front().due <= now()) {
      const DelayedFrame& frame = waiting_.front();
      if (send(to_, frame.bytes.data(), frame.bytes.size(), 0) < 0 && errno == EAGAIN) return;
      waiting_.pop_front();
    }
  }

  [[nodiscard]] Nanoseconds next_due() const { return waiting_.empty() ? now() + second : waiting_.front().due; }

  void receive() {
    while (waiting_.size() < max_frames) {
      std::array<char, 256> control{};
      iovec vector{buffer_.data(), buffer_.size()};
      msghdr message{};
      message.msg_iov = &vector;
      message.msg_iovlen = 1;
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      const ssize_t bytes = recvmsg(from_, &message, 0);
      if (bytes <= 0) return;
      waiting_.push_back({received_at(message) + delay_, {buffer_.begin(), buffer_.begin() + bytes}});
    }
  }

 private:
  struct DelayedFrame {
    Nanoseconds due;
    std::vector<char> bytes;
  };

  static Nanoseconds received_at(msghdr& message) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec time{};
      std::memcpy(&time, CMSG_DATA(part), sizeof time);
      return time.tv_sec * second + time.tv_nsec;
    }
    return now();
  }

  const int from_, to_;
  const Nanoseconds delay_;
  std::deque<DelayedFrame> waiting_;
  std::vector<char> buffer_ = std::vector<char>(max_frame_bytes);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: espalier-delay DEVICE DEVICE MILLISECONDS\n");
    return 2;
  }
  const auto delay = static_cast<Nanoseconds>(std::atof(argv[3]) * 1e6);
  const int sockets[] = {open_device(argv[1]), open_device(argv[2])};
  DelayLine lines[] = {{sockets[0], sockets[1], delay}, {sockets[1], sockets[0], delay}};
  prctl(PR_SET_TIMERSLACK, 1UL);  // nanoseconds
  for (;;) {
    for (DelayLine& line : lines) line.send_due();
    const Nanoseconds wait =
        std::clamp<Nanoseconds>(std::min(lines[0].next_due(), lines[1].next_due()) - now(), 0, second);
    const timespec time{static_cast<time_t>(wait / second), static_cast<long>(wait % second)};
    pollfd files[] = {{sockets[0], POLLIN, 0}, {sockets[1], POLLIN, 0}};
    if (ppoll(files, 2, &time, nullptr) <= 0) continue;
    for (int side = 0; side < 2; ++side) {
      if ((files[side].revents & POLLIN) != 0) lines[side].receive();
    }
  }
}
