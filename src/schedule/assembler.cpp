// SPDX-License-Identifier: Apache-2.0
#include "schedule/assembler.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "schedule/hazards.hpp"
#include "schedule/homes.hpp"

namespace espalier {

namespace {

// A rank that receives more streams than this keeps them in full areas that take turns: a ring for each would cost
// more memory than the message.
constexpr int max_rings = 16;

class Assembler {
 public:
  explicit Assembler(const Recording& recording)
      : recording_(recording),
        is_home_(choose_homes(recording)),
        places_(recording.values.size()),
        operation_of_(recording.nodes.size()),
        last_use_(recording.values.size(), -1),
        fits_ring_(recording.values.size()),
        output_log_(false) {
    schedule_.blocks = recording.blocks;
    schedule_.lists = recording.lists;
    study_uses();
  }

  Schedule run() {
    for (current_ = 0; current_ < static_cast<int>(recording_.nodes.size()); current_++) {
      const Node& node = recording_.nodes[current_];
      switch (node.kind) {
        case Node_kind::recv: receive(node); break;
        case Node_kind::send: send(node); break;
        case Node_kind::reduce: reduce(node); break;
        case Node_kind::stage: stage(node); break;
        case Node_kind::output: output(node); break;
        case Node_kind::signal: signal(node); break;
        case Node_kind::await: await(node); break;
      }
      for (const Stream& source : node.sources) {
        if (last_use_[source.value] == current_) release(source.value);
      }
      if (node.value >= 0 && last_use_[node.value] < 0) release(node.value);
    }
    for (const std::vector<Paced>& streams : paced_) pace(streams);
    dependencies_.store_in(schedule_);
    return std::move(schedule_);
  }

 private:
  using Node = Recording::Node;
  using Node_kind = Recording::Kind;

  [[nodiscard]] const Recording::Value& value(int v) const { return recording_.values[v]; }

  void study_uses() {
    for (std::size_t v = 0; v < fits_ring_.size(); ++v) fits_ring_[v] = !recording_.values[v].has_room;
    int receives = 0;
    for (int i = 0; i < static_cast<int>(recording_.nodes.size()); i++) {
      const Node& node = recording_.nodes[i];
      receives += node.kind == Node_kind::recv;
      if (node.merged && node.value >= 0) fits_ring_[node.value] = false;
      for (const Stream& source : node.sources) {
        last_use_[source.value] = i;
        const bool aligned = source.labels == value(source.value).labels && !node.merged;
        const bool alone = node.sources.size() == 1 || node.kind == Node_kind::reduce;
        if (!aligned || !alone) fits_ring_[source.value] = false;
      }
    }
    if (receives > max_rings) fits_ring_.assign(fits_ring_.size(), false);
  }

  // ---- places

  [[nodiscard]] Region in_output(const Range& labels) {
    return {Buffer::output, -1, labels.count, places_of(labels, *recording_.output), labels.labels(recording_.blocks)};
  }
  [[nodiscard]] Region in_input(const Range& labels) {
    const Buffer buffer = recording_.in_place ? Buffer::output : Buffer::input;
    const bool is_at_output_place = recording_.in_place && !is_staging_;
    const Held& held = is_at_output_place ? *recording_.output : *recording_.input;
    return {buffer, -1, labels.count, places_of(labels, held), labels.labels(recording_.blocks)};
  }

  // The places of these labels among those that a buffer holds.
  [[nodiscard]] Walk places_of(const Range& labels, const Held& held) {
    const Walk walk = labels.labels(recording_.blocks);
    if (labels.count == 1) return {.first = held.place_of(walk.at(0))};  // others may follow it
    const bool is_alike = walk.list == nullptr && walk.base == held.first && walk.scale == held.step;
    if (is_alike) return {walk.first, walk.step, walk.modulus};
    std::vector<std::int32_t> places;
    for (int k = 0; k < labels.count; ++k) places.push_back(held.place_of(walk.at(k)));
    return {.first = 0, .list = keep(std::move(places))};
  }

