// SPDX-License-Identifier: Apache-2.0
#include "exchanges.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "../harness/native.hpp"

namespace bench {

namespace {

std::size_t bytes_of(const std::vector<Block>& blocks, bool are_one) {
  std::size_t all = 0;
  for (const Block& block : blocks) all = are_one ? std::max(all, block.bytes) : all + block.bytes;
  return all;
}

// What the turn-th block of some length from one rank to another holds. One for all goes to nobody in particular.
void fill(unsigned char* bytes, std::size_t count, int from, int to, int turn) {
  for (std::size_t k = 0; k < count; ++k)
    bytes[k] = static_cast<unsigned char>(31 * from + 17 * to + 7 * turn + static_cast<int>(k * k / 3 + k));
}

// Calls work(block, its first byte, how many blocks of that peer came before it). `are_one`: all of them.
template <class Work>
void for_each(const std::vector<Block>& blocks, bool are_one, Work work) {
  std::map<int, int> turns;
  std::size_t first = 0;
  for (const Block& block : blocks) {
    work(block, first, are_one ? 0 : turns[block.peer]++);
    if (!are_one) first += block.bytes;
  }
}

std::string packer_of(const std::string& variant) {
  if (variant == "espalier" || variant == "together" || variant == "alone") return "auto";
  if (variant == "native:neighbour") return "native";
  if (variant.starts_with("packer:")) return variant.substr(7);
  throw std::invalid_argument(variant + ": unknown variant");
}

// "3x4"
std::string grid_text(const std::vector<int>& sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

}  // namespace

NamedBlocks::NamedBlocks(const std::vector<Block>& blocks, bool are_one) {
  for_each(blocks, are_one, [&](const Block& block, std::size_t first, int) {
    peers.push_back(block.peer);
    counts.push_back(static_cast<int>(block.bytes));
    places.push_back(static_cast<MPI_Aint>(first));
    types.push_back(MPI_BYTE);
  });
}

Exchange::Exchange(const std::string& variant, const Pattern& pattern, MPI_Comm comm)
    : variant_(variant),
      is_native_(variant.starts_with("native")),
      is_blocking_(variant == "native:blocking" || variant == "espalier:neighbour"),
      sent_(bytes_of(pattern.sent, pattern.is_alike)),
      received_(bytes_of(pattern.received, false)),
      expected_(received_.size()),
      to_(pattern.sent, pattern.is_alike),
      from_(pattern.received, false) {
  int me = 0;
  MPI_Comm_rank(comm, &me);
  const bool are_one = pattern.is_alike;
  for_each(pattern.sent, are_one, [&](const Block& block, std::size_t first, int turn) {
    fill(&sent_[first], block.bytes, me, are_one ? 0 : block.peer, turn);
  });
  for_each(pattern.received, false, [&](const Block& block, std::size_t first, int turn) {
    fill(&expected_[first], block.bytes, block.peer, are_one ? 0 : me, are_one ? 0 : turn);
  });
  if (variant == "native:persistent" || variant == "paired") {
    place_on_grid(pattern.grid, comm);
    init_persistent(pattern);
  } else {
    const std::vector<int> weights(to_.peers.size() + from_.peers.size(), 1);
    MPI_Dist_graph_create_adjacent(comm, static_cast<int>(from_.peers.size()), from_.peers.data(), weights.data(),
                                   static_cast<int>(to_.peers.size()), to_.peers.data(), weights.data(), MPI_INFO_NULL,
                                   0, &comm_);
    if (!is_blocking_) init_neighbours(pattern.grid);
  }
}

Exchange::~Exchange() {
  for (MPI_Request& request : requests_) MPI_Request_free(&request);
  MPI_Comm_free(&comm_);
}

void Exchange::init_persistent(const Pattern& pattern) {
  const auto next = [&] { return &requests_.emplace_back(MPI_REQUEST_NULL); };
  requests_.reserve(pattern.sent.size() + pattern.received.size());
  const auto receive_init = is_native_ ? native().Recv_init : MPI_Recv_init;
  const auto send_init = is_native_ ? native().Send_init : MPI_Send_init;
  for_each(pattern.received, false, [&](const Block& block, std::size_t first, int) {
    receive_init(&received_[first], static_cast<int>(block.bytes), MPI_BYTE, block.peer, 0, comm_, next());
  });
  for_each(pattern.sent, pattern.is_alike, [&](const Block& block, std::size_t first, int) {
    send_init(&sent_[first], static_cast<int>(block.bytes), MPI_BYTE, block.peer, 0, comm_, next());
  });
}

// Only a communicator that is a grid says which messages go to diagonal neighbours.
void Exchange::place_on_grid(const std::vector<int>& sizes, MPI_Comm comm) {
  const std::vector<int> is_periodic(sizes.size(), 1);
  if (sizes.empty()) {
    MPI_Comm_dup(comm, &comm_);
  } else {
    MPI_Cart_create(comm, static_cast<int>(sizes.size()), sizes.data(), is_periodic.data(), 0, &comm_);
  }
}

MPI_Info Exchange::hints(const std::vector<int>& grid) const {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "espalier_packer", packer_of(variant_).c_str());
  const char* const aggregation = variant_ == "together" ? "always" : variant_ == "alone" ? "never" : "auto";
  MPI_Info_set(info, "espalier_aggregation", aggregation);
  if (!grid.empty()) MPI_Info_set(info, "espalier_grid", grid_text(grid).c_str());
  return info;
}

void Exchange::init_neighbours(const std::vector<int>& grid) {
  MPI_Info info = hints(grid);
  requests_.push_back(MPI_REQUEST_NULL);
  const auto init = is_native_ ? native().Neighbor_alltoallw_init : MPI_Neighbor_alltoallw_init;
  init(sent_.data(), to_.counts.data(), to_.places.data(), to_.types.data(), received_.data(), from_.counts.data(),
       from_.places.data(), from_.types.data(), comm_, info, requests_.data());
  MPI_Info_free(&info);
}

void Exchange::exchange_blocking() {
  const auto exchange = is_native_ ? native().Neighbor_alltoallw : MPI_Neighbor_alltoallw;
  exchange(sent_.data(), to_.counts.data(), to_.places.data(), to_.types.data(), received_.data(), from_.counts.data(),
           from_.places.data(), from_.types.data(), comm_);
}

void Exchange::run() {
  if (is_blocking_) return exchange_blocking();
  const auto startall = is_native_ ? native().Startall : MPI_Startall;
  const auto waitall = is_native_ ? native().Waitall : MPI_Waitall;
  const auto count = static_cast<int>(requests_.size());
  startall(count, requests_.data());
  waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
}

bool Exchange::is_right() const { return received_ == expected_; }

}  // namespace bench
