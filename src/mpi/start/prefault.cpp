// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/prefault.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>

#include "mpi/calls/context.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/prepared/first_calls.hpp"
#include "mpi/prepared/prepared_communicator.hpp"
#include "mpi/start/own_library.hpp"

namespace espalier {

namespace {

// What a program's first calls, and first contexts, are likely to ask for.
constexpr std::size_t first_allocations = 64 * 1024;

// A segment is mapped as a whole, and no object is meant: between two of them the address sanitizer has its red zones.
[[gnu::no_sanitize_address]] void read_each_page(const volatile char* memory, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t k = 0; k < bytes; k += page) (void)memory[k];
}

// Some linkers make code that can be run and not read.
void prefault_code() {
  const OwnLibrary own = own_library();
  for (const ElfW(Phdr) & segment : own.segments) {
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_R) != 0)
      read_each_page(own.memory_of(segment), segment.p_memsz);
  }
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
  const Function function = {.contract = &contract_of(Collective::allreduce)};
  const double input = 0;
  double output = 0;
  const CallBlocks one = {.count = 1, .type = MPI_DOUBLE};
  const Call call = {
      .function = &function, .input = &input, .output = &output, .sent = one, .op = MPI_SUM, .comm = MPI_COMM_WORLD};
  const Decided decided = look_at(call, world);
  (void)begins_natively(world.job(), decided.found.problem, world.size());
}

}  // namespace

void prefault() noexcept try {
  prefault_code();
  prefault_heap();
  auto* const world = static_cast<PreparedCommunicator*>(context->communicators.find(MPI_COMM_WORLD));
  if (world == nullptr) return;
  world->recent.prefault();
  rehearse(*world);
} catch (const std::exception&) {
  // The first calls will do what they need.
}

}  // namespace espalier