  [[nodiscard]] Region place_of(const Stream& stream) {
    if (value(stream.value).is_input()) return in_input(stream.labels);
    Region region = places_[stream.value];
    region.place = region.place.from(stream.offset, stream.direction);
    region.label = region.label.from(stream.offset, stream.direction);
    region.blocks = stream.blocks();
    return region;
  }

  Region new_place(int v) {
    const Range& labels = value(v).labels;
    if (is_home_[v]) return in_output(labels);
    const bool arrive_at_once = recording_.nodes[value(v).definition].merged;
    const bool are_packed = arrive_at_once || labels.step == 1 || recording_.has_exact_blocks;
    const auto kind = fits_ring_[v] ? Area::Kind::ring : are_packed ? Area::Kind::packed : Area::Kind::slots;
    return in_area(take_area(kind, labels), labels);
  }

  [[nodiscard]] Region in_area(int area, const Range& labels) const {
    return {Buffer::scratch, area, labels.count, {}, labels.labels(recording_.blocks)};
  }

  // Areas are used again only for the same blocks: then their cells are the same bytes. Two of a kind take turns, so
  // that one stream need not wait for the one just before it.
  int take_area(Area::Kind kind, const Range& labels) {
    auto& free = free_areas_[{kind, labels}];
    if (kind != Area::Kind::ring && free.size() >= 2) {
      const int area = free.front();
      free.erase(free.begin());
      return area;
    }
    schedule_.areas.push_back({kind, labels.count, labels.labels(recording_.blocks)});
    area_logs_.emplace_back(kind == Area::Kind::ring);
    return static_cast<int>(schedule_.areas.size()) - 1;
  }

  // The value is not needed any more, nor its scratch memory, unless another value took that over.
  void release(int v) {
    const Region& region = places_[v];
    if (value(v).is_input() || region.buffer != Buffer::scratch) return;
    if (const auto owner = owner_.find(region.area); owner != owner_.end() && owner->second != v) return;
    const Range labels = value(v).labels;
    const Area::Kind kind = schedule_.areas[region.area].kind;
    if (kind == Area::Kind::ring) {
      area_logs_[region.area].close_ring(dependencies_);
    } else {
      free_areas_[{kind, labels}].push_back(region.area);
    }
  }

  // ---- operations

  std::uint32_t emit(Operation op) {
    const auto id = static_cast<std::uint32_t>(schedule_.operations.size());
    schedule_.operations.push_back(op);
    dependencies_.add_operation();
    if (op.communicates()) keep_channel_order(id, op);
    note_read(id, op, op.source);
    note_read(id, op, op.source_right);
    if (op.target.buffer != Buffer::none) log_of(op.target).write(id, op, op.target, dependencies_);
    return id;
  }

  // The operations behind which the next one of a channel may have to come: those of one peer, by that, and others.
  struct LastOfChannel {
    std::unordered_map<Rank, std::uint32_t> with_one;
    std::vector<std::uint32_t> with_several;
  };

  // After the last one that has messages to, or from, the same rank: it comes after those before it.
  void keep_channel_order(std::uint32_t id, const Operation& op) {
    LastOfChannel& last = channels_[{op.channel, op.kind}];
    std::vector<std::uint32_t> earlier(last.with_several.begin(), last.with_several.end());
    if (!op.has_one_peer()) {
      for (const auto& [peer, other] : last.with_one) earlier.push_back(other);
      last.with_several = {id};
    } else {
      const auto [found, is_first] = last.with_one.try_emplace(op.peer(), id);
      if (!is_first) earlier.push_back(std::exchange(found->second, id));
    }
    std::ranges::sort(earlier);
    for (const std::uint32_t other : earlier) dependencies_.add(id, {other, 0, Dependency::Kind::posted});
  }

  AccessLog& log_of(const Region& region) {
    return region.buffer == Buffer::output ? output_log_ : area_logs_[region.area];
  }
  void note_read(std::uint32_t id, const Operation& op, const Region& region) {
    if (region.buffer == Buffer::output || region.buffer == Buffer::scratch) {
      log_of(region).read(id, op, region, dependencies_);
    }
  }

