// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/grants.hpp"

namespace espalier {

void Grants::forget() {
  early_.clear();
  theirs_.fill({});
  reported_.fill(0);
}

bool Grants::is_new(const WritableRegion& region) {
  return std::exchange(reported_[region.id % max_regions], region.id) != region.id;
}

FabricRecord Grants::record_of(const WritableRegion& region) {
  FabricRecord record;
  record.kind = FabricRecord::Kind::region;
  record.region = region.id;
  record.where = region.where;
  return record;
}

FabricRecord Grants::record_of(const Inlet& inlet, std::uint64_t first_piece, std::uint64_t pieces,
                               const std::byte* data, std::size_t bytes, const WritableRegion* region) {
  FabricRecord record;
  record.kind = FabricRecord::Kind::grant;
  record.grant = {.run = inlet.run.run_name(),
                  .inlet = inlet.number,
                  .offset = 0,
                  .bytes = bytes,
                  .first_piece = first_piece,
                  .pieces = pieces,
                  .channel = inlet.channel,
                  .reserved = 0};
  if (region != nullptr) {
    record.region = region->id;
    record.grant.offset = static_cast<std::uint64_t>(data - region->area.begin);
  }
  return record;
}

void Grants::note_region(const FabricRecord& record) {
  theirs_[record.region % max_regions] = {record.region, record.where};
}

std::optional<Granted> Grants::read(const FabricRecord& record) const {
  std::optional<Granted> granted(Granted{.first_piece = record.grant.first_piece,
                                         .pieces = record.grant.pieces,
                                         .inlet = record.grant.inlet,
                                         .has_bytes = record.region != 0});
  if (!granted->has_bytes) return granted;
  const Theirs& region = theirs_[record.region % max_regions];
  if (region.id != record.region) return {};  // cannot be: it was told before
  granted->address = region.where.base + record.grant.offset;
  granted->bytes = record.grant.bytes;
  granted->keys = region.where.keys;
  return granted;
}

void Grants::keep(const FabricRecord& record, const Granted& granted) {
  early_.push_back({record.grant.run, record.grant.channel, granted});
}

void Grants::move_kept_to(Outlet& outlet) {
  std::erase_if(early_, [&](const Early& early) {
    const bool is_its = early.run == outlet.run.run_name() && early.channel == outlet.channel;
    if (is_its) outlet.granted.push_back(early.granted);
    return is_its;
  });
}

}  // namespace espalier
