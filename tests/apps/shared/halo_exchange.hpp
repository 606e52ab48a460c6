// SPDX-License-Identifier: Apache-2.0
// Exchanges with neighbours, drawn at random: ranks that are their own neighbours, or the same one's several times,
// nobody at an edge, blocks of nothing, of some bytes and of many, predefined and derived datatypes. A rank alone may
// name its blocks by addresses of their own, each by a datatype of its own, or those of nothing by elements without
// bytes; and where it sends or receives nothing, its buffer may be nowhere, or where the other one is.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "shared/mpi_functions.hpp"

namespace espalier::apps {

// From 0 to less than that.
[[nodiscard]] inline int drawn(std::uint64_t random, int count) {
  return static_cast<int>(random % static_cast<std::uint64_t>(count));
}

struct Topology {
  MPI_Comm comm = MPI_COMM_NULL;
  std::string name;
  std::vector<int> to, from;
};

// Collective over MPI_COMM_WORLD.
[[nodiscard]] Topology make_topology(std::uint64_t random, int rank, int size);

// One rank's part.
class HaloExchange {
 public:
  enum class Function : std::uint8_t { allgather, allgatherv, alltoall, alltoallv, alltoallw };

  // `topology` must outlive this.
  HaloExchange(std::uint64_t random, int rank, const Topology& topology);
  ~HaloExchange() { free_types(); }
  HaloExchange(const HaloExchange&) = delete;
  HaloExchange& operator=(const HaloExchange&) = delete;

  // What is sent from here on, and nothing has arrived.
  void fill(std::uint64_t time);
  // By the functions of one table, into `received` or `expected`. With large counts if there are such, and this one
  // wants it. Return an MPI code.
  [[nodiscard]] int exchange(const Native& mpi, std::vector<unsigned char>& output) const;
  [[nodiscard]] int start(const Native& mpi, std::vector<unsigned char>& output, MPI_Request& request) const;
  [[nodiscard]] int init(const Native& mpi, std::vector<unsigned char>& output, MPI_Request& request) const;
  // As no call may be: with a count below nothing. This rank has neighbours.
  [[nodiscard]] int exchange_wrongly(const Native& mpi);

  // No call is made after that.
  void free_types();

  [[nodiscard]] std::string name() const;
  std::vector<unsigned char> received, expected;

 private:
  // Elements are pairs of numbers, of a datatype that has gaps or none, or is predefined.
  struct Type {
    explicit Type(std::uint64_t random);
    MPI_Datatype handle = MPI_DATATYPE_NULL;
    bool is_derived = true;
    MPI_Aint extent = 8, true_extent = 8;
  };
  // One side's blocks.
  struct Blocks {
    std::vector<int> counts, places;  // in elements
    std::vector<MPI_Aint> bytes;      // the same places
    std::vector<MPI_Datatype> types;
    std::vector<MPI_Count> large_counts;
    std::vector<MPI_Aint> large_places;
    std::vector<MPI_Aint> addresses;  // of the same places
    std::size_t length = 0;           // in bytes
    bool are_empty = true;            // all of them
  };
  struct Buffers {
    const void* from = nullptr;
    void* to = nullptr;
  };

  [[nodiscard]] int count_of(int peer) const;
  // From the address that `buffers` gives for them.
  [[nodiscard]] const MPI_Aint* places_of(const Blocks& blocks) const {
    return is_absolute_ ? blocks.addresses.data() : blocks.bytes.data();
  }
  [[nodiscard]] Buffers buffers(std::vector<unsigned char>& output) const;
  // Some of these blocks, by datatypes of their own.
  void name_block_by_block(Blocks& blocks, std::uint64_t random);
  // Into it from here on, or from there.
  static void lie_at(const void* buffer, Blocks& blocks);
  [[nodiscard]] Blocks blocks(const std::vector<int>& peers, const Type& type, bool are_alike) const;
  // `functions`: a form of each function; `more`: their arguments at the end.
  template <class... Functions, class... More>
  [[nodiscard]] int call(const std::tuple<Functions...>& functions, std::vector<unsigned char>& output,
                         More... more) const;
  template <class... Functions, class... More>
  [[nodiscard]] int call_large(const std::tuple<Functions...>& functions, std::vector<unsigned char>& output,
                               More... more) const;

  const std::uint64_t random_;
  const int rank_;
  const Topology& topology_;
  const Function function_;
  const bool is_large_, is_absolute_;  // by addresses of their own
  Type sent_type_, received_type_;
  Blocks sent_blocks_, received_blocks_, expected_blocks_;
  std::vector<unsigned char> sent_;
  std::vector<MPI_Datatype> types_of_blocks_;
};

}  // namespace espalier::apps
