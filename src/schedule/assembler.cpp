// SPDX-License-Identifier: Apache-2.0
#include "schedule/assembler.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

#include "schedule/hazards.hpp"
#include "schedule/homes.hpp"

namespace espalier {

namespace {

// A rank that receives more streams than this keeps them in full areas that take turns: a ring for each would cost
// more memory than the message.
constexpr int most_rings = 16;

class Assembler {
 public:
  explicit Assembler(const Recording& recording)
      : recording_(recording),
        is_home_(choose_homes(recording)),
        places_(recording.values.size()),
        operation_of_(recording.nodes.size()),
        last_use_(recording.values.size(), -1),
        fits_ring_(recording.values.size(), true),
        output_log_(false) {
    schedule_.blocks = recording.blocks;
    study_uses();
  }

  Schedule run() {
    for (current_ = 0; current_ < static_cast<int>(recording_.nodes.size()); current_++) {
      const Node& node = recording_.nodes[current_];
      switch (node.kind) {
        case Node_kind::recv: receive(node); break;
        case Node_kind::send: send(node); break;
        case Node_kind::reduce: reduce(node); break;
        case Node_kind::output: output(node); break;
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
    if (receives > most_rings) fits_ring_.assign(fits_ring_.size(), false);
  }

  // ---- places

  [[nodiscard]] Region in_buffer(Buffer buffer, Range labels) const {
    const Walk walk{labels.first, labels.step, recording_.blocks};
    return {buffer, -1, labels.count, walk, walk};
  }
  [[nodiscard]] Buffer input_buffer() const { return recording_.in_place ? Buffer::output : Buffer::input; }

  [[nodiscard]] Region place_of(const Stream& stream) const {
    if (value(stream.value).is_input()) return in_buffer(input_buffer(), stream.labels);
    Region region = places_[stream.value];
    region.place = region.place.from(stream.offset, stream.direction);
    region.label = region.label.from(stream.offset, stream.direction);
    region.blocks = stream.blocks();
    return region;
  }

  Region new_place(int v) {
    const Range labels = value(v).labels;
    if (is_home_[v]) return in_buffer(Buffer::output, labels);
    const auto kind = fits_ring_[v] ? Area::Kind::ring : labels.step == 1 ? Area::Kind::packed : Area::Kind::slots;
    return in_area(take_area(kind, labels), labels);
  }

  [[nodiscard]] Region in_area(int area, Range labels) const {
    return {Buffer::scratch, area, labels.count, {0, 1, 0}, {labels.first, labels.step, recording_.blocks}};
  }

  // Areas are used again only for the same blocks: then their cells are the same bytes. Two of a kind take turns, so
  // that one stream need not wait for the one just before it.
  int take_area(Area::Kind kind, Range labels) {
    auto& free = free_areas_[{labels.first, labels.count, labels.step}];
    if (kind != Area::Kind::ring && free.size() >= 2) {
      const int area = free.front();
      free.erase(free.begin());
      return area;
    }
    schedule_.areas.push_back({kind, labels.count});
    area_logs_.emplace_back(kind == Area::Kind::ring);
    return static_cast<int>(schedule_.areas.size()) - 1;
  }

  // The value is not needed any more, nor its scratch memory, unless another value took that over.
  void release(int v) {
    const Region& region = places_[v];
    if (value(v).is_input() || region.buffer != Buffer::scratch) return;
    if (const auto owner = owner_.find(region.area); owner != owner_.end() && owner->second != v) return;
    const Range labels = value(v).labels;
    if (schedule_.areas[region.area].kind == Area::Kind::ring) {
      area_logs_[region.area].close_ring(dependencies_);
    } else {
      free_areas_[{labels.first, labels.count, labels.step}].push_back(region.area);
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

  void keep_channel_order(std::uint32_t id, const Operation& op) {
    const auto [last, is_first] = channels_.try_emplace({op.peer, op.lane, op.kind}, id);
    if (!is_first) dependencies_.add(id, {last->second, 0, Dependency::Kind::posted});
    last->second = id;
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
    op.lane = node.lane;
    op.merged = node.merged;
    op.peer = node.peer;
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
    for (const int earlier : node.held_until) {
      dependencies_.add(id, {operation_of_[earlier], 0, Dependency::Kind::whole});
    }
    if (node.company > 0) keep_in_step(id, companies_[node.company]);
  }

  void keep_in_step(std::uint32_t id, std::vector<std::uint32_t>& company) {
    for (const std::uint32_t other : company) {
      dependencies_.add(id, {other, 0, Dependency::Kind::in_step});
      dependencies_.add(other, {id, 0, Dependency::Kind::in_step});
    }
    company.push_back(id);
  }

  void reduce(const Node& node) {
    Operation op = operation(Operation::Kind::reduce, node);
    op.peer = no_rank;
    op.source = place_of(node.sources[0]);
    op.source_right = place_of(node.sources[1]);
    settle(node.value, place_of_result(node));
    op.target = places_[node.value];
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
    for (const Stream& stream : node.sources) {
      const bool there = value(stream.value).is_input() ? recording_.in_place : is_home_[stream.value];
      if (there) continue;
      Operation op = operation(Operation::Kind::copy, node);
      op.peer = no_rank;
      op.source = place_of(stream);
      op.target = in_buffer(Buffer::output, stream.labels);
      emit(op);
    }
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

  // How many rounds, from one to all of a turn, the later stream's messages come after messages of the earlier one.
  [[nodiscard]] static int rounds_between(const Paced& later, const Paced& earlier) {
    return 1 + wrap(std::int64_t{later.rounds.first} - earlier.rounds.first - 1, later.rounds.stride);
  }

  // ---- several streams as one message

  Region gather(const Node& node) {
    Region whole = place_of(node.sources.front());
    for (std::size_t k = 1; k < node.sources.size(); k++) {
      const Region next = place_of(node.sources[k]);
      const bool follows = next.buffer == whole.buffer && next.area == whole.area &&
                           next.place.at(0) == whole.place.at(0) + whole.blocks &&
                           next.label.at(0) == whole.label.at(0) + whole.blocks;
      if (!follows) return packed_copy(node);
      whole.blocks += next.blocks;
    }
    return whole;
  }

  Region packed_copy(const Node& node) {
    const Range first = node.sources.front().labels;
    int blocks = 0;
    for (const Stream& stream : node.sources) {
      if (stream.labels.step != 1 || stream.labels.first != first.first + blocks) {
        throw std::logic_error("send: the streams of one message must hold blocks that follow one another");
      }
      blocks += stream.blocks();
    }
    const Region whole = in_area(take_area(Area::Kind::packed, {first.first, blocks, 1}), {first.first, blocks, 1});
    int done = 0;
    for (const Stream& stream : node.sources) {
      Operation op = operation(Operation::Kind::copy, node);
      op.peer = no_rank;
      op.source = place_of(stream);
      op.target = whole;
      op.target.place = whole.place.from(done);
      op.target.label = whole.label.from(done);
      op.target.blocks = stream.blocks();
      emit(op);
      done += stream.blocks();
    }
    return whole;
  }

  // A merged item is one stretch of memory.
  void require_contiguous(const Operation& op, const Region& region) const {
    if (!op.merged || region.blocks == 1) return;
    const bool rises = region.place.step == 1 && region.label.step == 1;
    const bool wraps = region.place.at(region.blocks - 1) != region.place.at(0) + region.blocks - 1;
    if (!rises || wraps) throw std::logic_error("a merged stream must hold blocks that follow one another");
  }

  const Recording& recording_;
  std::vector<bool> is_home_;
  std::vector<Region> places_;               // by value
  std::vector<std::uint32_t> operation_of_;  // of each node but outputs
  std::vector<int> last_use_;                // by value: a node
  std::vector<bool> fits_ring_;              // by value: all its users walk along with it, segment by segment
  std::map<int, int> owner_;                 // by area: the value that lives there now
  std::map<std::tuple<int, int, int>, std::vector<int>> free_areas_;  // by labels
  std::map<std::tuple<Rank, Lane, Operation::Kind>, std::uint32_t> channels_;
  std::array<std::vector<Paced>, 2> paced_;              // received, sent
  std::map<int, std::vector<std::uint32_t>> companies_;  // of sends that keep in step
  std::vector<AccessLog> area_logs_;
  AccessLog output_log_;
  DependencyTable dependencies_;
  Schedule schedule_;
  int current_ = 0;
};

}  // namespace

Schedule assemble(const Recording& recording) { return Assembler(recording).run(); }

}  // namespace espalier
