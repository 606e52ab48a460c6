// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/prefault.hpp"

#include <unistd.h>

#include <cstdlib>

#include "mpi/calls/context.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/prepared/first_calls.hpp"
#include "mpi/prepared/prepared_communicator.hpp"
#include "mpi/start/own_segments.hpp"

namespace espalier {

namespace {

// What a program's first calls, and first contexts, are likely to ask for.
constexpr std::size_t first_allocations = 64 * 1024;

// A segment is mapped as a whole, and no object is meant: between two of them the address sanitizer has its red zones.
[[gnu::no_sanitize_address]] void read_each_page(const volatile char* memory, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t k = 0; k < bytes; k += page) (void)memory[k];
}

void prefault_code() try {
  for (const OwnSegment& segment : own_segments()) {
    if (segment.type == PT_LOAD) read_each_page(segment.memory, segment.bytes);
  }
} catch (const std::bad_alloc&) {
  // The first calls will find it.
}

// The allocator keeps what it is given back.
void prefault_heap() {
  auto* const memory = static_cast<volatile char*>(std::malloc(first_allocations));
  if (memory == nullptr) return;
  for (std::size_t k = 0; k < first_allocations; k += 1024) memory[k] = 0;
  std::free(const_cast<char*>(memory));
}

// As a program's first calls are looked at, to the end that they have where nothing is decided yet.
void rehearse(PreparedCommunicator& world) {
  static const Function function = {.contract = &contract_of(Collective::allreduce)};
  const double input = 0;
  double output = 0;
  const CallBlocks one = {.count = 1, .type = MPI_DOUBLE};
  const Call call = {
      .function = &function, .input = &input, .output = &output, .sent = one, .op = MPI_SUM, .comm = MPI_COMM_WORLD};
  const Decided decided = look_at(call, world);
  (void)begins_natively(world.job(), decided.found.problem, world.size());
}

}  // namespace

void prefault() noexcept {
  prefault_code();
  prefault_heap();
  auto* const world = static_cast<PreparedCommunicator*>(context->communicators.find(MPI_COMM_WORLD));
  if (world == nullptr) return;
  world->recent.prefault();
  rehearse(*world);
}

}  // namespace espalier
