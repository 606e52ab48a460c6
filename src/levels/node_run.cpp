// SPDX-License-Identifier: Apache-2.0
#include "levels/node_run.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <tuple>

#include "engine/progress.hpp"
#include "levels/lent_messages.hpp"
#include "levels/node_traffic.hpp"
#include "schedule/layout.hpp"

namespace espalier {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// What led to an event, as far as it took time.
struct PathToHere {
  double bytes = 0;
  int messages = 0;
};

enum class CoreStep : std::uint8_t {
  send,  // writes a message into the stream, or says that it is there
  take,  // copies what has arrived, or asks for pieces of it
  write_piece,
  take_piece,
  free_again,  // the receiver has read it: the sender may use its memory
  local,       // a reduction or a copy
};

struct CoreWork {
  CoreStep step = CoreStep::local;
  std::uint32_t message = 0;  // all but local
  Item item;                  // local
  double since = 0;           // when it could be done
  PathToHere path;            // that led to it
};

struct MessageOnNode {
  Rank sender = no_rank, receiver = no_rank;
  Item sent, received;
  double bytes = 0;
  bool is_received = false;  // its receive was posted
  bool has_arrived = false;  // it, or its announcement
  PathToHere path;           // to its arrival
  int pieces = 0, written = 0, taken = 0;
  bool is_stalled = false;  // the stream has no room for the next piece
};

struct CoreOfRank {
  std::deque<CoreWork> posted, arrived;
  std::optional<Item> local;
  bool is_busy = false;
  double free_from = 0;
  PathToHere path;
  double bytes = 0;
};

// A core has done its work, or something has come to it.
struct EventOnNode {
  double seconds = 0;
  std::uint64_t number = 0;  // of two at the same time the one that was planned first
  Rank rank = 0;
  bool is_end = false;
  CoreWork work;

  bool operator>(const EventOnNode& other) const {
    return seconds != other.seconds ? seconds > other.seconds : number > other.number;
  }
};

// All messages from one rank to another on one channel, matched first with first: numbers of messages that wait for a
// receive, or receives that wait for a message.
struct PairOnNode {
  std::deque<std::uint32_t> sent;
  std::deque<Item> received;
};

class NodeRun {
 public:
  NodeRun(std::span<const Schedule> ranks, const SimulatedMessage& message, const NodeJob& job)
      : ranks_(ranks),
        job_(job),
        core_costs_(job.node.core()),
        sizes_(handover_sizes(job.handover, static_cast<int>(ranks.size()))),
        element_bytes_(message.element_bytes),
        cores_(ranks.size()) {
    layouts_.reserve(ranks.size());
    progress_.reserve(ranks.size());
    for (const Schedule& schedule : ranks) {
      layouts_.emplace_back(schedule, message.partition, message.window);
      progress_.emplace_back(schedule, layouts_.back().items(), message.window).restart();
      lenders_.push_back(lenders_of(schedule));
    }
    traffic_.emplace(job.node, spilled(message));
  }