  [[nodiscard]] Operation operation(Operation::Kind kind, const Node& node) const {
    Operation op;
    op.kind = kind;
    op.channel = node.channel;
    op.path = node.path;
    op.merged = node.merged;
    op.peers = node.peers;
    return op;
  }

  void settle(int v, const Region& region) {
    places_[v] = region;
    if (region.buffer == Buffer::scratch) owner_[region.area] = v;
  }

  void receive(const Node& node) {
    Operation op = operation(Operation::Kind::recv, node);
    settle(node.value, new_place(node.value));
    op.target = places_[node.value];
    require_contiguous(op, op.target);
    operation_of_[current_] = emit_paced(op, node);
  }

  void send(const Node& node) {
    Operation op = operation(Operation::Kind::send, node);
    op.source = gather(node);
    require_contiguous(op, op.source);
    const std::uint32_t id = emit_paced(op, node);
    operation_of_[current_] = id;
    hold(id, node);
    if (node.step_group > 0) keep_in_step(id, step_groups_[node.step_group]);
  }

  void hold(std::uint32_t id, const Node& node) {
    for (const int earlier : node.held_until) {
      dependencies_.add(id, {operation_of_[earlier], 0, Dependency::Kind::whole});
    }
  }

  void signal(const Node& node) {
    Operation op = operation(Operation::Kind::send, node);
    op.merged = true;
    hold(operation_of_[current_] = emit(op), node);
  }

  void await(const Node& node) {
    Operation op = operation(Operation::Kind::recv, node);
    op.merged = true;
    operation_of_[current_] = emit(op);
  }

  void keep_in_step(std::uint32_t id, std::vector<std::uint32_t>& step_group) {
    for (const std::uint32_t other : step_group) {
      dependencies_.add(id, {other, 0, Dependency::Kind::in_step});
      dependencies_.add(other, {id, 0, Dependency::Kind::in_step});
    }
    step_group.push_back(id);
  }

  void reduce(const Node& node) {
    Operation op = operation(Operation::Kind::reduce, node);
    op.source = place_of(node.sources[0]);
    op.source_right = place_of(node.sources[1]);
    settle(node.value, place_of_result(node));
    op.target = places_[node.value];
    op.merged = node.merged && is_stretch(op.source) && is_stretch(op.source_right) && is_stretch(op.target);
    operation_of_[current_] = emit(op);
  }

  // The right operand's place first: "right = left o right" is the form that the native MPI's user operations have.
  Region place_of_result(const Node& node) {
    if (is_home_[node.value]) return new_place(node.value);
    for (const int side : {1, 0}) {
      const Stream& operand = node.sources[side];
      const Region& place = places_[operand.value];
      const bool in_scratch = !value(operand.value).is_input() && place.buffer == Buffer::scratch;
      const bool ends_here = last_use_[operand.value] == current_;
      const bool whole = operand.labels == value(operand.value).labels;
      if (!in_scratch || !ends_here || !whole) continue;
      const bool is_ring = schedule_.areas[place.area].kind == Area::Kind::ring;
      if (!is_ring || fits_ring_[node.value]) return place;
    }
    return new_place(node.value);
  }

  void output(const Node& node) {
    Copies copies;
    for (const Stream& stream : node.sources) {
      const bool there = value(stream.value).is_input() ? recording_.in_place : is_home_[stream.value];
      if (!there) copies.add(stream.value, place_of(stream), in_output(stream.labels));
    }
    emit(copies, node);
  }

  // The input, out of the path of the output.
  void stage(const Node& node) {
    Operation op = operation(Operation::Kind::copy, node);
    const Range& labels = value(node.value).labels;
    is_staging_ = true;
    op.source = in_input(labels);
    is_staging_ = false;
    op.target = in_area(take_area(Area::Kind::packed, labels), labels);
    op.target.place.modulus = labels.count;
    op.merged = false;
    settle(node.value, op.target);
    operation_of_[current_] = emit(op);
  }

