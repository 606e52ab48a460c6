// SPDX-License-Identifier: Apache-2.0
#include "halo/part.hpp"

namespace espalier::halo {

namespace {

Region block_of(Buffer buffer, const Held& held, int place) {
  return {.buffer = buffer, .blocks = 1, .place = always(place), .label = always(held.label_at(place))};
}

}  // namespace

Schedule schedule_of(const Part& part) {
  Schedule schedule;
  schedule.blocks = part.inputs + part.outputs;
  for (const Edge& edge : part.received) {
    schedule.operations.push_back({.kind = Operation::Kind::recv,
                                   .channel = edge.channel,
                                   .path = edge.path,
                                   .peers = always(edge.peer),
                                   .target = block_of(Buffer::output, part.output(), edge.block)});
  }
  for (const Edge& edge : part.sent) {
    schedule.operations.push_back({.kind = Operation::Kind::send,
                                   .channel = edge.channel,
                                   .path = edge.path,
                                   .peers = always(edge.peer),
                                   .source = block_of(Buffer::input, part.input(), edge.block)});
  }
  for (const Part::Copy& copy : part.copies) {
    schedule.operations.push_back({.kind = Operation::Kind::copy,
                                   .source = block_of(Buffer::input, part.input(), copy.from),
                                   .target = block_of(Buffer::output, part.output(), copy.to)});
  }
  return schedule;
}

}  // namespace espalier::halo