  NodeCost cost() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) advance(static_cast<Rank>(rank));
    NodeCost cost;
    while (!events_.empty()) {
      const EventOnNode event = events_.top();
      events_.pop();
      now_ = event.seconds;
      if (!event.is_end) {
        arrive(event.rank, event.work);
        continue;
      }
      end(event.rank, event.work);
      cost.seconds = now_ + core_costs_.call_seconds;
      cost.path_bytes = core(event.rank).path.bytes;
      cost.path_messages = core(event.rank).path.messages;
    }
    if (!std::ranges::all_of(progress_, &Progress::finished)) throw std::logic_error("ranks wait for each other");
    for (const CoreOfRank& one : cores_) cost.most_bytes = std::max(cost.most_bytes, one.bytes);
    cost.lines = traffic_->lines();
    return cost;
  }

 private:
  struct LentOperands {
    std::vector<Lenders> of;      // by operation
    std::vector<char> is_lender;  // by operation
  };

  [[nodiscard]] LentOperands lenders_of(const Schedule& schedule) const {
    LentOperands found{std::vector<Lenders>(schedule.operations.size()), std::vector<char>(schedule.operations.size())};
    if (job_.handover != Handover::lent && job_.handover != Handover::mapped) return found;
    found.of = find_lenders_on_node(schedule);
    for (const Lenders& one : found.of) {
      if (one.left) found.is_lender[*one.left] = 1;
      if (one.right) found.is_lender[*one.right] = 1;
    }
    return found;
  }

  // How much of what ranks work on does not fit into the cache that has least room for it: input, output and scratch.
  [[nodiscard]] double spilled(const SimulatedMessage& message) const {
    std::size_t scratch = 0;
    for (const Layout& layout : layouts_) scratch = std::max(scratch, layout.scratch_elements());
    const auto bytes = static_cast<double>((2 * message.partition.elements() + scratch) * element_bytes_);
    double most = 0;
    for (std::size_t level = 0; level < job_.node.levels().size(); ++level) {
      const double cache = job_.node.levels()[level].cache_bytes;
      if (cache <= 0) continue;
      std::map<int, int> ranks_in;
      for (const int core : job_.core_of) ++ranks_in[job_.node.group_of(level, core)];
      for (const auto& [group, count] : ranks_in) {
        if (count * bytes > cache) most = std::max(most, 1 - cache / (count * bytes));
      }
    }
    return most;
  }

  [[nodiscard]] CoreOfRank& core(Rank rank) { return cores_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int core_number(Rank rank) const { return job_.core_of[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Operation& operation_of(Rank rank, Item item) const {
    return ranks_[static_cast<std::size_t>(rank)].operations[item.operation];
  }
  [[nodiscard]] double bytes_of(Rank rank, Item item) const {
    const Extent extent =
        layouts_[static_cast<std::size_t>(rank)].extent(item.operation, operation_of(rank, item).walked(), item.index);
    return static_cast<double>(extent.length * element_bytes_);
  }
  [[nodiscard]] double seconds_between(Rank one, Rank other) const {
    return job_.node.levels()[job_.node.level_between(core_number(one), core_number(other))].seconds;
  }
  [[nodiscard]] bool is_short(const MessageOnNode& message) const {
    return message.bytes <= static_cast<double>(sizes_.short_bytes);
  }
  [[nodiscard]] bool goes_in_pieces(const MessageOnNode& message) const {
    return !is_short(message) && message.bytes < static_cast<double>(sizes_.read_bytes);
  }
  [[nodiscard]] bool is_lent(const MessageOnNode& message) const {
    return !is_short(message) &&
           lenders_[static_cast<std::size_t>(message.receiver)].is_lender[message.received.operation] != 0;
  }

  // Posts what can be posted, and finds the next arithmetic.
  void advance(Rank rank) {
    Progress& progress = progress_[static_cast<std::size_t>(rank)];
    CoreOfRank& here = core(rank);
    Item item;
    while (true) {
      if (progress.take_message(item)) {
        post(rank, item);
      } else if (!here.local && progress.take_local(item)) {
        here.local = item;
      } else {
        break;
      }
    }
    begin_next(rank);
  }

  void post(Rank rank, Item item) {
    const Operation& operation = operation_of(rank, item);
    const bool sends = operation.kind == Operation::Kind::send;
    const Rank peer = operation.peer(layouts_[static_cast<std::size_t>(rank)].block_of(item.operation, item.index));
    PairOnNode& pair =
        pairs_[sends ? std::tuple(rank, peer, operation.channel) : std::tuple(peer, rank, operation.channel)];
    if (sends) {
      post_send(rank, peer, item, pair);
    } else if (!pair.sent.empty()) {
      const std::uint32_t message = pair.sent.front();
      pair.sent.pop_front();
      meet(message, item);
    } else {
      pair.received.push_back(item);
    }
  }

  void post_send(Rank rank, Rank peer, Item item, PairOnNode& pair) {
    const auto number = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back({.sender = rank, .receiver = peer, .sent = item, .bytes = bytes_of(rank, item)});
    core(rank).posted.push_back({.step = CoreStep::send, .message = number, .since = now_, .path = core(rank).path});
    if (pair.received.empty()) return pair.sent.push_back(number);
    const Item received = pair.received.front();
    pair.received.pop_front();
    meet(number, received);
  }

  void meet(std::uint32_t number, Item received) {
    MessageOnNode& message = messages_[number];
    message.received = received;
    message.is_received = true;
    if (message.has_arrived) take(number);
  }

  void take(std::uint32_t number) {
    const MessageOnNode& message = messages_[number];
    core(message.receiver)
        .arrived.push_back({.step = CoreStep::take, .message = number, .since = now_, .path = message.path});
    begin_next(message.receiver);
  }

  void arrive(Rank rank, const CoreWork& work) {
    if (work.step == CoreStep::take) {
      MessageOnNode& message = messages_[work.message];
      message.has_arrived = true;
      message.path = work.path;
      if (message.is_received) take(work.message);
      return;
    }
    core(rank).arrived.push_back(work);
    core(rank).arrived.back().since = now_;
    begin_next(rank);
  }

  // To the other end of the message.
  void tell(Rank from, Rank to, CoreStep step, std::uint32_t number) {
    CoreWork work{.step = step, .message = number, .path = core(from).path};
    ++work.path.messages;
    plan({.seconds = now_ + seconds_between(from, to), .rank = to, .work = work});
  }

  void plan(EventOnNode event) {
    event.number = ++planned_;
    events_.push(event);
  }

  void begin_next(Rank rank) {
    CoreOfRank& here = core(rank);
    if (here.is_busy) return;
    CoreWork work;
    if (!here.posted.empty()) {
      work = here.posted.front();
      here.posted.pop_front();
    } else if (!here.arrived.empty()) {
      work = here.arrived.front();
      here.arrived.pop_front();
    } else if (here.local) {
      work = {.item = *here.local, .since = here.free_from, .path = here.path};
    } else {
      return;
    }
    here.is_busy = true;
    if (work.since > here.free_from) here.path = work.path;  // it was waited for
    const double ends = ends_of(rank, work);
    here.free_from = ends;
    plan({.seconds = ends, .rank = rank, .is_end = true, .work = work});
  }

  void note_bytes(Rank rank, double bytes) {
    core(rank).bytes += bytes;
    core(rank).path.bytes += bytes;
  }

  // When work is over that begins now.
  [[nodiscard]] double ends_of(Rank rank, const CoreWork& work) {
    if (work.step == CoreStep::local) return end_of_local(rank, work.item);
    const MessageOnNode& message = messages_[work.message];
    const double begins = now_ + core_costs_.message_seconds;
    switch (work.step) {
      case CoreStep::send: return is_short(message) ? written(begins, message.bytes, message) : staged(begins, message);
      case CoreStep::take: return end_of_take(begins, message);
      case CoreStep::write_piece: return written(begins, piece_bytes(message), message, message.written > 0);
      case CoreStep::take_piece: return read(begins, piece_bytes(message), message, message.taken > 0);
      case CoreStep::free_again:
      case CoreStep::local: break;
    }
    return begins;
  }

  // The same bytes go to several ranks.
  [[nodiscard]] double staged(double begins, const MessageOnNode& message) {
    const Region& source = operation_of(message.sender, message.sent).source;
    const bool stages = job_.handover == Handover::staged || job_.handover == Handover::lent;
    if (!stages || source.buffer == Buffer::scratch) return begins;
    const Extent extent =
        layouts_[static_cast<std::size_t>(message.sender)].extent(message.sent.operation, source, message.sent.index);
    if (!staged_.emplace(message.sender, source.buffer, extent.offset, extent.length).second) return begins;
    note_bytes(message.sender, message.bytes);
    return traffic_->copy(begins, message.bytes, core_number(message.sender));
  }

  // In a stream.
  [[nodiscard]] double written(double begins, double bytes, const MessageOnNode& message, bool goes_on = false) {
    note_bytes(message.sender, bytes);
    return traffic_->write_stream(begins, bytes, core_number(message.sender), core_number(message.receiver), goes_on);
  }
  [[nodiscard]] double read(double begins, double bytes, const MessageOnNode& message, bool goes_on = false) {
    note_bytes(message.receiver, bytes);
    return traffic_->read_stream(begins, bytes, core_number(message.sender), core_number(message.receiver), goes_on);
  }

  [[nodiscard]] double end_of_take(double begins, const MessageOnNode& message) {
    if (goes_in_pieces(message) || is_lent(message)) return begins;
    if (is_short(message)) return read(begins, message.bytes, message);
    const bool by_system = job_.handover == Handover::streams;
    note_bytes(message.receiver, message.bytes);
    return traffic_->fetch(begins + (by_system ? core_costs_.read_seconds : 0), message.bytes,
                           core_number(message.sender), core_number(message.receiver),
                           by_system ? core_costs_.read_bytes_per_second : unlimited);
  }

  [[nodiscard]] static double piece_bytes(const MessageOnNode& message) { return message.bytes / message.pieces; }

  [[nodiscard]] double end_of_local(Rank rank, Item item) {
    const double bytes = bytes_of(rank, item);
    note_bytes(rank, bytes);
    if (operation_of(rank, item).kind == Operation::Kind::copy) return traffic_->copy(now_, bytes, core_number(rank));
    double ends = traffic_->reduce(now_, bytes, core_number(rank));
    for (const std::uint32_t operand : lent_to(rank, item)) {
      ends = std::max(ends, traffic_->fetch(now_, bytes, core_number(messages_[operand].sender), core_number(rank),
                                            core_costs_.reduce_bytes_per_second));
    }
    return ends;
  }

  // Messages that a reduction reads where they lie.
  [[nodiscard]] std::vector<std::uint32_t> lent_to(Rank rank, Item item) const {
    const Lenders& lenders = lenders_[static_cast<std::size_t>(rank)].of[item.operation];
    std::vector<std::uint32_t> found;
    for (const auto& lender : {lenders.left, lenders.right}) {
      if (!lender) continue;
      const auto message = lent_.find({rank, *lender, item.index});
      if (message != lent_.end()) found.push_back(message->second);
    }
    return found;
  }

  void end(Rank rank, const CoreWork& work) {
    core(rank).is_busy = false;
    switch (work.step) {
      case CoreStep::send: end_send(work.message); break;
      case CoreStep::take: end_take(work.message); break;
      case CoreStep::write_piece: end_piece(work.message); break;
      case CoreStep::take_piece: end_taken_piece(work.message); break;
      case CoreStep::free_again: complete(rank, messages_[work.message].sent); break;
      case CoreStep::local: end_local(rank, work.item); break;
    }
    advance(rank);
  }

  void complete(Rank rank, Item item) {
    Progress& progress = progress_[static_cast<std::size_t>(rank)];
    progress.complete(progress.token_of(item));
  }

  void end_send(std::uint32_t number) {
    const MessageOnNode& message = messages_[number];
    const int from = core_number(message.sender), to = core_number(message.receiver);
    traffic_->count_frame(from, to, is_short(message) ? static_cast<std::size_t>(message.bytes) : 0);
    if (is_short(message)) complete(message.sender, message.sent);
    tell(message.sender, message.receiver, CoreStep::take, number);
  }

  void end_take(std::uint32_t number) {
    MessageOnNode& message = messages_[number];
    if (goes_in_pieces(message)) {
      const auto piece = static_cast<double>(sizes_.piece_bytes);
      message.pieces = static_cast<int>((message.bytes + piece - 1) / piece);
      tell_back(message, CoreStep::write_piece, number);
      return;
    }
    if (!is_short(message)) {
      traffic_->count_lines(core_number(message.sender), core_number(message.receiver),
                            static_cast<std::size_t>(message.bytes));
    }
    if (is_lent(message)) {
      lent_[{message.receiver, message.received.operation, message.received.index}] = number;
    } else if (!is_short(message)) {
      tell_back(message, CoreStep::free_again, number);
    }
    complete(message.receiver, message.received);
  }

  void tell_back(const MessageOnNode& message, CoreStep step, std::uint32_t number) {
    traffic_->count_frame(core_number(message.receiver), core_number(message.sender), 0);
    tell(message.receiver, message.sender, step, number);
  }

  void end_piece(std::uint32_t number) {
    MessageOnNode& message = messages_[number];
    traffic_->count_frame(core_number(message.sender), core_number(message.receiver),
                          static_cast<std::size_t>(piece_bytes(message)));
    ++message.written;
    tell(message.sender, message.receiver, CoreStep::take_piece, number);
    if (message.written == message.pieces) return complete(message.sender, message.sent);
    if (message.written - message.taken < sizes_.pieces_under_way) return write_next_piece(number);
    message.is_stalled = true;
  }

  void write_next_piece(std::uint32_t number) {
    const Rank sender = messages_[number].sender;
    core(sender).arrived.push_back(
        {.step = CoreStep::write_piece, .message = number, .since = now_, .path = core(sender).path});
  }

  void end_taken_piece(std::uint32_t number) {
    MessageOnNode& message = messages_[number];
    ++message.taken;
    if (message.is_stalled) {
      message.is_stalled = false;
      tell(message.receiver, message.sender, CoreStep::write_piece, number);
    }
    if (message.taken == message.pieces) complete(message.receiver, message.received);
  }

  void end_local(Rank rank, Item item) {
    for (const std::uint32_t operand : lent_to(rank, item)) {
      const MessageOnNode& message = messages_[operand];
      if (!is_short(message)) tell_back(message, CoreStep::free_again, operand);
      lent_.erase({rank, message.received.operation, message.received.index});
    }
    core(rank).local.reset();
    progress_[static_cast<std::size_t>(rank)].complete_local(item);
  }

  std::span<const Schedule> ranks_;
  const NodeJob& job_;
  const NodeCore& core_costs_;
  const HandoverSizes sizes_;
  const std::size_t element_bytes_;
  std::vector<CoreOfRank> cores_;
  std::vector<Layout> layouts_;
  std::vector<Progress> progress_;
  std::vector<LentOperands> lenders_;
  std::optional<NodeTraffic> traffic_;
  std::map<std::tuple<Rank, Rank, Channel>, PairOnNode> pairs_;
  std::map<std::tuple<Rank, std::uint32_t, std::int32_t>, std::uint32_t> lent_;  // by receive: its message
  std::set<std::tuple<Rank, Buffer, std::size_t, std::size_t>> staged_;          // stretches, by their senders
  std::vector<MessageOnNode> messages_;
  std::priority_queue<EventOnNode, std::vector<EventOnNode>, std::greater<>> events_;
  std::uint64_t planned_ = 0;
  double now_ = 0;
};

}  // namespace

NodeCost node_cost(std::span<const Schedule> ranks, const SimulatedMessage& message, const NodeJob& job) {
  return NodeRun(ranks, message, job).cost();
}

}  // namespace espalier