  // ---- rounds

  struct Paced {
    std::uint32_t operation;
    Rounds rounds;
  };

  std::uint32_t emit_paced(const Operation& op, const Node& node) {
    const std::uint32_t id = emit(op);
    if (node.rounds.stride > 0) paced_[op.kind == Operation::Kind::send].push_back({id, node.rounds});
    return id;
  }

  // Each message waits for the one of the last round before it in which the rank has any: looked for backwards, until a
  // stream is found that had begun by then.
  void pace(const std::vector<Paced>& streams) {
    for (const Paced& later : streams) {
      bool found = false;
      for (int distance = 1; distance <= later.rounds.stride && !found; distance++) {
        for (const Paced& earlier : streams) {
          if (earlier.operation == later.operation || rounds_between(later, earlier) != distance) continue;
          const int shift = (later.rounds.first - distance - earlier.rounds.first) / later.rounds.stride;
          dependencies_.add(later.operation, {earlier.operation, shift, Dependency::Kind::aligned});
          found |= shift >= 0;
        }
      }
    }
  }

  // How many rounds, from one to all of a turn, the later stream's messages arrive after messages of the earlier one.
  [[nodiscard]] static int rounds_between(const Paced& later, const Paced& earlier) {
    return 1 + wrap(std::int64_t{later.rounds.first} - earlier.rounds.first - 1, later.rounds.stride);
  }

  // ---- several streams as one message

  Region gather(const Node& node) {
    if (node.sources.size() == 1) {
      const Region only = place_of(node.sources.front());
      return node.merged && !is_stretch(only) ? packed_copy(node) : only;
    }
    Region whole = that_goes_on(place_of(node.sources.front()));
    for (std::size_t k = 1; k < node.sources.size(); k++) {
      const Region next = that_goes_on(place_of(node.sources[k]));
      if (!follows(next, whole)) return packed_copy(node);
      whole.blocks += next.blocks;
    }
    return node.merged && !is_stretch(whole) ? packed_copy(node) : whole;
  }

  // A single block, whatever walk it was taken from, as one behind which the next block may arrive.
  [[nodiscard]] Region that_goes_on(Region region) const {
    if (region.blocks != 1) return region;
    region.place = {.first = region.place.at(0)};
    region.label = {.first = region.label.at(0), .modulus = recording_.blocks};
    return region;
  }

  // Whether both are one region: blocks and places of each go up one by one, and those of `next` where `whole` ends.
  [[nodiscard]] bool follows(const Region& next, const Region& whole) const {
    const auto goes_up = [&](const Region& region) {
      return is_stretch(region) && region.label.list == nullptr && region.label.step == 1 && region.label.scale == 1;
    };
    return next.buffer == whole.buffer && next.area == whole.area && goes_up(whole) && goes_up(next) &&
           next.place.at(0) == whole.place.at(0) + whole.blocks && next.label.at(0) == whole.label.at(0) + whole.blocks;
  }

  Region packed_copy(const Node& node) {
    const Range labels = labels_together(node.sources);
    const Region whole = in_area(take_area(Area::Kind::packed, labels), labels);
    Copies copies;
    int done = 0;
    for (const Stream& stream : node.sources) {
      Region target = whole;
      target.place = whole.place.from(done);
      target.label = whole.label.from(done);
      target.blocks = stream.blocks();
      done += stream.blocks();
      copies.add(stream.value, place_of(stream), target);
    }
    emit(copies, node);
    return whole;
  }

  // What is copied of several streams: one operation for each value, in the order in which values come first.
  struct Copies {
    struct OfValue {
      int value;
      std::vector<Region> from, to;
    };
    std::vector<OfValue> all;

    void add(int value, const Region& from, const Region& to) {
      auto found = std::ranges::find(all, value, &OfValue::value);
      if (found == all.end()) found = all.insert(all.end(), {value, {}, {}});
      found->from.push_back(from);
      found->to.push_back(to);
    }
  };

