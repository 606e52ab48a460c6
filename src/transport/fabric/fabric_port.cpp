// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/fabric_port.hpp"

#include <algorithm>

#include "transport/fabric/fabric.hpp"
#include "transport/fabric/lanes/lane.hpp"
#include "transport/fabric/protocol/peer.hpp"

namespace espalier {

namespace {

using Guard = std::lock_guard<FabricLock>;

// Empty polls before the clock is asked whether to look at lanes.
constexpr int polls_between_watches = 16;

}  // namespace

FabricPort::~FabricPort() {
  if (under_way_) abandon();
}

void FabricPort::reserve(std::size_t tokens) {
  messages_.resize(tokens);
  is_over_.resize(tokens);
  over_.reserve(tokens);
  polled_.reserve(tokens);
}

// One for each peer and channel, for all runs.
template <class End>
End& FabricPort::stream(Streams<End>& streams, Rank peer, Channel channel) {
  auto& end = streams.all[key_of(peer, channel)];
  if (!end) {
    end = std::make_unique<End>(*this, messages_, fabric_.peer(world_ranks_[peer]), channel);
    streams.of_run.reserve(streams.all.size());
  }
  return *end;
}

void FabricPort::open(const Reach& reach, std::vector<Opening> openings) {
  reach_ = reach;
  openings_ = std::move(openings);
  const Guard guard(fabric_.lock());
  for (const Opening& opening : openings_) {
    opened_.push_back(&stream(inlets_, opening.peer, opening.channel));
    opened_.back()->landings = opening.landings;
    opened_.back()->path = opening.path;
  }
}

void FabricPort::begin(std::uint64_t run, const RunMemory& memory) {
  if (under_way_) abandon();  // the application left that run by a jump
  name_.number = run;
  memory_ = memory;
  error_ = 0;
  failed_ = false;
  under_way_ = true;
  begun_ = std::chrono::steady_clock::now();
  bytes_to_send_ = 0;
  was_looked_at_ = false;
  over_.clear();
  std::ranges::fill(is_over_, 0);
  const Guard guard(fabric_.lock());
  try {
    register_sources();
    for (std::size_t k = 0; k < opened_.size(); ++k) {
      begin(*opened_[k], openings_[k].in_scratch ? memory_.scratch : memory_.output);
      grant_all(*opened_[k]);
    }
    for (Inlet* const inlet : opened_) inlet->peer.send_grants();
  } catch (const std::exception&) {
    fail(lack_of_memory);
  }
}

void FabricPort::register_sources() {
  if (!fabric_.registrations().wants_sources()) return;
  const MemoryArea input = {const_cast<std::byte*>(memory_.input), reach_.input};
  for (const MemoryArea& area : {input, output(), scratch()}) {
    if (area.begin != nullptr && area.bytes != 0) sources_.push_back(fabric_.registrations().register_source(area));
  }
}

void FabricPort::close_memory() {
  opened_memory_.clear();
  sources_.clear();
}

// All of that buffer at once: to open each message's own memory would cost a registration for each.
const WritableRegion& FabricPort::open_to_writes(std::byte* data, std::size_t bytes) {
  const auto found = std::ranges::find_if(
      opened_memory_, [&](const RegisteredMemory& memory) { return memory.area.holds(data, bytes); });
  if (found != opened_memory_.end()) return *found;
  for (const MemoryArea& area : {output(), scratch()}) {
    if (area.holds(data, bytes)) return opened_memory_.emplace_back(fabric_.registrations().open_to_writes(area));
  }
  throw NoFabric("a message is to arrive outside of its run's memory");
}

void* FabricPort::descriptor(const std::byte* data, int lane) const {
  const auto found =
      std::ranges::find_if(sources_, [&](const RegisteredMemory& one) { return one.area.holds(data, 1); });
  return found != sources_.end() ? fi_mr_desc(found->of_lane[static_cast<std::size_t>(lane)].get()) : nullptr;
}

void FabricPort::begin(Inlet& inlet, std::byte* base) {
  inlet.restart(base);
  fabric_.inlets().open(inlet);
  inlets_.of_run.push_back(&inlet);
  inlet.is_in_run = true;
  inlet.peer.add(inlet);
}

// Messages side by side are granted together.
void FabricPort::grant_all(const Inlet& inlet) {
  std::uint64_t piece = 0;
  for (std::size_t k = 0; k < inlet.landings.size();) {
    const std::size_t first = inlet.landings[k].offset;
    std::size_t end = first;
    std::uint64_t pieces = 0;
    const bool has_bytes = inlet.landings[k].bytes != 0;
    for (; k < inlet.landings.size() && inlet.landings[k].offset == end && (inlet.landings[k].bytes != 0) == has_bytes;
         ++k) {
      end += inlet.landings[k].bytes;
      pieces += Pieces(inlet.landings[k].bytes, inlet.path).count;
    }
    inlet.peer.grant(inlet, piece, pieces, inlet.base + first, end - first);
    piece += pieces;
  }
}

void FabricPort::send(Token token, const Message& message) {
  const Guard guard(fabric_.lock());
  if (failed_) return;
  try {
    start_send(token, message);
  } catch (const std::exception&) {
    fail(lack_of_memory);
  }
}

void FabricPort::start_send(Token token, const Message& message) {
  Outlet& outlet = stream(outlets_, message.peer, message.channel);
  if (!outlet.is_in_run) {
    outlet.restart();
    outlet.path = message.path;
    outlets_.of_run.push_back(&outlet);
    outlet.is_in_run = true;
    outlet.peer.add(outlet);
  }
  bytes_to_send_ += message.bytes;
  outlet.post(token, message);
  fabric_.turns().add(outlet);
  outlet.peer.write(outlet);
}

void FabricPort::recv(Token token, const Message& message) {
  const Guard guard(fabric_.lock());
  if (failed_) return;
  try {
    Inlet& inlet = stream(inlets_, message.peer, message.channel);
    if (!inlet.is_in_run) {
      inlet.path = message.path;
      begin(inlet, nullptr);
    }
    const std::uint64_t piece = inlet.posted_pieces();
    inlet.post(token, message);
    if (!inlet.landings.empty()) return inlet.complete();
    inlet.peer.grant(inlet, piece, Pieces(message.bytes, inlet.path).count, message.data, message.bytes);
  } catch (const std::exception&) {
    fail(lack_of_memory);
  }
}

// An application that computes meanwhile leaves NICs idle whose next message waits for it.
void FabricPort::note_look() {
  if (std::exchange(was_looked_at_, true)) [[likely]]
    return;
  constexpr std::chrono::duration<double> soon{100e-6};
  constexpr double share = .125;
  const double rate = fabric_.options().nic_bytes_per_second * static_cast<double>(fabric_.lanes().size());
  const std::chrono::duration<double> wait{rate > 0 ? share * static_cast<double>(bytes_to_send_) / rate : 0};
  is_attended_ = std::chrono::steady_clock::now() - begun_ <= std::max(soon, wait);
}

bool FabricPort::test(Token token) {
  const Guard guard(fabric_.lock());
  note_look();
  if (is_over_[token] == 0) (void)fabric_.progress();
  over_.clear();
  return std::exchange(is_over_[token], 0) != 0;
}

void FabricPort::make_progress() {
  const Guard guard(fabric_.lock());
  note_look();
  (void)fabric_.progress();
}

std::span<const Token> FabricPort::poll() {
  const Guard guard(fabric_.lock());
  note_look();
  if (over_.empty()) (void)fabric_.progress();
  polled_.swap(over_);
  over_.clear();
  for (const Token token : polled_) is_over_[token] = 0;
  return polled_;
}

void FabricPort::idle() {
  if (++empty_polls_ % polls_between_watches != 0) return;
  const Guard guard(fabric_.lock());
  fabric_.watch();
}

void FabricPort::forget_streams() {
  for (Inlet* const inlet : inlets_.of_run) {
    fabric_.inlets().close(*inlet);
    inlet->peer.remove(*inlet);
    inlet->is_in_run = false;
  }
  for (Outlet* const outlet : outlets_.of_run) {
    fabric_.turns().remove(*outlet);
    outlet->peer.remove(*outlet);
    outlet->is_in_run = false;
  }
}

void FabricPort::end() {
  const Guard guard(fabric_.lock());
  forget_streams();
  inlets_.of_run.clear();
  outlets_.of_run.clear();
  close_memory();
  under_way_ = false;
}

// Anyone who might still write here, or be written to from here, is fenced off. If another process was lost, those that
// wait for this one are told; an error of this call alone is no matter of theirs.
void FabricPort::abandon() {
  const Guard guard(fabric_.lock());
  forget_streams();
  std::vector<Peer*> peers;
  for (const Inlet* const inlet : inlets_.of_run) peers.push_back(&inlet->peer);
  for (const Outlet* const outlet : outlets_.of_run) peers.push_back(&outlet->peer);
  std::ranges::sort(peers);
  peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
  const bool is_for_all = failed_ && failed_peer_ != no_rank;
  for (Peer* const peer : peers) {
    if (is_for_all) peer->send_abort(run_name());
    peer->fence();
  }
  inlets_.of_run.clear();
  outlets_.of_run.clear();
  close_memory();
  under_way_ = false;
}

}  // namespace espalier
