// SPDX-License-Identifier: Apache-2.0
// What processes exchange over the fabric, next to the data. All of it is between processes of one job on
// machines of one byte order, as their MPI's messages are.
//
// At *listeners*, where every process of the job can be reached, two that have something to exchange shake hands: each
// says which endpoints it has opened for the other one. That is an *epoch* of the two. Anyone who closes these
// endpoints begins the next one, by a new handshake: nothing that was written in an earlier epoch can arrive any more.
//
// In an epoch, records follow each other from the first endpoint of one to that of the other, in order. A receiver
// *grants* memory to a sender: the next pieces of a stream are to be written there.
//
// Anybody may reach an endpoint. So handshakes and records are sealed, by a secret that the processes of the job have
// from its launcher through their MPI; and each record is taken once, in its turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/types.hpp"
#include "transport/fabric/wire/seal.hpp"

namespace espalier {

inline constexpr int max_lanes = 8;   // of a process
inline constexpr int max_links = 32;  // between two processes

// As libfabric names an endpoint, with zeros after it.
using EndpointName = std::array<std::byte, 48>;

// Lanes as bits.
using LaneSet = std::uint8_t;

// What all processes must know of each other before they can shake hands.
struct AddressRecord {
  HashKey secret;  // the first process's is that of the job
  std::uint32_t lanes = 0;
  std::uint32_t socket_buffer = 0;  // bytes: the most that a socket of its host holds
  std::array<EndpointName, max_lanes> listeners{};
};

struct Handshake {
  enum class Kind : std::uint8_t { hello, ping };
  struct Endpoint {
    std::uint8_t lane = 0;
    std::array<std::uint8_t, 7> reserved{};
    std::uint64_t key = 0, base = 0;  // of memory to which nothing is written, for pieces without bytes
    EndpointName name{};
  };

  Kind kind = Kind::hello;
  std::uint8_t wants_answer = 0;  // the sender has not received from the other one in this epoch
  std::uint8_t endpoint_count = 0;
  LaneSet lanes = 0;
  std::uint32_t epoch = 0;
  std::array<Endpoint, max_links> endpoints{};

  [[nodiscard]] std::size_t bytes() const {
    return sizeof *this - (max_links - std::size_t{endpoint_count}) * sizeof(Endpoint);
  }
};

// As it travels.
struct SealedHandshake {
  Rank from = no_rank;
  std::uint32_t reserved = 0;
  SealedHead head;
  Handshake handshake;

  [[nodiscard]] std::span<std::byte> text(std::size_t bytes) {
    return std::as_writable_bytes(std::span(&handshake, 1)).first(bytes);
  }
};

// The run of a schedule on a communicator.
struct RunName {
  std::uint64_t number;
  std::uint64_t context;  // of the communicator: differs from those of all others of a process
  friend bool operator==(const RunName&, const RunName&) = default;
};

// What one process wants to know of another one about a run that both should be in, and what that says. What it means
// is no matter of the fabric's.
struct FabricWord {
  RunName run;
  std::uint64_t bytes;
  std::uint32_t kind, side;
};

struct FabricRecord {
  enum class Kind : std::uint32_t {
    region,     // of the granting process: where it is, for grants that name it
    grant,      // of memory, for pieces
    caught_up,  // after an epoch's first grants: all pieces that were written before and are not granted again have
                // arrived
    aborted,    // the run failed at the rank that says so: nothing more of it arrives from there
    word,       // on a run, between those who use the fabric
  };
  struct Where {
    std::uint64_t base;  // as the one that writes there must say it
    std::array<std::uint64_t, max_lanes> keys;
  };
  struct Grant {
    RunName run;
    std::uint64_t inlet;
    std::uint64_t offset, bytes, first_piece, pieces;  // side by side from `offset` in the region
    std::uint32_t channel, reserved;
  };

  Kind kind = Kind::caught_up;
  std::uint32_t region = 0;  // 0: none, for pieces without bytes
  union {
    Where where;
    Grant grant;
    FabricWord word;
  };

  FabricRecord() : where{} {}
};

// Some of them, as they travel.
struct SealedRecords {
  static constexpr std::size_t most = 12;
  SealedHead head;  // numbered without gaps, from 0
  std::array<FabricRecord, most> records{};

  [[nodiscard]] std::span<std::byte> text(std::size_t count) {
    return std::as_writable_bytes(std::span(records).first(count));
  }
};

}  // namespace espalier