  void emit(const Copies& copies, const Node& node) {
    for (const auto& [value, from, to] : copies.all) {
      Operation op = operation(Operation::Kind::copy, node);
      op.source = joined(from);
      op.target = joined(to);
      op.merged = node.merged && is_stretch(op.source) && is_stretch(op.target);
      emit(op);
    }
  }

  Range labels_together(const Bundle& streams) {
    const Range& first = streams.front().labels;
    int blocks = 0;
    bool follow = true;  // maybe round, from the last one to the first
    for (const Stream& stream : streams) {
      const bool is_plain = stream.labels == Range{.first = stream.labels.first, .count = stream.blocks()};
      follow = follow && is_plain &&
               wrap(stream.labels.first, recording_.blocks) == wrap(first.first + blocks, recording_.blocks);
      blocks += stream.blocks();
    }
    if (follow) return {.first = first.first, .count = blocks};
    std::vector<std::int32_t> labels;
    for (const Stream& stream : streams) {
      const Walk walk = stream.labels.labels(recording_.blocks);
      for (int k = 0; k < stream.blocks(); ++k) labels.push_back(walk.at(k));
    }
    return {.first = 0, .count = blocks, .list = keep(std::move(labels))};
  }

  // Regions of one buffer or area as one.
  Region joined(const std::vector<Region>& regions) {
    if (regions.size() == 1) return regions.front();
    std::vector<std::int32_t> places, labels;
    for (const Region& region : regions) {
      for (int k = 0; k < region.blocks; ++k) {
        places.push_back(region.place.at(k));
        labels.push_back(region.label.at(k));
      }
    }
    Region whole = regions.front();
    whole.blocks = static_cast<std::int32_t>(places.size());
    whole.place = {.first = 0, .list = keep(std::move(places))};
    whole.label = {.first = 0, .list = keep(std::move(labels))};
    return whole;
  }

  const std::vector<std::int32_t>* keep(std::vector<std::int32_t> list) {
    schedule_.lists.push_back(std::make_shared<const std::vector<std::int32_t>>(std::move(list)));
    return schedule_.lists.back().get();
  }

  // Whether the blocks lie one right after the other.
  [[nodiscard]] bool is_stretch(const Region& region) const {
    if (region.blocks == 1) return true;
    const bool are_tight = region.buffer == Buffer::scratch ? schedule_.areas[region.area].kind == Area::Kind::packed
                                                            : !recording_.has_gaps;
    const bool rise = region.place.list == nullptr && region.place.step == 1;
    return are_tight && rise && region.place.at(region.blocks - 1) == region.place.at(0) + region.blocks - 1;
  }

  // A merged item is one stretch of memory.
  void require_contiguous(const Operation& op, const Region& region) const {
    if (op.merged && !is_stretch(region)) {
      throw std::logic_error("a merged stream must hold blocks that follow one another");
    }
  }

  const Recording& recording_;
  std::vector<bool> is_home_;
  std::vector<Region> places_;               // by value
  std::vector<std::uint32_t> operation_of_;  // of each node but outputs
  std::vector<int> last_use_;                // by value: a node
  std::vector<bool> fits_ring_;              // by value: all its users walk along with it, segment by segment
  std::map<int, int> owner_;                 // by area: the value that lives there now
  std::map<std::pair<Area::Kind, Range>, std::vector<int>> free_areas_;
  std::map<std::pair<Channel, Operation::Kind>, LastOfChannel> channels_;
  std::array<std::vector<Paced>, 2> paced_;                // received, sent
  std::map<int, std::vector<std::uint32_t>> step_groups_;  // of sends that keep in step
  std::vector<AccessLog> area_logs_;
  AccessLog output_log_;
  DependencyTable dependencies_;
  Schedule schedule_;
  int current_ = 0;
  bool is_staging_ = false;
};

}  // namespace

Schedule assemble(const Recording& recording) { return Assembler(recording).run(); }

}  // namespace espalier
