// SPDX-License-Identifier: Apache-2.0
// As much of PMIx's binary interface, the same since its version 2, as it takes to put a word into the launcher's
// key-value store, and to look whether another rank has put it there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier::pmix {

using Status = int;
inline constexpr Status success = 0;
inline constexpr Status not_supported = -47;

using ValueType = std::uint16_t;
inline constexpr ValueType type_bool = 1;
inline constexpr ValueType type_int = 6;
inline constexpr ValueType type_uint64 = 15;

using Scope = std::uint8_t;
inline constexpr Scope scope_global = 3;

struct KeyValue {
  ValueType type = 0;
  union {
    bool flag;
    int integer;
    std::uint64_t number;
    char room[64];  // the library's union is smaller
  };
};

struct Process {
  char job[256];  // PMIx's "namespace"
  std::uint32_t rank;
};

// The library's is shorter, so there can be no array of these.
struct Info {
  char key[512];
  std::uint32_t flags;
  KeyValue value;
};

using CommitFunction = Status (*)();
using PutFunction = Status (*)(Scope scope, const char* key, KeyValue* value);
using GetFunction = Status (*)(const Process* process, const char* key, const Info* info, std::size_t count,
                               KeyValue** value);

// What each rank that runs under Espalier puts there. The number is that of what the ranks then say to each other
// (mpi/start/roll_call.cpp).
inline constexpr const char* presence_key = "espalier.present.1";

}  // namespace espalier::pmix
